"""Scores of predicted answer lists: precision, recall and F1 per question, averaged over questions.

A prediction is right when its normal form (`stages.core.short_answers`) equals that of
one alias of a gold answer that no other prediction has taken. Precision is over the
distinct predictions, recall over the distinct gold answers; all averages are macro
averages over questions, and a question without a prediction scores 0.

Gold: a released JSONL file, or a JSON array / JSONL of {"id", "answers": [[alias, ...], ...]}.
Predictions: {"qid" or "id", "predictions" or "answers": [text, ...]}, or one JSON object from qid to list; an answer
may be given as a list of its aliases, of which the first is the prediction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stages.evaluation.files import Item, Predictions, first_of, need_gold, read_predictions, text_id
from stages.evaluation.matching import distinct_answers, distinct_predictions, scores
from stages.evaluation.report import INTERVAL, ScoreReport, bootstrap_interval, grouped, means, table
from stages.qampari.release.format import AnswersRecord
from stages.release.format import ReleaseError, decode_at, once_each, read_entries

_IDS = ("qid", "id")
_QUESTIONS = ("question_text", "question")
_COLUMNS = {
    "questions": ("questions", 10),
    "precision": ("precision", 11),
    "recall": ("recall", 8),
    "F1": ("f1", 8),
    "R>=0.8": ("share_recall_80", 8),
    "F1>=0.5": ("share_f1_50", 9),
}
_MEASURES = [name for name, _ in _COLUMNS.values()][1:]


@dataclass(frozen=True)
class GoldQuestion:
    """A question's id, its answers (aliases each, own text first), its distinct proof texts, and what it asks.

    text: "" in a file of answers alone.
    """

    qid: str
    answers: tuple[tuple[str, ...], ...]
    proofs: tuple[str, ...] = ()
    text: str = ""

    @property
    def kind(self) -> str:
        parts = self.qid.split("__")
        return parts[1] if len(parts) == 3 else "other"


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

    @property
    def share_recall_80(self) -> bool:
        return self.recall >= 0.8

    @property
    def share_f1_50(self) -> bool:
        return self.f1 >= 0.5


def evaluate(gold_path: Path, predictions_path: Path, resamples: int = 1000, seed: int = 0) -> ScoreReport:
    """Scores a predictions file against a gold file.

    Raises ReleaseError where a file has another shape or the gold file no question.
    """
    gold = need_gold(gold_path, read_gold(gold_path))
    return evaluate_answers(gold, read_answers(predictions_path), resamples, seed)


def evaluate_answers(
    gold: Sequence[GoldQuestion], predictions: Predictions[tuple[str, ...]], resamples: int = 1000, seed: int = 0
) -> ScoreReport:
    """Scores predictions against gold questions; their order does not matter.

    Odd, beside what does not match up: unscorable, gold questions without a single answer text (left out).
    Raises ReleaseError when no gold question has an answer.
    """
    ordered = sorted(gold, key=lambda question: question.qid)
    scored = [score_question(question, predictions.answers.get(question.qid, ())) for question in ordered]
    scorable = tuple(score for score in scored if score.gold)
    if not scorable:
        raise ReleaseError("no gold question has an answer: nothing can be scored")
    overall = means(scorable, *_MEASURES)
    by_kind = {kind: means(own, *_MEASURES) for kind, own in grouped(scorable, lambda score: score.kind).items()}
    odd = predictions.unmatched(question.qid for question in ordered)
    return ScoreReport(
        overall,
        {"by_kind": by_kind},
        odd | {"unscorable": tuple(score.qid for score in scored if not score.gold)},
        table(24, _COLUMNS, [*by_kind.items(), ("all", overall)], "kind"),
        {INTERVAL: bootstrap_interval([score.f1 for score in scorable], resamples, seed)},
        scorable,
    )


def score_question(question: GoldQuestion, predictions: Iterable[str]) -> AnswerScore:
    """The scores of one question; all zero where nothing was predicted or there is no gold answer."""
    answers = distinct_answers(question.answers)
    forms = distinct_predictions(predictions)
    found = scores(forms, answers)
    return AnswerScore(question.qid, question.kind, *found, predicted=len(forms), gold=len(answers))


def read_gold(path: Path) -> list[GoldQuestion]:
    """The gold questions of a file, in its order; ReleaseError on any other shape or a repeated qid."""
    read = ((place, _gold(place, item)) for place, item in read_entries(path, _IDS))
    return once_each(((place, question.qid, question) for place, question in read), called="qid")


def read_answers(path: Path) -> Predictions[tuple[str, ...]]:
    """The predicted texts of a file by qid; ReleaseError names the place of the first entry of another shape."""

    return read_predictions(path, _IDS, _prediction)


def _prediction(place: str, item: Item) -> tuple[str, tuple[str, ...]]:
    if "answer_list" in item:
        gold = _gold(place, item)
        return gold.qid, tuple(answer[0] for answer in gold.answers)
    texts = [_aliases(place, answer)[:1] for answer in _answers(place, item)]
    return _qid(place, item), tuple(text for first in texts for text in first)


def _gold(place: str, item: Item) -> GoldQuestion:
    if "answer_list" not in item:
        answers = tuple(_aliases(place, answer) for answer in _answers(place, item))
        asked = first_of(item, _QUESTIONS)
        return GoldQuestion(_qid(place, item), answers, text=asked if isinstance(asked, str) else "")
    record = decode_at(place, item, AnswersRecord)
    answers = tuple((answer.answer_text, *answer.aliases) for answer in record.answer_list)
    proofs = dict.fromkeys(proof.proof_text for answer in record.answer_list for proof in answer.proof)
    return GoldQuestion(record.qid, answers, tuple(proofs), record.question_text)


def _qid(place: str, item: Item) -> str:
    return text_id(place, first_of(item, _IDS), "'qid' or 'id'")


def _answers(place: str, item: Item) -> list[Any]:
    answers = item.get("predictions", item.get("answers"))
    if not isinstance(answers, list):
        raise ReleaseError(
            f"{place}: expected a list of answers under 'predictions' or 'answers', got {type(answers).__name__}"
        )
    return answers


def _aliases(place: str, answer: Any) -> tuple[str, ...]:
    aliases = [answer] if isinstance(answer, str) else answer
    if not isinstance(aliases, list) or not all(isinstance(alias, str) for alias in aliases):
        raise ReleaseError(f"{place}: expected each answer as a string or a list of strings, got {answer!r}")
    return tuple(aliases)
