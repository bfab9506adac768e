"""Stages `qampari.truths`, `qampari.truths_further`, `qampari.truths_all`: all that is true of a question.

A wrong answer that is planted among tasks must be wrong for sure. So it is held against more
than the answers of the benchmark: against those without evidence too, against the answers of either
part of an intersection, and for compositions against what middle entities without evidence lead to.
"""

from __future__ import annotations

import pyarrow as pa

from stages.core.columns import text, texts
from stages.core.contract import Join, Output, Stage, TableSpec
from stages.core.rows import fit
from stages.core.sql import sql
from stages.qampari.judging.asked_answers import ASKED_PARTS

MIDDLE = "middle"

TRUTHS = TableSpec(
    name="truths",
    schema=pa.schema([text("query"), text("part"), text("answer"), text("unit"), text("role")]),
    key=("query", "part", "answer", "unit", "role"),
    bucket_by=("answer",),
)
"""role: answer (of the question, or of one part of it), or middle (a composition's inner answer)."""

UNFOLLOWED = TableSpec(
    name="unfollowed",
    schema=pa.schema([text("query"), text("subject"), text("property")]),
    key=("query", "subject"),
    bucket_by=("subject",),
)
"""Inner answers of compositions that have no evidence, and the property that the composition adds."""

FURTHER_TRUTHS = TableSpec(
    name="further_truths",
    schema=pa.schema([text("query"), text("subject"), text("answer"), text("unit")]),
    key=("query", "subject", "answer", "unit"),
    bucket_by=("answer",),
)

TRUE_ANSWERS = TableSpec(
    name="true_answers",
    schema=pa.schema([text("query"), text("answer"), text("unit"), text("role"), texts("names")]),
    key=("query", "answer", "unit", "role"),
)
"""names: label and aliases of an entity; empty for a literal."""


def truths(parts: pa.Table, judged_answers: pa.Table, judged_hops: pa.Table) -> Output:
    """TRUTHS and UNFOLLOWED from one bucket of all inputs by simple query."""
    inner = sql(
        """
        SELECT p.query, p.part, p.outer, a.subject, a.validated
        FROM parts p JOIN judged_answers a ON a.query = p.part
        """,
        parts=parts,
        judged_answers=judged_answers.select(["query", "subject", "validated"]),
    )
    found = sql(
        """
        SELECT query, part, subject AS answer, '' AS unit, CASE "outer" WHEN '' THEN 'answer' ELSE 'middle' END AS role
        FROM known
        UNION
        SELECT p.query, p.part, h.object, h.unit, 'answer' FROM parts p JOIN hops h ON h.query = p.query
        """,
        known=inner,
        parts=parts,
        hops=judged_hops.select(["query", "object", "unit"]),
    )
    unfollowed = sql(
        """SELECT query, subject, "outer" AS property FROM known WHERE "outer" <> '' AND NOT validated""", known=inner
    )
    return Output({TRUTHS.name: fit(TRUTHS, found), UNFOLLOWED.name: fit(UNFOLLOWED, unfollowed)})


def further_truths(unfollowed: pa.Table, statements: pa.Table) -> Output:
    """FURTHER_TRUTHS from one bucket of both inputs by subject."""
    found = sql(
        """
        SELECT DISTINCT u.query, u.subject, s.value AS answer, coalesce(s.unit, '') AS unit
        FROM unfollowed u JOIN statements s ON s.subject = u.subject AND s.property = u.property
        """,
        unfollowed=unfollowed,
        statements=statements.select(["subject", "property", "value", "unit"]),
    )
    return Output({FURTHER_TRUTHS.name: fit(FURTHER_TRUTHS, found)})


def true_answers(truths: pa.Table, further: pa.Table, entities: pa.Table) -> Output:
    """TRUE_ANSWERS from one bucket of TRUTHS and FURTHER_TRUTHS by answer, and of entities by QID."""
    found = sql(
        """
        SELECT t.*, CASE WHEN e.label IS NULL THEN [] ELSE list_prepend(e.label, e.aliases) END AS names
        FROM (
            SELECT query, answer, unit, role FROM truths
            UNION
            SELECT query, answer, unit, 'answer' FROM further
        ) t LEFT JOIN entities e ON e.qid = t.answer
        """,
        truths=truths,
        further=further,
        entities=entities.select(["qid", "label", "aliases"]),
    )
    return Output({TRUE_ANSWERS.name: fit(TRUE_ANSWERS, found)})


def stages() -> tuple[Stage, ...]:
    """All three, in order."""
    return (
        Stage(
            name="qampari.truths",
            shape=Join(on=(("part",), ("query",), ("inner_query",))),
            kernel=truths,
            inputs=(ASKED_PARTS.name, "judged_answers", "judged_hops"),
            outputs=(TRUTHS, UNFOLLOWED),
            about="Step 11: what is true of a question, with or without evidence.",
        ),
        Stage(
            name="qampari.truths_further",
            shape=Join(on=(("subject",), ("subject",))),
            kernel=further_truths,
            inputs=(UNFOLLOWED.name, "statements"),
            outputs=(FURTHER_TRUTHS,),
            about="Step 11: what middle entities without evidence lead to.",
        ),
        Stage(
            name="qampari.truths_all",
            shape=Join(on=(("answer",), ("answer",), ("qid",))),
            kernel=true_answers,
            inputs=(TRUTHS.name, FURTHER_TRUTHS.name, "entities"),
            outputs=(TRUE_ANSWERS,),
            about="Step 11: the names of all that is true of a question.",
        ),
    )
