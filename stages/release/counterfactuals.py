"""The released record of a counterfactual question. A file is a JSON array of them."""

from __future__ import annotations

from typing import Annotated, ClassVar

from stages.release.format import Record, need


class CounterfactualRecord(Record, frozen=True):
    """One question about its passages."""

    ID: ClassVar[str] = "idx"

    idx: Annotated[int, "the question's number in the whole release, the same in both benchmarks"]
    question: Annotated[str, "supposes something that did not happen, and asks what follows"]
    answers: Annotated[
        list[str],
        "as people wrote them, then their canonical forms: dates in ISO 8601 or EDTF at the precision that was given, "
        "numbers as digits and in words, with and without the passage's unit, names as the titles of their pages",
    ]
    context: Annotated[list[str], "the passages that the question was asked about"]

    @property
    def identity(self) -> str:
        return str(self.idx)

    def check(self) -> None:
        """Every question has a text, a passage and an answer, and no answer twice."""
        need(self.idx >= 0, "idx", f"0 or more, got {self.idx}")
        need(bool(self.question.strip()), "question", "a text")
        need(bool(self.answers) and all(answer.strip() for answer in self.answers), "answers", "at least one text")
        need(len(set(self.answers)) == len(self.answers), "answers", "each answer once")
        need(bool(self.context) and all(text.strip() for text in self.context), "context", "at least one passage")
