"""The released record: its fields in their order, its strict reader and its writer's encoding.

One JSON object a line:

    {"entities": [{"entity_url", "entity_text", "aliases"}],
     "question_text": ...,
     "answer_list": [{"answer_text", "aid", "aliases", "answer_url",
                      "proof": [{"proof_text", "found_in_url", "pid"}]}],
     "qid": "{number}__{kind}__{split}"}

with a number made from the query, so that a question keeps its id from build to build,
aid "{qid}__{i}", pid "{aid}__{j}", and every list of aliases holding the text it belongs to.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

QID = re.compile(r"([0-9]{1,18})__([a-z_]+)__([a-z]+)")
R = TypeVar("R")
# All numbers have the same length, so that ids sort as their numbers do.
_LEAST = 10**14


class ReleaseError(ValueError):
    """A file is no release; the message names the file, the line, the key and what was expected."""


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A passage that supports an answer, and the page it stands on."""

    proof_text: str
    found_in_url: str
    pid: str


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One right answer; `answer_url` is "" where the answer is a plain value."""

    answer_text: str
    aid: str
    aliases: list[str]
    answer_url: str
    proof: list[Proof]


class QuestionEntity(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entity that the question names."""

    entity_url: str
    entity_text: str
    aliases: list[str]


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One question with its answers and their proofs."""

    entities: list[QuestionEntity]
    question_text: str
    answer_list: list[Answer]
    qid: str

    @property
    def kind(self) -> str:
        return split_qid(self.qid)[1]

    @property
    def split(self) -> str:
        return split_qid(self.qid)[2]


_DECODER = msgspec.json.Decoder(Record)


def split_qid(qid: str) -> tuple[int, str, str]:
    """Number, kind and split of a question's id; ReleaseError where it has another shape."""
    match = QID.fullmatch(qid)
    if match is None:
        raise ReleaseError(f"qid: expected '<number>__<kind>__<split>', got {qid!r}")
    return int(match[1]), match[2], match[3]


def make_qid(query: str, kind: str, split: str) -> str:
    """The id of a query's question, the same in every build: its number has 15 digits, drawn by a hash of the query.

    Two of a million questions share a number with a chance of less than one in a thousand; `export` refuses them.
    """
    drawn = int.from_bytes(hashlib.sha256(query.encode()).digest())
    return f"{_LEAST + drawn % (9 * _LEAST)}__{kind}__{split}"


def encode_record(record: Record) -> str:
    """The record as one JSON line without the line's end, spaced as released files are."""
    return json.dumps(msgspec.to_builtins(record), ensure_ascii=False)


def decode_record(line: bytes | str) -> Record:
    """The record of one line, checked in full; ReleaseError names the key at fault."""
    record: Record = decode_strictly(_DECODER, line)
    check_record(record)
    return record


def decode_strictly(decoder: msgspec.json.Decoder[R], line: bytes | str) -> R:
    """The value of one line; ReleaseError names the key that is missing, unknown or of another type."""
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ReleaseError(str(error)) from error


def check_record(record: Record) -> None:
    """Raises ReleaseError where ids do not follow from each other or a text is missing among its aliases."""
    split_qid(record.qid)
    for index, entity in enumerate(record.entities):
        need(entity.entity_text in entity.aliases, f"entities[{index}].aliases", f"to hold {entity.entity_text!r}")
    for index, answer in enumerate(record.answer_list):
        where = f"answer_list[{index}]"
        need(answer.aid == f"{record.qid}__{index}", f"{where}.aid", f"'{record.qid}__{index}', got {answer.aid!r}")
        need(answer.answer_text in answer.aliases, f"{where}.aliases", f"to hold {answer.answer_text!r}")
        for number, proof in enumerate(answer.proof):
            expected = f"{answer.aid}__{number}"
            need(proof.pid == expected, f"{where}.proof[{number}].pid", f"{expected!r}, got {proof.pid!r}")


def need(holds: bool, key: str, expected: str) -> None:
    """Raises ReleaseError, which names the key and what was expected of it, unless that holds."""
    if not holds:
        raise ReleaseError(f"{key}: expected {expected}")


def iterate_release(path: Path) -> Iterator[Record]:
    """The records of a JSONL file one by one; blank lines are skipped, repeated qids refused."""
    return iterate_lines(path, decode_record, "qid", lambda record: record.qid)


def iterate_lines(path: Path, decode: Callable[[bytes], R], key: str, identity: Callable[[R], str]) -> Iterator[R]:
    """The records of a JSONL file of any layout, each as `decode` checks it.

    key, identity: the name of the id that no two records share, and the id of a record.

    Raises:
        ReleaseError: a line that `decode` refuses or whose id an earlier one has; names file, line and key.
    """
    lines: dict[str, int] = {}
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                record = decode(line)
            except ReleaseError as error:
                raise ReleaseError(f"{path}, line {number}: {error}") from error
            own = identity(record)
            first = lines.setdefault(own, number)
            if first != number:
                raise ReleaseError(f"{path}, line {number}: {key}: {own!r} already stands in line {first}")
            yield record


def read_release(path: Path) -> list[Record]:
    """All records of a released JSONL file.

    Raises ReleaseError naming file, line and key for anything that is not the format
    above, FileNotFoundError where there is no file.
    """
    return list(iterate_release(path))
