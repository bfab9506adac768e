"""Scores of composed questions as the benchmark's own program gives them (MuSiQue, section 6).

On answerable records: F1 and exact match of the answer (by SQuAD's rules, the best over its
aliases), and F1 of the supporting paragraphs. On pairs of an answerable record and its
contrast: the same F1s of the answerable one, and 0 unless both are rightly told to be
answerable and not. A record without a prediction scores 0 and counts as answerable.

All of it is told by shape and by number of hops as well.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from stages.metrics.files import PredictionError
from stages.metrics.lists import odd_lines
from stages.metrics.multihop_files import (
    GoldMultihop,
    MultihopPredictions,
    PredictedMultihop,
    read_gold_multihop,
    read_multihop_predictions,
)
from stages.metrics.spans import best_f1, exact_match
from stages.metrics.supports import support_f1

_NOTHING = PredictedMultihop("", frozenset(), True)


@dataclass(frozen=True)
class MultihopScores:
    """Means from 0 to 1; of pairs None where there are none.

    questions: answerable records; pairs: with their contrasts. told: share of pairs told apart rightly.
    """

    questions: int
    answer_f1: float
    answer_em: float
    support_f1: float
    pairs: int
    told: float | None
    group_answer_sufficiency_f1: float | None
    group_answer_sufficiency_em: float | None
    group_support_sufficiency_f1: float | None


@dataclass(frozen=True)
class MultihopReport:
    """What an evaluation found.

    unpaired: ids of a full file with one record only, which are in no pair; missing: records without a prediction;
    unknown: predicted ids that are not in the gold file, or predicted more often than it has them (ignored).
    """

    overall: MultihopScores
    by_hops: Mapping[str, MultihopScores]
    by_shape: Mapping[str, MultihopScores]
    unpaired: tuple[str, ...]
    missing: tuple[str, ...]
    unknown: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return asdict(self)

    def as_text(self) -> str:
        """A table in percent: one line for all, one per number of hops and per shape, then what was odd."""
        head = f"{'':<12}{'questions':>10}{'ans F1':>8}{'ans EM':>8}{'supp F1':>9}"
        if self.overall.pairs:
            head += f"{'pairs':>8}{'told':>7}{'An+Sf':>7}{'Sp+Sf':>7}"
        lines = [head, _line("all", self.overall)]
        lines += [_line(f"{hops} hops", scores) for hops, scores in self.by_hops.items()]
        lines += [_line(shape, scores) for shape, scores in self.by_shape.items()]
        lines += odd_lines(self, ("unpaired", "missing", "unknown"))
        return "\n".join(lines)


@dataclass(frozen=True)
class _Answered:
    """An answerable record's scores; told: whether it and its contrast are told apart, None without a contrast."""

    shape: str
    hops: int
    f1: float
    em: float
    support_f1: float
    told: bool | None


def evaluate(gold_path: Path, predictions_path: Path) -> MultihopReport:
    """Scores a predictions file against a gold file (formats: `stages.metrics.multihop_files`).

    Raises PredictionError where a file has another shape, the gold file no answerable record, or a full gold file is
    met by predictions that do not say what is answerable, or that are not one per record of their id; where there
    are no predictions; and where a supporting paragraph is none of the record's.
    """
    gold = read_gold_multihop(gold_path)
    if not any(record.answerable for record in gold):
        raise PredictionError(f"{gold_path}: holds no answerable question")
    return evaluate_multihop(gold, read_multihop_predictions(predictions_path))


def evaluate_multihop(gold: Sequence[GoldMultihop], predictions: MultihopPredictions) -> MultihopReport:
    """Scores predictions against gold records, at least one of them answerable."""
    by_id: defaultdict[str, list[GoldMultihop]] = defaultdict(list)
    for record in gold:
        by_id[record.key[0]].append(record)
    is_full = not all(record.answerable for record in gold)
    _must_fit(gold, predictions, is_full)
    if is_full:
        _must_tell(gold, predictions)
    scored = [_scored(by_id[name], predictions) for name in sorted(by_id)]
    scores = [score for score in scored if score is not None]
    known = {record.key for record in gold}
    return MultihopReport(
        overall=_means(scores),
        by_hops=_by(scores, lambda score: str(score.hops)),
        by_shape=_by(scores, lambda score: score.shape),
        unpaired=tuple(name for name in sorted(by_id) if is_full and len(by_id[name]) != 2),
        missing=tuple(sorted({name for name, number in known - predictions.by_key.keys()})),
        unknown=tuple(sorted({name for name, number in predictions.by_key.keys() - known})),
    )


