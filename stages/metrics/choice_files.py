"""Reading gold multiple-choice questions and predicted answers in the shapes that evaluation accepts.

Gold: a released JSONL file (`stages.release.choices`), or a JSON array of its records.
Predictions: JSONL or a JSON array of {"ques_id" (or "id", "qid"), "label" (or "prediction",
"answer", "answer_label")}, or one JSON object from id to answer. An answer is more, less or
no_effect ("no effect"), or its letter A, B or C. A released record counts as a prediction
of its own answer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stages.metrics.files import PredictionError, first_of_each, once_each, read_items
from stages.release.choices import LETTERS, ChoiceRecord, decode_choice
from stages.release.format import ReleaseError

_IDS = ("ques_id", "qid", "id")
_ANSWERS = ("label", "prediction", "answer_label", "answer", "answers", "predictions")
_MEANT = {letter.casefold(): label for label, letter in LETTERS.items()}
_MEANT |= {label: label for label in LETTERS} | {"no effect": "no_effect"}


@dataclass(frozen=True)
class GoldChoice:
    """A question with its answer, and what consistency looks at: its graph and the two texts that it joins."""

    ques_id: str
    label: str
    question_type: str
    hops: int
    graph: str
    change: str
    effect: str


@dataclass(frozen=True)
class ChoicePredictions:
    """labels: per ques_id more, less or no_effect, and None where the file holds none of them;
    repeated: ids given twice, of which the first counts."""

    labels: Mapping[str, str | None]
    repeated: tuple[str, ...] = ()


def read_gold_choices(path: Path) -> list[GoldChoice]:
    """The questions of a gold file; PredictionError names the place of any other shape or repeated id."""
    items = read_items(path, keys=("question", "metadata"))
    read = ((f"{path}, {place}", _gold(f"{path}, {place}", item)) for place, item in items)
    return once_each((where, gold.ques_id, gold) for where, gold in read)


def _gold(where: str, item: Mapping[str, Any]) -> GoldChoice:
    try:
        return gold_choice(decode_choice(json.dumps(item)))
    except ReleaseError as error:
        raise PredictionError(f"{where}: {error}") from error


def gold_choice(record: ChoiceRecord) -> GoldChoice:
    metadata = record.metadata
    change, effect = record.parts
    return GoldChoice(
        ques_id=metadata.ques_id,
        label=record.question.answer_label,
        question_type=metadata.question_type,
        hops=record.hops,
        graph=f"{metadata.para_id}:{metadata.graph_id}",
        change=change,
        effect=effect,
    )


def read_choice_predictions(path: Path) -> ChoicePredictions:
    """The predictions of a file; PredictionError names the place of the first entry without an id or an answer."""
    items = read_items(path, keys=(*_IDS, "question", "metadata"))
    return ChoicePredictions(*first_of_each(_prediction(f"{path}, {place}", item) for place, item in items))


def meant(answer: object) -> str | None:
    """more, less or no_effect; None for anything that is no answer."""
    return _MEANT.get(answer.strip().casefold()) if isinstance(answer, str) else None


def _prediction(where: str, item: dict[str, Any]) -> tuple[str, str | None]:
    if isinstance(item.get("question"), dict) and isinstance(item.get("metadata"), dict):
        item = {"ques_id": item["metadata"].get("ques_id"), "label": item["question"].get("answer_label")}
    ques_id = next((item[name] for name in _IDS if name in item), None)
    if not isinstance(ques_id, str):
        raise PredictionError(f"{where}: expected the question's id as a string under 'ques_id', got {ques_id!r}")
    given = [item[name] for name in _ANSWERS if name in item]
    if not given:
        raise PredictionError(f"{where}: expected an answer under 'label', got the keys {', '.join(sorted(item))}")
    return ques_id, meant(given[0])
