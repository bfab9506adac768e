"""Stage `ifqa.verification`: what people's checks make of the questions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Any

import pyarrow as pa

from stages.annotation.tables import CONFIRMED, NO_MAJORITY, REFUSED, REVISED, VERDICTS
from stages.core.contract import Join, Output, Stage
from stages.core.rejects import Rejects
from stages.core.texts import Refused
from stages.ifqa.parse import read_answers
from stages.ifqa.questions import name_of
from stages.ifqa.tables import RAW_QUESTIONS, VERIFIED_QUESTIONS
from stages.ifqa.texts import TextLimits, question_text

# What a checker says beside the verdict, and the reason for which a question that it says no to is dropped.
_CHECKS = {"readable": "not_readable", "standalone": "not_standalone"}


def verified(questions: pa.Table, verdicts: pa.Table, *, params: TextLimits) -> Output:
    """VERIFIED_QUESTIONS from one bucket of RAW_QUESTIONS by question_id and of a round's VERDICTS by origin.

    A revised question or answer takes the place of the old one, and the question keeps its id; what people have not
    decided yet stays as it was. Rejects, keyed "file:id" or by id: refused, no_majority; not_readable and
    not_standalone (the majority keeps the question as it is and yet says so); and, of what people revised, those of
    questions from files.
    Metrics: confirmed (before this round too), revised among them, and unconfirmed.
    """
    decided = {row["origin"]: row for row in verdicts.to_pylist()}
    rejects, rows = Rejects(), []
    metrics = Counter(confirmed=0, revised=0, unconfirmed=0)
    for row in questions.to_pylist():
        verdict = decided.get(row["question_id"])
        try:
            settled = row if verdict is None else _settled(row, verdict, params, rejects)
        except Refused as fault:
            rejects.add(name_of(row), fault.reason, str(fault))
            continue
        metrics["confirmed" if settled["confirmed"] else "unconfirmed"] += 1
        metrics["revised"] += verdict is not None and verdict["status"] == REVISED
        rows.append(settled)
    return Output(
        {VERIFIED_QUESTIONS.name: VERIFIED_QUESTIONS.table(rows)},
        rejects.table(),
        {name: float(count) for name, count in metrics.items()},
    )


def _settled(row: dict[str, Any], verdict: Mapping[str, Any], limits: TextLimits, rejects: Rejects) -> dict[str, Any]:
    """The question as the verdict leaves it; Refused where it is dropped."""
    status, answers = verdict["status"], json.loads(verdict["answers"])
    if status in (REFUSED, NO_MAJORITY):
        raise Refused(status, f"{verdict['agreeing']} of {verdict['votes']}")
    if status == CONFIRMED:
        for control, reason in _CHECKS.items():
            if answers.get(control) == ["no"]:
                raise Refused(reason, row["question"])
        return {**row, "confirmed": True}
    return {**row, **_revision(row, answers, limits, rejects), "confirmed": True} if status == REVISED else row


def _revision(
    row: Mapping[str, Any], answers: Mapping[str, list[str]], limits: TextLimits, rejects: Rejects
) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if question := answers.get("revised_question"):
        found["question"] = question_text(question[0], limits)
    if revised := answers.get("revised_answer"):
        found["answers"] = list(dict.fromkeys(read_answers(revised, limits, rejects, name_of(row))))
    return found


def stage(
    params: TextLimits | None = None, questions: str = RAW_QUESTIONS.name, verdicts: str = VERDICTS.name
) -> Stage:
    """verdicts: of the round in which questions are verified."""
    params = params or TextLimits()
    return Stage(
        name="ifqa.verification",
        shape=Join(on=(("question_id",), ("origin",))),
        kernel=partial(verified, params=params),
        inputs=(questions, verdicts),
        outputs=(VERIFIED_QUESTIONS,),
        about="Verification: questions that workers keep, with their errors put right.",
    )
