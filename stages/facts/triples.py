"""Step `triples` of `facts.candidate_evidence`: the facts to look for, each once, whichever queries ask for it."""

from __future__ import annotations

import pyarrow as pa

from stages.core.columns import text
from stages.core.contract import Map, Output, Stage, TableSpec
from stages.core.rounds import named
from stages.core.sql import sql
from stages.facts.tables import TRIPLE_KEY

TRIPLES = TableSpec(
    name="triples",
    schema=pa.schema(
        [
            text("subject"),
            text("property"),
            text("object"),
            text("object_kind"),
            text("unit"),
        ]
    ),
    key=TRIPLE_KEY,
    bucket_by=("subject",),
)
"""object_kind: item, quantity, time, string, ... as in the statements; unit: QID of a quantity's unit or ""."""


def triples(answers: pa.Table) -> Output:
    """TRIPLES from the answers of one bucket.

    answers: subject, property, object, and answer_kind and unit where objects may be literals.
        All rows of a triple are in one bucket.
    """
    literal = "answer_kind" in answers.schema.names
    kind, unit = ("min(answer_kind)", "unit") if literal else ("'item'", "''")
    rows = sql(
        f"""
        SELECT subject, property, object, {kind} AS object_kind, {unit} AS unit
        FROM answers GROUP BY ALL
        """,  # noqa: S608 -- both parts are constants
        answers=answers,
    )
    return Output(
        {TRIPLES.name: rows.cast(TRIPLES.schema)},
        metrics={"answers": float(answers.num_rows), "triples": float(rows.num_rows)},
    )


def stage(suffix: str = "", answers: str = "") -> Stage:
    """suffix: names the round; answers: the table of answers, by default that of the round."""
    source = answers or ("composition_answers" if suffix else "query_answers")
    return named(
        Stage(
            name="facts.triples",
            shape=Map(),
            kernel=triples,
            inputs=(source,),
            outputs=(TRIPLES,),
            about="Step 3: the distinct triples behind all answers.",
        ),
        suffix,
        shared=(source,),
    )
