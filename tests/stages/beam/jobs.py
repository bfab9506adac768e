"""Jobs for the tests of this folder: one stage over tables that are published without a build."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyarrow as pa

from manifests.manifest import Table
from manifests.storage import Storage
from stages.beam.executor import execute
from stages.beam.job import Job
from stages.beam.options import BeamOptions
from stages.beam.results import StageResult
from stages.core.contract import Stage, TableSpec
from stages.core.shards import read_shards
from tests.manifests.made import publish

WORDS = TableSpec("words", pa.schema([("word", pa.string()), ("count", pa.int64())]), key=("word",))
HERE = BeamOptions(workers=1)
# Beam's own runner, in this process.
ON_BEAM = BeamOptions(arguments=("--runner=apache_beam.runners.portability.fn_api_runner.FnApiRunner",))


def job(root: Storage, stage: Stage, *inputs: tuple[TableSpec, list[dict]], buckets: int = 2, **changed: Any) -> Job:
    """A job with its inputs published in as many shards as it has buckets."""
    tables: dict[str, Table] = {}
    for number, (spec, rows) in enumerate(inputs):
        made = publish(root.sub(f"in{number}"), rows, spec, spec.buckets or buckets)
        shards = [replace(shard, path=f"in{number}/{shard.path}") for shard in made.shards]
        tables[spec.name] = replace(made, shards=shards)
    return Job(stage, root, "attempt", buckets, tables, {spec.name: spec.schema for spec, _ in inputs}, **changed)


def run(made: Job, options: BeamOptions = HERE) -> StageResult:
    return execute(made, options)


def rows(made: Job, result: StageResult, table: str) -> list[dict[str, Any]]:
    """A result's rows in the order of their key."""
    found = result.tables[table]
    read = read_shards(made.root, found.shards, made.specs[table].schema)
    return read.sort_by([(name, "ascending") for name in found.key]).to_pylist()
