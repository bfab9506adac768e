"""Scores of predicted answer lists: precision, recall and F1 per question, averaged over questions.

A prediction is right when its normal form (`stages.metrics.normalise`) equals that of
one alias of a gold answer that no other prediction has taken. Precision is over the
distinct predictions, recall over the distinct gold answers; all averages are macro
averages over questions, and a question without a prediction scores 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from stages.metrics.files import GoldQuestion, PredictionError, Predictions, read_gold, read_predictions
from stages.metrics.lists import odd_lines
from stages.metrics.matching import count_matches, distinct_answers, distinct_predictions

HIGH_RECALL = 0.8
HIGH_F1 = 0.5


@dataclass(frozen=True)
class AnswerScore:
    """One question: its scores (0 to 1) and the counts they come from."""

    qid: str
    kind: str
    precision: float
    recall: float
    f1: float
    matched: int
    predicted: int
    gold: int


@dataclass(frozen=True)
class AnswerAverages:
    """Macro averages over `questions` questions, and the shares of well answered ones."""

    questions: int
    precision: float
    recall: float
    f1: float
    share_recall_80: float
    share_f1_50: float


@dataclass(frozen=True)
class AnswerReport:
    """What an evaluation found.

    f1_interval: 95 % bootstrap interval of the mean F1 over questions.
    missing: gold questions without a prediction (scored 0); unknown: predicted qids that
    are not in the gold file (ignored); repeated: qids predicted twice (the first counts);
    unscorable: gold questions without a single answer text (left out).
    """

    overall: AnswerAverages
    by_kind: Mapping[str, AnswerAverages]
    f1_interval: tuple[float, float]
    missing: tuple[str, ...]
    unknown: tuple[str, ...]
    repeated: tuple[str, ...]
    unscorable: tuple[str, ...]
    scores: tuple[AnswerScore, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values; the per-question scores last."""
        return asdict(self)

    def as_text(self) -> str:
        """A table for reading: one line per kind, one for all, then what was odd."""
        rows = [*sorted(self.by_kind.items()), ("all", self.overall)]
        header = f"{'kind':<24}{'questions':>10}{'precision':>11}{'recall':>8}{'F1':>8}{'R>=0.8':>8}{'F1>=0.5':>9}"
        lines = [header, *(_line(name, averages) for name, averages in rows)]
        low, high = self.f1_interval
        lines.append(f"F1, 95 % interval (bootstrap over questions): {100 * low:.1f} to {100 * high:.1f}")
        lines += odd_lines(self, ("missing", "unknown", "repeated", "unscorable"))
        return "\n".join(lines)


def evaluate(
    gold_path: Path, predictions_path: Path, resamples: int = 1000, seed: int = 0, split: str | None = None
) -> AnswerReport:
    """Scores a predictions file against a gold file (formats: `stages.metrics.files`).

    split: restricts the gold questions to one split, by the last part of their qid.
    Raises PredictionError where a file has another shape or the gold file no question.
    """
    gold = read_gold(gold_path)
    if split is not None:
        gold = [question for question in gold if question.qid.endswith(f"__{split}")]
    if not gold:
        raise PredictionError(f"{gold_path}: holds no question" + (f" of the split {split!r}" if split else ""))
    return evaluate_answers(gold, read_predictions(predictions_path), resamples, seed)


def evaluate_answers(
    gold: Sequence[GoldQuestion], predictions: Predictions, resamples: int = 1000, seed: int = 0
) -> AnswerReport:
    """Scores predictions against gold questions; their order does not matter.

    Raises PredictionError when no gold question has an answer.
    """
    ordered = sorted(gold, key=lambda question: question.qid)
    scores = [score_question(question, predictions.answers.get(question.qid, ())) for question in ordered]
    scorable = tuple(score for score in scores if score.gold)
    if not scorable:
        raise PredictionError("no gold question has an answer: nothing can be scored")
    known = {question.qid for question in ordered}
    return AnswerReport(
        overall=average(scorable),
        by_kind={kind: average(group) for kind, group in _by_kind(scorable).items()},
        f1_interval=bootstrap_interval([score.f1 for score in scorable], resamples, seed),
        missing=tuple(question.qid for question in ordered if question.qid not in predictions.answers),
        unknown=tuple(sorted(predictions.answers.keys() - known)),
        repeated=tuple(sorted(predictions.repeated)),
        unscorable=tuple(score.qid for score in scores if not score.gold),
        scores=scorable,
    )


def score_question(question: GoldQuestion, predictions: Iterable[str]) -> AnswerScore:
    """The scores of one question; all zero where nothing was predicted or there is no gold answer."""
    answers = distinct_answers(question.answers)
    forms = distinct_predictions(predictions)
    matched = count_matches(forms, answers)
    precision = matched / len(forms) if forms else 0.0
    recall = matched / len(answers) if answers else 0.0
    f1 = 2 * precision * recall / (precision + recall) if matched else 0.0
    return AnswerScore(question.qid, question.kind, precision, recall, f1, matched, len(forms), len(answers))


def average(scores: Sequence[AnswerScore]) -> AnswerAverages:
    """Macro averages of at least one question."""

    def mean(value: Callable[[AnswerScore], float]) -> float:
        return sum(map(value, scores)) / len(scores)

    return AnswerAverages(
        questions=len(scores),
        precision=mean(lambda score: score.precision),
        recall=mean(lambda score: score.recall),
        f1=mean(lambda score: score.f1),
        share_recall_80=mean(lambda score: score.recall >= HIGH_RECALL),
        share_f1_50=mean(lambda score: score.f1 >= HIGH_F1),
    )


def bootstrap_interval(values: Sequence[float], resamples: int, seed: int) -> tuple[float, float]:
    """2.5th and 97.5th percentile of the mean over `resamples` draws with replacement; seeded."""
    if resamples < 1:
        raise ValueError(f"resamples: expected at least 1, got {resamples}")
    sample = np.asarray(values, dtype=np.float64)
    generator = np.random.default_rng(seed)
    # One draw at a time: all at once would take gigabytes on a train set.
    means = [sample[generator.integers(0, len(sample), len(sample))].mean() for _ in range(resamples)]
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def _by_kind(scores: Iterable[AnswerScore]) -> dict[str, list[AnswerScore]]:
    groups: dict[str, list[AnswerScore]] = {}
    for score in scores:
        groups.setdefault(score.kind, []).append(score)
    return dict(sorted(groups.items()))


def _line(name: str, averages: AnswerAverages) -> str:
    percents = [averages.precision, averages.recall, averages.f1, averages.share_recall_80, averages.share_f1_50]
    cells = (f"{100 * value:>{width}.1f}" for value, width in zip(percents, (11, 8, 8, 8, 9), strict=True))
    return f"{name:<24}{averages.questions:>10}{''.join(cells)}"
