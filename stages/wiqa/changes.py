"""Stages `wiqa.changes` and `wiqa.changes_pool`: changes that questions without an effect may borrow.

A question without an effect takes its change from a graph of another topic in the same
split. The pool holds, per split, the changes that come first in a random order; its
size is bounded, so that every worker can hold it however many graphs there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa

from stages.core.columns import text
from stages.core.contract import Map, Output, Stage, TableSpec, Whole
from stages.core.limits import at_least
from stages.core.rejects import Rejects
from stages.core.seeds import rank
from stages.core.sql import sql
from stages.wiqa.graph import CHANGES
from stages.wiqa.influence_graphs import GRAPHS
from stages.wiqa.phrases import lay_out
from stages.wiqa.splits import TOPIC_SPLITS

CHANGE_CANDIDATES = TableSpec(
    name="change_candidates",
    schema=pa.schema(
        [
            text("rank"),
            text("topic"),
            text("split"),
            text("form"),
            text("change"),
            text("node"),
            text("para_id"),
            text("graph_id"),
        ]
    ),
    key=("para_id", "graph_id", "node", "form"),
)
"""rank: place in the random order, the same for every occurrence of a text; form: what makes two texts one."""

CHANGE_POOL = TableSpec(
    name="change_pool", schema=CHANGE_CANDIDATES.schema, key=("split", "rank"), bucket_by=("split",), buckets=1
)
"""At most `pool` rows per split, no text twice."""


@dataclass(frozen=True)
class PoolParams:
    """seed: of the random order; pool: the most changes of one split."""

    seed: int = 0
    pool: int = 10_000

    def __post_init__(self) -> None:
        at_least(self, 1, "pool")


def changes(graphs: pa.Table, topic_splits: pa.Table, *, params: PoolParams) -> Output:
    """CHANGE_CANDIDATES of some graphs: per split those that the pool could take."""
    found = _occurrences(graphs, topic_splits, params.seed)
    # Every occurrence of a text has its rank, so all topics that use a text are seen together.
    kept = sql(
        f"SELECT * FROM found QUALIFY dense_rank() OVER (PARTITION BY split ORDER BY rank) <= {params.pool}",  # noqa: S608
        found=found,
    )
    return Output({CHANGE_CANDIDATES.name: kept.select(CHANGE_CANDIDATES.schema.names).cast(CHANGE_CANDIDATES.schema)})


def _occurrences(graphs: pa.Table, topic_splits: pa.Table, seed: int) -> pa.Table:
    """One row per graph and distinct text of a node that can be a change."""
    phrases = lay_out(graphs)
    of_topic = dict(zip(topic_splits["topic"].to_pylist(), topic_splits["split"].to_pylist(), strict=True))
    ranks = pa.array([rank(seed, form, "changes").hex()[:32] for form in phrases.forms], pa.string())
    splits = pa.array([of_topic[topic] for topic in graphs["topic"].to_pylist()], pa.string())
    parts = []
    for node in CHANGES:
        rows = np.repeat(np.arange(graphs.num_rows), phrases.counts[node])
        start = int(phrases.starts[node][0]) if graphs.num_rows else 0
        own = pa.array(rows)
        codes = pa.array(phrases.code[start : start + len(rows)])
        parts.append(
            pa.table(
                {
                    "rank": ranks.take(codes),
                    "topic": graphs["topic"].take(own),
                    "split": splits.take(own),
                    "form": pa.array(phrases.forms, pa.string()).take(codes),
                    "change": phrases.texts.slice(start, len(rows)),
                    "node": pa.repeat(node, len(rows)),
                    "para_id": graphs["para_id"].take(own),
                    "graph_id": graphs["graph_id"].take(own),
                },
                schema=CHANGE_CANDIDATES.schema,
            )
        )
    # A node may hold two spellings of one text.
    return sql(
        """
        SELECT DISTINCT ON (para_id, graph_id, node, form) * FROM parts
        ORDER BY para_id, graph_id, node, form, change
        """,
        parts=pa.concat_tables(parts),
    )


def pool(candidates: pa.Table, *, params: PoolParams) -> Output:
    """CHANGE_POOL. Rejects, keyed by the text's form: several_topics (it belongs to more than one)."""
    several = sql(
        "SELECT DISTINCT form FROM candidates GROUP BY split, form HAVING count(DISTINCT topic) > 1",
        candidates=candidates,
    )
    kept = sql(
        f"""
        WITH once AS (
            SELECT DISTINCT ON (split, form) * FROM candidates ANTI JOIN several USING (form)
            ORDER BY split, form, para_id, graph_id, node
        )
        SELECT * FROM once QUALIFY row_number() OVER (PARTITION BY split ORDER BY rank) <= {params.pool}
        """,  # noqa: S608
        candidates=candidates,
        several=several,
    )
    rejects = Rejects()
    rejects.add_all(several["form"], "several_topics")
    counts = kept.group_by("split", use_threads=False).aggregate([([], "count_all")]).to_pylist()
    return Output(
        {CHANGE_POOL.name: kept.select(CHANGE_POOL.schema.names).cast(CHANGE_POOL.schema)},
        rejects.table(),
        {f"{row['split']}_pool": float(row["count_all"]) for row in counts},
    )


def changes_stage(params: PoolParams | None = None) -> Stage:
    params = params or PoolParams()
    return Stage(
        name="wiqa.changes",
        shape=Map(),
        kernel=partial(changes, params=params),
        inputs=(GRAPHS.name,),
        side=(TOPIC_SPLITS.name,),
        outputs=(CHANGE_CANDIDATES,),
        about="Section 3.2: changes that questions without an effect may borrow.",
    )


def pool_stage(params: PoolParams | None = None) -> Stage:
    params = params or PoolParams()
    return Stage(
        name="wiqa.changes_pool",
        shape=Whole(),
        kernel=partial(pool, params=params),
        inputs=(CHANGE_CANDIDATES.name,),
        outputs=(CHANGE_POOL,),
        about="Section 3.2: a bounded choice of them per split.",
    )
