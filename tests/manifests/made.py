"""Manifests made by hand, and tables published without a build, for the tests of this folder."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyarrow as pa

from manifests.digest import combine, fingerprint, schema_text
from manifests.manifest import BuildManifest, Shard, StageManifest, Table
from manifests.storage import Storage
from stages.core.contract import TableSpec
from stages.core.shards import sort_bucket, split, write_shard

A, B, C = "a" * 64, "b" * 64, "c" * 64


def table(name: str = "words", rows: int = 3, stable: str = A, **changed: Any) -> Table:
    shard = Shard(f"stages/toy.words/x/{name}/part-0.parquet", rows, 10, A, A, stable)
    whole = Table(name, {"word": "string"}, ["word"], ["word"], rows, combine([A]), combine([stable]), [shard])
    return replace(whole, **changed)


def stage(name: str = "toy.words", tables: list[Table] | None = None, **changed: Any) -> StageManifest:
    made = StageManifest(
        stage=name,
        code="c" * 64,
        shape="map",
        about="",
        fingerprint=fingerprint({"stage": name}),
        parameters={"shortest": 2, "forms": {"lower": True}},
        inputs={"file 0": A},
        templates={"people.yaml": A},
        models={},
        licences={"lines": "CC0-1.0"},
        tables={item.name: item for item in (tables if tables is not None else [table()])},
        rejects={"too_short": 4},
        metrics={"records": 7},
        packages={"pyarrow": "25.0.1"},
        run={"finished": "2026-01-01T00:00:00.000+00:00"},
    )
    return replace(made, **changed)


def build(*stages: StageManifest, **changed: Any) -> BuildManifest:
    made = BuildManifest("toy", {"buckets": 4}, {"lines": "CC0-1.0"}, list(stages), ["words"])
    return replace(made, **changed)


def publish(root: Storage, rows: list[dict[str, Any]], spec: TableSpec, buckets: int) -> Table:
    """Writes a table's shards as a stage would."""
    parts = split(spec.table(rows), spec.bucket_columns, buckets)
    shards = []
    for number in range(buckets):
        part = sort_bucket([parts[number]] if number in parts else [], spec, "made").rows
        shards.append(write_shard(root, f"stages/made.rows/x/{spec.name}/part-{number}.parquet", part, spec))
    return Table(
        spec.name,
        schema_text(spec.schema),
        list(spec.key),
        list(spec.bucket_columns),
        sum(shard.rows for shard in shards),
        combine([shard.rows_digest for shard in shards]),
        combine([shard.stable_digest for shard in shards]),
        shards,
        list(spec.inexact),
    )


ROWS = TableSpec(
    "rows",
    pa.schema(
        [
            ("id", pa.string()),
            ("part", pa.int64()),
            ("value", pa.int64()),
            ("names", pa.list_(pa.string())),
            ("score", pa.float64()),
        ]
    ),
    key=("id", "part"),
    inexact=("score",),
)
