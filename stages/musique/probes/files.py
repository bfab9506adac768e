"""Multi-hop questions from released files, as a JSON array or a record a line, in three shapes.

MuSiQue's, whose paragraphs say whether they support the answer; HotpotQA's, which cites them by their titles; and
single hops, to train on. Whatever else a record holds is passed over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from stages.models.readers.interface import ReaderPassage, SolvedQuestion
from stages.release.format import read_entries


class ProbeError(ValueError):
    """A file or a setting cannot be used; the message names file, place, what was expected, and what helps."""


@dataclass(frozen=True)
class ProbeFile:
    """ids and examples, in the file's order; unanswerable: how many records were left out as such."""

    ids: tuple[str, ...]
    examples: tuple[SolvedQuestion, ...]
    unanswerable: int = 0


class _Question(msgspec.Struct):
    question: str
    answer: str | msgspec.UnsetType = msgspec.UNSET
    answers: list[str] | msgspec.UnsetType = msgspec.UNSET
    answer_aliases: list[str] = []

    def context(self) -> list[tuple[str, str, bool]]:
        """Title and text of each paragraph, and whether it supports the answer."""
        raise NotImplementedError

    def said(self) -> tuple[str, ...]:
        """The answer and its other spellings, each once."""
        first = [self.answer] if isinstance(self.answer, str) else []
        return tuple(dict.fromkeys([*first, *(self.answers or ()), *self.answer_aliases]))


class _Paragraph(msgspec.Struct):
    title: str
    paragraph_text: str
    is_supporting: bool


class _Marked(_Question, kw_only=True):
    """Its paragraphs say themselves whether they support the answer."""

    paragraphs: list[_Paragraph]

    def context(self) -> list[tuple[str, str, bool]]:
        return [(found.title, found.paragraph_text, found.is_supporting) for found in self.paragraphs]


class _Single(_Question, kw_only=True):
    """The one paragraph that answers a single hop."""

    paragraph: str
    title: str | None = None

    def context(self) -> list[tuple[str, str, bool]]:
        return [(self.title or "", self.paragraph, True)]


class _Cited(_Question, kw_only=True):
    """context: paragraphs, each a title and sentences; supporting_facts: those cited, each a title and a place."""

    paragraphs: list[tuple[str, list[str]]] = msgspec.field(name="context")
    supporting_facts: list[tuple[str, int]]

    def context(self) -> list[tuple[str, str, bool]]:
        cited = {title for title, _ in self.supporting_facts}
        return [(title, "".join(sentences), title in cited) for title, sentences in self.paragraphs]


def read_file(path: Path) -> ProbeFile:
    """The answerable questions of a file. Raises ProbeError where a record has another shape, or there is none."""
    found: dict[str, SolvedQuestion] = {}
    unanswerable = 0
    for place, record in read_entries(path, ("id", "_id")):
        if record.get("answerable") is False:
            unanswerable += 1
            continue
        name = record.get("_id", record.get("id"))
        if not isinstance(name, str | int) or not str(name):
            raise ProbeError(f"{place}: expected an id or _id, got {name!r}")
        if str(name) in found:
            raise ProbeError(f"{place}: the id {name!r} appears twice")
        found[str(name)] = _example(place, record)
    if not found:
        raise ProbeError(f"{path}: holds no answerable question")
    return ProbeFile(tuple(found), tuple(found.values()), unanswerable)


def _example(place: str, record: Mapping[str, Any]) -> SolvedQuestion:
    kind = _Marked if "paragraphs" in record else _Single if "paragraph" in record else _Cited
    try:
        read = msgspec.convert(record, kind)
    except msgspec.ValidationError as error:
        raise ProbeError(f"{place}: {error}") from error
    shown = read.context()
    support = tuple(number for number, (_, _, supports) in enumerate(shown) if supports)
    if not support:
        raise ProbeError(f"{place}: no paragraph is marked as supporting the answer")
    if read.answer is read.answers is msgspec.UNSET:
        raise ProbeError(f"{place}: expected a text under 'answer', or a list of them under 'answers'")
    return SolvedQuestion(
        read.question, tuple(ReaderPassage.of(title, text) for title, text, _ in shown), read.said(), support
    )
