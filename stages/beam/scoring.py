"""The Score shape: distinct pairs, minus those scored before, in batches sorted by length.

A pair's score depends on the pair alone, so scores published by any earlier stage with
the same model are taken over. Pairs wait for the model in spill files, a few batches in
a stream, so that they can be spread over workers without being held in memory.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from typing import Any
from weakref import WeakValueDictionary

import pyarrow as pa
import pyarrow.compute as pc

from stages.beam.job import Job
from stages.beam.meter import METER
from stages.beam.steps import MOVED, PAIRS, WORK, Element, Groups, Key, result
from stages.beam.ticks import Ticks, tick
from stages.core.alive import alive
from stages.core.contract import Scorer, Stage, StageError
from stages.core.shards import read_shards, shards_with
from stages.core.spill import Spill, read_spills, write_spill

BATCH = "(batch)"
WAITING = "pairs to score"
BATCH_ROWS = 128
_BATCHES = 8
_BY_PAIR = ("pair",)


def check_buckets(stage: Stage) -> None:
    """Raises StageError where scores are not bucketed by their pair, as the pairs are on the way here."""
    for spec in stage.outputs:
        if spec.bucket_columns != _BY_PAIR:
            raise StageError(
                f"stage {stage.name}: {spec.name} is bucketed by {', '.join(spec.bucket_columns)}; scores have to "
                "be by pair, so that a pair's score lies where the pair is looked for"
            )


class PlanBatches:
    """Takes known scores over, and cuts the other pairs into groups of batches, longest first."""

    takes = (WORK,)

    def __init__(self, job: Job, buckets: Groups) -> None:
        self.job = job
        self.buckets = buckets

    def process(self, key: Key, values: Iterable[Any]) -> Iterator[Element]:
        arrived = [value for value in values if value is not None]
        name, known, asked, batches = self.job.stage.outputs[0].name, 0, 0, []
        for bucket in self.buckets[key[1]]:
            pairs = distinct_pairs(
                read_spills(self.job.root, [spill for of, _, spill in arrived if of == bucket], PAIRS)
            )
            scores = known_scores(self.job, bucket, pairs)
            pairs = pairs.filter(pc.invert(pc.is_in(pairs.column("pair"), value_set=scores.column("pair"))))
            known, asked = known + scores.num_rows, asked + pairs.num_rows
            if scores.num_rows:
                yield (name, bucket), spilled(self.job, [scores])[0]
            for number, spill in enumerate(spilled(self.job, _cut(pairs))):
                # Unlike for every bucket and place in it.
                batch = (BATCH, number * self.job.buckets + bucket)
                batches.append(list(batch))
                yield batch, (bucket, spill)
        tick(self.job, rows=known, asked=asked)
        yield result(
            key,
            into={MOVED: sum(spill.rows for _, _, spill in arrived)},
            out={name: known, WAITING: asked},
            run={"pairs_scored": asked, "pairs_known": known},
            planned=batches,
        )


class ScoreBatches:
    """Runs the model over some batches of pairs."""

    takes = (BATCH,)

    def __init__(self, job: Job) -> None:
        self.job = job
        self._model: _Model | None = None

    def process(self, key: Key, values: Iterable[tuple[int, Spill]]) -> Iterator[Element]:
        (spec,) = self.job.stage.outputs
        rows = 0
        for bucket, spill in values:
            pairs = read_spills(self.job.root, [spill], PAIRS)
            scores = pa.table({"pair": pairs.column("pair"), "score": pa.array(self._scores(pairs), pa.float32())})
            rows += scores.num_rows
            yield (spec.name, bucket), spilled(self.job, [scores.cast(spec.schema)])[0]
        yield result(key, into={WAITING: rows}, out={spec.name: rows})

    def _scores(self, pairs: pa.Table) -> Iterator[float]:
        if self._model is None:
            self._model = loaded(self.job.stage.model())
            METER.pass_over()
        ticks = Ticks(self.job)
        for start in range(0, pairs.num_rows, BATCH_ROWS):
            alive()
            batch = pairs.slice(start, BATCH_ROWS).to_pydict()
            yield from map(float, self._model.score(batch["first"], batch["second"]))
            ticks.add(rows=len(batch["pair"]), scored=len(batch["pair"]))
        ticks.flush()


class _Model:
    def __init__(self, scorer: Scorer) -> None:
        self.score = scorer.load()


_models: WeakValueDictionary[Scorer, _Model] = WeakValueDictionary()
_loading = threading.Lock()


def loaded(scorer: Scorer) -> _Model:
    """The model of a scorer, one per process for as long as a step holds it: workers may run several threads."""
    with _loading:
        model = _models.get(scorer)
        if model is None:
            model = _models[scorer] = _Model(scorer)
        return model


def distinct_pairs(pairs: pa.Table) -> pa.Table:
    """Each pair once, longest first, equal lengths by pair: the order of scoring."""
    first = pairs.group_by("pair").aggregate([("first", "min"), ("second", "min")]).rename_columns(PAIRS.names)
    length = pc.add(pc.utf8_length(first.column("first")), pc.utf8_length(first.column("second")))
    ordered = first.append_column("length", length).sort_by([("length", "descending"), ("pair", "ascending")])
    return ordered.select(PAIRS.names).combine_chunks()


def known_scores(job: Job, bucket: int, pairs: pa.Table) -> pa.Table:
    """Scores of a bucket's pairs that earlier stages published for the same model."""
    (spec,) = job.stage.outputs
    tables = [table for table in job.known_scores if tuple(table.bucket_by) == _BY_PAIR]
    shards = [table.shards[at] for table in tables for at in shards_with(bucket, job.buckets, len(table.shards))]
    rows = read_shards(job.root, shards, spec.schema)
    rows = rows.filter(pc.is_in(rows.column("pair"), value_set=pairs.column("pair")))
    return rows.group_by("pair").aggregate([("score", "min")]).rename_columns(spec.schema.names).cast(spec.schema)


def spilled(job: Job, tables: list[pa.Table]) -> list[Spill]:
    return write_spill(job.root, job.spill_folder, tables) if tables else []


def _cut(pairs: pa.Table) -> list[pa.Table]:
    size = BATCH_ROWS * _BATCHES
    return [pairs.slice(start, size) for start in range(0, pairs.num_rows, size)]
