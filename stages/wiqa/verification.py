"""Stages `wiqa.verification_graphs` and `wiqa.verification`: what people's answers make of graphs and of questions."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import pyarrow as pa

from stages.annotation.contributed import CONTRIBUTIONS
from stages.annotation.tables import CONFIRMED, NO_MAJORITY, REFUSED, REVISED, VERDICTS
from stages.core.contract import Join, Output, Stage
from stages.core.rejects import Rejects
from stages.core.texts import Refused
from stages.wiqa.graph import NODES, OUTCOMES
from stages.wiqa.graph_files import RAW_GRAPHS, InfluenceGraphParams, raw_graph
from stages.wiqa.paragraphs import PARAGRAPHS
from stages.wiqa.tables import CHOSEN_QUESTIONS

ANNOTATION = "annotation"
ANNOTATED_GRAPHS = replace(RAW_GRAPHS, name="annotated_graphs")
_POINTERS = ("change_sentence", "effect_sentence")
VERIFIED_QUESTIONS = replace(
    CHOSEN_QUESTIONS,
    name="verified_questions",
    schema=pa.schema([*CHOSEN_QUESTIONS.schema, *(pa.field(name, pa.int32()) for name in _POINTERS)]),
)
"""Questions that people have not taken out. change_sentence, effect_sentence: index of the sentence that most of those
who gave a confirmed answer point to; null where they do not agree on one, or nobody was asked."""
_SINGLE = ("X", "Y")


def annotated(contributions: pa.Table, paragraphs: pa.Table, *, params: InfluenceGraphParams) -> Output:
    """ANNOTATED_GRAPHS from one bucket of a round's CONTRIBUTIONS by origin and of PARAGRAPHS by para_id.

    A worker's answers {X, Y, W, U, Z, V, y_affects} are one graph; its outcome is that of the paragraph's topic.
    Rejects, keyed "para_id graph_id": refused, unknown_paragraph, and those of graphs from files.
    """
    known = {row["para_id"]: row for row in paragraphs.to_pylist()}
    rejects, rows = Rejects(), []
    for row in contributions.to_pylist():
        graph_id = _graph_id(row)
        key = f"{row['origin']} {graph_id}"
        try:
            if row["status"] == REFUSED:
                raise Refused("refused", f"task {row['task']}, worker {row['worker']}")
            if row["origin"] not in known:
                raise Refused("unknown_paragraph", f"task {row['task']}")
            record = _record(json.loads(row["answers"]), known[row["origin"]]["topic"])
            graph = raw_graph(record | {"para_id": row["origin"], "graph_id": graph_id}, params, rejects, key)
            rows.append(graph | {"confirmed": row["status"] in (CONFIRMED, REVISED), "source": ANNOTATION})
        except Refused as fault:
            rejects.add(key, fault.reason, str(fault))
    return Output(
        {ANNOTATED_GRAPHS.name: ANNOTATED_GRAPHS.table(rows)}, rejects.table(), {"annotated_graphs": float(len(rows))}
    )


def _graph_id(row: Mapping[str, Any]) -> str:
    """Stable, and silent about who the worker is."""
    text = f"{row['task']}\x1f{row['worker']}\x1f{row['number']}"
    return f"a{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def _record(answers: Mapping[str, list[str]], topic: str) -> dict[str, Any]:
    """The answers as a released graph has them."""
    nodes: dict[str, Any] = {node: answers.get(node, []) for node in NODES if node not in OUTCOMES}
    nodes |= {node: texts[:1] for node in _SINGLE if (texts := nodes[node])}
    outcome = {"para_outcome_accelerate": f"MORE {topic}", "para_outcome_decelerate": f"LESS {topic}"}
    return nodes | outcome | {"Y_affects_outcome": next(iter(answers.get("y_affects", [])), "")}


def verified(questions: pa.Table, *verdicts: pa.Table) -> Output:
    """VERIFIED_QUESTIONS from one bucket of CHOSEN_QUESTIONS by question and of a round's VERDICTS by origin, if any.

    A question whose majority gives its own answer is confirmed; one that people have not decided yet stays
    unconfirmed. Rejects, keyed by question: other_answer (the majority's is another), no_majority, refused.
    """
    decided = {row["origin"]: row for table in verdicts for row in table.to_pylist()}
    rejects, rows, metrics = Rejects(), [], Counter(confirmed=0, unconfirmed=0)
    for row in questions.to_pylist():
        verdict = decided.get(row["question"])
        answers = json.loads(verdict["answers"]).get("answer", []) if verdict else []
        status = verdict["status"] if verdict else ""
        if status in (NO_MAJORITY, REFUSED):
            rejects.add(row["question"], status, f"{verdict['agreeing']} of {verdict['votes']}" if verdict else "")
            continue
        confirmed = status in (CONFIRMED, REVISED)
        if confirmed and answers != [row["label"]]:
            rejects.add(row["question"], "other_answer", f"{row['label']} by its path, {' '.join(answers)} by people")
            continue
        metrics["confirmed" if confirmed else "unconfirmed"] += 1
        rows.append(row | {"confirmed": confirmed} | _pointed(verdict if confirmed else None))
    return Output(
        {VERIFIED_QUESTIONS.name: VERIFIED_QUESTIONS.table(rows)},
        rejects.table(),
        {name: float(count) for name, count in metrics.items()},
    )


def _pointed(verdict: Mapping[str, Any] | None) -> dict[str, int | None]:
    """The sentences that people count from 1, as indexes."""
    answers = json.loads(verdict["answers"]) if verdict else {}
    return {name: int(float(answers[name][0])) - 1 if answers.get(name) else None for name in _POINTERS}


def annotated_stage(params: InfluenceGraphParams | None = None, contributions: str = CONTRIBUTIONS.name) -> Stage:
    params = params or InfluenceGraphParams()
    return Stage(
        name="wiqa.verification_graphs",
        shape=Join(on=(("origin",), ("para_id",))),
        kernel=partial(annotated, params=params),
        inputs=(contributions, PARAGRAPHS.name),
        outputs=(ANNOTATED_GRAPHS,),
        about="Section 3.1: influence graphs as people filled them.",
    )


def verified_stage(questions: str = CHOSEN_QUESTIONS.name, verdicts: str | None = VERDICTS.name) -> Stage:
    """verdicts: None where nobody was asked."""
    said = () if verdicts is None else (verdicts,)
    return Stage(
        name="wiqa.verification",
        shape=Join(on=(("question",), *((("origin",),) if said else ()))),
        kernel=verified,
        inputs=(questions, *said),
        outputs=(VERIFIED_QUESTIONS,),
        about="Section 3.4: questions that a majority of workers answers as their path does.",
    )
