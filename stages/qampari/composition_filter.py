"""Stage `qampari.composition_filter`: the query filter for compositions (the paper's step 7, last part).

Only validated answers of r1(e) were followed, so a path holds when its outer triple has
evidence, and an answer is validated when one of its paths holds.
"""

from __future__ import annotations

from functools import partial

import pyarrow as pa

from stages.core.contract import Join, Output, Stage
from stages.core.rows import as_rejects, fit, total
from stages.core.sql import sql
from stages.facts.limits import QueryLimits
from stages.qampari.query_filter import filter_rejects, judge
from stages.qampari.tables import COMPOSED_ANSWERS, COMPOSED_QUERIES


def composed(
    judged_hops: pa.Table, simple_queries: pa.Table, simple_answers: pa.Table, *, limits: QueryLimits
) -> Output:
    """COMPOSED_QUERIES and COMPOSED_ANSWERS from one bucket of all three inputs by inner query.

    Rejects: too_few_validated, too_many_validated, low_support (keyed by query), and keyed by outer property
    not_validated (answers without evidence of kept compositions) and path_not_validated (paths without
    evidence to answers that have it on another).
    """
    answers = _judge_answers(judged_hops)
    judged = judge(_count(answers), limits)
    good = judged.filter(judged["reason"].is_null())
    rejects = pa.concat_tables([filter_rejects(judged), _dropped(good, answers)])
    queries = _describe(good, simple_queries)
    tables = {
        COMPOSED_QUERIES.name: fit(COMPOSED_QUERIES, queries),
        COMPOSED_ANSWERS.name: fit(COMPOSED_ANSWERS, _proofs(good, judged_hops, simple_answers)),
    }
    metrics = {
        "queries": float(queries.num_rows),
        "answers": total(good, "answers"),
        "validated": total(good, "validated"),
    }
    return Output(tables, rejects, metrics)


def _judge_answers(judged_hops: pa.Table) -> pa.Table:
    """One row per answer of a composition: paths, and those of them that hold."""
    return sql(
        """
        SELECT query, inner_query, property, object, unit,
            count(*) AS paths, count(*) FILTER (validated) AS held
        FROM judged_hops GROUP BY ALL
        """,
        judged_hops=judged_hops.select(["query", "inner_query", "property", "object", "unit", "validated"]),
    )


def _count(answers: pa.Table) -> pa.Table:
    return sql(
        """
        SELECT query, inner_query, property, count(*) AS answers, count(*) FILTER (held > 0) AS validated,
            NULL::INTEGER AS known
        FROM answers GROUP BY ALL
        """,
        answers=answers,
    )


def _dropped(good: pa.Table, answers: pa.Table) -> pa.Table:
    return as_rejects(
        sql(
            """
            SELECT property AS key, '' AS detail, sum(paths - held)::BIGINT AS count,
                CASE WHEN held = 0 THEN 'not_validated' ELSE 'path_not_validated' END AS reason
            FROM (
                SELECT property, held, CASE WHEN held = 0 THEN 1 ELSE paths END AS paths
                FROM answers SEMI JOIN good USING (query) WHERE held < paths
            )
            GROUP BY ALL
            """,
            good=good.select(["query"]),
            answers=answers,
        )
    )


def _describe(good: pa.Table, simple_queries: pa.Table) -> pa.Table:
    return sql(
        """
        SELECT g.query, 'composition' AS kind, list_append(q.properties, g.property) AS properties,
            q.entities, q.entity_labels, q.entity_aliases, q.classes, g.answers, g.known, g.validated, g.share
        FROM good g JOIN simple_queries q ON q.query = g.inner_query
        """,
        good=good,
        simple_queries=simple_queries,
    )


def _proofs(good: pa.Table, judged_hops: pa.Table, simple_answers: pa.Table) -> pa.Table:
    return sql(
        """
        WITH paths AS (
            SELECT h.query, h.object AS answer, h.unit, h.answer_kind, h.subject AS middle,
                [a.proofs[1], struct_pack(subject := h.subject, property := h.property, object := h.object,
                    title := h.title, passage := h.passage, "index" := h."index", sentence := h.sentence)] AS proofs,
                [a.scores[1], h.score] AS scores
            FROM judged_hops h SEMI JOIN good g ON g.query = h.query
            JOIN simple_answers a ON a.query = h.inner_query AND a.answer = h.subject
            WHERE h.validated
        )
        SELECT query, answer, min(answer_kind) AS answer_kind, unit,
            flatten(list(proofs ORDER BY middle)) AS proofs, flatten(list(scores ORDER BY middle)) AS scores
        FROM paths GROUP BY query, answer, unit
        """,
        good=good.select(["query"]),
        judged_hops=judged_hops,
        simple_answers=simple_answers.select(["query", "answer", "proofs", "scores"]),
    )


def stage(limits: QueryLimits | None = None) -> Stage:
    limits = limits or QueryLimits()
    return Stage(
        name="qampari.composition_filter",
        shape=Join(on=(("inner_query",), ("query",), ("query",))),
        kernel=partial(composed, limits=limits),
        inputs=("judged_hops", "simple_queries", "simple_answers"),
        outputs=(COMPOSED_QUERIES, COMPOSED_ANSWERS),
        about="Step 7: compositions with enough evidence, with their validated answers.",
    )
