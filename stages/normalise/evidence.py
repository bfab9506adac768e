"""What a passage says about an answer: how it uses a word, a number, a year."""

from __future__ import annotations

import re
from collections.abc import Iterator

from stages.core.steps import Steps
from stages.normalise.model import AnswerPassage

_YEAR = re.compile(r"(?<![\d.,$£€])(1\d{3}|20\d{2})(?![\d,.]?\d)")
_DECADE = re.compile(r"(?<!\d)(1\d{2}|20\d)0'?s\b")
_NEXT_WORD = re.compile(r"[ -]([a-z°%][^\s,.;:)]*)")


def places(passage: AnswerPassage | None, phrase: str) -> Iterator[int]:
    """Where a lower-case phrase stands in the passage as whole words."""
    if passage is None or not phrase:
        return
    text, start = passage.lower, 0
    steps = Steps(text)
    while (start := text.find(phrase, start)) >= 0 and steps.on():
        end = start + len(phrase)
        if not (_joined(text, start - 1, phrase[0]) or _joined(text, end, phrase[-1])):
            yield start
        start = end


def mentions(passage: AnswerPassage | None, phrase: str) -> bool:
    return next(places(passage, phrase), None) is not None


def words_after(passage: AnswerPassage | None, phrase: str) -> list[str]:
    """For each place of a phrase the word that follows it, "" where none does."""
    if passage is None:
        return []
    found = (_NEXT_WORD.match(passage.lower, start + len(phrase)) for start in places(passage, phrase))
    return [match[1] if match else "" for match in found]


def years(passage: AnswerPassage | None) -> set[str]:
    """The four-digit years of a passage."""
    return set(_YEAR.findall(passage.lower)) if passage else set()


def decades(passage: AnswerPassage | None) -> set[str]:
    """The first three digits of the decades that a passage names ("199" for "the 1990s")."""
    return set(_DECADE.findall(passage.lower)) if passage else set()


def _joined(text: str, place: int, edge: str) -> bool:
    """Does the mark at a place continue the word or number whose edge is given?"""
    if not 0 <= place < len(text):
        return False
    mark = text[place]
    if edge.isalnum() and mark.isalnum():
        return True
    # "1,500" is no place of "500", and "1.5" none of "1".
    inside = place + 1 < len(text) and text[place + 1].isdigit() and place > 0 and text[place - 1].isdigit()
    return edge.isdigit() and mark in ".," and inside
