"""The Score shape: distinct pairs, minus those scored before, through Beam's RunInference.

A pair's score depends on the pair alone, so scores published by any earlier stage with
the same model are taken over, and the rest goes out in batches sorted by length.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import apache_beam as beam
import pyarrow as pa
import pyarrow.compute as pc
from apache_beam.ml.inference.base import ModelHandler, RunInference

from stages.beam.dofns import RESULTS, Key, tick
from stages.beam.job import Job
from stages.contract import Scorer, StageError
from stages.shards import read_shards, split
from stages.spill import Spill, read_spills, write_spill

BATCH_ROWS = 128
_BY_PAIR = ("pair",)
_PAIRS = pa.schema([("pair", pa.string()), ("first", pa.string()), ("second", pa.string())])


def scores(pipeline: beam.Pipeline, job: Job) -> tuple[beam.PCollection, beam.PCollection]:
    """Builds the scoring part of a pipeline; returns (spilled scores, results).

    Raises StageError where scores are not bucketed by their pair, as the pairs are on the way here.
    """
    for spec in job.stage.outputs:
        if spec.bucket_columns != _BY_PAIR:
            raise StageError(
                f"stage {job.stage.name}: {spec.name} is bucketed by {', '.join(spec.bucket_columns)}; scores have to "
                "be by pair, so that a pair's score lies where the pair is looked for"
            )
    shards = range(len(job.shards(job.stage.inputs[0])))
    planned = (
        pipeline
        | "Shards" >> beam.Create(list(shards))
        | "Pairs" >> beam.ParDo(CollectPairs(job))
        | "Group" >> beam.GroupByKey()
        | "Plan" >> beam.ParDo(PlanBatches(job)).with_outputs(RESULTS, "known", main="batches")
    )
    scored = (
        planned.batches
        | "Spread" >> beam.Reshuffle()
        | "Score" >> RunInference(PairHandler(job.stage.model()))
        | "Spill" >> beam.ParDo(SpillScores(job))
    )
    return (planned.known, scored) | "Scores" >> beam.Flatten(), planned[RESULTS]


class CollectPairs(beam.DoFn):
    """One input shard's pairs, spilled by the bucket of the pair."""

    def __init__(self, job: Job) -> None:
        self.job = job

    def process(self, shard: int) -> Iterator[tuple[int, Spill]]:
        job = self.job
        (name,) = job.stage.inputs
        table = read_shards(job.root, [job.shards(name)[shard]], job.schemas[name])
        pairs = table.select(job.stage.pair_columns).rename_columns(_PAIRS.names).cast(_PAIRS)
        parts = split(pairs, ("pair",), job.buckets)
        if parts:
            yield from zip(parts, write_spill(job.root, job.spill_folder, list(parts.values())), strict=True)


class PlanBatches(beam.DoFn):
    """Takes known scores over, and batches the other pairs by length, longest first."""

    def __init__(self, job: Job) -> None:
        self.job = job

    def process(self, element: tuple[int, Iterable[Spill]]) -> Iterator[Any]:
        bucket, spills = element
        pairs = distinct_pairs(read_spills(self.job.root, list(spills), _PAIRS))
        known = known_scores(self.job, bucket)
        if known is not None:
            known = known.filter(pc.is_in(known.column("pair"), value_set=pairs.column("pair")))
            pairs = pairs.filter(pc.invert(pc.is_in(pairs.column("pair"), value_set=known.column("pair"))))
            yield beam.pvalue.TaggedOutput("known", spilled_scores(self.job, bucket, known))
        metrics = {"pairs_scored": pairs.num_rows, "pairs_known": 0 if known is None else known.num_rows}
        yield beam.pvalue.TaggedOutput(RESULTS, {"run": metrics})
        for start in range(0, pairs.num_rows, BATCH_ROWS):
            yield bucket, pairs.slice(start, BATCH_ROWS).combine_chunks().to_pydict()


class PairHandler(ModelHandler[tuple[int, dict[str, list[str]]], tuple[int, list[str], list[float]], Any]):
    """Runs any `Scorer` under RunInference, one batch of pairs at a time."""

    def __init__(self, scorer: Scorer) -> None:
        super().__init__()
        self.scorer = scorer

    def load_model(self) -> Any:
        return self.scorer.load()

    def run_inference(
        self, batch: Sequence[Any], model: Any, inference_args: dict[str, Any] | None = None
    ) -> Iterable[tuple[int, list[str], list[float]]]:
        for bucket, pairs in batch:
            yield bucket, pairs["pair"], [float(score) for score in model(pairs["first"], pairs["second"])]

    def batch_elements_kwargs(self) -> dict[str, int]:
        return {"min_batch_size": 1, "max_batch_size": 1}


class SpillScores(beam.DoFn):
    def __init__(self, job: Job) -> None:
        self.job = job

    def process(self, element: tuple[int, list[str], list[float]]) -> Iterator[tuple[Key, Spill]]:
        bucket, pairs, values = element
        (spec,) = self.job.stage.outputs
        table = pa.table({"pair": pairs, "score": pa.array(values, pa.float32())})
        yield spilled_scores(self.job, bucket, table.cast(spec.schema))
        tick(self.job, rows=len(pairs))


def distinct_pairs(pairs: pa.Table) -> pa.Table:
    """Each pair once, longest first, equal lengths by pair: the order of scoring."""
    first = pairs.group_by("pair").aggregate([("first", "min"), ("second", "min")]).rename_columns(_PAIRS.names)
    length = pc.add(pc.utf8_length(first.column("first")), pc.utf8_length(first.column("second")))
    ordered = first.append_column("length", length).sort_by([("length", "descending"), ("pair", "ascending")])
    return ordered.select(_PAIRS.names).combine_chunks()


def known_scores(job: Job, bucket: int) -> pa.Table | None:
    """Scores of one bucket that earlier stages published for the same model."""
    (spec,) = job.stage.outputs
    tables = [
        table for table in job.known_scores if len(table.shards) == job.buckets and tuple(table.bucket_by) == _BY_PAIR
    ]
    if not tables:
        return None
    rows = read_shards(job.root, [table.shards[bucket] for table in tables], spec.schema)
    return rows.group_by("pair").aggregate([("score", "min")]).rename_columns(spec.schema.names).cast(spec.schema)


def spilled_scores(job: Job, bucket: int, table: pa.Table) -> tuple[Key, Spill]:
    (spec,) = job.stage.outputs
    (spill,) = write_spill(job.root, job.spill_folder, [table])
    return (spec.name, bucket), spill
