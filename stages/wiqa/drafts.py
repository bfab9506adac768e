"""Stages `wiqa.drafts_graphs` and `wiqa.drafts_questions`: what people are asked (WIQA, sections 3.1 and 3.4).

A paragraph becomes a form of five questions that fill a graph; a question for testing is
answered anew by several workers, who see neither its answer nor its graph.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pyarrow as pa

from manifests.digest import canonical_json
from stages.annotation.forms.answers import Answers
from stages.annotation.forms.kinds import TaskKind
from stages.annotation.tables import DRAFTS
from stages.core.contract import Join, Map, Output, Stage, StageError
from stages.core.limits import at_least
from stages.core.splits import SPLITS
from stages.wiqa.graph import NODES
from stages.wiqa.influence_graphs import GRAPHS
from stages.wiqa.paragraphs import PARAGRAPHS
from stages.wiqa.tables import CHOSEN_QUESTIONS
from stages.wiqa.verification import ANNOTATION

GRAPH_DRAFTS = replace(DRAFTS, name="graph_drafts")
QUESTION_DRAFTS = replace(DRAFTS, name="question_drafts")
_LOUD = re.compile(r"^(?:MORE|LESS)\b")


@dataclass(frozen=True)
class InfluenceDraftParams:
    """splits: whose questions are verified; redundancy: workers per task, 0 for the kind's own number.
    kind: of the tasks, a folder of templates/annotation; set by the stage.
    """

    splits: tuple[str, ...] = ("test",)
    redundancy: int = 0
    kind: str = ""

    def __post_init__(self) -> None:
        if unknown := sorted(set(self.splits) - set(SPLITS)):
            raise StageError(f"splits: expected some of {', '.join(SPLITS)}, got {', '.join(unknown)}")
        at_least(self, 0, "redundancy")


def graph_drafts(paragraphs: pa.Table, *, params: InfluenceDraftParams) -> Output:
    """GRAPH_DRAFTS from PARAGRAPHS: one per paragraph, its origin the para_id."""
    rows = []
    for row in paragraphs.to_pylist():
        prompt = row["prompt"] or row["topic"]
        payload = {"prompt": prompt, "paragraph": numbered(row["sentences"]), "outcome": row["topic"]}
        rows.append(_draft(row["para_id"], payload, params))
    return Output({GRAPH_DRAFTS.name: GRAPH_DRAFTS.table(rows)}, metrics={"drafts": float(len(rows))})


def question_drafts(questions: pa.Table, graphs: pa.Table, *, params: InfluenceDraftParams) -> Output:
    """QUESTION_DRAFTS from one bucket of CHOSEN_QUESTIONS and of GRAPHS, both by para_id; its origin the question."""
    sentences = {row["para_id"]: row["sentences"] for row in graphs.select(["para_id", "sentences"]).to_pylist()}
    rows = []
    for row in questions.select(["question", "para_id", "change", "effect", "split"]).to_pylist():
        if row["split"] in params.splits:
            payload = {
                "paragraph": numbered(sentences[row["para_id"]]),
                "question": plain_question(row["change"], row["effect"]),
            }
            rows.append(_draft(row["question"], payload, params))
    return Output({QUESTION_DRAFTS.name: QUESTION_DRAFTS.table(rows)}, metrics={"drafts": float(len(rows))})


def filled_forms(graphs: pa.Table, kind: TaskKind) -> dict[str, Answers]:
    """By para_id the answers that fill the form with one of a paragraph's GRAPHS, one from a file where there is one.

    kind: of graph tasks, whose limits of texts and of their number hold; a graph that fits in no other way is passed
    over.
    """
    found: dict[str, Answers] = {}
    for row in sorted(graphs.to_pylist(), key=lambda row: (row["source"] == ANNOTATION, row["graph_id"])):
        nodes = {name: _fitting(row[name], kind, name) for name in kind.controls if name in NODES}
        answers = {name: texts for name, texts in nodes.items() if texts} | {"y_affects": [row["y_affects"]]}
        if row["para_id"] not in found and all(name in answers for name, one in kind.controls.items() if one.required):
            found[row["para_id"]] = answers
    return found


def _fitting(texts: Sequence[str], kind: TaskKind, name: str) -> list[str]:
    control = kind.controls[name]
    return [text for text in texts if control.min_chars <= len(text) <= control.max_chars][: control.max_values]


def numbered(sentences: Sequence[str]) -> str:
    """A paragraph as a worker sees it: a sentence a line, counted from 1."""
    return "\n".join(f"{number}. {sentence}" for number, sentence in enumerate(sentences, start=1))


def plain_question(change: str, effect: str) -> str:
    """A question as a worker reads it: change and effect may be phrases or sentences, so neither is bent into another.

    The released record words it otherwise (`stages.wiqa.release.records.stem`).
    """
    return (
        f"Imagine that this happens: {_quiet(change)}.\n"
        f"What does it do to this: {_quiet(effect)}?\n"
        "Is there more of it then, is there less of it, or does the change make no difference to it?"
    )


def _quiet(text: str) -> str:
    """Without the capitals of "MORE rain", by which graphs mark their outcomes, and without a mark at the end."""
    return _LOUD.sub(lambda word: word[0].lower(), text).rstrip(" .!?")


def _draft(origin: str, payload: dict[str, str], params: InfluenceDraftParams) -> dict[str, Any]:
    shown = {"origin": origin, "kind": params.kind, "payload": canonical_json(payload)}
    return shown | {"redundancy": params.redundancy} | {"wrong_payload": None, "wrong_gold": None, "gold": None}


def graph_drafts_stage(kind: str, params: InfluenceDraftParams | None = None) -> Stage:
    """kind: of the tasks, a folder of templates/annotation."""
    params = replace(params or InfluenceDraftParams(), kind=kind)
    return Stage(
        name="wiqa.drafts_graphs",
        shape=Map(),
        kernel=partial(graph_drafts, params=params),
        inputs=(PARAGRAPHS.name,),
        outputs=(GRAPH_DRAFTS,),
        about="Section 3.1: each paragraph as a form that fills an influence graph.",
    )


def question_drafts_stage(
    kind: str, params: InfluenceDraftParams | None = None, questions: str = CHOSEN_QUESTIONS.name
) -> Stage:
    """kind: of the tasks, a folder of templates/annotation."""
    params = replace(params or InfluenceDraftParams(), kind=kind)
    return Stage(
        name="wiqa.drafts_questions",
        shape=Join(on=(("para_id",), ("para_id",))),
        kernel=partial(question_drafts, params=params),
        inputs=(questions, GRAPHS.name),
        outputs=(QUESTION_DRAFTS,),
        about="Section 3.4: questions for testing, to be answered anew by several workers.",
    )
