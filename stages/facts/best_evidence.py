"""Step `best_evidence` of `facts.nli_validation`: the one sentence kept for a triple, its highest scoring."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from stages.core.columns import number, text
from stages.core.contract import Map, Output, Stage, TableSpec
from stages.core.rejects import Rejects
from stages.core.rounds import named
from stages.core.sql import sql
from stages.facts.tables import TRIPLE, TRIPLE_KEY

EVIDENCE = TableSpec(
    name="evidence",
    schema=pa.schema(
        [
            text("subject"),
            text("property"),
            text("object"),
            text("unit"),
            text("page"),
            text("title"),
            number("index"),
            number("passage"),
            text("side"),
            text("surface"),
            text("sentence"),
            text("premise"),
            text("hypothesis"),
            pa.field("score", pa.float32(), nullable=False),
        ]
    ),
    key=TRIPLE_KEY,
    bucket_by=TRIPLE,
    inexact=("score",),
)


def best(entailed: pa.Table) -> Output:
    """EVIDENCE from all entailed candidates of some triples; equal scores go by title and position.

    Rejects, keyed "subject property object": lower_score, counting the sentences passed over.
    """
    rows = sql(
        """
        SELECT *, concat_ws(' ', subject, property, object) AS triple,
            row_number() OVER ranked AS place
        FROM entailed
        WINDOW ranked AS (PARTITION BY subject, property, object, unit ORDER BY score DESC, title, "index")
        """,
        entailed=entailed,
    )
    first = pc.equal(rows["place"], 1)
    rejects = Rejects()
    rejects.add_all(rows["triple"].filter(pc.invert(first)), "lower_score")
    kept = rows.filter(first).select(EVIDENCE.schema.names).cast(EVIDENCE.schema)
    return Output({EVIDENCE.name: kept}, rejects.table(), {"triples_with_evidence": float(kept.num_rows)})


def stage(suffix: str = "") -> Stage:
    """suffix: names the round."""
    return named(
        Stage(
            name="facts.best_evidence",
            shape=Map(),
            kernel=best,
            inputs=("entailed",),
            outputs=(EVIDENCE,),
            about="Step 4: one evidence sentence per triple, the highest scoring.",
        ),
        suffix,
    )
