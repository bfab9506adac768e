"""Rows to a published shard (sorted, keys checked, written, digested) against dictionaries and JSON lines."""

from __future__ import annotations

import gzip
import hashlib
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from manifests.storage import Storage
from stages.core.shards import sort_bucket, write_shard
from tests.bench.join_input import STATEMENTS
from tests.bench.measure import measure, report

ROWS = 50_000


def made(rows: int) -> pa.Table:
    rng = np.random.default_rng(rows)
    columns = {
        "subject": np.char.add("Q", rng.permutation(rows).astype(str)),
        "property": np.char.add("P", rng.integers(0, 300, rows).astype(str)),
        "value": np.char.add("Q", rng.integers(0, rows, rows).astype(str)),
    }
    return pa.table(columns, schema=STATEMENTS.schema)


def load_table(path: Path, folder: Path) -> tuple[pa.Table, Path]:
    return pq.read_table(path), folder


def load_rows(path: Path, folder: Path) -> tuple[list[dict[str, Any]], Path]:
    return pq.read_table(path).to_pylist(), folder


def by_kernel(table: pa.Table, folder: Path) -> int:
    rows = sort_bucket([table], STATEMENTS, "bench").rows
    return write_shard(Storage.at(folder), "shard.parquet", rows, STATEMENTS).rows


def by_python(rows: list[dict[str, Any]], folder: Path) -> int:
    ordered = sorted(rows, key=lambda row: tuple(row[name] for name in STATEMENTS.key))
    for first, second in pairwise(ordered):
        if all(first[name] == second[name] for name in STATEMENTS.key):
            raise ValueError(f"key occurs twice: {first} and {second}")
    digest = hashlib.sha256()
    path = folder / "shard.jsonl.gz"
    with gzip.open(path, "wb", compresslevel=3) as file:
        for row in ordered:
            line = json.dumps(row, separators=(",", ":")).encode() + b"\n"
            digest.update(line)
            file.write(line)
    hashlib.sha256(path.read_bytes()).hexdigest()
    return len(ordered)


@pytest.mark.bench
def test_writing_a_shard(tmp_path: Path) -> None:
    rows = []
    for times in (1, 4, 16):
        path = tmp_path / f"{times}.parquet"
        pq.write_table(made(ROWS * times), path)
        ours = measure(load_table, by_kernel, int, path, tmp_path)
        plain = measure(load_rows, by_python, int, path, tmp_path)
        assert ours.result == plain.result
        rows.append((times, ROWS * times, ours, plain))
    print("\n" + report("a shard written: sort, keys, Parquet, two digests, by rows", rows))
