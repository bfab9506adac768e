"""Scores of composed questions as the benchmark's own program gives them (MuSiQue, section 6).

On answerable records: F1 and exact match of the answer (by SQuAD's rules, the best over its
aliases), and F1 of the supporting paragraphs. On pairs of an answerable record and its
contrast: the same F1s of the answerable one, and 0 unless both are rightly told to be
answerable and not. A record without a prediction scores 0 and counts as answerable.
All of it is told by shape and by number of hops as well.

Gold: a released file (`stages.musique.release.records`), JSON lines or a JSON array. Predictions: {"id",
"predicted_answer" (or "answer", "prediction"), "predicted_support_idxs"? (or "support"), "predicted_answerable"? (or
"answerable")}, or one JSON object from id to answer. In the full benchmark two records have one id; predictions for
them are told apart by their order, which is that of the gold file.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from stages.evaluation.files import Item, first_of, text_id
from stages.evaluation.report import Figures, ScoreReport, grouped, mean, means, table
from stages.evaluation.squad import best_f1, exact_match, support_f1
from stages.musique.release.records import MultihopRecord
from stages.release.format import ReleaseError, read_entries, read_records

_ANSWERS = ("predicted_answer", "prediction", "answer", "answers")
_SUPPORTS = ("predicted_support_idxs", "support")
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
_ANSWERABLE = ("predicted_answerable", "answerable")
_COLUMNS = {
    "questions": ("questions", 10),
    "ans F1": ("answer_f1", 8),
    "ans EM": ("answer_em", 8),
    "supp F1": ("support_f1", 9),
}
_PAIRED = {
    "pairs": ("pairs", 8),
    "told": ("told", 7),
    "An+Sf": ("group_answer_sufficiency_f1", 7),
    "Sp+Sf": ("group_support_sufficiency_f1", 7),
}


@dataclass(frozen=True)
class PredictedMultihop:
    """supports: empty where none were given; answerable: None where the file does not say; as_text: whether the file
    gives numbers of paragraphs as texts."""

    answer: str
    supports: frozenset[int]
    answerable: bool | None
    as_text: bool = False


Predicted = Mapping[str, Sequence[PredictedMultihop | None]]
"""By id, in the order of its records; None for an entry that cannot be read."""
Pair = tuple[MultihopRecord, PredictedMultihop | None]


@dataclass(frozen=True)
class _Answered:
    """An answerable record's scores; told: whether it and its contrast are told apart, None without a contrast."""

    record: MultihopRecord
    answer_f1: float
    answer_em: float
    support_f1: float
    told: bool | None


def evaluate(gold_path: Path, predictions_path: Path) -> ScoreReport:
    """Scores a predictions file against a gold file.

    Raises ReleaseError where the gold file has another shape or no answerable record, or a full gold file is
    met by predictions that do not say what is answerable, or that are not one per record of their id; and where
    there are no predictions, or none that can be read.
    """
    gold = read_records(gold_path, MultihopRecord)
    if not any(record.answerable for record in gold):
        raise ReleaseError(f"{gold_path}: holds no answerable question")
    unread: list[ReleaseError] = []
    predictions = read_multihop(predictions_path, unread)
    if unread and not any(any(given) for given in predictions.values()):
        raise unread[0]
    return evaluate_multihop(gold, predictions, tuple(map(str, unread)))


def evaluate_multihop(
    gold: Sequence[MultihopRecord], predictions: Predicted, unread: Sequence[str] = ()
) -> ScoreReport:
    """Scores predictions against gold records, at least one of them answerable.

    Odd: no_paragraph, those whose supports name something else than a number of the record's paragraphs, which counts
    as a wrong one, as in the official script; support_as_text, those whose supports are texts, which count as the
    numbers that they say, as there; unread, what is wrong with entries of another shape, which are left out, and with
    them the others of their id where nobody can tell which record each is for; unpaired, ids of a full file with one
    record only, which are in no pair; missing, records without a prediction; unknown, ids that are not in the gold
    file, or predicted more often than it has them (ignored).
    """
    is_full = not all(record.answerable for record in gold)
    if not predictions:
        raise ReleaseError("the predictions file is empty; expected one prediction per record of the gold file")
    if unread and is_full:
        predictions = _certain(gold, predictions)
    _must_fit(gold, predictions, is_full)
    by_id = grouped(_paired(gold, predictions), lambda pair: pair[0].id)
    scores = [score for pairs in by_id.values() if (score := _scored(pairs)) is not None]
    overall = _means(scores)
    by_hops = _by(scores, lambda score: str(score.record.shape.level))
    by_shape = _by(scores, lambda score: score.record.shape.name)
    rows = [("all", overall), *((f"{hops} hops", figures) for hops, figures in by_hops.items()), *by_shape.items()]
    return ScoreReport(
        overall,
        {"by_hops": by_hops, "by_shape": by_shape},
        {
            "unpaired": [name for name, pairs in by_id.items() if is_full and len(pairs) != 2],
            "missing": [name for name, pairs in by_id.items() if any(predicted is None for _, predicted in pairs)],
            "no_paragraph": [
                record.id for record, predicted in _paired(gold, predictions) if _is_beyond(record, predicted)
            ],
            "unknown": [name for name in sorted(predictions) if len(predictions[name]) > len(by_id.get(name, ()))],
            **_noted(gold, predictions, unread),
        },
        table(12, _COLUMNS | (_PAIRED if overall["pairs"] else {}), rows),
    )


def _noted(gold: Sequence[MultihopRecord], predictions: Predicted, unread: Sequence[str]) -> dict[str, list[str]]:
    """The notes that most files need not."""
    as_text = [record.id for record, predicted in _paired(gold, predictions) if predicted and predicted.as_text]
    return {name: found for name, found in (("support_as_text", as_text), ("unread", list(unread))) if found}


