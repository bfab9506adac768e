"""The released record of a counterfactual question: its fields in their order, its strict reader, its encoding.

A file is a JSON array of

    {"idx": 7, "question": "If ..., ...?", "answers": ["as written", ..., "canonical form", ...],
     "context": ["passage", ...]}

`idx` is a question's number in the whole release, so it is the same in the full and in the few-shot benchmark.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from stages.release.format import ReleaseError, decode_strictly, need


class CounterfactualRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One question about its passages."""

    idx: int
    question: str
    answers: list[str]
    context: list[str]


_DECODER = msgspec.json.Decoder(list[CounterfactualRecord])


def encode_counterfactuals(records: Iterable[CounterfactualRecord]) -> Iterator[str]:
    """The pieces of a file: one record a line inside the array."""
    yield "["
    for number, record in enumerate(records):
        yield (",\n" if number else "\n") + json.dumps(msgspec.to_builtins(record), ensure_ascii=False)
    yield "\n]\n"


def check_counterfactual(record: CounterfactualRecord) -> None:
    """Raises ReleaseError where a record lacks what every question has, or has an answer twice."""
    need(record.idx >= 0, "idx", f"0 or more, got {record.idx}")
    need(bool(record.question.strip()), "question", "a text")
    need(bool(record.answers) and all(answer.strip() for answer in record.answers), "answers", "at least one text")
    need(len(set(record.answers)) == len(record.answers), "answers", "each answer once")
    need(bool(record.context) and all(text.strip() for text in record.context), "context", "at least one passage")


def read_counterfactuals(path: Path) -> list[CounterfactualRecord]:
    """All records of a released JSON file.

    Raises ReleaseError naming file, record and key for anything that is not the format above, and for two records of
    one idx.
    """
    try:
        records: list[CounterfactualRecord] = decode_strictly(_DECODER, path.read_bytes())
    except ReleaseError as error:
        raise ReleaseError(f"{path}: {error}") from error
    known: dict[int, int] = {}
    for number, record in enumerate(records, start=1):
        try:
            check_counterfactual(record)
            earlier = known.setdefault(record.idx, number)
            need(earlier == number, "idx", f"one record of each, got {record.idx} in record {earlier} too")
        except ReleaseError as error:
            raise ReleaseError(f"{path}, record {number}: {error}") from error
    return records
