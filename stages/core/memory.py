"""Runs stages in memory: tables in, tables out, nothing published. For tests, notebooks and a look at one step.

A stage's tables are as a build would publish them: of the declared schema, in key order, with repeated keys refused
or rejected. Models, sources and chains run as well. Everything has to fit in memory, and nothing is cached.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from stages.core.contract import Join, Output, Score, Stage
from stages.core.shards import sort_bucket, split

Row = dict[str, Any]


class InMemory:
    """Tables by name, and by stage the rejects (rows of `stages.core.rejects`) and metrics of all that has run.

    buckets: into how many a join's rows are split, one kernel call each; seed: where given, the rows of a call come
    in an order drawn by it. Neither may change a result.
    """

    def __init__(self, tables: Mapping[str, pa.Table] | None = None, buckets: int = 1, seed: int | None = None) -> None:
        self.tables = dict(tables or {})
        self.rejects: dict[str, list[Row]] = defaultdict(list)
        self.metrics: dict[str, Counter[str]] = defaultdict(Counter)
        self.buckets = buckets
        # An order of rows is no secret.
        self.random = None if seed is None else random.Random(seed)  # noqa: S311

    def run(self, *stages: Stage) -> InMemory:
        """Runs the stages in order. Raises StageError as a build does, KeyError for a table that is not there."""
        for stage in stages:
            if stage.steps:
                self.run(*stage.steps)
            else:
                self._keep(stage, list(self._outputs(stage)))
        return self

    def rows(self, table: str) -> list[Row]:
        return self.tables[table].to_pylist()

    def reasons(self, stage: str) -> dict[str, int]:
        """How often each reason occurs among the rejects of a stage, or of a step of a chain."""
        counts: Counter[str] = Counter()
        for row in self.rejects.get(stage, ()):
            counts[row["reason"]] += row["count"]
        return dict(counts)

    def rejected(self, stage: str) -> dict[tuple[str, str], int]:
        """The same by (key, reason)."""
        counts: Counter[tuple[str, str]] = Counter()
        for row in self.rejects.get(stage, ()):
            counts[row["key"], row["reason"]] += row["count"]
        return dict(counts)

    def _outputs(self, stage: Stage) -> Iterator[Output]:
        side = [self.tables[name] for name in stage.side]
        if stage.source is not None:
            for part in stage.source.parts():
                for batch in stage.source.read(part):
                    yield stage.call(batch, *side)
            return
        inputs = [self._shuffled(self.tables[name]) for name in stage.inputs]
        if isinstance(stage.shape, Score):
            yield _scored(stage, *inputs)
        elif isinstance(stage.shape, Join):
            parts = [split(table, on, self.buckets) for table, on in zip(inputs, stage.on, strict=True)]
            for bucket in range(self.buckets):
                pairs = zip(parts, inputs, strict=True)
                yield stage.call(*(part.get(bucket, table.schema.empty_table()) for part, table in pairs), *side)
        else:
            yield stage.call(*inputs, *side)

    def _keep(self, stage: Stage, outputs: list[Output]) -> None:
        for output in outputs:
            self.metrics[stage.name].update(output.metrics)
            self._reject(stage, output.rejects)
        for spec in stage.outputs:
            done = sort_bucket([output.tables[spec.name] for output in outputs], spec, stage.name)
            self.tables[spec.name] = done.rows
            self._reject(stage, done.rejects)

    def _reject(self, stage: Stage, rejects: pa.Table) -> None:
        if rejects.num_rows:
            self.rejects[stage.name] += rejects.to_pylist()

    def _shuffled(self, table: pa.Table) -> pa.Table:
        if self.random is None:
            return table
        order = list(range(table.num_rows))
        self.random.shuffle(order)
        return table.take(pa.array(order, pa.int64()))


def _scored(stage: Stage, pairs: pa.Table) -> Output:
    """The model's score of each distinct pair."""
    (spec,) = stage.outputs
    pair, first, second = stage.pair_columns
    distinct = {row[pair]: (row[first], row[second]) for row in pairs.to_pylist()}
    texts = list(distinct.values())
    scores = stage.model().load()([text for text, _ in texts], [text for _, text in texts]) if texts else []
    rows = [{"pair": name, "score": score} for name, score in zip(distinct, scores, strict=True)]
    return Output({spec.name: spec.table(rows)})
