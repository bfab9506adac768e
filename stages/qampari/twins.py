"""Train questions that answer a question of dev or test under other words.

Relations are kept apart, and yet who directed films has mostly written them: with one relation in train
and the other in test, the answers to learn and the answers to give are the same. How much two questions
have in common is the Jaccard index of their answers: those of both / those of either.
"""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa

from stages.core.columns import text
from stages.core.contract import TableSpec
from stages.core.rows import column
from stages.core.sql import sql

ANSWER_FORMS = TableSpec(
    name="answer_forms",
    schema=pa.schema([text("query"), pa.field("forms", pa.list_(pa.int64()), nullable=False)]),
    key=("query",),
)
"""forms: a hash of each distinct answer of a question, by the normal form of its text."""


def twins(forms: pa.Table, train: Iterable[str], tested: Iterable[str], most: float) -> dict[str, str]:
    """Train queries that have more than `most` in common with a tested one, and the (first) query that it is.

    forms: rows of ANSWER_FORMS.
    """
    found = sql(
        """
        WITH listed AS (SELECT query, unnest(forms) AS form, len(forms) AS size FROM forms),
        a AS (SELECT * FROM listed SEMI JOIN train ON train.name = listed.query),
        b AS (SELECT * FROM listed SEMI JOIN tested ON tested.name = listed.query),
        pairs AS (
            -- Sets whose sizes differ more than that cannot have so much in common.
            SELECT a.query, b.query AS twin, count(*) AS common, min(a.size) + min(b.size) - count(*) AS either
            FROM a JOIN b ON b.form = a.form AND least(a.size, b.size) > (FROM bound) * greatest(a.size, b.size)
            GROUP BY ALL
        )
        SELECT query, min(twin) AS twin FROM pairs WHERE common > (FROM bound) * either GROUP BY query
        """,
        bound=pa.table({"most": pa.array([most], pa.float64())}),
        forms=forms.select(["query", "forms"]),
        train=column("name", train),
        tested=column("name", tested),
    )
    return dict(zip(found["query"].to_pylist(), found["twin"].to_pylist(), strict=True))
