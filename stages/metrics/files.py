"""Reading gold questions and predictions in the shapes that evaluation accepts.

Gold: a released JSONL file, or a JSON array / JSONL of {"id", "answers": [[alias, ...], ...]}.
Predictions: JSONL or a JSON array of {"qid" or "id", "predictions" or "answers": [text, ...]},
or one JSON object from qid to list. An answer may be given as a list of its aliases (the
first is the prediction), and a released record counts as a prediction of its own answers,
so that a gold file can be scored against itself.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from stages.release.format import ReleaseError, decode_record

T = TypeVar("T")


class PredictionError(ValueError):
    """A file cannot be evaluated; the message names file, place, key and what was expected."""


@dataclass(frozen=True)
class GoldQuestion:
    """A question's id, its answers (aliases each, own text first) and its distinct proof texts."""

    qid: str
    answers: tuple[tuple[str, ...], ...]
    proofs: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        parts = self.qid.split("__")
        return parts[1] if len(parts) == 3 else "other"


@dataclass(frozen=True)
class Predictions:
    """Predicted answers per qid; of a repeated qid the first entry counts."""

    answers: Mapping[str, tuple[str, ...]]
    repeated: tuple[str, ...] = ()


def read_gold(path: Path) -> list[GoldQuestion]:
    """The gold questions of a file, in its order; PredictionError on any other shape or a repeated qid."""
    places = ((f"{path}, {place}", item) for place, item in read_items(path))
    read = ((where, _gold(where, item)) for where, item in places)
    return once_each(((where, question.qid, question) for where, question in read), called="qid")


def read_predictions(path: Path) -> Predictions:
    """The predictions of a file; PredictionError names the place of the first entry of another shape."""
    return Predictions(*first_of_each(_prediction(f"{path}, {place}", item) for place, item in read_items(path)))


def once_each(entries: Iterable[tuple[str, str, T]], called: str = "id") -> list[T]:
    """The gold entries of (place, id, entry), in their order; PredictionError where an id comes again."""
    found: dict[str, T] = {}
    for where, name, entry in entries:
        if name in found:
            raise PredictionError(f"{where}: the {called} {name!r} appears twice in the gold file")
        found[name] = entry
    return list(found.values())


def first_of_each(entries: Iterable[tuple[str, T]]) -> tuple[dict[str, T], tuple[str, ...]]:
    """The first prediction for each id out of (id, prediction), and the ids that come again, each once."""
    found: dict[str, T] = {}
    repeated: dict[str, None] = {}
    for name, prediction in entries:
        if name in found:
            repeated[name] = None
        else:
            found[name] = prediction
    return found, tuple(repeated)


def need_gold(path: Path, gold: list[T]) -> list[T]:
    """The gold questions of a file; PredictionError where there is none."""
    if not gold:
        raise PredictionError(f"{path}: holds no question")
    return gold


def read_items(path: Path, keys: Collection[str] = ("qid", "id")) -> Iterator[tuple[str, dict[str, Any]]]:
    """(place, object) for each entry of JSONL, a JSON array, or a JSON object from id to value.

    keys: an object with one of them is an entry by itself. The value of an object from id to value comes back as
    {"id": id, "answers": value}.
    """
    try:
        text = path.read_text(encoding="utf-8")
        document = json.loads(text)
    except json.JSONDecodeError:
        yield from _lines(path, text)
        return
    except (ValueError, RecursionError) as error:
        raise PredictionError(f"{path}: expected JSON in UTF-8, not nested without end: {error}") from error
    if isinstance(document, dict) and not document.keys() & set(keys):
        entries = [(f"key {key!r}", {"id": key, "answers": value}) for key, value in document.items()]
    else:
        listed = document if isinstance(document, list) else [document]
        entries = [(f"entry {number}", entry) for number, entry in enumerate(listed, start=1)]
    for place, entry in entries:
        yield place, _object(path, place, entry)


def _lines(path: Path, text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    # Not str.splitlines: JSON strings may hold U+2028 and other characters that it takes for line ends.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise PredictionError(f"{path}, line {number}: expected one JSON object a line: {error}") from error
        yield f"line {number}", _object(path, f"line {number}", entry)


def _object(path: Path, place: str, entry: Any) -> dict[str, Any]:
    if not isinstance(entry, dict):
        raise PredictionError(f"{path}, {place}: expected a JSON object, got {type(entry).__name__}")
    return entry


def _gold(where: str, item: dict[str, Any]) -> GoldQuestion:
    if "answer_list" not in item:
        return GoldQuestion(_qid(where, item), tuple(_aliases(where, answer) for answer in _answers(where, item)))
    try:
        record = decode_record(json.dumps(item))
    except ReleaseError as error:
        raise PredictionError(f"{where}: {error}") from error
    answers = tuple((answer.answer_text, *answer.aliases) for answer in record.answer_list)
    proofs = dict.fromkeys(proof.proof_text for answer in record.answer_list for proof in answer.proof)
    return GoldQuestion(record.qid, answers, tuple(proofs))


def _prediction(where: str, item: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    if "answer_list" in item:
        gold = _gold(where, item)
        return gold.qid, tuple(answer[0] for answer in gold.answers)
    texts = [_aliases(where, answer)[:1] for answer in _answers(where, item)]
    return _qid(where, item), tuple(text for first in texts for text in first)


def _qid(where: str, item: dict[str, Any]) -> str:
    qid = item.get("qid", item.get("id"))
    if not isinstance(qid, str):
        raise PredictionError(f"{where}: expected the question's id as a string under 'qid' or 'id', got {qid!r}")
    return qid


def _answers(where: str, item: dict[str, Any]) -> list[Any]:
    answers = item.get("predictions", item.get("answers"))
    if not isinstance(answers, list):
        raise PredictionError(
            f"{where}: expected a list of answers under 'predictions' or 'answers', got {type(answers).__name__}"
        )
    return answers


def _aliases(where: str, answer: Any) -> tuple[str, ...]:
    aliases = [answer] if isinstance(answer, str) else answer
    if not isinstance(aliases, list) or not all(isinstance(alias, str) for alias in aliases):
        raise PredictionError(f"{where}: expected each answer as a string or a list of strings, got {answer!r}")
    return tuple(aliases)
