"""The released record of a composed question.

The benchmark of answerable questions ("ans") has one record an id; the full one has two, the other of which its
paragraphs do not answer.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

from stages.composition.frames import hops_in
from stages.graphs.shapes import BY_NAME, Shape
from stages.release.format import Part, Record, ReleaseError, need

ANS, FULL = "ans", "full"
CONFIGS = (ANS, FULL)


class Paragraph(Part, frozen=True):
    """One paragraph that is shown."""

    idx: Annotated[int, "its place, from 0"]
    title: Annotated[str, "of its page"]
    paragraph_text: Annotated[str, "the paragraph"]
    is_supporting: Annotated[bool, "whether it answers a hop"]


class Step(Part, frozen=True):
    """One single hop."""

    id: Annotated[int | str, "of the single hop"]
    question: Annotated[str, "the single hop's; `#1` stands for the answer of the first"]
    answer: Annotated[str, "the single hop's"]
    paragraph_support_idx: Annotated[int | None, "the paragraph that answers the hop, null where none does"]


class MultihopRecord(Record, frozen=True):
    """One question over its paragraphs."""

    ID: ClassVar[str] = "record"

    id: Annotated[str, "the shape of the reasoning, and the ids of the single hops; in `full/` two records have one id"]
    paragraphs: Annotated[list[Paragraph], "up to 20 that are shown"]
    question: Annotated[str, "the composed question"]
    question_decomposition: Annotated[list[Step], "the single hops, in their order"]
    answer: Annotated[str, "the answer, which is that of the last hop"]
    answer_aliases: Annotated[list[str], "its other names"]
    answerable: Annotated[bool, "whether the paragraphs answer it"]

    @property
    def identity(self) -> str:
        return f"{self.id} {'answerable' if self.answerable else 'unanswerable'}"

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

    def check(self) -> None:
        """Id, edges, answer and supports must be those of the steps."""
        shape, steps = self.shape, self.question_decomposition
        need(bool(self.question.strip()), "question", "a text")
        need(
            len(steps) == shape.level,
            "question_decomposition",
            f"{shape.level} steps for {shape.name}, got {len(steps)}",
        )
        ids = "_".join(str(step.id) for step in steps)
        need(self.id == f"{shape.name}__{ids}", "id", f"'{shape.name}__{ids}' by its steps, got {self.id!r}")
        wanted = sorted(shape.edges)
        need(self.edges == set(wanted), "question_decomposition", f"the edges {wanted}, got {sorted(self.edges)}")
        need(self.answer == steps[-1].answer, "answer", f"the last step's {steps[-1].answer!r}, got {self.answer!r}")
        need(self.answer not in self.answer_aliases, "answer_aliases", "no repetition of the answer")
        self._check_paragraphs()

    def _check_paragraphs(self) -> None:
        numbers = [paragraph.idx for paragraph in self.paragraphs]
        need(numbers == list(range(len(numbers))), "paragraphs", f"idx from 0 up, got {numbers}")
        given = [step.paragraph_support_idx for step in self.question_decomposition]
        named = {number for number in given if number is not None}
        need(
            named == self.supports,
            "paragraphs",
            f"is_supporting for those that steps name, {sorted(named)}, got {sorted(self.supports)}",
        )
        whole = None not in given
        need(whole == self.answerable, "answerable", f"{whole}, as {given} support the steps, got {self.answerable}")
