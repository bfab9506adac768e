"""The Beam functions: each takes a reference, reads tables, calls plain code, writes tables.

Elements are small: a work item, or ((table, bucket), Spill). Results for the manifest
are dictionaries that end up in one JSON file of the attempt.

What several work items of one bundle put out is spilled together, up to `flush_bytes`:
one spill per item, table and bucket would make the shuffle grow with the square of the
number of buckets.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

import apache_beam as beam
import pyarrow as pa
import pyarrow.compute as pc
from apache_beam.transforms.window import GlobalWindow
from apache_beam.utils.windowed_value import WindowedValue

from stages.beam.job import REJECTS, Job
from stages.contract import Join, Map, Output, StageError
from stages.rejects import REJECTS_SCHEMA
from stages.shards import conform, read_shards, sort_bucket, split, write_shard
from stages.spill import Spill, read_spills, write_spill

RESULTS = "results"
Key = tuple[str, int]


class Work(beam.DoFn):
    """Runs the kernel on one work item and spills what it returns by table and bucket."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._side: tuple[pa.Table, ...] | None = None
        self._pending: list[Output] = []
        self._size = 0

    def start_bundle(self) -> None:
        # A bundle that failed may have left something behind.
        self._pending, self._size = [], 0

    def process(self, item: Any) -> Iterator[Any]:
        for output in self._outputs(item):
            self._pending.append(output)
            self._size += sum(table.nbytes for table in output.tables.values())
            if self._size >= self.job.flush_bytes:
                yield from self._flush()

    def finish_bundle(self) -> Iterator[Any]:
        yield from map(_in_bundle_end, self._flush())

    def _outputs(self, item: Any) -> Iterator[Output]:
        stage = self.job.stage
        if stage.source is not None:
            for batch in stage.source.read(item):
                yield stage.call(batch, *self.side())
        else:
            yield stage.call(*self._tables(item), *self.side())

    def _tables(self, item: Any) -> list[pa.Table]:
        job, stage = self.job, self.job.stage
        if isinstance(stage.shape, Map):
            (name,) = stage.inputs
            return [read_shards(job.root, [job.shards(name)[item]], job.schemas[name])]
        if isinstance(stage.shape, Join):
            bucket, spills = item
            return [self._bucket(number, bucket, spills) for number in range(len(stage.inputs))]
        return [read_shards(job.root, job.shards(name), job.schemas[name]) for name in stage.inputs]

    def _bucket(self, number: int, bucket: int, spills: list[tuple[int, Spill]]) -> pa.Table:
        name = self.job.stage.inputs[number]
        schema = self.job.schemas[name]
        if self.job.is_bucketed_on(name, self.job.stage.on[number]):
            return read_shards(self.job.root, [self.job.shards(name)[bucket]], schema)
        return read_spills(self.job.root, [spill for owner, spill in spills if owner == number], schema)

    def side(self) -> tuple[pa.Table, ...]:
        if self._side is None:
            job = self.job
            self._side = tuple(read_shards(job.root, job.shards(name), job.schemas[name]) for name in job.stage.side)
        return self._side

    def _flush(self) -> Iterator[Any]:
        outputs, self._pending, self._size = self._pending, [], 0
        rows = rejects = 0
        keys: list[Key] = []
        tables: list[pa.Table] = []
        for name, parts in _by_table(self.job, outputs).items():
            merged = pa.concat_tables(parts)
            if name == REJECTS:
                rejects += pc.sum(merged.column("count")).as_py() or 0
            else:
                rows += merged.num_rows
            spec = self.job.specs[name]
            for bucket, part in split(merged, spec.bucket_columns, self.job.buckets_of(name)).items():
                keys.append((name, bucket))
                tables.append(part)
        if tables:
            yield from zip(keys, write_spill(self.job.root, self.job.spill_folder, tables), strict=True)
        for output in outputs:
            if output.metrics:
                yield beam.pvalue.TaggedOutput(RESULTS, {"metrics": dict(output.metrics)})
        tick(self.job, rows=rows, rejects=rejects)


