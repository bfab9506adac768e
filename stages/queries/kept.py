"""Stage `queries.kept`: the query filter (the paper's step 5; 60,792 simple queries left there).

A query stays when enough of its answers have evidence, and neither too few nor too many.
What it keeps as answers are the validated ones.
"""

from __future__ import annotations

from functools import partial

import pyarrow as pa

from stages.contract import Join, Output, Stage
from stages.queries.limits import QueryLimits
from stages.queries.rows import as_rejects, fit, total
from stages.queries.tables import SIMPLE_ANSWERS, SIMPLE_QUERIES
from stages.sql import sql


def kept(queries: pa.Table, judged_answers: pa.Table, *, limits: QueryLimits) -> Output:
    """SIMPLE_QUERIES and SIMPLE_ANSWERS from one bucket of both inputs by query.

    Rejects: too_few_validated, too_many_validated, low_support (keyed by query), not_validated (the answers
    without evidence of kept queries, keyed by property).
    """
    judged = judge(_count(queries, judged_answers), limits)
    good = judged.filter(judged["reason"].is_null())
    rejects = pa.concat_tables([filter_rejects(judged), _not_validated(good)])
    answers = _answers(judged_answers, good)
    tables = {
        SIMPLE_QUERIES.name: fit(SIMPLE_QUERIES, _describe(good)),
        SIMPLE_ANSWERS.name: fit(SIMPLE_ANSWERS, answers),
    }
    metrics = {
        "queries": float(good.num_rows),
        "answers": total(good, "answers"),
        "validated": total(good, "validated"),
    }
    return Output(tables, rejects, metrics)


def judge(counted: pa.Table, limits: QueryLimits) -> pa.Table:
    """The rows (with the columns `answers` and `validated`) plus `share` and the first `reason` against it, or null."""
    return sql(
        """
        SELECT c.*, validated::DOUBLE / answers AS share,
            CASE WHEN validated < min_answers THEN 'too_few_validated'
                 WHEN validated > max_answers THEN 'too_many_validated'
                 WHEN validated::DOUBLE / answers < min_share THEN 'low_support'
            END AS reason
        FROM counted c, limits
        """,
        counted=counted,
        limits=limits.table(),
    )


def filter_rejects(judged: pa.Table) -> pa.Table:
    """One reject per query that the filter refused."""
    return as_rejects(
        sql(
            """
            SELECT query AS key, reason, format('{} of {} answers validated', validated, answers) AS detail, 1 AS count
            FROM judged WHERE reason IS NOT NULL
            """,
            judged=judged,
        )
    )


def _count(queries: pa.Table, judged_answers: pa.Table) -> pa.Table:
    return sql(
        """
        SELECT q.*, coalesce(n.validated, 0) AS validated FROM queries q LEFT JOIN (
            SELECT query, count(*) FILTER (validated) AS validated FROM judged_answers GROUP BY query
        ) n ON n.query = q.query
        """,
        queries=queries,
        judged_answers=judged_answers.select(["query", "validated"]),
    )


def _not_validated(good: pa.Table) -> pa.Table:
    return as_rejects(
        sql(
            """
            SELECT property AS key, 'not_validated' AS reason, '' AS detail, sum(answers - validated)::BIGINT AS count
            FROM good WHERE answers > validated GROUP BY property
            """,
            good=good,
        )
    )


def _describe(good: pa.Table) -> pa.Table:
    return sql(
        """
        SELECT query, 'simple' AS kind, [property] AS properties, [entity] AS entities, [entity_label] AS entity_labels,
            [entity_aliases] AS entity_aliases, [answer_class] AS classes, answers, validated, share
        FROM good
        """,
        good=good,
    )


def _answers(judged_answers: pa.Table, good: pa.Table) -> pa.Table:
    return sql(
        """
        SELECT query, subject AS answer, 'item' AS answer_kind, '' AS unit, [score] AS scores,
            [struct_pack(subject, property, object, title, passage, "index", sentence)] AS proofs
        FROM judged_answers SEMI JOIN good USING (query) WHERE validated
        """,
        judged_answers=judged_answers,
        good=good.select(["query"]),
    )


def stage(limits: QueryLimits | None = None) -> Stage:
    limits = limits or QueryLimits()
    return Stage(
        name="queries.kept",
        version=1,
        shape=Join(on=(("query",), ("query",))),
        kernel=partial(kept, limits=limits),
        inputs=("queries", "judged_answers"),
        outputs=(SIMPLE_QUERIES, SIMPLE_ANSWERS),
        params=limits,
        about="Step 5: queries with enough evidence, with their validated answers.",
    )
