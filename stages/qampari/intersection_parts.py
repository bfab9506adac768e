"""Step `intersection_parts`: what each half of a pair brings to the intersection (the paper's step 6, third
part)."""

from __future__ import annotations

import pyarrow as pa

from stages.core.columns import flag, number, text, texts
from stages.core.contract import Join, Output, Stage, TableSpec
from stages.core.rows import fit
from stages.core.sql import sql
from stages.qampari.tables import PROOF

PAIR_PARTS = TableSpec(
    name="pair_parts",
    schema=pa.schema(
        [
            text("pair"),
            number("position"),
            text("property"),
            text("entity"),
            text("entity_label"),
            texts("entity_aliases"),
            pa.field("answer_class", pa.string()),
            number("common"),
            flag("whole"),
        ]
    ),
    key=("pair", "position"),
)
"""common: answers of both parts; whole: they are all answers of this one, so the other part adds nothing."""

PAIR_PROOFS = TableSpec(
    name="pair_proofs",
    schema=pa.schema(
        [
            text("pair"),
            number("position"),
            text("answer"),
            pa.field("proof", PROOF, nullable=False),
            pa.field("score", pa.float32(), nullable=False),
        ]
    ),
    key=("pair", "answer", "position"),
    inexact=("score",),
)
"""The evidence of each common answer for each part."""


def parts(overlaps: pa.Table, simple_queries: pa.Table, simple_answers: pa.Table) -> Output:
    """PAIR_PARTS and PAIR_PROOFS from one bucket of all three inputs by simple query. Nothing is rejected here."""
    described = sql(
        """
        SELECT h.pair, h.position, q.properties[1] AS property, q.entities[1] AS entity,
            q.entity_labels[1] AS entity_label, q.entity_aliases[1] AS entity_aliases, q.classes[1] AS answer_class,
            len(h.common) AS common, len(h.common) = q.validated AS whole
        FROM halves h JOIN simple_queries q ON q.query = h.query
        """,
        halves=overlaps,
        simple_queries=simple_queries,
    )
    proofs = sql(
        """
        SELECT h.pair, h.position, h.answer, a.proofs[1] AS proof, a.scores[1] AS score
        FROM (SELECT pair, position, query, unnest(common) AS answer FROM halves) h
        JOIN simple_answers a ON a.query = h.query AND a.answer = h.answer
        """,
        halves=overlaps,
        simple_answers=simple_answers.select(["query", "answer", "proofs", "scores"]),
    )
    tables = {PAIR_PARTS.name: fit(PAIR_PARTS, described), PAIR_PROOFS.name: fit(PAIR_PROOFS, proofs)}
    return Output(tables, metrics={"parts": float(described.num_rows)})


def stage() -> Stage:
    return Stage(
        name="qampari.intersection_parts",
        shape=Join(on=(("query",), ("query",), ("query",))),
        kernel=parts,
        inputs=("overlaps", "simple_queries", "simple_answers"),
        outputs=(PAIR_PARTS, PAIR_PROOFS),
        about="Step 6: the evidence that each half of an intersection brings.",
    )
