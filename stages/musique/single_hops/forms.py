"""Texts as sequences of words: the form in which questions, answers and paragraphs are compared.

A word is a run of letters, digits and combining marks, case-folded; what stands between
words is left aside. So "St. Patrick's" and "St. Patrick 's" are the same three words
and "U.S." is the words "u" and "s", which the word "us" is not.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate

_ARTICLES = ("the", "a", "an")
RELATION_SIGN = ">>"
# Only selectors of glyph variants come after.
_LAST_MARK = 0x20000


def _marks() -> str:
    """The combining marks as the inside of a character class."""
    marks = [code for code in range(0x300, _LAST_MARK) if unicodedata.category(chr(code))[0] == "M"]
    starts = [code for code, before in zip(marks, [-2, *marks], strict=False) if code != before + 1]
    ends = [code for code, after in zip(marks, [*marks[1:], -2], strict=True) if code != after - 1]
    return "".join(f"{chr(start)}-{chr(end)}" for start, end in zip(starts, ends, strict=True))


_WORD = re.compile(rf"[^\W_]++(?:[{_marks()}]++[^\W_]*+)*+")


@dataclass(frozen=True)
class Words:
    """The words of a text and where they stand in it; made with `of`."""

    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, text: str) -> Words:
        found = list(_WORD.finditer(text))
        return cls(tuple(match.group().casefold() for match in found), tuple(match.span() for match in found))

    @cached_property
    def joined(self) -> str:
        """The words between single spaces, with one at either end; " " where there is no word."""
        return f" {' '.join(self.words)} " if self.words else " "

    @cached_property
    def _starts(self) -> list[int]:
        """Where each word's leading space stands in `joined`."""
        return list(accumulate((len(word) + 1 for word in self.words), initial=0))

    def number_at(self, position: int) -> int:
        """The number of the word whose leading space stands at a position of `joined`."""
        return bisect_right(self._starts, position) - 1

    def find(self, form: str) -> list[tuple[int, int]]:
        """Every (first, last) word at which a joined form stands, in order."""
        if form == " ":
            return []
        found, at = [], self.joined.find(form)
        while at >= 0:
            first = self.number_at(at)
            found.append((first, first + form.count(" ") - 2))
            at = self.joined.find(form, at + 1)
        return found

    def span(self, first: int, last: int) -> tuple[int, int]:
        """The characters of the text from one word to another."""
        return self.spans[first][0], self.spans[last][1]


# Consecutive questions are often about one paragraph.
@lru_cache(maxsize=8192)
def words_of(paragraph: str) -> Words:
    """The words of a paragraph, kept for the other hops that ask about it."""
    return Words.of(paragraph)


def form(text: str) -> str:
    """The words of a text as `Words.joined` has them."""
    return Words.of(text).joined


def bare(form: str) -> str:
    """A joined form without a leading article, unless that is all there is."""
    first, _, rest = form[1:].partition(" ")
    return f" {rest}" if first in _ARTICLES and rest.strip() else form


# A name is spelt now with a gap ("U.S.", "New York") and now without ("US", "Newyork"); "10 5" is not 105.
_GAP = re.compile(r"(?<!\d) | (?!\d)")


# Names are many times the subject or the answer.
@lru_cache(maxsize=65536)
def plain(text: str) -> str:
    """A name or question without case, accents, marks, gaps and leading article; where it has no word, as it is."""
    letters = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    words = bare(form(letters)).strip()
    return _GAP.sub("", words) or " ".join(letters.casefold().split())


def answer_at(text: Words, forms: Iterable[str], start: int | None) -> tuple[int, int] | None:
    """The (first, last) word of an answer in a text: the place nearest to where it is stated to stand, else its first.

    Offsets of real files are often a few characters off, counted in bytes or in a text with other white space.
    """
    places = sorted({place for form in forms for place in text.find(form)})
    return min(places, key=lambda place: abs(text.spans[place[0]][0] - (start or 0)), default=None)


def relation_sides(question: str) -> tuple[str, str] | None:
    """Subject and relation of "subject >> relation"; None where a question is not of that shape."""
    subject, sign, relation = (part.strip() for part in question.partition(RELATION_SIGN))
    return (subject, relation) if sign and subject and relation and RELATION_SIGN not in relation else None
