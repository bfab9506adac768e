"""One join three ways, from stored shards to stored shards: the executor, dictionaries, Beam record by record."""

from __future__ import annotations

import hashlib
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import apache_beam as beam
import pyarrow as pa
import pyarrow.parquet as pq
from apache_beam.runners.portability.fn_api_runner import FnApiRunner

from manifests.manifest import Table
from manifests.storage import Storage
from stages.beam.executor import execute
from stages.beam.job import Job
from stages.beam.options import BeamOptions
from tests.bench.join_input import ENTITIES, LABELLED, STATEMENTS, stage

Row = dict[str, Any]


def load(folder: Path, tables: Mapping[str, Table], buckets: int) -> tuple[Path, Mapping[str, Table], int]:
    return folder, tables, buckets


def by_executor(folder: Path, tables: Mapping[str, Table], buckets: int) -> list[Path]:
    schemas = {spec.name: spec.schema for spec in (STATEMENTS, ENTITIES)}
    job = Job(stage(), Storage.at(folder), "executor", buckets, tables, schemas)
    result = execute(job, BeamOptions(workers=1))
    return [folder / shard.path for shard in result.tables[LABELLED.name].shards]


def by_python(folder: Path, tables: Mapping[str, Table], buckets: int) -> list[Path]:
    statements, entities = (
        [row for shard in tables[spec.name].shards for row in pq.read_table(folder / shard.path).to_pylist()]
        for spec in (STATEMENTS, ENTITIES)
    )
    labels = {row["qid"]: row["label"] for row in entities}
    parts: dict[int, list[Row]] = defaultdict(list)
    for row in statements:
        if row["value"] in labels:
            parts[_bucket(row["subject"], buckets)].append(row | {"label": labels[row["value"]]})
    return [_write(folder / "python", number, parts[number]) for number in range(buckets)]


def by_records(folder: Path, tables: Mapping[str, Table], buckets: int) -> list[Path]:
    paths = [
        [(spec.key[0] if spec is ENTITIES else "value", str(folder / shard.path)) for shard in tables[spec.name].shards]
        for spec in (STATEMENTS, ENTITIES)
    ]
    with beam.Pipeline(runner=FnApiRunner()) as pipeline:
        statements, entities = (
            pipeline | f"Paths {number}" >> beam.Create(found) | f"Read {number}" >> beam.FlatMapTuple(_rows)
            for number, found in enumerate(paths)
        )
        _ = (
            {"statements": statements, "entities": entities}
            | beam.CoGroupByKey()
            | beam.FlatMap(_joined)
            | beam.Map(lambda row: (_bucket(row["subject"], buckets), row))
            | beam.GroupByKey()
            | beam.MapTuple(lambda number, rows: _write(folder / "records", number, list(rows)))
        )
    return sorted((folder / "records").iterdir())


def _rows(key: str, path: str) -> Iterator[tuple[str, Row]]:
    for row in pq.read_table(path).to_pylist():
        yield row[key], row


def _joined(found: tuple[str, dict[str, Iterable[Row]]]) -> Iterator[Row]:
    for entity in found[1]["entities"]:
        for row in found[1]["statements"]:
            yield row | {"label": entity["label"]}


def _bucket(subject: str, buckets: int) -> int:
    return zlib.crc32(subject.encode()) % buckets


def _write(folder: Path, number: int, rows: list[Row]) -> Path:
    """Sorted rows as Parquet, with the digest that a manifest would hold."""
    folder.mkdir(exist_ok=True)
    path = folder / f"part-{number:05}.parquet"
    ordered = sorted(rows, key=lambda row: tuple(row[name] for name in LABELLED.key))
    pq.write_table(pa.Table.from_pylist(ordered, schema=LABELLED.schema), path, compression="zstd")
    hashlib.sha256(path.read_bytes()).hexdigest()
    return path


def digest(paths: list[Path]) -> tuple[int, str]:
    """Number of rows, and a hash of them in an order of its own."""
    table = pa.concat_tables([pq.read_table(path, schema=LABELLED.schema) for path in paths])
    table = table.sort_by([(name, "ascending") for name in LABELLED.key]).combine_chunks()
    lines = [column.to_pylist() for column in table.columns]
    return table.num_rows, hashlib.sha256(repr(lines).encode()).hexdigest()
