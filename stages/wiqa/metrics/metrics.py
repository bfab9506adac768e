"""Scores of predicted answers to multiple-choice questions: accuracy by type, hops and label, and consistency.

A question without a prediction, or with one that is none of the three answers, is wrong.

Gold: a released JSONL file (`stages.wiqa.release.records`), or a JSON array of its records.
Predictions: {"ques_id" (or "id", "qid"), "label" (or "prediction", "answer", "answer_label")}, or one JSON object
from id to answer. An answer is more, less or no_effect ("no effect"), or its letter A, B or C.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from stages.evaluation.files import Item, Predictions, first_of, need_gold, read_predictions, text_id
from stages.evaluation.report import Figures, ScoreReport, grouped, table
from stages.release.format import ReleaseError, read_records
from stages.wiqa.metrics.consistency import consistency
from stages.wiqa.release.records import LABELS, LETTERS, ChoiceRecord

NOTHING = "none"
_IDS = ("ques_id", "qid", "id")
_ANSWERS = ("label", "prediction", "answer_label", "answer", "answers", "predictions")
_COLUMNS = {"questions": ("questions", 10), "accuracy": ("accuracy", 10)}
_SITUATIONS = {"situations": ("situations", 10), "score": ("score", 10)}
_PARTS: Mapping[str, Callable[[ChoiceRecord], str]] = {
    "type": lambda question: question.metadata.question_type,
    "hops": lambda question: str(question.hops),
    "label": lambda question: question.label,
}
_MEANT = {letter.casefold(): label for label, letter in LETTERS.items()}
_MEANT |= {label: label for label in LETTERS} | {"no effect": "no_effect"}
Labels = Mapping[str, str | None]


def evaluate(gold_path: Path, predictions_path: Path) -> ScoreReport:
    """Scores a predictions file against a gold file.

    Raises ReleaseError where a file has another shape or the gold file no question.
    """
    gold = need_gold(gold_path, read_records(gold_path, ChoiceRecord))
    return evaluate_choices(gold, read_choices(predictions_path))


def evaluate_choices(gold: Sequence[ChoiceRecord], predictions: Predictions[str | None]) -> ScoreReport:
    """Scores predictions against at least one gold question; the order of neither matters.

    predictions: more, less or no_effect by ques_id, and None where the file holds none of them. The report has the
    accuracy per question type, number of hops ("0" without a path) and gold label; consistency: see
    `stages.wiqa.metrics.consistency`; confusion: gold label -> predicted label ("none" where there is none) ->
    questions. Odd, beside what does not match up: invalid, those with a prediction that is no answer (wrong, as missing
    ones).
    """
    ordered = sorted(gold, key=lambda question: question.identity)
    labels = predictions.answers
    overall, found = _accuracy(ordered, labels), consistency(ordered, labels)
    groups = {
        name: {part: _accuracy(own, labels) for part, own in grouped(ordered, by).items()}
        for name, by in _PARTS.items()
    }
    parts = [(f"{name} {part}", own) for name, group in groups.items() for part, own in group.items()]
    odd = predictions.unmatched(question.identity for question in ordered)
    invalid = tuple(q.identity for q in ordered if q.identity in labels and labels[q.identity] is None)
    return ScoreReport(
        overall,
        {f"by_{name}": group for name, group in groups.items()},
        {"missing": odd.pop("missing"), "invalid": invalid, **odd},
        [*table(30, _COLUMNS, [("all", overall), *parts]), "", *table(30, _SITUATIONS, found.items(), "consistency")],
        {"confusion": _confusion(ordered, labels), "consistency": found},
    )


def _accuracy(questions: Sequence[ChoiceRecord], labels: Labels) -> Figures:
    right = sum(labels.get(question.identity) == question.label for question in questions)
    return {"questions": len(questions), "right": right, "accuracy": right / len(questions)}


def _confusion(questions: Sequence[ChoiceRecord], labels: Labels) -> dict[str, dict[str, int]]:
    """Gold label -> predicted label -> questions."""
    return {
        label: dict(sorted(Counter(labels.get(question.identity) or NOTHING for question in own).items()))
        for label in LABELS
        if (own := [question for question in questions if question.label == label])
    }


def read_choices(path: Path) -> Predictions[str | None]:
    """The predictions of a file; ReleaseError names the place of the first entry without an id or an answer."""
    return read_predictions(path, (*_IDS, "question", "metadata"), _prediction)


def _prediction(place: str, item: Item) -> tuple[str, str | None]:
    if isinstance(item.get("question"), dict) and isinstance(item.get("metadata"), dict):
        item = {"ques_id": item["metadata"].get("ques_id"), "label": item["question"].get("answer_label")}
    ques_id = text_id(place, first_of(item, _IDS), "'ques_id'")
    if not item.keys() & set(_ANSWERS):
        raise ReleaseError(f"{place}: expected an answer under 'label', got the keys {', '.join(sorted(item))}")
    given = first_of(item, _ANSWERS)
    return ques_id, _MEANT.get(given.strip().casefold()) if isinstance(given, str) else None
