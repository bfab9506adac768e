"""The released record of a multiple-choice question over a paragraph.

stem           "suppose {change} happens, how will it affect {effect}."
ques_id        "influence_graph:{para_id}:{graph_id}:..." or "out_of_para:{para_id}:{graph_id}:..."
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from stages.influence.graph import DISTRACTOR, LESS, MORE, NO_EFFECT
from stages.release.format import Part, Record, ReleaseError, need

LABELS = (MORE, LESS, NO_EFFECT)
Letter = Literal["A", "B", "C"]
LETTERS: dict[str, Letter] = {MORE: "A", LESS: "B", NO_EFFECT: "C"}
STEM = re.compile(r"suppose (?P<change>.+?) happens, how will it affect (?P<effect>.+)\.", re.DOTALL)
_IDS = re.compile(r"(?:influence_graph:(?P<ids>[^:#]+:[^:#]+):\d+#\d+|out_of_para:(?P<foreign>[^:#]+:[^:#]+):\d+)")
_PATH_LENGTHS = (2, 3, 4)


class Choice(Part, frozen=True):
    """One of the answers to choose from."""

    label: Annotated[Letter, "its letter"]
    text: Annotated[str, "the answer in words"]


CHOICES = [Choice("A", "more"), Choice("B", "less"), Choice("C", "no effect")]


class ChoiceQuestion(Part, frozen=True):
    """What is asked, and the answer."""

    stem: Annotated[str, "what changes, and what the question asks about"]
    para_steps: Annotated[list[str], "the paragraph, sentence by sentence"]
    answer_label: Annotated[Literal["more", "less", "no_effect"], "the answer: more, less or no_effect"]
    answer_label_as_choice: Annotated[Letter, "its letter among the choices"]
    choices: Annotated[list[Choice], "always more (A), less (B) and no effect (C)"]


class Metadata(Part, frozen=True):
    """Where the question comes from."""

    ques_id: Annotated[str, "the question's id"]
    graph_id: Annotated[str, "of the graph whose path answers it, among those of the paragraph"]
    para_id: Annotated[str, "of the paragraph"]
    question_type: Annotated[
        Literal["EXOGENOUS_EFFECT", "INPARA_EFFECT", "OUTOFPARA_DISTRACTOR"],
        "where the change comes from",
    ]
    path_len: Annotated[int, "nodes on the path from change to effect, 0 without one"]


class ChoiceRecord(Record, frozen=True):
    """One question over a paragraph."""

    question: Annotated[ChoiceQuestion, "what is asked, and the answer"]
    metadata: Annotated[Metadata, "where the question comes from"]

    @property
    def identity(self) -> str:
        return self.metadata.ques_id

    @property
    def label(self) -> str:
        return self.question.answer_label

    @property
    def hops(self) -> int:
        """Edges of the path; 0 without one."""
        return max(0, self.metadata.path_len - 1)

    @property
    def graph(self) -> str:
        return f"{self.metadata.para_id}:{self.metadata.graph_id}"

    @property
    def paragraph(self) -> str:
        return " ".join(self.question.para_steps)

    @property
    def parts(self) -> tuple[str, str]:
        """Change and effect."""
        return split_stem(self.question.stem)

    def check(self) -> None:
        """Wording, letters, id and type must fit the answer and the path."""
        question, metadata = self.question, self.metadata
        split_stem(question.stem)
        need(bool(question.para_steps), "question.para_steps", "at least one sentence")
        need(all(step.strip() for step in question.para_steps), "question.para_steps", "no empty sentence")
        letter = LETTERS[self.label]
        need(
            question.answer_label_as_choice == letter,
            "question.answer_label_as_choice",
            f"{letter!r} for {self.label!r}, got {question.answer_label_as_choice!r}",
        )
        need(question.choices == CHOICES, "question.choices", "A more, B less, C no effect, in this order")
        match = _IDS.fullmatch(metadata.ques_id)
        need(
            match is not None and (match["ids"] or match["foreign"]) == self.graph,
            "metadata.ques_id",
            f"'influence_graph:' or 'out_of_para:', then {self.graph} and the question's own number, "
            f"got {metadata.ques_id!r}",
        )
        unrelated = self.label == NO_EFFECT
        need(
            (metadata.question_type == DISTRACTOR) == unrelated,
            "metadata.question_type",
            f"{DISTRACTOR} for no_effect alone",
        )
        lengths = (0,) if unrelated else _PATH_LENGTHS
        need(metadata.path_len in lengths, "metadata.path_len", f"one of {lengths}, got {metadata.path_len}")


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
