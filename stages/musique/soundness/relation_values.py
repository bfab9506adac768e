"""Which relations have one value by nature, so that it can be asked for (templates/soundness/relations.yaml).

A text names one of many ("contains administrative territorial entity"), so that what the pool of
hops knows of a subject does not tell it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from stages.core import template_files
from stages.core.contract import StageError
from stages.core.overlay import remembered
from stages.core.template_files import read_template

TEMPLATES = ("soundness/relations.yaml",)

FILE = "soundness/relations.yaml"
WHYS = ("several", "levels", "changes", "vague")
_KEYS = {"property", "refused", "statements", "documents"}


@remembered()
def refused(file: Path | None = None) -> Mapping[str, str]:
    """Why a relation's value is not asked for, by its label; without those that are.

    Raises StageError naming the file, the relation and what was expected.
    """
    read = read_template(FILE, file)
    data, where = read.data, read.where
    if data.get("version") != 1 or not isinstance(data.get("relations"), dict):
        raise read.fault("expected version 1 and relations by their labels")
    for label, entry in data["relations"].items():
        if not isinstance(entry, dict) or not {"property"} <= entry.keys() <= _KEYS:
            raise StageError(f"{where}: {label}: expected property and perhaps {', '.join(sorted(_KEYS))}")
        if entry.get("refused", WHYS[0]) not in WHYS:
            raise StageError(f"{where}: {label}: refused: expected one of {', '.join(WHYS)}, got {entry['refused']!r}")
    return {label: entry["refused"] for label, entry in data["relations"].items() if "refused" in entry}


def digests() -> dict[str, str]:
    """Of the file, for stages that depend on it."""
    return template_files.digests(FILE)
