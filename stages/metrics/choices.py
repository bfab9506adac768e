"""Scores of predicted answers to multiple-choice questions: accuracy by type, hops and label, and consistency.

A question without a prediction, or with one that is none of the three answers, is wrong.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from stages.influence.graph import LESS, MORE, NO_EFFECT
from stages.metrics.choice_files import (
    ChoicePredictions,
    GoldChoice,
    read_choice_predictions,
    read_gold_choices,
)
from stages.metrics.consistency import Consistency, consistency
from stages.metrics.files import PredictionError, need_gold
from stages.metrics.lists import odd_lines

LABELS = (MORE, LESS, NO_EFFECT)
NOTHING = "none"


@dataclass(frozen=True)
class Accuracy:
    """right of questions; accuracy: their share."""

    questions: int
    right: int

    @property
    def accuracy(self) -> float:
        return self.right / self.questions


@dataclass(frozen=True)
class ChoiceReport:
    """What an evaluation found.

    by_type, by_hops, by_label: accuracy per question type, number of hops ("0" without a path) and gold label.
    confusion: gold label -> predicted label ("none" where there is none) -> questions.
    consistency: see `stages.metrics.consistency`.
    missing: gold questions without a prediction; invalid: with one that is no answer (both count as wrong);
    unknown: predicted ids that are not in the gold file (ignored); repeated: ids predicted twice (the first counts).
    """

    overall: Accuracy
    by_type: Mapping[str, Accuracy]
    by_hops: Mapping[str, Accuracy]
    by_label: Mapping[str, Accuracy]
    confusion: Mapping[str, Mapping[str, int]]
    consistency: Mapping[str, Consistency]
    missing: tuple[str, ...]
    invalid: tuple[str, ...]
    unknown: tuple[str, ...]
    repeated: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values, with the shares beside the counts."""
        found = asdict(self)
        found["overall"] = _with(self.overall, "accuracy")
        for name in ("by_type", "by_hops", "by_label"):
            found[name] = {key: _with(value, "accuracy") for key, value in getattr(self, name).items()}
        found["consistency"] = {key: _with(value, "score") for key, value in self.consistency.items()}
        return found

    def as_text(self) -> str:
        """A table for reading: accuracies, then consistency, then what was odd."""
        lines = [f"{'':<30}{'questions':>10}{'accuracy':>10}", _line("all", self.overall)]
        for title, group in (("type", self.by_type), ("hops", self.by_hops), ("label", self.by_label)):
            lines += [_line(f"{title} {name}", value) for name, value in group.items()]
        lines += ["", f"{'consistency':<30}{'situations':>10}{'score':>10}"]
        for name, value in self.consistency.items():
            share = "-" if value.score is None else f"{100 * value.score:.1f}"
            lines.append(f"{name:<30}{value.situations:>10}{share:>10}")
        lines += odd_lines(self, ("missing", "invalid", "unknown", "repeated"))
        return "\n".join(lines)


def evaluate(gold_path: Path, predictions_path: Path) -> ChoiceReport:
    """Scores a predictions file against a gold file (formats: `stages.metrics.choice_files`).

    Raises PredictionError where a file has another shape or the gold file no question.
    """
    gold = need_gold(gold_path, read_gold_choices(gold_path))
    return evaluate_choices(gold, read_choice_predictions(predictions_path))


def evaluate_choices(gold: Sequence[GoldChoice], predictions: ChoicePredictions) -> ChoiceReport:
    """Scores predictions against at least one gold question; the order of neither matters."""
    if not gold:
        raise PredictionError("no gold question: nothing can be scored")
    ordered = sorted(gold, key=lambda question: question.ques_id)
    labels = predictions.labels
    known = {question.ques_id for question in ordered}
    confusion: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for question in ordered:
        confusion[question.label][labels.get(question.ques_id) or NOTHING] += 1
    return ChoiceReport(
        overall=_accuracy(ordered, labels),
        by_type=_by(ordered, labels, lambda question: question.question_type),
        by_hops=_by(ordered, labels, lambda question: str(question.hops)),
        by_label=_by(ordered, labels, lambda question: question.label),
        confusion={label: dict(sorted(confusion[label].items())) for label in LABELS if confusion[label]},
        consistency=consistency(ordered, labels),
        missing=tuple(question.ques_id for question in ordered if question.ques_id not in labels),
        invalid=tuple(q.ques_id for q in ordered if q.ques_id in labels and labels[q.ques_id] is None),
        unknown=tuple(sorted(labels.keys() - known)),
        repeated=tuple(sorted(predictions.repeated)),
    )


def _accuracy(questions: Iterable[GoldChoice], labels: Mapping[str, str | None]) -> Accuracy:
    right = [labels.get(question.ques_id) == question.label for question in questions]
    return Accuracy(len(right), sum(right))


def _by(
    questions: Iterable[GoldChoice], labels: Mapping[str, str | None], part: Callable[[GoldChoice], str]
) -> dict[str, Accuracy]:
    groups: defaultdict[str, list[GoldChoice]] = defaultdict(list)
    for question in questions:
        groups[part(question)].append(question)
    return {name: _accuracy(groups[name], labels) for name in sorted(groups)}


def _with(value: Accuracy | Consistency, share: str) -> dict[str, Any]:
    return asdict(value) | {share: getattr(value, share)}


def _line(name: str, value: Accuracy) -> str:
    return f"{name:<30}{value.questions:>10}{100 * value.accuracy:>10.1f}"
