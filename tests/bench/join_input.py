"""Two generated tables to join, published in shards as stages would: statements by subject, entities by id."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa

from manifests.digest import combine, schema_text
from manifests.manifest import Table
from manifests.storage import Storage
from stages.core.contract import Join, Output, Stage, TableSpec
from stages.core.shards import sort_bucket, split, write_shard
from stages.core.sql import sql

_TEXT = pa.string()
STATEMENTS = TableSpec(
    "statements",
    pa.schema([("subject", _TEXT), ("property", _TEXT), ("value", _TEXT)]),
    key=("subject", "property", "value"),
)
ENTITIES = TableSpec("entities", pa.schema([("qid", _TEXT), ("label", _TEXT)]), key=("qid",))
LABELLED = TableSpec(
    "labelled",
    pa.schema([*STATEMENTS.schema, ("label", _TEXT)]),
    key=STATEMENTS.key,
)


def publish(folder: Path, rows: int, buckets: int) -> Mapping[str, Table]:
    """As many statements as entities; values follow a power law, one in five has no entity."""
    rng = np.random.default_rng(rows)
    qids = np.char.add("Q", np.arange(rows).astype(str))
    value = np.minimum((rng.pareto(0.8, rows) * 20).astype(np.int64), rows * 5 // 4)
    statements = pa.table(
        {
            "subject": qids,
            "property": np.char.add("P", rng.integers(0, 300, rows).astype(str)),
            "value": np.char.add("Q", value.astype(str)),
        }
    )
    entities = pa.table({"qid": qids, "label": np.char.add("the name of ", qids)})
    root = Storage.at(folder)
    return {
        spec.name: _publish(root, table, spec, buckets)
        for spec, table in ((STATEMENTS, statements), (ENTITIES, entities))
    }


def _publish(root: Storage, table: pa.Table, spec: TableSpec, buckets: int) -> Table:
    parts = split(table, spec.bucket_columns, buckets)
    shards = []
    for number in range(buckets):
        part = sort_bucket([parts[number]] if number in parts else [], spec, "made").rows
        shards.append(write_shard(root, f"{spec.name}/part-{number:05}.parquet", part, spec))
    digests = [shard.rows_digest for shard in shards]
    return Table(
        spec.name,
        schema_text(spec.schema),
        list(spec.key),
        list(spec.bucket_columns),
        table.num_rows,
        combine(digests),
        combine(digests),
        shards,
    )


def label(statements: pa.Table, entities: pa.Table) -> Output:
    """The kernel: statements with the label of their value."""
    found = sql(
        "SELECT s.*, e.label FROM statements s JOIN entities e ON e.qid = s.value",
        statements=statements,
        entities=entities,
    )
    return Output({LABELLED.name: found.cast(LABELLED.schema)})


def stage() -> Stage:
    return Stage(
        name="bench.label",
        shape=Join(on=(("value",), ("qid",))),
        kernel=label,
        inputs=(STATEMENTS.name, ENTITIES.name),
        outputs=(LABELLED,),
    )
