"""Stage `splits.separation`: what the splits of composed questions share, counted apart from who made them.

No single hop, no answer of a hop and no paragraph may be both in train and in dev or
test. Dev and test may share some, which is counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pyarrow as pa

from stages.contract import Output, Stage, StageError, TableSpec, Whole
from stages.graphs.tables import COMPOSED_HOPS
from stages.metrics.normalise import normalise
from stages.queries.tables import number, text
from stages.splits.relations import DEV, SPLITS, TEST, TRAIN
from stages.splits.separated import GRAPH_SPLITS
from stages.sql import sql

KINDS = ("hop", "answer", "paragraph")

SEPARATION = TableSpec(
    name="separation",
    schema=pa.schema([text("kind"), text("value"), number(TRAIN), number(DEV), number(TEST)]),
    key=("kind", "value"),
    buckets=1,
)
"""What is in more than one split. kind: hop, answer (in its normal form) or paragraph; the others: questions."""


@dataclass(frozen=True)
class SeparationCheckParams:
    """allow: whether train may share something with dev and test, which is then counted and no error."""

    allow: bool = False


def separation(composed_hops: pa.Table, graph_splits: pa.Table, *, params: SeparationCheckParams) -> Output:
    """SEPARATION from COMPOSED_HOPS and GRAPH_SPLITS.

    Metrics per kind, plural ({kind}s_): in_train_and_evaluation, in_dev_and_test; and per split the questions of each
    number of hops ({split}_{hops}_hops) and those that use each source ({split}_from_{source}).
    Raises StageError where something is in train and in dev or test, if params do not allow it.
    """
    rows = sql(
        "SELECT c.*, s.split FROM c JOIN s USING (graph)",
        c=composed_hops.select(["graph", "hops", "hop_answers", "paragraphs", "sources"]),
        s=graph_splits.select(["graph", "split"]),
    )
    if rows.num_rows != graph_splits.num_rows:
        raise StageError(f"splits.separation: {graph_splits.num_rows - rows.num_rows} questions have no graph")
    shared = _shared(rows)
    leaks = shared.filter(pa.compute.greater(shared[TRAIN], 0))
    if leaks.num_rows and not params.allow:
        first = leaks.sort_by([("kind", "ascending"), ("value", "ascending")]).slice(0, 1).to_pylist()[0]
        raise StageError(
            f"splits.separation: {leaks.num_rows} values are in train and in dev or test, the first: "
            f"{first['kind']} {first['value']!r}"
        )
    metrics = {f"{kind}s_in_train_and_evaluation": _count(leaks, kind) for kind in KINDS}
    both = shared.filter(pa.compute.and_(pa.compute.greater(shared[DEV], 0), pa.compute.greater(shared[TEST], 0)))
    metrics |= {f"{kind}s_in_dev_and_test": _count(both, kind) for kind in KINDS}
    return Output({SEPARATION.name: shared}, metrics=metrics | _proportions(rows))


def _shared(rows: pa.Table) -> pa.Table:
    answers = [sorted({normalise(answer) for answer in listed}) for listed in rows["hop_answers"].to_pylist()]
    named = rows.append_column("answers", pa.array(answers, pa.list_(pa.string())))
    counts = ", ".join(f"count(DISTINCT graph) FILTER (split = '{split}')::INTEGER AS {split}" for split in SPLITS)
    return sql(
        f"""
        WITH listed AS (
            SELECT graph, split, 'hop' AS kind, unnest(hops) AS value FROM named
            UNION ALL SELECT graph, split, 'answer', unnest(answers) FROM named
            UNION ALL SELECT graph, split, 'paragraph', unnest(paragraphs) FROM named
        )
        SELECT kind, value, {counts} FROM listed GROUP BY kind, value HAVING count(DISTINCT split) > 1
        """,  # noqa: S608
        named=named,
    ).cast(SEPARATION.schema)


def _count(table: pa.Table, kind: str) -> float:
    return float(table["kind"].to_pylist().count(kind))


def _proportions(rows: pa.Table) -> dict[str, float]:
    found = sql(
        """
        SELECT split || '_' || len(hops) || '_hops' AS name, count(*) AS questions FROM rows GROUP BY name
        UNION ALL SELECT split || '_from_' || source AS name, count(*) FROM (
            SELECT split, unnest(list_distinct(sources)) AS source FROM rows
        ) GROUP BY name ORDER BY name
        """,
        rows=rows,
    )
    return {row["name"]: float(row["questions"]) for row in found.to_pylist()}


def stage(params: SeparationCheckParams | None = None) -> Stage:
    params = params or SeparationCheckParams()
    return Stage(
        name="splits.separation",
        version=1,
        shape=Whole(),
        kernel=partial(separation, params=params),
        inputs=(COMPOSED_HOPS.name, GRAPH_SPLITS.name),
        outputs=(SEPARATION,),
        params=params,
        about="Section 5.1: what train has in common with dev and test, which is nothing.",
    )
