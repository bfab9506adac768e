"""Files of single hops made by hand, and what is read of them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from stages.musique.hop_sources.parse import parse
from stages.musique.hop_sources.source import HopFiles
from stages.musique.single_hops.stated import SingleHopParams

NEUTRAL: dict[str, Any] = {
    "id": "n1",
    "source": "My Set",
    "question": "Imagine >> performer",
    "answer": "Lennon",
    "paragraph": "By Lennon.",
}

ZERO_SHOT = "performer\tWho sang XXX?\tImagine\tImagine was sung by John Lennon.\tJohn Lennon\tLennon"


def read(
    *paths: Path, labels: dict[str, str] | None = None, **limits: int
) -> tuple[list[dict[str, Any]], Counter[str]]:
    """(rows of READ_HOPS, reasons) of some files."""
    source = HopFiles(tuple(map(str, paths)), **limits)
    raw = [table for part in source.parts() for table in source.read(part)]
    outputs = [parse(table, params=SingleHopParams(), labels=labels or {"P175": "performer"}) for table in raw]
    found = [row for output in outputs for row in output.tables["read_hops"].to_pylist()]
    reasons = Counter(row["reason"] for output in outputs for row in output.rejects.to_pylist())
    return found, reasons


def write(path: Path, *records: Any) -> Path:
    path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in records), encoding="utf-8")
    return path
