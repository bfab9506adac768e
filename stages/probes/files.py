"""Multi-hop questions from released files.

Three shapes are read, as a JSON array or a record a line:

    {"id", "question", "answer", "answer_aliases"?, "answerable"?,
     "paragraphs": [{"title", "paragraph_text", "is_supporting"}, ...]}        (MuSiQue)
    {"_id" or "id", "question", "answer", "supporting_facts": [[title, sentence], ...],
     "context": [[title, [sentence, ...]], ...]}                               (HotpotQA)
    {"id", "question", "answer" or "answers", "paragraph", "title"?}            (single hops, to train on)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stages.metrics.files import read_items
from stages.readers.interface import Example, Passage


class ProbeError(ValueError):
    """A file or a setting cannot be used; the message names file, place, what was expected, and what helps."""


@dataclass(frozen=True)
class ProbeFile:
    """ids and examples, in the file's order; unanswerable: how many records were left out as such."""

    ids: tuple[str, ...]
    examples: tuple[Example, ...]
    unanswerable: int = 0


def read_file(path: Path) -> ProbeFile:
    """The answerable questions of a file. Raises ProbeError where a record has another shape, or there is none."""
    found: dict[str, Example] = {}
    unanswerable = 0
    for place, record in read_items(path, ("id", "_id")):
        where = f"{path}, {place}"
        if record.get("answerable") is False:
            unanswerable += 1
            continue
        name = record.get("_id", record.get("id"))
        if not isinstance(name, str | int) or not str(name):
            raise ProbeError(f"{where}: expected an id or _id, got {name!r}")
        if str(name) in found:
            raise ProbeError(f"{where}: the id {name!r} appears twice")
        found[str(name)] = _example(where, record)
    if not found:
        raise ProbeError(f"{path}: holds no answerable question")
    return ProbeFile(tuple(found), tuple(found.values()), unanswerable)


def _example(where: str, record: Mapping[str, Any]) -> Example:
    read = _marked if "paragraphs" in record else _single if "paragraph" in record else _cited
    context, support = read(where, record)
    if not support:
        raise ProbeError(f"{where}: no paragraph is marked as supporting the answer")
    return Example(_text(where, record, "question"), context, _answers(where, record), support)


def _answers(where: str, record: Mapping[str, Any]) -> tuple[str, ...]:
    found = [_text(where, record, "answer")] if "answer" in record or "answers" not in record else []
    for key in ("answers", "answer_aliases"):
        listed = record.get(key, [])
        if not isinstance(listed, list) or not all(isinstance(text, str) for text in listed):
            raise ProbeError(f"{where}: {key}: expected a list of texts, got {listed!r:.80}")
        found += listed
    return tuple(dict.fromkeys(found))


def _marked(where: str, record: Mapping[str, Any]) -> tuple[tuple[Passage, ...], tuple[int, ...]]:
    """Paragraphs that say themselves whether they support the answer."""
    listed = _list(where, record, "paragraphs")
    for number, paragraph in enumerate(listed):
        if not isinstance(paragraph, dict) or not isinstance(paragraph.get("is_supporting"), bool):
            raise ProbeError(f"{where}: paragraphs[{number}]: expected an object with is_supporting true or false")
    passages = (
        Passage.of(*(_text(f"{where}, paragraphs[{number}]", found, key) for key in ("title", "paragraph_text")))
        for number, found in enumerate(listed)
    )
    return tuple(passages), tuple(place for place, found in enumerate(listed) if found["is_supporting"])


def _single(where: str, record: Mapping[str, Any]) -> tuple[tuple[Passage, ...], tuple[int, ...]]:
    """The one paragraph that answers a single hop."""
    title = _text(where, record, "title") if record.get("title") is not None else ""
    return (Passage.of(title, _text(where, record, "paragraph")),), (0,)


def _cited(where: str, record: Mapping[str, Any]) -> tuple[tuple[Passage, ...], tuple[int, ...]]:
    """Paragraphs as lists of sentences, of which the record cites some by their titles."""
    passages = []
    for number, paragraph in enumerate(_list(where, record, "context")):
        match paragraph:
            case [str(title), [*sentences]] if all(isinstance(sentence, str) for sentence in sentences):
                passages.append(Passage.of(title, "".join(sentences)))
            case _:
                raise ProbeError(f"{where}: context[{number}]: expected [title, [sentence, ...]]")
    cited = set()
    for number, fact in enumerate(_list(where, record, "supporting_facts")):
        match fact:
            case [str(title), int()]:
                cited.add(title)
            case _:
                raise ProbeError(f"{where}: supporting_facts[{number}]: expected [title, sentence number]")
    return tuple(passages), tuple(place for place, passage in enumerate(passages) if passage.title in cited)


def _text(where: str, record: Mapping[str, Any], key: str) -> str:
    value = record.get(key)
    if not isinstance(value, str):
        raise ProbeError(f"{where}: {key}: expected a text, got {value!r:.80}")
    return value


def _list(where: str, record: Mapping[str, Any], key: str) -> list[Any]:
    value = record.get(key)
    if not isinstance(value, list):
        raise ProbeError(f"{where}: {key}: expected a list, got {value!r:.80}")
    return value
