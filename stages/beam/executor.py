"""Runs one stage as one Beam pipeline, and returns what its manifest will say.

    items -> Work -> (table, bucket) -> WriteTable -> results
                          rejects   -> WriteRejects -> results -> one JSON file

The shapes differ only in how their work items are made.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

import apache_beam as beam

from manifests.digest import combine, schema_text
from manifests.manifest import Shard, Table
from manifests.storage import StorageError
from stages.beam.dofns import RESULTS, Repartition, Work, WriteRejects, WriteResult, WriteTable
from stages.beam.job import REJECTS, Job
from stages.beam.options import BeamOptions
from stages.beam.scoring import scores
from stages.contract import Join, Map, Score, StageError, TableSpec

# Errors whose words say enough; Beam itself raises RuntimeError with the worker's own error in its text.
_SPEAKING = (StageError, StorageError, ValueError, RuntimeError)


@dataclass(frozen=True)
class Result:
    """What a stage published: its tables, rejects per reason, metrics; `run` counts enter no digest."""

    tables: dict[str, Table]
    rejects: dict[str, int]
    metrics: dict[str, float]
    run: dict[str, float] = field(default_factory=dict)


def execute(job: Job, options: BeamOptions) -> Result:
    """Runs the stage; its shards are in the attempt's folder when this returns.

    Raises:
        StageError: a kernel failed, or the job left no complete result.
    """
    try:
        with beam.Pipeline(runner=options.runner(job), options=options.pipeline_options(job)) as pipeline:
            _build(pipeline, job)
    except Exception as error:
        kind = "" if isinstance(error, _SPEAKING) else f"{type(error).__name__}: "
        raise StageError(f"stage {job.stage.name}: {kind}{first_cause(str(error))}") from error
    return _result(job)


def first_cause(message: str) -> str:
    """What a kernel said, out of what Beam made of it: without the worker's traceback and Beam's step names."""
    _, found, tail = message.rpartition("Traceback (most recent call last):\n")
    if found:
        lines = tail.rstrip().splitlines()
        said = [number for number, line in enumerate(lines) if line and not line.startswith(" ")]
        message = "\n".join(lines[said[0] :]) if said else tail
    message = re.sub(r"\s*\[while running '[^']*'\]", "", message).strip()
    return re.sub(r"^(?:[a-z_]+\.)*(?:StageError|DamagedShard): ", "", message)


def _build(pipeline: beam.Pipeline, job: Job) -> None:
    if isinstance(job.stage.shape, Score):
        spilled, results = scores(pipeline, job)
    else:
        worked = _items(pipeline, job) | "Work" >> beam.ParDo(Work(job)).with_outputs(RESULTS, main="spilled")
        spilled, results = worked.spilled, worked[RESULTS]
    names = [spec.name for spec in job.stage.outputs]
    kept = spilled | "Rows" >> beam.Filter(lambda element: element[0][0] != REJECTS)
    early = spilled | "Rejects" >> beam.Filter(lambda element: element[0][0] == REJECTS)
    written = (
        (_every_bucket(pipeline, job, names, "Every bucket"), kept)
        | "With empty" >> beam.Flatten()
        | "By bucket" >> beam.GroupByKey()
        | "Write" >> beam.ParDo(WriteTable(job)).with_outputs(RESULTS, main="late")
    )
    rejected = (
        (_every_bucket(pipeline, job, [REJECTS], "Every rejects bucket"), early, written.late)
        | "All rejects" >> beam.Flatten()
        | "Rejects by bucket" >> beam.GroupByKey()
        | "Write rejects" >> beam.ParDo(WriteRejects(job))
    )
    (
        (results, written[RESULTS], rejected)
        | "Results" >> beam.Flatten()
        | "As list" >> beam.CombineGlobally(beam.combiners.ToListCombineFn())
        | "Leave" >> beam.ParDo(WriteResult(job))
    )


def _items(pipeline: beam.Pipeline, job: Job) -> beam.PCollection:
    stage = job.stage
    if stage.source is not None:
        return pipeline | "Parts" >> beam.Create(stage.source.parts())
    if isinstance(stage.shape, Map):
        return pipeline | "Shards" >> beam.Create(list(range(len(job.shards(stage.inputs[0])))))
    if isinstance(stage.shape, Join):
        return _join_items(pipeline, job)
    return pipeline | "All" >> beam.Create([None])


def _join_items(pipeline: beam.Pipeline, job: Job) -> beam.PCollection:
    stage = job.stage
    moved = [
        (number, shard)
        for number, name in enumerate(stage.inputs)
        if not job.is_bucketed_on(name, stage.on[number])
        for shard in range(len(job.shards(name)))
    ]
    parts = pipeline | "Moved shards" >> beam.Create(moved) | "Repartition" >> beam.ParDo(Repartition(job))
    every = pipeline | "Join buckets" >> beam.Create([(bucket, None) for bucket in range(job.buckets)])
    return (
        (parts, every)
        | "With every bucket" >> beam.Flatten()
        | "By join key" >> beam.GroupByKey()
        | "Items" >> beam.MapTuple(lambda bucket, spills: (bucket, [spill for spill in spills if spill is not None]))
    )


def _every_bucket(pipeline: beam.Pipeline, job: Job, names: list[str], label: str) -> beam.PCollection:
    """An element for each bucket of each table, so that an empty bucket writes an empty shard."""
    return pipeline | label >> beam.Create([((n, bucket), None) for n in names for bucket in range(job.buckets_of(n))])


def _result(job: Job) -> Result:
    try:
        results: list[dict[str, Any]] = json.loads(job.root.read_bytes(job.result_path).to_pybytes())
    except (StorageError, OSError, ValueError) as error:
        raise StageError(f"stage {job.stage.name}: the Beam job ended without its result file ({error})") from error
    shards: dict[str, dict[int, Shard]] = defaultdict(dict)
    sums: dict[str, Counter[str]] = {"reasons": Counter(), "metrics": Counter(), "run": Counter()}
    for item in results:
        if "shard" in item:
            shards[item["table"]][item["bucket"]] = Shard(**item["shard"])
        for kind in sums.keys() & item.keys():
            sums[kind].update(item[kind])
    tables = {name: _table(job, spec, shards[name]) for name, spec in job.specs.items()}
    return Result(
        tables=tables,
        rejects=dict(sorted(sums["reasons"].items())),
        metrics=dict(sorted(sums["metrics"].items())),
        run=dict(sums["run"]),
    )


def _table(job: Job, spec: TableSpec, shards: dict[int, Shard]) -> Table:
    expected = job.buckets_of(spec.name)
    if sorted(shards) != list(range(expected)):
        raise StageError(f"stage {job.stage.name}, table {spec.name}: {len(shards)} of {expected} shards were written")
    ordered = [shards[bucket] for bucket in range(expected)]
    for shard in ordered:
        if job.root.size(shard.path) != shard.bytes:
            raise StageError(f"{job.root.full(shard.path)}: is not there in full; nothing was published")
    return Table(
        name=spec.name,
        schema=schema_text(spec.schema),
        key=list(spec.key),
        bucket_by=list(spec.bucket_columns),
        rows=sum(shard.rows for shard in ordered),
        digest=combine([shard.rows_digest for shard in ordered]),
        stable_digest=combine([shard.stable_digest for shard in ordered]),
        shards=ordered,
        inexact=list(spec.inexact),
    )
