"""Reading gold composed questions and predictions in the shapes that evaluation accepts.

Gold: a released file (`stages.release.multihop`), JSON lines or a JSON array.
Predictions: JSON lines or a JSON array of {"id", "predicted_answer" (or "answer", "prediction"),
"predicted_support_idxs"? (or "support"), "predicted_answerable"? (or "answerable")}, or one
JSON object from id to answer. A released record counts as a prediction of its own answer.

In the full benchmark two records have one id. Predictions for them are told apart by their
order, which is that of the gold file.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stages.metrics.files import PredictionError, read_items
from stages.release.format import ReleaseError
from stages.release.multihop import MultihopRecord, decode_multihop, identity

Key = tuple[str, int]
"""An id, and the how manieth record of that id it is, from 0."""

_ANSWERS = ("predicted_answer", "prediction", "answer", "answers")
_SUPPORTS = ("predicted_support_idxs", "support")
_ANSWERABLE = ("predicted_answerable", "answerable")


@dataclass(frozen=True)
class GoldMultihop:
    """A record as it is scored. answers: the answer, then its aliases; supports: idx of paragraphs.

    shown: how many paragraphs it has.
    """

    key: Key
    shape: str
    hops: int
    answers: tuple[str, ...]
    supports: frozenset[int]
    answerable: bool
    shown: int = 20


@dataclass(frozen=True)
class PredictedMultihop:
    """supports: empty where none were given; answerable: None where the file does not say."""

    answer: str
    supports: frozenset[int]
    answerable: bool | None


@dataclass(frozen=True)
class MultihopPredictions:
    """What a file predicts, by the record that it is for."""

    by_key: Mapping[Key, PredictedMultihop]


def read_gold_multihop(path: Path) -> list[GoldMultihop]:
    """The records of a gold file in its order; PredictionError names the place of any other or repeated record."""
    found: list[GoldMultihop] = []
    seen: set[str] = set()
    counts: Counter[str] = Counter()
    for place, item in read_items(path, keys=("id",)):
        try:
            record = decode_multihop(json.dumps(item))
        except ReleaseError as error:
            raise PredictionError(f"{path}, {place}: {error}") from error
        if identity(record) in seen:
            raise PredictionError(f"{path}, {place}: the record {identity(record)!r} appears twice in the gold file")
        seen.add(identity(record))
        found.append(gold_multihop(record, counts[record.id]))
        counts[record.id] += 1
    return found


def gold_multihop(record: MultihopRecord, number: int = 0) -> GoldMultihop:
    """number: of the record among those of its id."""
    return GoldMultihop(
        key=(record.id, number),
        shape=record.shape.name,
        hops=record.shape.level,
        answers=(record.answer, *record.answer_aliases),
        supports=record.supports,
        answerable=record.answerable,
        shown=len(record.paragraphs),
    )


def read_multihop_predictions(path: Path) -> MultihopPredictions:
    """The predictions of a file; PredictionError names the place of the first entry of another shape."""
    found: dict[Key, PredictedMultihop] = {}
    counts: Counter[str] = Counter()
    for place, item in read_items(path, keys=("id",)):
        where = f"{path}, {place}"
        name = item.get("id")
        if not isinstance(name, str):
            raise PredictionError(f"{where}: expected the question's id as a string under 'id', got {name!r}")
        found[name, counts[name]] = _prediction(where, item)
        counts[name] += 1
    return MultihopPredictions(found)


def _prediction(where: str, item: Mapping[str, Any]) -> PredictedMultihop:
    answer = next((item[key] for key in _ANSWERS if key in item), None)
    if isinstance(answer, list):
        answer = answer[0] if answer else ""
    if not isinstance(answer, str):
        raise PredictionError(f"{where}: expected a text under 'predicted_answer', got {answer!r}"[:300])
    answerable = next((item[key] for key in _ANSWERABLE if key in item), None)
    if answerable is not None and not isinstance(answerable, bool):
        raise PredictionError(f"{where}: expected true or false under 'predicted_answerable', got {answerable!r}")
    return PredictedMultihop(answer, _supports(where, item), answerable)


def _supports(where: str, item: Mapping[str, Any]) -> frozenset[int]:
    given = next((item[key] for key in _SUPPORTS if key in item), None)
    if given is None and isinstance(item.get("paragraphs"), list):
        # A released record.
        shown = [paragraph for paragraph in item["paragraphs"] if isinstance(paragraph, dict)]
        given = [paragraph.get("idx") for paragraph in shown if paragraph.get("is_supporting")]
    listed = [] if given is None else given
    if not isinstance(listed, list) or any(type(number) is not int for number in listed):
        raise PredictionError(
            f"{where}: expected a list of paragraph numbers under 'predicted_support_idxs', got {given!r}"[:300]
        )
    return frozenset(listed)
