"""What a reader is: it is fitted to solved questions, and then answers others.

A reader that was trained elsewhere is its own result of fitting. Whatever is read,
answers depend on the question, its paragraphs and what was fitted, never on the other
questions of a call.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol


class ReaderError(ValueError):
    """A reader cannot be used; the message names it and what helps."""


class ReaderPassage(NamedTuple):
    """A paragraph. id: equal exactly where title and text are."""

    id: str
    title: str
    text: str

    @classmethod
    def of(cls, title: str, text: str) -> ReaderPassage:
        """A paragraph that has no id yet: it takes one from its content."""
        return cls(hashlib.sha256(f"{title}\0{text}".encode()).hexdigest()[:16], title, text)


class Prediction(NamedTuple):
    """answer: "" where there is none; support: indexes of the paragraphs used, the most important first;
    score: how sure the reader is, comparable between readings of one question."""

    answer: str
    support: tuple[int, ...]
    score: float


NOTHING = Prediction("", (), float("-inf"))


@dataclass(frozen=True)
class SolvedQuestion:
    """A solved question. answers: the answer and its other spellings; support: indexes of the paragraphs it is in."""

    question: str
    context: tuple[ReaderPassage, ...]
    answers: tuple[str, ...]
    support: tuple[int, ...]


class Reader(Protocol):
    """Answers questions. Without paragraphs it answers by what it has learnt, or not at all."""

    def answer(
        self, questions: Sequence[str], contexts: Sequence[Sequence[ReaderPassage]], supports: int = 1
    ) -> list[Prediction]:
        """One prediction per question. supports: how many paragraphs to name, where there are so many."""


class Trainer(Protocol):
    """Makes readers.

    learns: whether its readers depend on the examples; draws: whether they depend on the seed.
    A trainer can be pickled; what it needs beside numbers is loaded by `fit`.
    """

    @property
    def name(self) -> str: ...

    @property
    def identity(self) -> str:
        """Says all that the readers depend on beside examples and seed: settings, and digests of model files."""

    @property
    def learns(self) -> bool: ...

    @property
    def draws(self) -> bool: ...

    def fit(self, examples: Sequence[SolvedQuestion], seed: int = 0) -> Reader: ...


MASK = "[MASK]"
