"""The tables of the query stages, and the common shape in which all three kinds of query leave them.

Query ids say what they ask, and are unique over all kinds:

    simple          "P57:Q8877", or "P57:Q8877:Q11424" where only answers of one class are asked for
    intersection    "{simple}&{simple}", the smaller id first
    composition     "{simple}>{property}"

QUESTION_QUERIES and QUESTION_ANSWERS are what the question stages read; each kind
publishes them under its own names (`simple_queries`, `simple_answers`, ...).
"""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from stages.core.columns import number, text, texts
from stages.core.contract import TableSpec

# One validated triple with the sentence that states it. A struct's fields cannot be
# declared non-null without losing pyarrow's casts, but none of them is ever null.
PROOF = pa.struct(
    [
        ("subject", pa.string()),
        ("property", pa.string()),
        ("object", pa.string()),
        ("title", pa.string()),
        ("passage", pa.int32()),
        ("index", pa.int32()),
        ("sentence", pa.string()),
    ]
)

# The columns of an evidence table that a judged answer takes over; null where it has none.
EVIDENCE = (
    pa.field("title", pa.string()),
    pa.field("passage", pa.int32()),
    pa.field("index", pa.int32()),
    pa.field("sentence", pa.string()),
    pa.field("score", pa.float32()),
)

# All the answers that Wikidata knows, with those that lack a page in a partial corpus; null where they are not
# counted: of a simple query's answers there is a row for each, but what lies behind pageless ones is not looked up.
KNOWN = pa.field("known", pa.int32())

QUESTION_QUERIES = TableSpec(
    name="question_queries",
    schema=pa.schema(
        [
            text("query"),
            text("kind"),
            texts("properties"),
            texts("entities"),
            texts("entity_labels"),
            pa.field("entity_aliases", pa.list_(pa.list_(pa.string())), nullable=False),
            texts("classes"),
            number("answers"),
            KNOWN,
            number("validated"),
            pa.field("share", pa.float64(), nullable=False),
        ]
    ),
    key=("query",),
)
"""One row per kept query of any kind.

kind: simple, intersection or composition.
properties: [r] for r(e); [r1, r2] for r1(e1) AND r2(e2); [r1, r2] (inner, outer) for r2(r1(e)).
entities, entity_labels, entity_aliases: [e] or [e1, e2]; an intersection's in the order of its parts.
classes: the answer class (QID) of each simple part, null for an untyped one; a composition has its inner one.
answers: all answers that count, with or without evidence; for an intersection its common validated
    answers, since it is made of nothing else.
known: as KNOWN says; an intersection and a composition have none.
validated: the answers with evidence, which are the rows of QUESTION_ANSWERS.
share: validated / answers.
"""

QUESTION_ANSWERS = TableSpec(
    name="question_answers",
    schema=pa.schema(
        [
            text("query"),
            text("answer"),
            text("answer_kind"),
            text("unit"),
            pa.field("proofs", pa.list_(PROOF), nullable=False),
            pa.field("scores", pa.list_(pa.float32()), nullable=False),
        ]
    ),
    key=("query", "answer", "unit"),
    bucket_by=("query",),
    inexact=("scores",),
)
"""One row per validated answer of a kept query.

answer: a QID where answer_kind is "item", else the canonical literal.
answer_kind: item, quantity, time, string, monolingual.
unit: QID of a quantity's unit; "" where there is none (it is part of the key: 3 m and 3 ft are two answers).
proofs: simple: the answer's triple. Intersection: the triple of each part, in order. Composition: for every
    validated path, in the order of its middle entity, the inner triple and the outer triple.
scores: the entailment score of each proof, in the same order; apart, since it may differ between processors.
"""

SIMPLE_QUERIES = replace(QUESTION_QUERIES, name="simple_queries")
SIMPLE_ANSWERS = replace(QUESTION_ANSWERS, name="simple_answers")
INTERSECTION_QUERIES = replace(QUESTION_QUERIES, name="intersection_queries")
INTERSECTION_ANSWERS = replace(QUESTION_ANSWERS, name="intersection_answers")
COMPOSED_QUERIES = replace(QUESTION_QUERIES, name="composed_queries")
COMPOSED_ANSWERS = replace(QUESTION_ANSWERS, name="composed_answers")
