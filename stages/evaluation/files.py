"""What the readers of predictions share.

Predictions are JSONL or a JSON array of objects with an id and what was predicted, or one JSON object from id to
that. The names under which both may stand are each metric's own. A released record counts as a prediction of its own
answer, so that a gold file can be scored against itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from stages.release.format import ReleaseError, read_entries

T = TypeVar("T")
Item = Mapping[str, Any]


@dataclass(frozen=True)
class Predictions(Generic[T]):
    """answers: what was predicted, by id; repeated: ids given twice, of which the first counts; unread: what is wrong
    with each entry of another shape, which is left out."""

    answers: Mapping[str, T]
    repeated: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    def unmatched(self, ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """What does not match up with a gold file's ids.

        missing: those without a prediction; unknown: predicted ids that are not among them (ignored); repeated: ids
        predicted twice (the first counts); unread: entries of another shape (left out), where there are any.
        """
        known = list(ids)
        return {
            "missing": tuple(name for name in known if name not in self.answers),
            "unknown": tuple(sorted(self.answers.keys() - set(known))),
            "repeated": tuple(sorted(self.repeated)),
            **({"unread": self.unread} if self.unread else {}),
        }


def read_predictions(path: Path, keys: Collection[str], read: Callable[[str, Item], tuple[str, T]]) -> Predictions[T]:
    """The predictions of a file. keys: an object with one of them is an entry; read: id and prediction of an entry.

    Raises ReleaseError naming the place of the first entry of another shape, where none is of this one.
    """
    found: dict[str, T] = {}
    repeated: dict[str, None] = {}
    unread: list[ReleaseError] = []
    for place, item in read_entries(path, keys, unread):
        try:
            name, prediction = read(place, item)
        except ReleaseError as error:
            unread.append(error)
            continue
        if name in found:
            repeated[name] = None
        else:
            found[name] = prediction
    if unread and not found:
        raise unread[0]
    return Predictions(found, tuple(repeated), tuple(map(str, unread)))


def need_gold(path: Path, gold: list[T]) -> list[T]:
    """The gold questions of a file; ReleaseError where there is none."""
    if not gold:
        raise ReleaseError(f"{path}: holds no question")
    return gold


def first_of(item: Item, names: Sequence[str]) -> Any:
    """The value under the first of the names that the entry has; None where it has none."""
    return next((item[name] for name in names if name in item), None)


def text_id(place: str, value: object, called: str) -> str:
    """An entry's id, which must be a text; called: the keys under which it is expected."""
    if not isinstance(value, str):
        raise ReleaseError(f"{place}: expected the question's id as a string under {called}, got {value!r}")
    return value
