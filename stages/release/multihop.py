"""The released record of a composed question: its fields in their order, its strict reader, its encoding.

One JSON object a line:

    {"id": "{shape}__{ids of the single hops joined by _}",
     "paragraphs": [{"idx", "title", "paragraph_text", "is_supporting"}],
     "question": ...,
     "question_decomposition": [{"id", "question" (with "#1" for the answer of the first), "answer",
                                 "paragraph_support_idx" (null where no paragraph answers it)}],
     "answer": ..., "answer_aliases": [...], "answerable": true or false}

The benchmark of answerable questions ("ans") has one record an id; the full one has two,
the other of which its paragraphs do not answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec

from stages.composition.frames import hops_in
from stages.graphs.shapes import BY_NAME, Shape
from stages.release.format import ReleaseError, decode_strictly, iterate_lines, need

ANS, FULL = "ans", "full"
CONFIGS = (ANS, FULL)


class Paragraph(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One paragraph that is shown; idx: its place, from 0."""

    idx: int
    title: str
    paragraph_text: str
    is_supporting: bool


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One single hop; paragraph_support_idx is null only where its answer is missing from the paragraphs."""

    id: int | str
    question: str
    answer: str
    paragraph_support_idx: int | None


class MultihopRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One question over its paragraphs."""

    id: str
    paragraphs: list[Paragraph]
    question: str
    question_decomposition: list[Step]
    answer: str
    answer_aliases: list[str]
    answerable: bool

    @property
    def shape(self) -> Shape:
        """The graph's shape; ReleaseError where the id names none."""
        name, mark, _ = self.id.partition("__")
        if not mark or name not in BY_NAME:
            raise ReleaseError(f"id: expected one of {', '.join(BY_NAME)}, then '__' and ids, got {self.id!r}")
        return BY_NAME[name]

    @property
    def edges(self) -> frozenset[tuple[int, int]]:
        """(i, j) where step j asks about the answer of an earlier step i."""
        steps = enumerate(self.question_decomposition, start=1)
        return frozenset((head, tail) for tail, step in steps for head in hops_in(step.question) if head < tail)

    @property
    def supports(self) -> frozenset[int]:
        return frozenset(paragraph.idx for paragraph in self.paragraphs if paragraph.is_supporting)


_DECODER = msgspec.json.Decoder(MultihopRecord)


def encode_multihop(record: MultihopRecord) -> str:
    """The record as one JSON line without the line's end."""
    return json.dumps(msgspec.to_builtins(record), ensure_ascii=False)


def decode_multihop(line: bytes | str) -> MultihopRecord:
    """The record of one line, checked in full; ReleaseError names the key at fault."""
    record: MultihopRecord = decode_strictly(_DECODER, line)
    check_multihop(record)
    return record


def check_multihop(record: MultihopRecord) -> None:
    """Raises ReleaseError where parts of a record contradict each other."""
    shape, steps = record.shape, record.question_decomposition
    need(bool(record.question.strip()), "question", "a text")
    need(len(steps) == shape.level, "question_decomposition", f"{shape.level} steps for {shape.name}, got {len(steps)}")
    ids = "_".join(str(step.id) for step in steps)
    need(record.id == f"{shape.name}__{ids}", "id", f"'{shape.name}__{ids}' by its steps, got {record.id!r}")
    wanted = sorted(shape.edges)
    need(record.edges == set(wanted), "question_decomposition", f"the edges {wanted}, got {sorted(record.edges)}")
    need(record.answer == steps[-1].answer, "answer", f"the last step's {steps[-1].answer!r}, got {record.answer!r}")
    need(record.answer not in record.answer_aliases, "answer_aliases", "no repetition of the answer")
    _check_paragraphs(record)


def _check_paragraphs(record: MultihopRecord) -> None:
    numbers = [paragraph.idx for paragraph in record.paragraphs]
    need(numbers == list(range(len(numbers))), "paragraphs", f"idx from 0 up, got {numbers}")
    given = [step.paragraph_support_idx for step in record.question_decomposition]
    named = {number for number in given if number is not None}
    need(
        named == record.supports,
        "paragraphs",
        f"is_supporting for those that steps name, {sorted(named)}, got {sorted(record.supports)}",
    )
    whole = None not in given
    need(whole == record.answerable, "answerable", f"{whole}, as {given} support the steps, got {record.answerable}")


def iterate_multihop(path: Path) -> Iterator[MultihopRecord]:
    """The records of a released file one by one: JSON lines, or one JSON array of them.

    Raises ReleaseError naming file, line or entry, and key; also where an id comes twice with the same `answerable`.
    """
    with path.open("rb") as file:
        is_array = file.read(1) == b"["
    if not is_array:
        yield from iterate_lines(path, decode_multihop, "id", identity)
        return
    entries = decode_strictly(msgspec.json.Decoder(list[msgspec.Raw]), path.read_bytes())
    seen: set[str] = set()
    for number, entry in enumerate(entries, start=1):
        try:
            record = decode_multihop(bytes(entry))
            need(identity(record) not in seen, "id", f"each once, got {identity(record)!r} again")
        except ReleaseError as error:
            raise ReleaseError(f"{path}, entry {number}: {error}") from error
        seen.add(identity(record))
        yield record


def identity(record: MultihopRecord) -> str:
    """What no two records of a file share."""
    return f"{record.id} {'answerable' if record.answerable else 'unanswerable'}"
