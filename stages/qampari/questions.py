"""Stage `qampari.questions`: the question of each query (the paper's step 8), with what cleaning needs to judge it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any

import pyarrow as pa

from stages.core.columns import number, text, texts
from stages.core.contract import Join, Output, Stage, StageError, TableSpec
from stages.core.rejects import Rejects
from stages.core.short_answers import normalise
from stages.facts.relations.model import AnswerClass, Relations
from stages.facts.relations.render import composition, intersection, narrower, question
from stages.qampari.answers import LABELLED_ANSWERS
from stages.qampari.tables import COMPOSED_QUERIES, INTERSECTION_QUERIES, KNOWN, SIMPLE_QUERIES
from stages.qampari.twins import ANSWER_FORMS

RENDERED_QUESTIONS = TableSpec(
    name="rendered_questions",
    schema=pa.schema(
        [
            text("query"),
            text("kind"),
            text("question"),
            text("normal"),
            texts("properties"),
            texts("entities"),
            texts("entity_labels"),
            pa.field("entity_aliases", pa.list_(pa.list_(pa.string())), nullable=False),
            texts("classes"),
            number("answers"),
            KNOWN,
            text("answer_set"),
        ]
    ),
    key=("query",),
)
"""One row per question.

normal: the question in normal form; answers: distinct answers by the normal form of their texts;
answer_set: sha256 of these forms, so that equal sets have equal values. Other columns as in QUESTION_QUERIES.
"""

# Questions are compared by many answers at once, which whole texts would make a load.
_HASH_BYTES = 8
_WORD = re.compile(r"\w+")
_SHORT = 3


@dataclass(frozen=True)
class RenderParams:
    """min_answers: a question needs this many answers that differ in their texts."""

    min_answers: int = 5

    def __post_init__(self) -> None:
        if self.min_answers < 1:
            raise StageError(f"min_answers: expected at least 1, got {self.min_answers}")


def render_questions(
    simple: pa.Table,
    intersection: pa.Table,
    composed: pa.Table,
    answers: pa.Table,
    *,
    relations: Relations,
    params: RenderParams,
) -> Output:
    """RENDERED_QUESTIONS and ANSWER_FORMS from one bucket of the queries of all kinds and of their answers.

    Rejects, keyed by query: no_template (a property or class that the templates lack), empty_question,
    too_few_distinct_answers, answer_in_question (the text contains an answer's name).
    """
    aliases = _aliases(answers)
    rejects, rows, forms = Rejects(), [], []
    for query in pa.concat_tables([simple, intersection, composed]).to_pylist():
        row, reason, detail = _judge(query, aliases.get(query["query"], []), relations, params)
        if reason:
            rejects.add(query["query"], reason, detail)
        else:
            forms.append({"query": row["query"], "forms": [_hash(form) for form in row.pop("forms")]})
            rows.append(row)
    counts = {f"{kind}_questions": float(sum(row["kind"] == kind for row in rows)) for kind in _RENDERERS}
    tables = {
        RENDERED_QUESTIONS.name: RENDERED_QUESTIONS.table(rows),
        ANSWER_FORMS.name: ANSWER_FORMS.table(forms),
    }
    return Output(tables, rejects.table(), counts)


def question_text(query: Mapping[str, Any], relations: Relations) -> str:
    """The question of one row of QUESTION_QUERIES; KeyError names a property or class without template."""
    classes = [relations.classes[qid] for qid in query["classes"] if qid is not None]
    answer_class = reduce(narrower, classes) if classes else None
    return _RENDERERS[query["kind"]](query["properties"], query["entity_labels"], relations, answer_class)


def _simple(pids: list[str], labels: list[str], relations: Relations, answer_class: AnswerClass | None) -> str:
    return question(relations.simple[pids[0]], labels[0], answer_class)


def _intersection(pids: list[str], labels: list[str], relations: Relations, answer_class: AnswerClass | None) -> str:
    first, second = relations.simple[pids[0]], relations.simple[pids[1]]
    return intersection(first, labels[0], second, labels[1], answer_class)


def _composition(pids: list[str], labels: list[str], relations: Relations, answer_class: AnswerClass | None) -> str:
    return composition(relations.composition[pids[1]], relations.simple[pids[0]], labels[0], answer_class)


_RENDERERS = {"simple": _simple, "intersection": _intersection, "composition": _composition}


def leaked_answer(asked: str, names: Iterable[str]) -> str | None:
    """The first name that stands in the question as whole words, in the same case; None where there is none.

    Case counts because a question's own words ("who", "film") are names of something, too. Names of at
    most 3 characters say nothing.
    """
    words = _words(asked)
    return next((name for name in names if len(name) > _SHORT and _words(name) in words), None)


def _words(phrase: str) -> str:
    return f" {' '.join(_WORD.findall(phrase))} "


def _judge(
    query: dict[str, Any], answers: list[list[str]], relations: Relations, params: RenderParams
) -> tuple[dict[str, Any], str, str]:
    """The row of a question with its answers' forms, a reject's reason ("" for none) and its detail."""
    try:
        asked = question_text(query, relations).strip()
    except KeyError as error:
        return {}, "no_template", str(error.args[0])
    if not normalise(asked):
        return {}, "empty_question", ""
    forms = sorted({normalise(names[0]) for names in answers})
    if len(forms) < params.min_answers:
        return {}, "too_few_distinct_answers", str(len(forms))
    leaked = leaked_answer(asked, (name for names in answers for name in names))
    if leaked is not None:
        return {}, "answer_in_question", f"{leaked}: {asked}"
    kept = {name: query[name] for name in RENDERED_QUESTIONS.schema.names if name in query}
    digest = hashlib.sha256("\x1f".join(forms).encode()).hexdigest()
    return (
        kept
        | {"question": asked, "normal": normalise(asked), "answers": len(forms), "answer_set": digest, "forms": forms},
        "",
        "",
    )


def _hash(form: str) -> int:
    return int.from_bytes(hashlib.sha256(form.encode()).digest()[:_HASH_BYTES], signed=True)


def _aliases(answers: pa.Table) -> dict[str, list[list[str]]]:
    """Per query the names of each answer, in a fixed order."""
    columns = answers.select(["query", "answer", "unit", "aliases"]).sort_by(
        [("query", "ascending"), ("answer", "ascending"), ("unit", "ascending")]
    )
    grouped: dict[str, list[list[str]]] = {}
    for query, names in zip(columns["query"].to_pylist(), columns["aliases"].to_pylist(), strict=True):
        grouped.setdefault(query, []).append(names)
    return grouped


def stage(relations: Relations, params: RenderParams | None = None) -> Stage:
    params = params or RenderParams()
    return Stage(
        name="qampari.questions",
        shape=Join(on=(("query",),) * 4),
        kernel=partial(render_questions, relations=relations, params=params),
        inputs=(SIMPLE_QUERIES.name, INTERSECTION_QUERIES.name, COMPOSED_QUERIES.name, LABELLED_ANSWERS.name),
        outputs=(RENDERED_QUESTIONS, ANSWER_FORMS),
        templates=relations.digests,
        about="Step 8: questions in pseudo-language from the relation templates.",
    )
