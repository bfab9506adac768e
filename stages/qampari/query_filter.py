"""Stage `qampari.query_filter`: the query filter (the paper's step 5; 60,792 simple queries left there).

A query stays when enough of its answers have evidence, and neither too few nor too many.
What it keeps as answers are the validated ones. Of typed queries that are left with the
same answers one stays (`stages.qampari.same_answers`); the paper does not speak of them.

All queries of one relation and entity are in one bucket, since they are compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc

from stages.core.contract import Join, Output, Stage, StageError
from stages.core.rows import as_rejects, fit, total
from stages.core.sql import sql
from stages.facts.limits import QueryLimits
from stages.qampari.same_answers import asked_twice
from stages.qampari.tables import SIMPLE_ANSWERS, SIMPLE_QUERIES


@dataclass(frozen=True)
class QueryFilterParams:
    """limits: the query filter.
    same_answers: "drop" keeps one of several typed queries with the same answers, "keep" all of them.
    """

    limits: QueryLimits = field(default_factory=QueryLimits)
    same_answers: str = "drop"

    def __post_init__(self) -> None:
        if self.same_answers not in ("drop", "keep"):
            raise StageError(f"same_answers is {self.same_answers!r}, but has to be drop or keep")


def kept(
    queries: pa.Table,
    judged_answers: pa.Table,
    class_ancestors: pa.Table,
    *,
    params: QueryFilterParams,
    breadths: Mapping[str, int],
) -> Output:
    """SIMPLE_QUERIES and SIMPLE_ANSWERS from one bucket of both inputs by relation and entity.

    breadths: per answer class, see `stages.facts.relations.model.AnswerClass`.

    Rejects: too_few_validated, too_many_validated, low_support, low_known_share, same_answers (keyed by query),
    not_validated (the answers without evidence of kept queries, keyed by property).
    """
    judged = judge(_count(queries, judged_answers), params.limits)
    passed = judged.filter(judged["reason"].is_null())
    twice = asked_twice(passed, _validated(judged_answers), class_ancestors, breadths)
    if params.same_answers == "keep":
        twice = twice.slice(0, 0)
    good = sql("SELECT * FROM passed ANTI JOIN twice USING (query)", passed=passed, twice=twice)
    rejects = pa.concat_tables([filter_rejects(judged), _same_answers(twice), _not_validated(good)])
    answers = _answers(judged_answers, good)
    tables = {
        SIMPLE_QUERIES.name: fit(SIMPLE_QUERIES, _describe(good)),
        SIMPLE_ANSWERS.name: fit(SIMPLE_ANSWERS, answers),
    }
    metrics = {
        "queries": float(good.num_rows),
        "answers": total(good, "answers"),
        "validated": total(good, "validated"),
        "known": total(good, "known"),
        "hold_80_percent_of_known": float(pc.sum(_holds(good, 0.8)).as_py() or 0),
    }
    return Output(tables, rejects, metrics)


def _holds(good: pa.Table, share: float) -> pa.ChunkedArray:
    """Per query, whether its validated answers are at least this share of all that are known."""
    return pc.greater_equal(pc.divide(good["validated"].cast(pa.float64()), good["known"]), share)


def judge(counted: pa.Table, limits: QueryLimits) -> pa.Table:
    """The rows (with the columns `answers`, `validated` and `known`, null where not counted) plus `share` and the first
    `reason` against it, or null."""
    return sql(
        """
        SELECT c.*, validated::DOUBLE / answers AS share,
            CASE WHEN validated < min_answers THEN 'too_few_validated'
                 WHEN validated > max_answers THEN 'too_many_validated'
                 WHEN validated::DOUBLE / answers < min_share THEN 'low_support'
                 WHEN validated::DOUBLE / known < min_known_share THEN 'low_known_share'
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


def _validated(judged_answers: pa.Table) -> pa.Table:
    return judged_answers.select(["query", "subject"]).filter(judged_answers["validated"])


def _same_answers(twice: pa.Table) -> pa.Table:
    return as_rejects(
        sql(
            "SELECT query AS key, 'same_answers' AS reason, concat('as ', chosen) AS detail, 1 AS count FROM twice",
            twice=twice,
        )
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
            [entity_aliases] AS entity_aliases, [answer_class] AS classes, answers, known, validated, share
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


def stage(
    params: QueryFilterParams | None = None, *, breadths: Mapping[str, int], templates: Mapping[str, str]
) -> Stage:
    """breadths: of the answer classes, narrow to vague; templates: digest of each file they come from."""
    params = params or QueryFilterParams()
    return Stage(
        name="qampari.query_filter",
        shape=Join(on=(("property", "entity"), ("property", "object"))),
        kernel=partial(kept, params=params, breadths=dict(breadths)),
        inputs=("queries", "judged_answers"),
        side=("class_ancestors",),
        outputs=(SIMPLE_QUERIES, SIMPLE_ANSWERS),
        templates=templates,
        about="Step 5: queries with enough evidence, with their validated answers.",
    )
