"""Whether a passage uses four digits as a year, or counts things with them."""

from __future__ import annotations

from stages.core.overlay import remembered
from stages.normalise.evidence import words_after
from stages.normalise.lexicon import lexicon
from stages.normalise.model import AnswerPassage


def counts(passage: AnswerPassage | None, digits: str) -> bool:
    """Does the passage count things with these digits ("1936 people"), wherever it has them?"""
    following, names = words_after(passage, digits), lexicon().names
    return bool(following) and all(word in names for word in following)


def is_year(passage: AnswerPassage | None, digits: str) -> bool:
    """Does the passage have these digits, and never before a word that they may count?"""
    following = words_after(passage, digits)
    return bool(following) and all(word in _behind_years() for word in following)


@remembered()
def _behind_years() -> frozenset[str]:
    return frozenset(["", *lexicon().dates["behind_years"]])
