"""Stage `musique.human_composition`: what people made of the graphs, and the rules' questions for the others."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pyarrow as pa

from stages.annotation.forms.kinds import TaskKind
from stages.annotation.reading import REFUSE, vote_of
from stages.annotation.tables import ANNOTATIONS, CONFIRMED, REFUSED, REVISED, VERDICTS, WORKERS
from stages.core.contract import Join, Output, Stage
from stages.core.rejects import Rejects
from stages.musique.composition.tables import ASKED_HOPS, COMPOSED_QUESTIONS, MECHANICAL_QUESTIONS
from stages.musique.spellings.mentions import forms, mentions, searchable
from stages.musique.spellings.other_names import digests

_QUESTION = "question"


@dataclass(frozen=True)
class ComposedParams:
    """experts: workers whose word is final; kind: of the tasks, set by the stage."""

    experts: tuple[str, ...] = ()
    kind: str = ""


def composed(
    asked_hops: pa.Table, mechanical: pa.Table, *said: pa.Table, kind: TaskKind, params: ComposedParams
) -> Output:
    """COMPOSED_QUESTIONS from one bucket of ASKED_HOPS and MECHANICAL_QUESTIONS by graph.

    said: VERDICTS by origin, and all ANNOTATIONS and WORKERS of the round; none where nobody was asked. One accepted
    worker who says that a bridge joins two things is enough, whatever the others say, unless an expert says otherwise.
    Rejects, keyed by graph: bridges_differ (the graph goes); answer_in_question, step_in_question (what a person
    wrote names an answer: the rules' question stays).
    Metrics: questions, written (by people), confirmed, unconfirmed.
    """
    worded = {row["graph"]: row for row in mechanical.to_pylist()}
    verdicts, annotations, workers = said or (VERDICTS.empty(), ANNOTATIONS.empty(), WORKERS.empty())
    decided = {row["origin"]: row for row in verdicts.to_pylist()}
    doubted = _doubted(annotations, workers, kind, frozenset(params.experts))
    rejects, rows, metrics = Rejects(), [], Counter(questions=0, written=0, confirmed=0, unconfirmed=0)
    for graph in asked_hops.to_pylist():
        verdict = decided.get(graph["graph"])
        if verdict is not None and (verdict["status"] == REFUSED or verdict["task"] in doubted):
            rejects.add(graph["graph"], "bridges_differ", f"{verdict['votes']} answers")
            continue
        row = _row(graph, worded[graph["graph"]], verdict, rejects)
        metrics["questions"] += 1
        metrics["written"] += not row["mechanical"]
        metrics["confirmed" if row["confirmed"] else "unconfirmed"] += 1
        rows.append(row)
    return Output(
        {COMPOSED_QUESTIONS.name: COMPOSED_QUESTIONS.table(rows)},
        rejects.table(),
        {name: float(count) for name, count in metrics.items()},
    )


def _doubted(annotations: pa.Table, workers: pa.Table, kind: TaskKind, experts: frozenset[str]) -> set[str]:
    """Tasks that an accepted worker refused, and no expert let pass."""
    accepted = {row["worker"] for row in workers.to_pylist() if row["accepted"]} | experts
    votes: defaultdict[bool, set[tuple[str, str]]] = defaultdict(set)
    for row in annotations.to_pylist():
        vote = vote_of(json.loads(row["answers"]), kind)
        if row["worker"] in accepted and vote is not None:
            votes[row["worker"] in experts].add((row["task"], vote))
    passed = {task for task, vote in votes[True] if vote != REFUSE}
    refused = {task for task, vote in votes[True] | votes[False] if vote == REFUSE}
    return refused - passed


def _row(
    graph: Mapping[str, Any], worded: Mapping[str, Any], verdict: Mapping[str, Any] | None, rejects: Rejects
) -> dict[str, Any]:
    confirmed = verdict is not None and verdict["status"] in (CONFIRMED, REVISED)
    written = _written(verdict) if verdict is not None and confirmed else ""
    named = _named(graph, written)
    if written and named:
        rejects.add(graph["graph"], named, written)
        written = ""
    return {
        "graph": graph["graph"],
        "question": written or worded["question"],
        "mechanical": not written,
        "form": worded["form"],
        "mechanical_question": worded["question"],
        "confirmed": confirmed,
    }


def _written(verdict: Mapping[str, Any]) -> str:
    answers = json.loads(verdict["answers"]).get(_QUESTION, [])
    return " ".join(answers[0].split()) if answers else ""


def _named(graph: Mapping[str, Any], question: str) -> str:
    """The reason why a written question cannot stay: it holds an answer that no step's question holds already."""
    text, steps = searchable(question), [searchable(step) for step in graph["question_steps"]]
    spelt = [[answer, *others] for answer, others in zip(graph["hop_answers"], graph["hop_aliases"], strict=True)]
    for number, answers in enumerate(spelt, start=1):
        wanted = forms(answers)
        if mentions(text, wanted) and not any(mentions(step, wanted) for step in steps):
            return "answer_in_question" if number == len(spelt) else "step_in_question"
    return ""


def stage(
    kind: TaskKind,
    params: ComposedParams | None = None,
    tables: tuple[str, ...] = (VERDICTS.name, ANNOTATIONS.name, WORKERS.name),
) -> Stage:
    """tables: names of a round's tables of VERDICTS, ANNOTATIONS and WORKERS on COMPOSITION_DRAFTS, or none."""
    params = replace(params or ComposedParams(), kind=kind.name)
    verdicts, others = tables[:1], tables[1:]
    return Stage(
        name="musique.human_composition",
        shape=Join(on=(("graph",), ("graph",), *(("origin",) for _ in verdicts))),
        kernel=partial(composed, kind=kind, params=params),
        inputs=(ASKED_HOPS.name, MECHANICAL_QUESTIONS.name, *verdicts),
        side=others,
        outputs=(COMPOSED_QUESTIONS,),
        templates={**kind.digests, **digests()},
        about="Section 5.1: graphs without a bridge that people refused, in their words where they wrote any.",
    )
