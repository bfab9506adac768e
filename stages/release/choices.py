"""The released record of a multiple-choice question: its fields in their order, its strict reader, its encoding.

One JSON object a line:

    {"question": {"stem": "suppose {change} happens, how will it affect {effect}.",
                  "para_steps": [sentence, ...],
                  "answer_label": "more" | "less" | "no_effect",
                  "answer_label_as_choice": "A" | "B" | "C",
                  "choices": [{"label": "A", "text": "more"}, {"label": "B", "text": "less"},
                              {"label": "C", "text": "no effect"}]},
     "metadata": {"ques_id", "graph_id", "para_id",
                  "question_type": "EXOGENOUS_EFFECT" | "INPARA_EFFECT" | "OUTOFPARA_DISTRACTOR",
                  "path_len": nodes on the path, 0 where there is none}}
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from stages.influence.graph import DISTRACTOR, LESS, MORE, NO_EFFECT
from stages.release.format import ReleaseError, decode_strictly, iterate_lines, need

LETTERS: dict[str, Literal["A", "B", "C"]] = {MORE: "A", LESS: "B", NO_EFFECT: "C"}
STEM = re.compile(r"suppose (?P<change>.+?) happens, how will it affect (?P<effect>.+)\.", re.DOTALL)
_IDS = re.compile(r"(?:influence_graph:(?P<ids>[^:#]+:[^:#]+):\d+#\d+|out_of_para:(?P<foreign>[^:#]+:[^:#]+):\d+)")
_PATH_LENGTHS = (2, 3, 4)


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    label: Literal["A", "B", "C"]
    text: str


CHOICES = [Choice("A", "more"), Choice("B", "less"), Choice("C", "no effect")]


class ChoiceQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    stem: str
    para_steps: list[str]
    answer_label: Literal["more", "less", "no_effect"]
    answer_label_as_choice: Literal["A", "B", "C"]
    choices: list[Choice]


class Metadata(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    ques_id: str
    graph_id: str
    para_id: str
    question_type: Literal["EXOGENOUS_EFFECT", "INPARA_EFFECT", "OUTOFPARA_DISTRACTOR"]
    path_len: int


class ChoiceRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One question over a paragraph."""

    question: ChoiceQuestion
    metadata: Metadata

    @property
    def hops(self) -> int:
        """Edges of the path; 0 without one."""
        return max(0, self.metadata.path_len - 1)

    @property
    def parts(self) -> tuple[str, str]:
        """Change and effect."""
        return split_stem(self.question.stem)


_DECODER = msgspec.json.Decoder(ChoiceRecord)


def stem(change: str, effect: str) -> str:
    """The question's wording."""
    return f"suppose {change} happens, how will it affect {effect}."


def split_stem(text: str) -> tuple[str, str]:
    """Change and effect of a question's wording; ReleaseError where it has another."""
    match = STEM.fullmatch(text.strip())
    if match is None:
        raise ReleaseError(
            f"question.stem: expected 'suppose ... happens, how will it affect ....', got {text[:200]!r}"
        )
    return match["change"], match["effect"]


def encode_choice(record: ChoiceRecord) -> str:
    """The record as one JSON line without the line's end."""
    return json.dumps(msgspec.to_builtins(record), ensure_ascii=False)


def decode_choice(line: bytes | str) -> ChoiceRecord:
    """The record of one line, checked in full; ReleaseError names the key at fault."""
    record: ChoiceRecord = decode_strictly(_DECODER, line)
    check_choice(record)
    return record


def check_choice(record: ChoiceRecord) -> None:
    """Raises ReleaseError where parts of a record contradict each other."""
    question, metadata = record.question, record.metadata
    split_stem(question.stem)
    need(bool(question.para_steps), "question.para_steps", "at least one sentence")
    need(all(step.strip() for step in question.para_steps), "question.para_steps", "no empty sentence")
    letter = LETTERS[question.answer_label]
    need(
        question.answer_label_as_choice == letter,
        "question.answer_label_as_choice",
        f"{letter!r} for {question.answer_label!r}, got {question.answer_label_as_choice!r}",
    )
    need(question.choices == CHOICES, "question.choices", "A more, B less, C no effect, in this order")
    match = _IDS.fullmatch(metadata.ques_id)
    need(
        match is not None and (match["ids"] or match["foreign"]) == f"{metadata.para_id}:{metadata.graph_id}",
        "metadata.ques_id",
        f"'influence_graph:' or 'out_of_para:', then {metadata.para_id}:{metadata.graph_id} and the question's own "
        f"number, got {metadata.ques_id!r}",
    )
    unrelated = question.answer_label == NO_EFFECT
    need(
        (metadata.question_type == DISTRACTOR) == unrelated,
        "metadata.question_type",
        f"{DISTRACTOR} for no_effect alone",
    )
    lengths = (0,) if unrelated else _PATH_LENGTHS
    need(metadata.path_len in lengths, "metadata.path_len", f"one of {lengths}, got {metadata.path_len}")


def iterate_choices(path: Path) -> Iterator[ChoiceRecord]:
    """The records of a JSONL file one by one; blank lines are skipped, repeated ids refused."""
    return iterate_lines(path, decode_choice, "metadata.ques_id", lambda record: record.metadata.ques_id)


def read_choices(path: Path) -> list[ChoiceRecord]:
    """All records of a released JSONL file.

    Raises ReleaseError naming file, line and key for anything that is not the format above.
    """
    return list(iterate_choices(path))
