"""Scores of single short answers as SQuAD's own program gives them: exact match and F1 (IfQA, section 5).

A question's score is the best over its answers, and a file's the mean over its questions;
a question without a prediction scores 0. Both are told by the kind of the answer as well.

Their rules drop ASCII punctuation, so that 1.5 and 15, -5 and 5, 69.5% and 695 are the same to
them. A third measure is for answers with a value: 1 where the canonical form (`stages.normalise`)
of the prediction is that of an answer, without regard to case. An answer that has none stands as written.

`stages.metrics.normalise` is not used here: it drops the punctuation of all scripts and
keeps names that are nothing but articles, and published scores come from rules that do neither.
"""

from __future__ import annotations

import re
import string
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from stages.metrics.answers import bootstrap_interval
from stages.metrics.files import need_gold
from stages.metrics.lists import odd_lines
from stages.metrics.span_files import GoldSpan, SpanPredictions, read_gold_spans, read_span_predictions
from stages.normalise import Passage, normalise

_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


@dataclass(frozen=True)
class SpanScore:
    """One question: exact and value (0 or 1) and f1 (0 to 1) of its prediction; kind: of its first answer."""

    question_id: str
    kind: str
    exact: float
    f1: float
    value: float


@dataclass(frozen=True)
class SpanAverages:
    """Means over `questions` questions."""

    questions: int
    exact: float
    f1: float
    value: float


@dataclass(frozen=True)
class SpanReport:
    """What an evaluation found.

    f1_interval: 95 % bootstrap interval of the mean F1 over questions.
    missing: gold questions without a prediction (scored 0); unknown: predicted ids that are not in
    the gold file (ignored); repeated: ids predicted twice (the first counts).
    """

    overall: SpanAverages
    by_kind: Mapping[str, SpanAverages]
    f1_interval: tuple[float, float]
    missing: tuple[str, ...]
    unknown: tuple[str, ...]
    repeated: tuple[str, ...]
    scores: tuple[SpanScore, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values; the per-question scores last."""
        return asdict(self)

    def as_text(self) -> str:
        """A table for reading: one line for all, one per kind of answer, then what was odd."""
        lines = [f"{'answer':<16}{'questions':>10}{'EM':>8}{'F1':>8}{'value':>8}", _line("all", self.overall)]
        lines += [_line(kind, averages) for kind, averages in self.by_kind.items()]
        low, high = self.f1_interval
        lines.append(f"F1, 95 % interval (bootstrap over questions): {100 * low:.1f} to {100 * high:.1f}")
        lines += odd_lines(self, ("missing", "unknown", "repeated"))
        return "\n".join(lines)


def evaluate(gold_path: Path, predictions_path: Path) -> SpanReport:
    """Scores a predictions file against a gold file (formats: `stages.metrics.span_files`).

    Raises PredictionError where a file has another shape or the gold file no question.
    """
    gold = need_gold(gold_path, read_gold_spans(gold_path))
    return evaluate_spans(gold, read_span_predictions(predictions_path))


def evaluate_spans(
    gold: Sequence[GoldSpan], predictions: SpanPredictions, resamples: int = 1000, seed: int = 0
) -> SpanReport:
    """Scores predictions against at least one gold question; their order does not matter."""
    ordered = sorted(gold, key=lambda question: question.question_id)
    scores = [_score(question, predictions.answers.get(question.question_id)) for question in ordered]
    known = {question.question_id for question in ordered}
    by_kind: dict[str, list[SpanScore]] = defaultdict(list)
    for score in scores:
        by_kind[score.kind].append(score)
    return SpanReport(
        overall=_average(scores),
        by_kind={kind: _average(by_kind[kind]) for kind in sorted(by_kind)},
        f1_interval=bootstrap_interval([score.f1 for score in scores], resamples, seed),
        missing=tuple(name for name in (score.question_id for score in scores) if name not in predictions.answers),
        unknown=tuple(sorted(predictions.answers.keys() - known)),
        repeated=tuple(sorted(predictions.repeated)),
        scores=tuple(scores),
    )


def squad_form(text: str) -> str:
    """Lower case, without ASCII punctuation and English articles, single spaces; "" where nothing else is left."""
    return " ".join(_ARTICLE.sub(" ", text.lower().translate(_NO_PUNCTUATION)).split())


def exact_match(prediction: str, answers: Iterable[str]) -> float:
    """1 where the prediction's form is that of one of the answers, else 0."""
    form = squad_form(prediction)
    return float(any(form == squad_form(answer) for answer in answers))


def best_f1(prediction: str, answers: Iterable[str]) -> float:
    """The best F1 over the answers."""
    form = squad_form(prediction)
    return max((word_f1(form.split(), squad_form(answer).split()) for answer in answers), default=0.0)


def same_value(prediction: str, question: GoldSpan) -> float:
    """1 where the canonical form of the prediction is that of an answer, else 0; the passage settles both."""
    around = Passage(" ".join(question.context), question=question.question)
    wanted = {canonical(answer, around) for answer in question.answers}
    return float(canonical(prediction, around) in wanted)


def canonical(text: str, passage: Passage) -> str:
    """The canonical form of an answer, or where it has none the answer as written; without case."""
    found = normalise(text, passage)
    return (found.value or found.text).casefold()


def word_f1(predicted: Sequence[str], wanted: Sequence[str]) -> float:
    """Harmonic mean of the shares of words that the two have in common, repeated ones counted; of two empty ones 1."""
    if not predicted or not wanted:
        return float(not predicted and not wanted)
    common = (Counter(predicted) & Counter(wanted)).total()
    return 2 * common / (len(predicted) + len(wanted))


def _score(question: GoldSpan, prediction: str | None) -> SpanScore:
    if prediction is None:
        return SpanScore(question.question_id, question.kind, 0.0, 0.0, 0.0)
    exact, f1 = exact_match(prediction, question.answers), best_f1(prediction, question.answers)
    return SpanScore(question.question_id, question.kind, exact, f1, same_value(prediction, question))


def _average(scores: Sequence[SpanScore]) -> SpanAverages:
    count = len(scores)
    exact, f1, value = (sum(getattr(score, name) for score in scores) / count for name in ("exact", "f1", "value"))
    return SpanAverages(count, exact, f1, value)


def _line(name: str, averages: SpanAverages) -> str:
    cells = "".join(f"{100 * share:>8.1f}" for share in (averages.exact, averages.f1, averages.value))
    return f"{name:<16}{averages.questions:>10}{cells}"