def _must_fit(gold: Iterable[GoldMultihop], predictions: MultihopPredictions, is_full: bool) -> None:
    """Predictions of an id are told apart by their order, so on a full file there must be one per record, or none."""
    if not predictions.by_key:
        raise PredictionError("the predictions file is empty; expected one prediction per record of the gold file")
    records, wanted = Counter(record.key[0] for record in gold), Counter(name for name, _ in predictions.by_key)
    for name in sorted(records) if is_full else ():
        if wanted[name] not in (0, records[name]):
            raise PredictionError(
                f"{name}: {wanted[name]} predictions for {records[name]} records of this id; expected one for each, in "
                "the order of the gold file"
            )
    for record in gold:
        predicted = predictions.by_key.get(record.key)
        outside = sorted(at for at in predicted.supports if not 0 <= at < record.shown) if predicted else []
        if outside:
            raise PredictionError(
                f"{record.key[0]}: no paragraph {outside[0]} under 'predicted_support_idxs'; the record shows "
                f"{record.shown}, counted from 0"
            )


def _must_tell(gold: Iterable[GoldMultihop], predictions: MultihopPredictions) -> None:
    for record in gold:
        predicted = predictions.by_key.get(record.key)
        if predicted is not None and predicted.answerable is None:
            raise PredictionError(
                f"{record.key[0]}: expected true or false under 'predicted_answerable', as the gold file has questions "
                "that are not answerable"
            )


def _scored(records: Sequence[GoldMultihop], predictions: MultihopPredictions) -> _Answered | None:
    """The scores of the answerable record of an id; None where there is none."""
    gold = next((record for record in records if record.answerable), None)
    if gold is None:
        return None
    predicted = predictions.by_key.get(gold.key)
    told = None
    if len(records) == 2:
        told = all(predictions.by_key.get(record.key, _NOTHING).answerable == record.answerable for record in records)
    if predicted is None:
        return _Answered(gold.shape, gold.hops, 0.0, 0.0, 0.0, told)
    return _Answered(
        shape=gold.shape,
        hops=gold.hops,
        f1=best_f1(predicted.answer, gold.answers),
        em=exact_match(predicted.answer, gold.answers),
        support_f1=support_f1(predicted.supports, gold.supports),
        told=told,
    )


def _means(scores: Sequence[_Answered]) -> MultihopScores:
    pairs = [score for score in scores if score.told is not None]
    return MultihopScores(
        questions=len(scores),
        answer_f1=_mean([score.f1 for score in scores]),
        answer_em=_mean([score.em for score in scores]),
        support_f1=_mean([score.support_f1 for score in scores]),
        pairs=len(pairs),
        told=_mean([float(bool(score.told)) for score in pairs]) if pairs else None,
        group_answer_sufficiency_f1=_mean([score.f1 * bool(score.told) for score in pairs]) if pairs else None,
        group_answer_sufficiency_em=_mean([score.em * bool(score.told) for score in pairs]) if pairs else None,
        group_support_sufficiency_f1=_mean([score.support_f1 * bool(score.told) for score in pairs]) if pairs else None,
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _by(scores: Sequence[_Answered], part: Callable[[_Answered], str]) -> dict[str, MultihopScores]:
    groups: defaultdict[str, list[_Answered]] = defaultdict(list)
    for score in scores:
        groups[part(score)].append(score)
    return {name: _means(groups[name]) for name in sorted(groups)}


def _line(name: str, scores: MultihopScores) -> str:
    line = f"{name:<12}{scores.questions:>10}{_percent(scores.answer_f1):>8}{_percent(scores.answer_em):>8}"
    line += f"{_percent(scores.support_f1):>9}"
    if scores.pairs:
        line += f"{scores.pairs:>8}{_percent(scores.told):>7}{_percent(scores.group_answer_sufficiency_f1):>7}"
        line += f"{_percent(scores.group_support_sufficiency_f1):>7}"
    return line


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f}"
