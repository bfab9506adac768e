"""Candidate sentences: the kernel against plain Python, same result, on generated pages with real numbers of names."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from stages.facts.candidate_evidence import CandidateParams, candidates
from tests.bench import candidates_plain
from tests.bench.candidates_input import tables
from tests.bench.measure import measure, report

NAMES = ("requests", "sentences")
PAGES = 1000


def load_tables(folder: Path) -> tuple[pa.Table, ...]:
    return tuple(pq.read_table(folder / f"{name}.parquet") for name in NAMES)


def load_rows(folder: Path) -> tuple[list[dict[str, Any]], ...]:
    return tuple(table.to_pylist() for table in load_tables(folder))


def by_kernel(requests: pa.Table, sentences: pa.Table) -> pa.Table:
    return candidates(requests, sentences, params=CandidateParams()).tables["candidates"]


def by_python(requests: list[dict[str, Any]], sentences: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return candidates_plain.candidates(requests, sentences, CandidateParams().window)


def digest(found: pa.Table | list[dict[str, Any]]) -> tuple[int, str]:
    """Number of candidates, and a hash of what identifies them in an order of its own."""
    rows = found.to_pylist() if isinstance(found, pa.Table) else found
    lines = sorted(json.dumps([row[name] for name in ("subject", "object", "index", "premise")]) for row in rows)
    return len(lines), hashlib.sha256("\n".join(lines).encode()).hexdigest()


@pytest.mark.bench
def test_candidates(tmp_path: Path) -> None:
    rows = []
    for times in (1, 4, 16):
        folder = tmp_path / str(times)
        folder.mkdir()
        made = tables(PAGES * times)
        for name, table in made.items():
            pq.write_table(table, folder / f"{name}.parquet")
        ours = measure(load_tables, by_kernel, digest, folder)
        plain = measure(load_rows, by_python, digest, folder)
        assert ours.result == plain.result
        assert ours.result[0] > 0
        rows.append((times, made["sentences"].num_rows, ours, plain))
    print("\n" + report("facts.candidate_evidence, by sentences", rows))
