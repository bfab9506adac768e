"""Step `shared_answers`: which kept queries share an answer (the paper's step 6, first part).

An answer of k queries makes k (k - 1) / 2 pairs, so answers of very many queries make none:
they are published apart, and the next stage counts them for the pairs that other answers
make. Only a pair that shares nothing but such hot answers is lost; its answers never are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pyarrow as pa

from stages.core.columns import text
from stages.core.contract import Join, Output, Stage, StageError, TableSpec
from stages.core.rows import as_rejects, fit
from stages.core.sql import sql

SHARED_ANSWERS = TableSpec(
    name="shared_answers",
    schema=pa.schema([text("first"), text("second"), text("answer")]),
    key=("first", "second", "answer"),
    bucket_by=("first", "second"),
)
"""One row per pair of queries (the smaller id first) and answer of both, hot answers left out."""

HOT_ANSWERS = TableSpec(
    name="hot_answers",
    schema=pa.schema([text("query"), text("answer")]),
    key=("query", "answer"),
    buckets=1,
)
"""The queries of each hot answer."""


@dataclass(frozen=True)
class SharedParams:
    """max_queries_per_answer: an answer of more queries than this makes no pairs."""

    max_queries_per_answer: int = 300

    def __post_init__(self) -> None:
        if self.max_queries_per_answer < 2:
            raise StageError(f"max_queries_per_answer is {self.max_queries_per_answer}, but no pair needs fewer than 2")


def shared(simple_answers: pa.Table, *, params: SharedParams) -> Output:
    """SHARED_ANSWERS and HOT_ANSWERS from one bucket of simple answers by answer.

    Rejects: hot_answer (keyed by answer, with the count of pairs it did not make).
    """
    counted = sql(
        """
        SELECT query, answer, queries, queries > cap AS hot
        FROM (SELECT query, answer, count(*) OVER (PARTITION BY answer) AS queries FROM answers), caps
        """,
        answers=simple_answers.select(["query", "answer"]),
        caps=pa.table({"cap": [params.max_queries_per_answer]}),
    )
    pairs = sql(
        """
        SELECT a.query AS first, b.query AS second, a.answer
        FROM counted a JOIN counted b ON a.answer = b.answer AND a.query < b.query
        WHERE NOT a.hot AND NOT b.hot
        """,
        counted=counted,
    )
    hot = counted.filter(counted["hot"])
    tables = {SHARED_ANSWERS.name: fit(SHARED_ANSWERS, pairs), HOT_ANSWERS.name: fit(HOT_ANSWERS, hot)}
    return Output(tables, _rejects(hot, params), {"shared_answers": float(pairs.num_rows)})


def _rejects(hot: pa.Table, params: SharedParams) -> pa.Table:
    return as_rejects(
        sql(
            """
            SELECT DISTINCT answer AS key, 'hot_answer' AS reason, queries * (queries - 1) // 2 AS count,
                format('an answer of {} queries, more than max_queries_per_answer ({})', queries, cap) AS detail
            FROM hot, caps
            """,
            hot=hot,
            caps=pa.table({"cap": [params.max_queries_per_answer]}),
        )
    )


def stage(params: SharedParams | None = None) -> Stage:
    params = params or SharedParams()
    return Stage(
        name="qampari.shared_answers",
        shape=Join(on=(("answer",),)),
        kernel=partial(shared, params=params),
        inputs=("simple_answers",),
        outputs=(SHARED_ANSWERS, HOT_ANSWERS),
        about="Step 6: pairs of kept queries that share an answer.",
    )
