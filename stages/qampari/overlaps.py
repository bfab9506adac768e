"""Step `overlaps`: pairs of queries with enough common answers (the paper's step 6, second part).

Two simple queries go together when they ask for the same class of answer, or one of them
for no class at all: "which film" and "which river" never make one question.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pyarrow as pa

from stages.core.columns import number, text, texts
from stages.core.contract import Join, Output, Stage, StageError, TableSpec
from stages.core.rows import as_rejects, fit
from stages.core.sql import sql

OVERLAPS = TableSpec(
    name="overlaps",
    schema=pa.schema([text("pair"), number("position"), text("query"), texts("common")]),
    key=("pair", "position"),
    bucket_by=("query",),
)
"""Two rows per pair "A&B": position 0 with query A, position 1 with query B; common: the answers of both, sorted."""


@dataclass(frozen=True)
class OverlapParams:
    """min_answers: fewest common answers of an intersection.
    same_relation: may both parts be of the same relation (films with X and with Y in the cast)?
    """

    min_answers: int = 5
    same_relation: bool = True

    def __post_init__(self) -> None:
        if self.min_answers < 1:
            raise StageError(f"min_answers is {self.min_answers}, but has to be at least 1")


def overlaps(shared_answers: pa.Table, hot_answers: pa.Table, *, params: OverlapParams) -> Output:
    """OVERLAPS from one bucket of shared answers by (first, second).

    Rejects, keyed by pair, only for pairs with enough common answers: different_class, same_relation.
    Metrics: pairs, too_few_common (nearly all pairs, so they are counted and not listed).
    """
    counted = _count(shared_answers, hot_answers)
    enough = sql(
        "SELECT first, second FROM counted, options WHERE common >= min_answers",
        counted=counted,
        options=pa.table({"min_answers": [params.min_answers]}),
    )
    judged = _judge(_common(enough, shared_answers, hot_answers), params)
    good = sql("SELECT first, second, common FROM judged WHERE reason IS NULL", judged=judged)
    rejects = sql(
        """
        SELECT concat(first, '&', second) AS key, reason, '' AS detail, 1 AS count
        FROM judged WHERE reason IS NOT NULL
        """,
        judged=judged,
    )
    parts = sql(
        """
        SELECT concat(first, '&', second) AS pair, position, common,
            CASE position WHEN 0 THEN first ELSE second END AS query
        FROM good, (VALUES (0), (1)) positions(position)
        """,
        good=good,
    )
    metrics = {
        "pairs": float(counted.num_rows),
        "too_few_common": float(counted.num_rows - enough.num_rows),
        "overlaps": float(good.num_rows),
    }
    return Output({OVERLAPS.name: fit(OVERLAPS, parts)}, as_rejects(rejects), metrics)


def _count(shared_answers: pa.Table, hot_answers: pa.Table) -> pa.Table:
    """The number of common answers per pair, the hot ones too; nearly all pairs have too few to be looked at closer."""
    # One list per query instead of one row per answer: joined by answer, hot ones would make all the pairs after all.
    return sql(
        """
        WITH hot AS (SELECT query, list(answer) AS answers FROM hot_answers GROUP BY query)
        SELECT p.first, p.second, p.common + coalesce(len(list_intersect(a.answers, b.answers)), 0) AS common
        FROM (SELECT first, second, count(*) AS common FROM shared_answers GROUP BY ALL) p
        LEFT JOIN hot a ON a.query = p.first LEFT JOIN hot b ON b.query = p.second
        """,
        shared_answers=shared_answers,
        hot_answers=hot_answers,
    )


def _common(pairs: pa.Table, shared_answers: pa.Table, hot_answers: pa.Table) -> pa.Table:
    """The common answers of the given pairs, the hot ones too."""
    return sql(
        """
        WITH hot AS (SELECT query, list(answer) AS answers FROM hot_answers GROUP BY query),
        members AS (
            SELECT first, second, answer FROM shared_answers SEMI JOIN pairs USING (first, second)
            UNION ALL
            SELECT p.first, p.second, unnest(list_intersect(a.answers, b.answers))
            FROM pairs p JOIN hot a ON a.query = p.first JOIN hot b ON b.query = p.second
        )
        SELECT first, second, list(answer ORDER BY answer) AS common FROM members GROUP BY ALL
        """,
        pairs=pairs,
        shared_answers=shared_answers,
        hot_answers=hot_answers,
    )


def _judge(pairs: pa.Table, params: OverlapParams) -> pa.Table:
    """The pairs, each with the first reason against it, or null."""
    # Relation and class are the first and the third part of a simple query's id; without a class that part is empty.
    return sql(
        """
        WITH parts AS (
            SELECT *, split_part(first, ':', 3) AS first_class, split_part(second, ':', 3) AS second_class,
                split_part(first, ':', 1) = split_part(second, ':', 1) AS one_relation
            FROM pairs
        )
        SELECT first, second, common,
            CASE WHEN first_class <> second_class AND first_class <> '' AND second_class <> '' THEN 'different_class'
                 WHEN one_relation AND NOT same_relation THEN 'same_relation'
            END AS reason
        FROM parts, options
        """,
        pairs=pairs,
        options=pa.table({"same_relation": [params.same_relation]}),
    )


def stage(params: OverlapParams | None = None) -> Stage:
    params = params or OverlapParams()
    return Stage(
        name="qampari.overlaps",
        shape=Join(on=(("first", "second"),)),
        kernel=partial(overlaps, params=params),
        inputs=("shared_answers",),
        side=("hot_answers",),
        outputs=(OVERLAPS,),
        about="Step 6: pairs of kept queries with enough common answers.",
    )
