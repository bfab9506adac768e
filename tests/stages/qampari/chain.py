"""Runs query stages in memory as the executor does: rows go to buckets by their join key, a kernel sees one bucket.

Independent of the executor on purpose: these tests are about the kernels, and have to
show that a result depends neither on the number of buckets nor on the order of rows.
"""

from __future__ import annotations

import random
import zlib
from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from stages.core.contract import Join, Stage, Whole

Row = dict[str, Any]


class Build:
    """Tables by name, the rejects (stage, key, reason) -> count and the metrics of the stages run so far."""

    def __init__(self, tables: Mapping[str, pa.Table], buckets: int = 1, seed: int = 0) -> None:
        self.tables = dict(tables)
        self.rejects: Counter[tuple[str, str, str]] = Counter()
        self.metrics: dict[str, Counter[str]] = defaultdict(Counter)
        self.buckets = buckets
        self.random = random.Random(seed)

    def run(self, *stages: Stage) -> Build:
        for stage in stages:
            self._run(stage)
        return self

    def rows(self, name: str) -> list[Row]:
        return self.tables[name].to_pylist()

    def reasons(self, stage: str) -> dict[tuple[str, str], int]:
        return {(key, reason): n for (at, key, reason), n in self.rejects.items() if at == stage}

    def _run(self, stage: Stage) -> None:
        inputs = [self.tables[name] for name in stage.inputs]
        side = [self.tables[name] for name in stage.side]
        if isinstance(stage.shape, Whole):
            calls = [[self._shuffled(table) for table in inputs]]
        else:
            assert isinstance(stage.shape, Join)
            split = [self._split(table, on) for table, on in zip(inputs, stage.shape.on, strict=True)]
            calls = [list(bucket) for bucket in zip(*split, strict=True)]
        outputs = [stage.kernel(*call, *side) for call in calls]
        for output in outputs:
            assert output.tables.keys() == {spec.name for spec in stage.outputs}
            self.metrics[stage.name].update(output.metrics)
            for row in output.rejects.to_pylist():
                self.rejects[stage.name, row["key"], row["reason"]] += row["count"]
        for spec in stage.outputs:
            parts = [output.tables[spec.name] for output in outputs]
            assert all(part.schema == spec.schema for part in parts)
            table = pa.concat_tables(parts).sort_by([(name, "ascending") for name in spec.key])
            keys = [tuple(row.values()) for row in table.select(list(spec.key)).to_pylist()]
            assert len(keys) == len(set(keys)), f"repeated key in {spec.name}"
            self.tables[spec.name] = table

    def _shuffled(self, table: pa.Table) -> pa.Table:
        order = list(range(table.num_rows))
        self.random.shuffle(order)
        return table.take(pa.array(order, pa.int64()))

    def _split(self, table: pa.Table, on: tuple[str, ...]) -> list[pa.Table]:
        chosen: list[list[int]] = [[] for _ in range(self.buckets)]
        for i, row in enumerate(table.select(list(on)).to_pylist()):
            chosen[zlib.crc32(repr(tuple(row.values())).encode()) % self.buckets].append(i)
        return [self._shuffled(table.take(pa.array(rows, pa.int64()))) for rows in chosen]