def _certain(gold: Iterable[MultihopRecord], predictions: Predicted) -> Predicted:
    """Those of ids that have lost none: an entry that cannot be read may have been the first of two."""
    records = Counter(record.id for record in gold)
    return {name: given for name, given in predictions.items() if len(given) >= records[name]}


def _is_beyond(record: MultihopRecord, predicted: PredictedMultihop | None) -> bool:
    known = range(len(record.paragraphs))
    return predicted is not None and any(at not in known for at in predicted.supports)


def _paired(gold: Iterable[MultihopRecord], predictions: Predicted) -> Iterator[Pair]:
    waiting = {name: iter(given) for name, given in predictions.items()}
    for record in gold:
        yield record, next(waiting.get(record.id, iter(())), None)


def _must_fit(gold: Sequence[MultihopRecord], predictions: Predicted, is_full: bool) -> None:
    """Predictions of an id are told apart by their order, so on a full file there must be one per record, or none."""
    for name, count in sorted(Counter(record.id for record in gold).items()) if is_full else ():
        given = len(predictions.get(name, ()))
        if given not in (0, count):
            raise ReleaseError(
                f"{name}: {given} predictions for {count} records of this id; expected one for each, in "
                "the order of the gold file"
            )
    given_to = [(record, predicted) for record, predicted in _paired(gold, predictions) if predicted]
    untold = next((record.id for record, predicted in given_to if predicted.answerable is None), None)
    if is_full and untold is not None:
        raise ReleaseError(
            f"{untold}: expected true or false under 'predicted_answerable', as the gold file has questions "
            "that are not answerable"
        )


def _scored(pairs: Sequence[Pair]) -> _Answered | None:
    """The scores of the answerable record of an id; None where there is none."""
    found = next((pair for pair in pairs if pair[0].answerable), None)
    if found is None:
        return None
    record, predicted = found
    # Where nothing was predicted, the record counts as answerable.
    told = [(predicted.answerable if predicted else True) == record.answerable for record, predicted in pairs]
    is_told = all(told) if len(pairs) == 2 else None
    if predicted is None:
        return _Answered(record, 0.0, 0.0, 0.0, is_told)
    answers = (record.answer, *record.answer_aliases)
    exact, f1 = exact_match(predicted.answer, answers), best_f1(predicted.answer, answers)
    return _Answered(record, f1, exact, support_f1(predicted.supports, record.supports), is_told)


def _means(scores: Sequence[_Answered]) -> Figures:
    """questions: answerable records; pairs: with their contrasts; of pairs None where there are none.

    told: share of pairs told apart rightly; the other shares of pairs count 0 where they are not.
    """
    pairs = [score for score in scores if score.told is not None]

    def of_pairs(name: str) -> float | None:
        return mean(getattr(score, name) * bool(score.told) for score in pairs) if pairs else None

    return {
        **means(scores, "answer_f1", "answer_em", "support_f1"),
        "pairs": len(pairs),
        "told": of_pairs("told"),
        "group_answer_sufficiency_f1": of_pairs("answer_f1"),
        "group_answer_sufficiency_em": of_pairs("answer_em"),
        "group_support_sufficiency_f1": of_pairs("support_f1"),
    }


def _by(scores: Sequence[_Answered], part: Callable[[_Answered], str]) -> dict[str, Figures]:
    return {name: _means(group) for name, group in grouped(scores, part).items()}


def read_multihop(path: Path, unread: list[ReleaseError] | None = None) -> Predicted:
    """The predictions of a file.

    unread: takes what is wrong with entries of another shape; without it ReleaseError names the place of the first.
    """
    found: defaultdict[str, list[PredictedMultihop | None]] = defaultdict(list)
    for place, item in read_entries(path, ("id",), unread):
        try:
            name = text_id(place, item.get("id"), "'id'")
            # Two records have one id, so that an entry that cannot be read still stands for one of them.
            found[name].append(None)
            found[name][-1] = _prediction(place, item)
        except ReleaseError as error:
            if unread is None:
                raise
            unread.append(error)
    return found


def _prediction(place: str, item: Item) -> PredictedMultihop:
    answer = first_of(item, _ANSWERS)
    if isinstance(answer, list):
        answer = answer[0] if answer else ""
    if not isinstance(answer, str):
        raise ReleaseError(f"{place}: expected a text under 'predicted_answer', got {answer!r}"[:300])
    answerable = first_of(item, _ANSWERABLE)
    if answerable is not None and not isinstance(answerable, bool):
        raise ReleaseError(f"{place}: expected true or false under 'predicted_answerable', got {answerable!r}")
    supports = _supports(place, item)
    return PredictedMultihop(
        answer, frozenset(map(int, supports)), answerable, any(isinstance(number, str) for number in supports)
    )


def _supports(place: str, item: Item) -> list[int | str]:
    given = first_of(item, _SUPPORTS)
    if given is None and isinstance(item.get("paragraphs"), list):
        # A released record.
        shown = [paragraph for paragraph in item["paragraphs"] if isinstance(paragraph, dict)]
        given = [paragraph.get("idx") for paragraph in shown if paragraph.get("is_supporting")]
    listed = [] if given is None else given
    if not isinstance(listed, list) or not all(map(_is_number, listed)):
        raise ReleaseError(
            f"{place}: expected a list of paragraph numbers under 'predicted_support_idxs', got {given!r}"[:300]
        )
    return listed


def _is_number(value: object) -> bool:
    return type(value) is int or (isinstance(value, str) and _NUMBER.fullmatch(value.strip()) is not None)
