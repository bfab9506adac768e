"""The tables of counterfactual questions.

    files -> read_questions       sheets and their writers -> written_questions
    both -> raw_questions -> verified_questions -> kept_questions -> normalised_answers, splits, records

A question keeps its id on the whole way, whatever people revise in it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa

from stages.core.columns import flag, number, text, texts
from stages.core.contract import TableSpec
from stages.core.short_answers import normalise

ANNOTATION, RELEASE, FILE = "annotation", "release", "file"

# A struct's fields cannot be declared non-null without losing pyarrow's casts; `target` is never null.
_LINK = pa.struct([("target", pa.string()), ("anchor", pa.string())])

RAW_QUESTIONS = TableSpec(
    name="raw_questions",
    schema=pa.schema(
        [
            text("question_id"),
            text("question"),
            texts("answers"),
            texts("context"),
            pa.field("passage", pa.string()),
            pa.field("title", pa.string()),
            pa.field("links", pa.list_(_LINK), nullable=False),
            text("source"),
            text("file"),
            text("given_id"),
            flag("confirmed"),
        ]
    ),
    key=("question_id",),
)
"""One row per question.

question_id: 16 hexadecimal digits, see `question_id`.
answers: as written, distinct, at least one; context: the passages that the question was asked about, in order.
passage: the context's id in the corpus, null where it comes from elsewhere; title: of its page, null where unknown.
links: of the passage, by page title, with the words that carry one where they differ.
source: annotation, release (a record of the released shape), or what a file says of itself, "file" without that.
file, given_id: name of the file and the record's own id there, "" where there is none.
confirmed: people have verified it.
"""

READ_QUESTIONS = replace(
    RAW_QUESTIONS, name="read_questions", key=("question_id", "file", "given_id"), on_duplicate="reject"
)
"""Questions as files hold them: one that two records ask stands in two rows."""

WRITTEN_QUESTIONS = replace(RAW_QUESTIONS, name="written_questions", on_duplicate="reject")
VERIFIED_QUESTIONS = replace(RAW_QUESTIONS, name="verified_questions")
KEPT_QUESTIONS = replace(RAW_QUESTIONS, name="kept_questions")

NORMALISED_ANSWERS = TableSpec(
    name="normalised_answers",
    schema=pa.schema(
        [
            text("question_id"),
            number("number"),
            text("answer"),
            text("kind"),
            texts("forms"),
            texts("rules"),
            pa.field("refusal", pa.string()),
        ]
    ),
    key=("question_id", "number"),
)
"""One row per answer as written, in the question's order: what `stages.normalise` makes of it.

forms: the canonical one first; rules: which rule made each; both are empty where there is a refusal.
"""


def question_id(question: str, context: Sequence[str]) -> str:
    """The id of a question about its passages: wording counts but for case, punctuation and articles."""
    parts = [same_question(question), *(" ".join(passage.split()) for passage in context)]
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]


def same_question(question: str) -> str:
    """What two wordings must share to count as one question."""
    return normalise(question)
