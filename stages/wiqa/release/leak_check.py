"""Stage `wiqa.leak_check`: what the finished splits share, held against their promise, apart from who made them.

No topic and no paragraph may be in two splits. Texts may be ("more rain" fits many a
process), and are counted: a change and effect asked in two splits would be a question
known from training.
"""

from __future__ import annotations

import pyarrow as pa

from stages.core.columns import number, text
from stages.core.contract import Output, Stage, StageError, TableSpec, Whole
from stages.core.sql import sql
from stages.wiqa.release.records import CHOICE_QUESTIONS

FORBIDDEN = ("topic", "para_id", "graph_id", "from_para")
COUNTED = ("change", "effect", "pair")

SPLIT_OVERLAP = TableSpec(
    name="split_overlap",
    schema=pa.schema([text("kind"), text("value"), text("splits"), number("questions")]),
    key=("kind", "value"),
    buckets=1,
)
"""kind: topic, para_id, graph_id, from_para, change, effect or pair; splits: those that hold the value, by comma."""


def overlap(questions: pa.Table) -> Output:
    """SPLIT_OVERLAP from CHOICE_QUESTIONS; metrics {kind}s_in_two_splits, 0 for all that is forbidden.

    Raises StageError where one of FORBIDDEN is in two splits.
    """
    found = sql(
        """
        WITH listed AS (
            SELECT split, unnest(['topic', 'para_id', 'graph_id', 'from_para', 'change', 'effect', 'pair']) AS kind,
                unnest([topic, para_id, para_id || ' ' || graph_id, from_para, lower(change), lower(effect),
                    lower(change) || ' | ' || lower(effect)]) AS value
            FROM questions
        )
        SELECT kind, value, string_agg(DISTINCT split, ',' ORDER BY split) AS splits, count(*)::INTEGER AS questions
        FROM listed GROUP BY kind, value HAVING count(DISTINCT split) > 1
        """,
        questions=questions.select(["split", "topic", "para_id", "graph_id", "from_para", "change", "effect"]),
    ).cast(SPLIT_OVERLAP.schema)
    kinds = found["kind"].to_pylist()
    for row in found.sort_by([("kind", "ascending"), ("value", "ascending")]).to_pylist():
        if row["kind"] in FORBIDDEN:
            raise StageError(f"wiqa.leak_check: {row['kind']} {row['value']!r} is in the splits {row['splits']}")
    names = (*FORBIDDEN, *COUNTED)
    return Output(
        {SPLIT_OVERLAP.name: found}, metrics={f"{name}s_in_two_splits": float(kinds.count(name)) for name in names}
    )


def stage() -> Stage:
    return Stage(
        name="wiqa.leak_check",
        shape=Whole(),
        kernel=overlap,
        inputs=(CHOICE_QUESTIONS.name,),
        outputs=(SPLIT_OVERLAP,),
        about="Section 3.4: what the splits have in common, which is no topic and no paragraph.",
    )
