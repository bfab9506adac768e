"""Scores of single short answers as SQuAD's own program gives them: exact match and F1 (IfQA, section 5).

A question's score is the best over its answers, and a file's the mean over its questions;
a question without a prediction scores 0. Both are told by the kind of the answer as well.

Their rules drop ASCII punctuation, so that 1.5 and 15, -5 and 5, 69.5% and 695 are the same to
them. A third measure is for answers with a value: 1 where the canonical form (`stages.normalise`)
of the prediction is that of an answer, without regard to case. An answer that has none stands as written.

`stages.core.short_answers` is not used here: it drops the punctuation of all scripts and
keeps names that are nothing but articles, and published scores come from rules that do neither.

Gold: a released file, a JSON array or JSONL of {"idx" (or "question_id", "id"), "question", "answers": text or list,
"context": text or list, "kinds"?: of the answers}. Predictions: one JSON object from id to answer, or {"idx" (or
"question_id", "qid", "id"), "answer" (or "prediction", "answers", "predictions")}. Of a list the first text is the
prediction. An id may be a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from stages.evaluation.files import Item, Predictions, first_of, need_gold, read_predictions
from stages.evaluation.report import INTERVAL, ScoreReport, bootstrap_interval, grouped, means, table
from stages.evaluation.squad import best_f1, exact_match
from stages.normalise import AnswerPassage, normalise
from stages.release.format import ReleaseError, once_each, read_entries

_IDS = ("idx", "question_id", "qid", "id")
_ANSWERS = ("answer", "prediction", "predictions", "answers")
_MEASURES = ("exact", "f1", "value")
_COLUMNS = {"questions": ("questions", 10), "EM": ("exact", 8), "F1": ("f1", 8), "value": ("value", 8)}


@dataclass(frozen=True)
class GoldSpan:
    """A question with its answers, at least one, and the passages it was asked about.

    given_kind: of the first answer, where that is known.
    """

    question_id: str
    question: str
    answers: tuple[str, ...]
    context: tuple[str, ...] = ()
    given_kind: str = ""

    @property
    def around(self) -> AnswerPassage:
        """What the normaliser is told beside an answer."""
        return AnswerPassage(" ".join(self.context), question=self.question)

    @property
    def kind(self) -> str:
        """The given kind, else what the normaliser takes the first answer for without a wiki: a name is a span then."""
        return self.given_kind or str(normalise(self.answers[0], self.around).kind)


@dataclass(frozen=True)
class SpanScore:
    """One question: exact and value (0 or 1) and f1 (0 to 1) of its prediction; kind: of its first answer."""

    question_id: str
    kind: str
    exact: float
    f1: float
    value: float


def evaluate(gold_path: Path, predictions_path: Path) -> ScoreReport:
    """Scores a predictions file against a gold file.

    Raises ReleaseError where a file has another shape or the gold file no question.
    """
    return evaluate_spans(need_gold(gold_path, read_gold_spans(gold_path)), read_spans(predictions_path))


def evaluate_spans(
    gold: Sequence[GoldSpan], predictions: Predictions[str], resamples: int = 1000, seed: int = 0
) -> ScoreReport:
    """Scores predictions against at least one gold question; their order does not matter."""
    ordered = sorted(gold, key=lambda question: question.question_id)
    scores = [_score(question, predictions.answers.get(question.question_id)) for question in ordered]
    overall = means(scores, *_MEASURES)
    by_kind = {kind: means(own, *_MEASURES) for kind, own in grouped(scores, lambda score: score.kind).items()}
    return ScoreReport(
        overall,
        {"by_kind": by_kind},
        predictions.unmatched(question.question_id for question in ordered),
        table(16, _COLUMNS, [("all", overall), *by_kind.items()], "answer"),
        {INTERVAL: bootstrap_interval([score.f1 for score in scores], resamples, seed)},
        scores,
    )


def same_value(prediction: str, question: GoldSpan) -> float:
    """1 where the canonical form of the prediction is that of an answer, else 0; the passage settles both."""
    wanted = {canonical(answer, question.around) for answer in question.answers}
    return float(canonical(prediction, question.around) in wanted)


def canonical(text: str, passage: AnswerPassage) -> str:
    """The canonical form of an answer, or where it has none the answer as written; without case."""
    found = normalise(text, passage)
    return (found.value or found.text).casefold()


def _score(question: GoldSpan, prediction: str | None) -> SpanScore:
    if prediction is None:
        return SpanScore(question.question_id, question.kind, 0.0, 0.0, 0.0)
    exact, f1 = exact_match(prediction, question.answers), best_f1(prediction, question.answers)
    return SpanScore(question.question_id, question.kind, exact, f1, same_value(prediction, question))


def read_gold_spans(path: Path) -> list[GoldSpan]:
    """The questions of a gold file; ReleaseError names the place of any other shape or repeated id."""
    read = ((place, _gold(place, item)) for place, item in read_entries(path, (*_IDS, "question")))
    return once_each((place, question.question_id, question) for place, question in read)


def read_spans(path: Path) -> Predictions[str]:
    """The predictions of a file; ReleaseError names the place of the first entry of another shape."""
    return read_predictions(path, _IDS, _prediction)


def _gold(place: str, item: Item) -> GoldSpan:
    answers, context, kinds = (_texts(place, name, item.get(name)) for name in ("answers", "context", "kinds"))
    question = item.get("question")
    if not answers or not isinstance(question, str):
        raise ReleaseError(f"{place}: expected a text under 'question' and at least one under 'answers'")
    return GoldSpan(_id(place, item), question, answers, context, kinds[0] if kinds else "")


def _prediction(place: str, item: Item) -> tuple[str, str]:
    name = _id(place, item)
    given = next((key for key in _ANSWERS if key in item), None)
    if given is None:
        raise ReleaseError(f"{place}: expected an answer under 'answer', got the keys {', '.join(sorted(item))}")
    return name, next(iter(_texts(place, given, item[given])), "")


def _id(place: str, item: Item) -> str:
    value = first_of(item, _IDS)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ReleaseError(f"{place}: expected the question's id under 'idx', got {value!r}")
    return str(value)


def _texts(place: str, name: str, value: object) -> tuple[str, ...]:
    """One text or a list of them; nothing where the key is missing or null."""
    listed = value if isinstance(value, list) else [] if value is None else [value]
    if not all(isinstance(item, str) for item in listed):
        raise ReleaseError(f"{place}: expected a text or a list of texts under {name!r}, got {value!r}"[:300])
    return tuple(listed)
