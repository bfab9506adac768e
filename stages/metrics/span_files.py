"""Reading gold questions with short answers, and predicted answers, in the shapes that evaluation accepts.

Gold: a released file, a JSON array or JSONL of {"idx" (or "question_id", "id"), "question",
"answers": text or list, "context": text or list, "kinds"?: of the answers}. Predictions: one JSON object from id to
answer, or JSONL or a JSON array of {"idx" (or "question_id", "qid", "id"), "answer" (or
"prediction", "answers", "predictions")}. Of a list the first text is the prediction, so a
released file counts as a prediction of its own first answers. An id may be a number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stages.metrics.files import PredictionError, first_of_each, once_each, read_items
from stages.normalise import Passage, normalise

_IDS = ("idx", "question_id", "qid", "id")
_ANSWERS = ("answer", "prediction", "predictions", "answers")


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
    def kind(self) -> str:
        """The given kind, else what the normaliser takes the first answer for without a wiki: a name is a span then."""
        return self.given_kind or str(
            normalise(self.answers[0], Passage(" ".join(self.context), question=self.question)).kind
        )


@dataclass(frozen=True)
class SpanPredictions:
    """answers: by id; repeated: ids given twice, of which the first counts."""

    answers: Mapping[str, str]
    repeated: tuple[str, ...] = ()


def read_gold_spans(path: Path) -> list[GoldSpan]:
    """The questions of a gold file; PredictionError names the place of any other shape or repeated id."""
    places = ((f"{path}, {place}", item) for place, item in read_items(path, keys=(*_IDS, "question")))
    read = ((where, _gold(where, item)) for where, item in places)
    return once_each((where, question.question_id, question) for where, question in read)


def read_span_predictions(path: Path) -> SpanPredictions:
    """The predictions of a file; PredictionError names the place of the first entry of another shape."""
    items = read_items(path, keys=_IDS)
    return SpanPredictions(*first_of_each(_prediction(f"{path}, {place}", item) for place, item in items))


def _gold(where: str, item: Mapping[str, Any]) -> GoldSpan:
    answers, context, kinds = (_texts(where, name, item.get(name)) for name in ("answers", "context", "kinds"))
    question = item.get("question")
    if not answers or not isinstance(question, str):
        raise PredictionError(f"{where}: expected a text under 'question' and at least one under 'answers'")
    return GoldSpan(_id(where, item), question, answers, context, kinds[0] if kinds else "")


def _prediction(where: str, item: Mapping[str, Any]) -> tuple[str, str]:
    name = _id(where, item)
    given = next((key for key in _ANSWERS if key in item), None)
    if given is None:
        raise PredictionError(f"{where}: expected an answer under 'answer', got the keys {', '.join(sorted(item))}")
    texts = _texts(where, given, item[given])
    return name, texts[0] if texts else ""


def _id(where: str, item: Mapping[str, Any]) -> str:
    value = next((item[name] for name in _IDS if name in item), None)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise PredictionError(f"{where}: expected the question's id under 'idx', got {value!r}")
    return str(value)


def _texts(where: str, name: str, value: object) -> tuple[str, ...]:
    """One text or a list of them; nothing where the key is missing or null."""
    listed = value if isinstance(value, list) else [] if value is None else [value]
    if not all(isinstance(item, str) for item in listed):
        raise PredictionError(f"{where}: expected a text or a list of texts under {name!r}, got {value!r}"[:300])
    return tuple(listed)
