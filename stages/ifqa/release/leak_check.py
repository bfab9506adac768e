"""Stage `ifqa.leak_check`: what the finished splits share, found apart from who made them.

No question, passage or page may be in two splits of a benchmark. Answers may ("2", "France"), and are counted.
"""

from __future__ import annotations

import pyarrow as pa

from stages.core.columns import number, text
from stages.core.contract import Output, Stage, StageError, TableSpec, Whole
from stages.core.sql import sql
from stages.ifqa.release.records import COUNTERFACTUAL_RECORDS
from stages.ifqa.splits import CONFIGS

FORBIDDEN = ("question", "passage", "page")
COUNTED = ("answer",)

QUESTION_OVERLAP = TableSpec(
    name="split_overlap",
    schema=pa.schema([text("benchmark"), text("kind"), text("value"), text("splits"), number("questions")]),
    key=("benchmark", "kind", "value"),
    buckets=1,
)
"""benchmark: full or few; kind: question, passage, page or answer; splits: those that hold the value, by comma."""

_FOUND = r"""
    WITH listed AS (
        SELECT split, 'question' AS kind, regexp_replace(lower(question), '[^\p{L}\p{N}]+', ' ', 'g') AS value
        FROM records
        UNION ALL SELECT split, 'passage', unnest(context) FROM records
        UNION ALL SELECT split, 'page', title FROM records WHERE title IS NOT NULL
        UNION ALL SELECT split, 'answer', lower(unnest(answers)) FROM records
    )
    SELECT kind, value, string_agg(DISTINCT split, ',' ORDER BY split) AS splits, count(*)::INTEGER AS questions
    FROM listed GROUP BY kind, value HAVING count(DISTINCT split) > 1
"""


def overlap(records: pa.Table) -> Output:
    """QUESTION_OVERLAP from COUNTERFACTUAL_RECORDS; metrics {full, few}_{kind}s_in_two_splits, 0 for all forbidden.

    Raises StageError where one of FORBIDDEN is in two splits.
    """
    tables: list[pa.Table] = []
    metrics: dict[str, float] = {}
    for config in CONFIGS:
        plain = records.select(["question", "context", "title", "answers"]).append_column("split", records[config])
        found = sql(_FOUND, records=plain)
        kinds = found["kind"].to_pylist()
        for row in found.sort_by([("kind", "ascending"), ("value", "ascending")]).to_pylist():
            if row["kind"] in FORBIDDEN:
                raise StageError(
                    f"ifqa.leak_check: {row['kind']} {row['value'][:80]!r} is in the splits {row['splits']} of {config}"
                )
        metrics |= {f"{config}_{kind}s_in_two_splits": float(kinds.count(kind)) for kind in (*FORBIDDEN, *COUNTED)}
        named = found.append_column("benchmark", pa.array([config] * found.num_rows, pa.string()))
        tables.append(named.select(QUESTION_OVERLAP.schema.names).cast(QUESTION_OVERLAP.schema))
    return Output({QUESTION_OVERLAP.name: pa.concat_tables(tables)}, metrics=metrics)


def stage() -> Stage:
    return Stage(
        name="ifqa.leak_check",
        shape=Whole(),
        kernel=overlap,
        inputs=(COUNTERFACTUAL_RECORDS.name,),
        outputs=(QUESTION_OVERLAP,),
        about="Splits: what they have in common, which is no question, no passage and no page.",
    )
