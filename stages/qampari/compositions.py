"""Stage `qampari.compositions`: r2(r1(e)) before its evidence (the paper's step 7, second part).

An answer that several middle entities lead to is one answer with several paths. A value
in another unit is another answer.

Where every middle entity with a value for r2 has e itself among its values, r2 only turns
r1 back, and the composition is dropped. Where e is an answer on some paths only, it is a
true answer like any other and stays: a gold set without it would be wrong.
"""

from __future__ import annotations

from functools import partial

import pyarrow as pa

from stages.core.columns import text
from stages.core.contract import Join, Output, Stage, TableSpec
from stages.core.rows import as_rejects, fit
from stages.core.sql import sql
from stages.facts.limits import QueryLimits
from stages.facts.tables import TRIPLE

COMPOSITION_ANSWERS = TableSpec(
    name="composition_answers",
    schema=pa.schema(
        [
            text("query"),
            text("inner_query"),
            text("subject"),
            text("property"),
            text("object"),
            text("answer_kind"),
            text("unit"),
        ]
    ),
    key=("query", "subject", "object", "unit"),
    bucket_by=TRIPLE,
)
"""One row per path: subject is the middle entity, object the answer (a QID or a literal, with its unit or "")."""


def compositions(hops: pa.Table, *, limits: QueryLimits) -> Output:
    """COMPOSITION_ANSWERS from one bucket of hops by inner query.

    Rejects, keyed by outer property with a count of compositions: too_few_answers, too_many_answers;
    and returns_entity, keyed by query.
    """
    judged = _judge(hops, limits)
    answers = sql(
        """
        SELECT q.query, h.* EXCLUDE (entity)
        FROM hops h JOIN judged q ON q.inner_query = h.inner_query AND q.property = h.property WHERE q.reason IS NULL
        """,
        hops=hops,
        judged=judged,
    )
    rejects = sql(
        """
        SELECT CASE reason WHEN 'returns_entity' THEN query ELSE property END AS key, reason, '' AS detail,
            count(*) AS count
        FROM judged WHERE reason IS NOT NULL GROUP BY ALL
        """,
        judged=judged,
    )
    good = judged.filter(judged["reason"].is_null())
    metrics = {
        "queries": float(good.num_rows),
        "paths": float(answers.num_rows),
        "with_entity": float(sum(good["with_entity"].to_pylist())),
    }
    return Output({COMPOSITION_ANSWERS.name: fit(COMPOSITION_ANSWERS, answers)}, as_rejects(rejects), metrics)


def _judge(hops: pa.Table, limits: QueryLimits) -> pa.Table:
    """One row per composition, with the first reason against it, or null, and whether e is among its answers."""
    return sql(
        """
        WITH middles AS (
            SELECT inner_query, property, subject, bool_or(answer_kind = 'item' AND object = entity) AS returns
            FROM hops GROUP BY ALL
        ),
        returned AS (
            SELECT inner_query, property, bool_and(returns) AS always, bool_or(returns) AS with_entity
            FROM middles GROUP BY ALL
        ),
        counted AS (
            SELECT inner_query, property, count(DISTINCT (object, unit)) AS answers FROM hops GROUP BY ALL
        )
        SELECT concat(c.inner_query, '>', c.property) AS query, c.inner_query, c.property, r.with_entity,
            CASE WHEN c.answers < l.min_answers THEN 'too_few_answers'
                 WHEN c.answers > l.most THEN 'too_many_answers'
                 WHEN r.always THEN 'returns_entity'
            END AS reason
        FROM counted c JOIN returned r ON r.inner_query = c.inner_query AND r.property = c.property CROSS JOIN limits l
        """,
        hops=hops,
        limits=limits.table(),
    )


def stage(limits: QueryLimits | None = None) -> Stage:
    limits = limits or QueryLimits()
    return Stage(
        name="qampari.compositions",
        shape=Join(on=(("inner_query",),)),
        kernel=partial(compositions, limits=limits),
        inputs=("hops",),
        outputs=(COMPOSITION_ANSWERS,),
        about="Step 7: compositions r2(r1(e)) with enough answers.",
    )