class Repartition(beam.DoFn):
    """Splits the shards of a join's inputs by the join columns; yields (bucket, (input, Spill))."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._pending: dict[int, list[pa.Table]] = {}
        self._size = 0

    def start_bundle(self) -> None:
        self._pending, self._size = {}, 0

    def process(self, item: tuple[int, int]) -> Iterator[tuple[int, tuple[int, Spill]]]:
        number, shard = item
        name = self.job.stage.inputs[number]
        table = read_shards(self.job.root, [self.job.shards(name)[shard]], self.job.schemas[name])
        self._pending.setdefault(number, []).append(table)
        self._size += table.nbytes
        if self._size >= self.job.flush_bytes:
            yield from self._flush()

    def finish_bundle(self) -> Iterator[Any]:
        yield from map(_in_bundle_end, self._flush())

    def _flush(self) -> Iterator[tuple[int, tuple[int, Spill]]]:
        pending, self._pending, self._size = self._pending, {}, 0
        for number, tables in pending.items():
            parts = split(pa.concat_tables(tables), self.job.stage.on[number], self.job.buckets)
            if parts:
                spills = write_spill(self.job.root, self.job.spill_folder, list(parts.values()))
                for bucket, spill in zip(parts, spills, strict=True):
                    yield bucket, (number, spill)


class WriteTable(beam.DoFn):
    """Writes one bucket of one output table as a shard; duplicates go on as rejects."""

    def __init__(self, job: Job) -> None:
        self.job = job

    def process(self, element: tuple[Key, Iterable[Spill]]) -> Iterator[Any]:
        (name, bucket), spills = element
        job, spec = self.job, self.job.specs[name]
        tables = [read_spills(job.root, [spill], spec.schema) for spill in spills if spill is not None]
        done = sort_bucket(tables, spec, job.stage.name)
        shard = write_shard(job.root, job.table_path(name, bucket), done.rows, spec)
        yield beam.pvalue.TaggedOutput(RESULTS, {"shard": asdict(shard), "table": name, "bucket": bucket})
        for target, part in split(done.rejects, ("key",), job.buckets_of(REJECTS)).items():
            (spill,) = write_spill(job.root, job.spill_folder, [part])
            yield (REJECTS, target), spill
        tick(job, shards=1, rejects=done.rejects.num_rows)


class WriteRejects(beam.DoFn):
    """Sums equal rejects of one bucket and writes them as a shard of the rejects table."""

    def __init__(self, job: Job) -> None:
        self.job = job

    def process(self, element: tuple[Key, Iterable[Spill]]) -> Iterator[dict[str, Any]]:
        (name, bucket), spills = element
        job = self.job
        merged = read_spills(job.root, [spill for spill in spills if spill is not None], REJECTS_SCHEMA)
        summed = merged.group_by(["key", "reason", "detail"]).aggregate([("count", "sum")])
        rows = sort_bucket([summed.rename_columns(REJECTS_SCHEMA.names)], job.specs[name], job.stage.name).rows
        shard = write_shard(job.root, job.table_path(name, bucket), rows, job.specs[name])
        yield {"shard": asdict(shard), "table": name, "bucket": bucket}
        reasons = rows.group_by("reason").aggregate([("count", "sum")])
        yield {
            "reasons": dict(
                zip(*(column.to_pylist() for column in reasons.select(["reason", "count_sum"])), strict=True)
            )
        }
        tick(job, shards=1)


class WriteResult(beam.DoFn):
    """Leaves all results of the job in one file for the builder that started it."""

    def __init__(self, job: Job) -> None:
        self.job = job

    def process(self, results: list[dict[str, Any]]) -> Iterator[None]:
        self.job.root.write_bytes(self.job.result_path, json.dumps(results).encode())
        return iter(())


def _in_bundle_end(element: Any) -> Any:
    """What is put out when a bundle ends has no element to take its window from.

    It gets the global one, in which all elements of a job are: a job reads bounded inputs and sets no windows.
    """
    if isinstance(element, beam.pvalue.TaggedOutput):
        return beam.pvalue.TaggedOutput(element.tag, _in_bundle_end(element.value))
    window = GlobalWindow()
    return WindowedValue(element, window.max_timestamp(), (window,))


def tick(job: Job, **counts: int) -> None:
    """Tells the builder that is watching the attempt's folder how far the job is."""
    if job.progress:
        job.root.write_bytes(f"{job.progress_folder}/{uuid.uuid4().hex}.json", json.dumps(counts).encode())


def _by_table(job: Job, outputs: list[Output]) -> dict[str, list[pa.Table]]:
    """The rows of several kernel calls per table, rejects among them, in the declared types."""
    found: dict[str, list[pa.Table]] = {}
    for output in outputs:
        undeclared = set(output.tables) - set(job.specs)
        if undeclared:
            raise StageError(f"stage {job.stage.name}: kernel returned undeclared tables {sorted(undeclared)}")
        for name, table in (*output.tables.items(), (REJECTS, output.rejects)):
            if table.num_rows:
                found.setdefault(name, []).append(conform(table, job.specs[name], job.stage.name))
    return found
