"""Runs the steps of a chain as jobs of one attempt, and puts their results together.

Tables that only later steps read are removed as soon as the chain is done; their numbers of
rows stay among the metrics. A step's rejects are a table of their own, "rejects_{step}".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from manifests.manifest import REJECTS, Table
from stages.beam.job import Job
from stages.beam.results import StageResult
from stages.core.chain import short


def chained(job: Job, execute: Callable[[Job], StageResult]) -> StageResult:
    """The result of a chain: its published tables, rejects as "step.reason", metrics as "step.metric".

    Raises StageError where a step fails.
    """
    tables = dict(job.inputs)
    schemas = {**job.schemas, **{spec.name: spec.schema for step in job.stage.steps for spec in step.outputs}}
    published = {spec.name for spec in job.stage.outputs}
    found = StageResult({}, {}, {}, {})
    for step in job.stage.steps:
        name = short(step)
        inner = replace(
            job,
            stage=step,
            attempt=f"{job.attempt}/{name}",
            inputs={table: tables[table] for table in (*step.inputs, *step.side)},
            schemas=schemas,
            ticks=job.progress_folder,
        )
        done = execute(inner)
        tables.update(done.tables)
        found.tables[f"{REJECTS}_{name}"] = replace(done.tables[REJECTS], name=f"{REJECTS}_{name}")
        found.rejects.update({f"{name}.{reason}": count for reason, count in done.rejects.items()})
        found.metrics.update({f"{name}.{metric}": value for metric, value in done.metrics.items()})
        found.metrics.update(
            {
                f"{name}.rows.{spec.name}": done.tables[spec.name].rows
                for spec in step.outputs
                if spec.name not in published
            }
        )
        found.run.update({f"{name}.{count}": value for count, value in done.run.items()})
        job.root.delete_folder(inner.spill_folder)
        job.root.delete_file(inner.result_path)
    for name, table in _unpublished(job, tables):
        job.root.delete_folder(f"{job.attempt}/{name}/{table}")
    found.tables.update({name: tables[name] for name in sorted(published)})
    return replace(found, tables=dict(sorted(found.tables.items())))


def _unpublished(job: Job, tables: dict[str, Table]) -> list[tuple[str, str]]:
    """(step, table) for each table that is read no more: also an earlier version of a published one."""
    written = [(short(step), spec.name) for step in job.stage.steps for spec in step.outputs]
    last = {table: step for step, table in written}
    published = {spec.name for spec in job.stage.outputs}
    return [(step, table) for step, table in written if table not in published or last[table] != step]
