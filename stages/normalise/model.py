"""What the normaliser gives back, and what it may know about the passage of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    DATE = "date"
    NUMBER = "number"
    QUANTITY = "quantity"
    MONEY = "money"
    PERCENT = "percent"
    ORDINAL = "ordinal"
    DURATION = "duration"
    ENTITY = "entity"
    YES_NO = "yes_no"
    SPAN = "span"


class AnswerForm(NamedTuple):
    """One way of writing an answer, and the rule that made it."""

    text: str
    rule: str


@dataclass(frozen=True, slots=True)
class NormalisedAnswer:
    """An answer's kind and its forms, the canonical one first.

    text: the answer as written, without invisible characters and outer white space.
    refusal: why there is no canonical form, in one lower_snake_case word; `forms` is empty then.
    """

    text: str
    kind: Kind
    forms: tuple[AnswerForm, ...] = ()
    refusal: str | None = None

    @property
    def value(self) -> str | None:
        """The canonical form; None where the normaliser declines."""
        return self.forms[0].text if self.forms else None


class Undecidable(NamedTuple):
    """A reader knows what the text is, and also that it cannot say which value it has."""

    kind: Kind
    reason: str


class Read(NamedTuple):
    """What a reader made of a text."""

    kind: Kind
    forms: tuple[AnswerForm, ...]


Reading = Read | Undecidable | None


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a passage: the page's title, and the words that carry it where they differ."""

    target: str
    anchor: str | None = None


@dataclass(frozen=True, slots=True)
class AnswerPassage:
    """The text an answer was drawn from, the title of its page, and its links.

    The text settles what an answer leaves open (the order of day and month, the unit);
    page and links settle which of several pages a name means. The question, where it is
    given, tells which units of the passage a bare number may have: those that it asks for; and
    whether an ordinal is that of a century.
    """

    text: str = ""
    page: str | None = None
    links: Sequence[Link] = ()
    question: str = ""
    lower: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lower", self.text.lower())
