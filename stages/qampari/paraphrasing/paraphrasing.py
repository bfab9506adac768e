"""Stages `qampari.paraphrasing_reworded` and `qampari.paraphrasing`: questions in the words of people (the paper's step
12).

A paraphrase takes the place of the template's text only where it can be no other question: it must name every
entity by its label or one of its aliases (a question without one of its entities, or with a name that the
record does not list, has other answers, and readers who look for the name find nothing), it must not
give an answer away, and nothing else in the benchmark may ask the same.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pyarrow as pa

from stages.annotation.forms.kinds import TaskKind
from stages.annotation.tables import CONFIRMED, NO_MAJORITY, REFUSED, REVISED, VERDICTS
from stages.core.columns import text
from stages.core.contract import Join, Output, Stage, TableSpec
from stages.core.rejects import Rejects
from stages.core.short_answers import normalise
from stages.core.texts import Refused
from stages.qampari.cleaning import QUESTIONS
from stages.qampari.judging.judged import RELEASED_ANSWERS, RELEASED_QUESTIONS
from stages.qampari.questions import leaked_answer

REWORDED = TableSpec(
    name="reworded_questions",
    schema=pa.schema([*QUESTIONS.schema, text("template_question"), text("template_normal")]),
    key=("query",),
    bucket_by=("normal",),
)
WORDED = replace(QUESTIONS, name="worded_questions", schema=pa.schema([*QUESTIONS.schema, text("template_question")]))
"""The questions of the benchmark as it asks them. question, normal: in people's words where they have reworded it;
template_question: as the templates made it. Other columns as in QUESTIONS."""

_USABLE = (CONFIRMED, REVISED)
_WORD = re.compile(r"\w+")


def reworded(
    released: pa.Table, questions: pa.Table, answers: pa.Table, verdicts: pa.Table, *, kind: TaskKind
) -> Output:
    """REWORDED from one bucket of RELEASED_QUESTIONS, QUESTIONS and RELEASED_ANSWERS by query, and of VERDICTS by
    origin.

    Rejects, keyed by query; the question keeps its template's text: unclear_question (people do not understand
    it), no_majority, empty_paraphrase, entity_dropped, answer_in_paraphrase.
    """
    kept = set(released["query"].to_pylist())
    said = {row["origin"]: row for row in verdicts.to_pylist() if row["kind"] == kind.name}
    aliases: defaultdict[str, list[str]] = defaultdict(list)
    for row in answers.select(["query", "aliases"]).to_pylist():
        if row["query"] in said:
            aliases[row["query"]] += row["aliases"]
    rejects, rows = Rejects(), []
    for row in questions.to_pylist():
        if row["query"] not in kept:
            continue
        whole = row | {"template_question": row["question"], "template_normal": row["normal"]}
        try:
            written = _paraphrase(said.get(row["query"]), kind)
            if written is not None:
                whole |= {"question": _checked(written, row, aliases[row["query"]]), "normal": normalise(written)}
        except Refused as fault:
            rejects.add(row["query"], fault.reason, str(fault))
        rows.append(whole)
    return Output({REWORDED.name: REWORDED.table(rows)}, rejects.table())


def _paraphrase(verdict: Mapping[str, Any] | None, kind: TaskKind) -> str | None:
    """What people wrote; None where they have not (yet).

    Raises Refused: unclear_question, no_majority, empty_paraphrase.
    """
    if verdict is None:
        return None
    if verdict["status"] in (REFUSED, NO_MAJORITY):
        reason = "unclear_question" if verdict["status"] == REFUSED else NO_MAJORITY
        raise Refused(reason, f"{verdict['agreeing']} of {verdict['votes']}")
    if verdict["status"] not in _USABLE:
        return None
    given = json.loads(verdict["answers"])
    controls = kind.verdict.revisions if kind.verdict else ()
    texts = [value for name in controls for value in given.get(name, [])]
    written = " ".join(" ".join(texts).split())
    if not normalise(written):
        raise Refused("empty_paraphrase", "")
    return written


def _checked(written: str, question: Mapping[str, Any], answers: Sequence[str]) -> str:
    """Raises Refused: entity_dropped, answer_in_paraphrase."""
    for label, aliases in zip(question["entity_labels"], question["entity_aliases"], strict=True):
        if not any(names(written, name) for name in (label, *aliases)):
            raise Refused("entity_dropped", f"{label}: {written}")
    leaked = leaked_answer(written, answers)
    if leaked is not None:
        raise Refused("answer_in_paraphrase", f"{leaked}: {written}")
    return written


def names(written: str, name: str) -> bool:
    """Whether a text holds a name as whole words, in any case and with or without a "the" before it."""
    words = _words(name)
    if not words:
        return name.strip() in written
    words = words[1:] if words[0] == "the" and len(words) > 1 else words
    return f" {' '.join(words)} " in f" {' '.join(_words(written))} "


def _words(phrase: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFC", phrase).casefold())


def worded(rewritten: pa.Table, questions: pa.Table) -> Output:
    """WORDED from one bucket of REWORDED and of QUESTIONS by normal form.

    Rejects, keyed by query; the question keeps its template's text: same_as_question (another question has this
    text, in or out of the benchmark), same_paraphrase (another's paraphrase is the same; neither is used).
    Metrics: paraphrased, as_template.
    """
    templates: defaultdict[str, set[str]] = defaultdict(set)
    for row in questions.select(["normal", "query"]).to_pylist():
        templates[row["normal"]].add(row["query"])
    rows = rewritten.to_pylist()
    uses = Counter(row["normal"] for row in rows)
    rejects, found = Rejects(), []
    counts: Counter[str] = Counter(paraphrased=0, as_template=0)
    for row in rows:
        reason, others = "", sorted(templates[row["normal"]] - {row["query"]})
        if row["question"] != row["template_question"]:
            reason = "same_as_question" if others else "same_paraphrase" if uses[row["normal"]] > 1 else ""
        if reason:
            rejects.add(row["query"], reason, " ".join(others[:1]) or row["normal"])
            row |= {"question": row["template_question"], "normal": row["template_normal"]}
        counts["as_template" if row["question"] == row["template_question"] else "paraphrased"] += 1
        found.append({name: row[name] for name in WORDED.schema.names})
    return Output(
        {WORDED.name: WORDED.table(found)}, rejects.table(), {name: float(count) for name, count in counts.items()}
    )


def stages(kind: TaskKind, verdicts: str = VERDICTS.name) -> tuple[Stage, Stage]:
    """Both, in order. verdicts: the table of the round of paraphrases."""
    return (
        Stage(
            name="qampari.paraphrasing_reworded",
            shape=Join(on=(("query",), ("query",), ("query",), ("origin",))),
            kernel=partial(reworded, kind=kind),
            inputs=(RELEASED_QUESTIONS.name, QUESTIONS.name, RELEASED_ANSWERS.name, verdicts),
            outputs=(REWORDED,),
            templates=kind.digests,
            about="Step 12: people's words for a question, where they ask the same.",
        ),
        Stage(
            name="qampari.paraphrasing",
            shape=Join(on=(("normal",), ("normal",))),
            kernel=worded,
            inputs=(REWORDED.name, QUESTIONS.name),
            outputs=(WORDED,),
            about="Step 12: no paraphrase that another question asks as well.",
        ),
    )
