"""The steps of a job: each takes references, reads tables, calls plain code, writes tables.

A step knows nothing of what runs it. Beside rows it leaves a result for every group that
it took, with what came in and what went out by name, so that a row which a runner lost or
delivered twice is noticed before anything is published (see `stages.beam.results`).
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from stages.beam.job import REJECTS, Job
from stages.beam.ticks import Ticks, tick
from stages.beam.unchanged import check_files
from stages.core.alive import LIFE, alive, taken_in
from stages.core.contract import Join, Map, Output, Score, StageError
from stages.core.rejects import REJECTS_SCHEMA
from stages.core.shards import conform, read_shards, sort_bucket, split, write_shard
from stages.core.spill import Spill, read_spills, write_spill

Key = tuple[str, int]
Element = tuple[Key, Any]
Groups = Sequence[tuple[Any, ...]]

# Names of keys that are no table's; a table's name is an identifier.
MOVE, WORK, RESULTS = "(move)", "(work)", "(results)"
MOVED = "rows moved"
RESULT_KEY: Key = (RESULTS, 0)
# What the work behind a result took (see `stages.beam.meter`): not twice the same when it is done twice.
USED = "used"
PAIRS = pa.schema([("pair", pa.string()), ("first", pa.string()), ("second", pa.string())])


class Buffer:
    """Rows on their way to the buckets of some tables, spilled to one file whenever they take `flush_bytes`.

    by: per table its columns that tell the bucket, and the number of buckets.
    """

    def __init__(self, job: Job, by: Mapping[Any, tuple[tuple[str, ...], int]]) -> None:
        self.job = job
        self.by = by
        self._held: dict[Any, list[pa.Table]] = defaultdict(list)
        self._bytes = 0

    def add(self, name: Any, table: pa.Table) -> Iterator[tuple[Any, int, Spill]]:
        """Takes rows in; yields (table, bucket, spill) where that was enough for a file."""
        if table.num_rows:
            self._held[name].append(table)
            self._bytes += table.nbytes
        if self._bytes >= self.job.flush_bytes:
            yield from self.flush()

    def flush(self) -> Iterator[tuple[Any, int, Spill]]:
        held, self._held, self._bytes = self._held, defaultdict(list), 0
        places: list[tuple[Any, int]] = []
        tables: list[pa.Table] = []
        for name, parts in held.items():
            for bucket, part in split(pa.concat_tables(parts), *self.by[name]).items():
                places.append((name, bucket))
                tables.append(part)
        if tables:
            spills = write_spill(self.job.root, self.job.spill_folder, tables)
            yield from ((*place, spill) for place, spill in zip(places, spills, strict=True))


class Repartition:
    """Splits the shards of a join's inputs by the join columns, and those of pairs by the pair.

    items: (input, shard) by item. buckets: those that the next step takes together.
    """

    takes = (MOVE,)

    def __init__(self, job: Job, items: Groups, buckets: Groups) -> None:
        self.job = job
        self.items = items
        self.group_of = {bucket: number for number, group in enumerate(buckets) for bucket in group}

    def process(self, key: Key, values: Iterable[Any]) -> Iterator[Element]:
        on = self.job.stage.on or (("pair",),)
        buffer = Buffer(self.job, {number: (columns, self.job.buckets) for number, columns in enumerate(on)})
        rows, ticks = 0, Ticks(self.job)
        for number, shard in self.items[key[1]]:
            table = self._read(number, shard)
            rows += table.num_rows
            yield from self._sent(buffer.add(number, table))
            ticks.add(read=self.job.shards(self.job.stage.inputs[number])[shard].bytes)
        yield from self._sent(buffer.flush())
        ticks.flush()
        yield result(key, out={MOVED: rows})

    def _read(self, number: int, shard: int) -> pa.Table:
        job, name = self.job, self.job.stage.inputs[number]
        table = read_shards(job.root, [job.shards(name)[shard]], job.schemas[name])
        if isinstance(job.stage.shape, Score):
            return table.select(job.stage.pair_columns).rename_columns(PAIRS.names).cast(PAIRS)
        return table

    def _sent(self, spilled: Iterable[tuple[int, int, Spill]]) -> Iterator[Element]:
        for number, bucket, spill in spilled:
            yield (WORK, self.group_of[bucket]), (bucket, number, spill)


class Work:
    """Runs the kernel on the parts of one item and spills what it returns by table and bucket.

    items: by item the shards (of a Map), buckets (of a Join) or parts of the source, one kernel call or more for each.
    read_bytes: what all of them read.
    """

    takes = (WORK,)

    def __init__(self, job: Job, items: Groups, read_bytes: int) -> None:
        self.job = job
        self.items = items
        self._share = read_bytes // max(1, sum(map(len, items)))
        self._side: tuple[pa.Table, ...] | None = None

    def process(self, key: Key, values: Iterable[Any]) -> Iterator[Element]:
        arrived = [value for value in values if value is not None]
        job = self.job
        buffer = Buffer(job, {name: (spec.bucket_columns, job.buckets_of(name)) for name, spec in job.specs.items()})
        out: Counter[str] = Counter()
        metrics: dict[str, float] = defaultdict(int)
        ticks = Ticks(job)
        for output in self._outputs(key, arrived, ticks):
            for metric, value in output.metrics.items():
                metrics[metric] += value
            for name, table in self._tables(output):
                count = counted(name, table)
                out[name] += count
                ticks.add({"rejects" if name == REJECTS else "rows": count})
                yield from _keyed(buffer.add(name, table))
        yield from _keyed(buffer.flush())
        ticks.flush()
        moved = sum(spill.rows for _, _, spill in arrived)
        yield result(key, into={MOVED: moved}, out=out, metrics=metrics)

    def _outputs(self, key: Key, arrived: list[tuple[int, int, Spill]], ticks: Ticks) -> Iterator[Output]:
        for part in self.items[key[1]]:
            LIFE.doing(self._said(part))
            left = self._share
            # What was read before, for another purpose, is none of this part.
            taken_in()
            for tables in self._calls(part, arrived):
                alive()
                yield self.job.stage.call(*tables, *self.side())
                alive()
                now = min(left, taken_in())
                left -= now
                ticks.add(read=now)
            ticks.add(read=left)

    def _said(self, part: Any) -> str:
        stage = self.job.stage
        if isinstance(stage.shape, Join):
            return f"bucket {part}"
        if isinstance(stage.shape, Map) and stage.source is None:
            return f"shard {part} of {stage.inputs[0]}"
        return f"the part {part} of the source" if stage.source is not None else "the kernel"

    def _calls(self, part: Any, arrived: list[tuple[int, int, Spill]]) -> Iterator[Sequence[pa.Table]]:
        """The input tables of each kernel call."""
        source = self.job.stage.source
        if source is None:
            yield self._inputs(part, arrived)
        else:
            name, stamps = self.job.stage.name, self.job.stamps
            check_files(name, part, stamps)
            yield from ((batch,) for batch in source.read(part))
            check_files(name, part, stamps)

    def _inputs(self, part: Any, arrived: list[tuple[int, int, Spill]]) -> list[pa.Table]:
        job, stage = self.job, self.job.stage
        if isinstance(stage.shape, Map):
            (name,) = stage.inputs
            return [read_shards(job.root, [job.shards(name)[part]], job.schemas[name])]
        if isinstance(stage.shape, Join):
            return [self._bucket(number, part, arrived) for number in range(len(stage.inputs))]
        return [read_shards(job.root, job.shards(name), job.schemas[name]) for name in stage.inputs]

    def _bucket(self, number: int, bucket: int, arrived: list[tuple[int, int, Spill]]) -> pa.Table:
        name = self.job.stage.inputs[number]
        schema = self.job.schemas[name]
        if self.job.is_bucketed_on(name, self.job.stage.on[number]):
            return read_shards(self.job.root, [self.job.shards(name)[bucket]], schema)
        spills = [spill for of, owner, spill in arrived if (of, owner) == (bucket, number)]
        return read_spills(self.job.root, spills, schema)

    def side(self) -> tuple[pa.Table, ...]:
        if self._side is None:
            job = self.job
            self._side = tuple(read_shards(job.root, job.shards(name), job.schemas[name]) for name in job.stage.side)
        return self._side

    def _tables(self, output: Output) -> Iterator[tuple[str, pa.Table]]:
        """The rows of one kernel call per table, rejects among them, in the declared types."""
        specs, stage = self.job.specs, self.job.stage.name
        undeclared = set(output.tables) - set(specs)
        if undeclared:
            raise StageError(f"stage {stage}: kernel returned undeclared tables {sorted(undeclared)}")
        for name, table in (*output.tables.items(), (REJECTS, output.rejects)):
            if table.num_rows:
                yield name, conform(table, specs[name], stage)


class Write:
    """Writes one bucket of one table as a shard; duplicates are added up or go on as rejects, equal rejects are one."""

    def __init__(self, job: Job, tables: Collection[str]) -> None:
        self.job = job
        self.takes = tuple(tables)

    def process(self, key: Key, values: Iterable[Any]) -> Iterator[Element]:
        spills = [spill for spill in values if spill is not None]
        return self._rejects(key, spills) if key[0] == REJECTS else self._rows(key, spills)

    def _rows(self, key: Key, spills: list[Spill]) -> Iterator[Element]:
        name, job = key[0], self.job
        # One by one: a bucket's tables come from many files.
        tables = [read_spills(job.root, [spill], job.specs[name].schema) for spill in spills]
        done = sort_bucket(tables, job.specs[name], job.stage.name)
        shard = write_shard(job.root, job.table_path(*key), done.rows, job.specs[name])
        buffer = Buffer(job, {REJECTS: (("key",), job.buckets_of(REJECTS))})
        yield from _keyed((*buffer.add(REJECTS, done.rejects), *buffer.flush()))
        duplicates = counted(REJECTS, done.rejects)
        yield result(
            key, into={name: shard.rows + done.added + duplicates}, out={REJECTS: duplicates}, shard=asdict(shard)
        )
        tick(job, shards=1, rejects=duplicates)

    def _rejects(self, key: Key, spills: list[Spill]) -> Iterator[Element]:
        job, spec = self.job, self.job.specs[REJECTS]
        summed = read_spills(job.root, spills, REJECTS_SCHEMA).group_by(["key", "reason", "detail"])
        table = summed.aggregate([("count", "sum")]).rename_columns(REJECTS_SCHEMA.names)
        rows = sort_bucket([table], spec, job.stage.name).rows
        shard = write_shard(job.root, job.table_path(*key), rows, spec)
        counts = rows.group_by("reason").aggregate([("count", "sum")])
        columns = (column.to_pylist() for column in counts.select(["reason", "count_sum"]))
        reasons = dict(zip(*columns, strict=True))
        yield result(key, into={REJECTS: sum(reasons.values())}, shard=asdict(shard), reasons=reasons)
        tick(job, shards=1)


class LeaveResults:
    """Leaves all results of the job in one file for the builder that started it."""

    takes = (RESULTS,)

    def __init__(self, job: Job) -> None:
        self.job = job

    def process(self, key: Key, values: Iterable[Any]) -> Iterator[Element]:
        self.job.root.write_bytes(self.job.result_path, json.dumps(list(values)).encode())
        return iter(())


def result(
    key: Key, into: Mapping[str, int] | None = None, out: Mapping[str, int] | None = None, **more: Any
) -> Element:
    """What a step says of one group: rows that came in and went out by name, and more for the manifest."""
    said = {"of": list(key), "in": dict(into or {}), "out": dict(out or {})}
    return RESULT_KEY, {**said, **{name: value for name, value in more.items() if value}}


def counted(name: str, table: pa.Table) -> int:
    """Rows of a table; of rejects, the records that they stand for."""
    return (pc.sum(table.column("count")).as_py() or 0) if name == REJECTS else table.num_rows


def _keyed(spilled: Iterable[tuple[str, int, Spill]]) -> Iterator[Element]:
    return (((name, bucket), spill) for name, bucket, spill in spilled)
