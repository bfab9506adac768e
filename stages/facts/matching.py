"""Finds names in the sentences of a page, as whole tokens (paper, step 3).

The rule, for one surface (a label, an alias, a number or a date) and one sentence:

* Both are compared in Unicode normal form C, white space collapsed, case-folded, with
  typographic apostrophes read as ' and hyphens (up to the en dash) read as spaces, so
  "Spider-Man" is "Spider Man"; letters with diacritics stay letters of their own.
* A surface of three characters or fewer must also agree in case, and is not sought where it
  is a word of the language ("in" for India). A longer one that is such a word names something
  only in its own case, with a capital, and not as the first word of a sentence ("Once").
* A surface of digits only must have at least three of them.
* Neither neighbour of the match is a letter, digit or combining mark. An apostrophe
  between letters joins them ("O'Brien" does not mention Brien) unless it is the
  possessive 's. A point or comma between digits joins them ("1,234" does not mention
  234). A surface that begins or ends in punctuation ("!!!", "Jr.") may not continue in
  the same sign, but for one full stop that ends the sentence ("owned by Warner Bros..").
* It is no part of a longer name (`stages.facts.longer_names`): "North America" does not
  mention America, nor does a longer name that is known to stand there.

All surfaces of a page are looked up in one pass over its text with an Aho-Corasick
automaton, so the work is linear in the text and the surfaces.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick, Implementation

from stages.facts.longer_names import Longer, MentionWords, Span, opens_sentence, within_longer

CASED_LENGTH = 3
MIN_DIGITS = 3

_APOSTROPHES = "\u2018\u2019\u02bc\u00b4`"
_HYPHENS = "-\u2010\u2011\u2012\u2013"
_SAME = str.maketrans(_APOSTROPHES + _HYPHENS, "'" * len(_APOSTROPHES) + " " * len(_HYPHENS))
_BREAK = "\n"


@dataclass(frozen=True, slots=True)
class Mention:
    """One surface in one sentence (its leftmost match there).

    surface: index of the surface, sentence: index of the sentence, as they were given.
    text: the matched part of the sentence, in normal form C with white space collapsed.
    """

    surface: int
    sentence: int
    text: str


class PreparedPage:
    """The sentences of one page, prepared once for any number of searches."""

    def __init__(self, sentences: Sequence[str]) -> None:
        tidied = [tidy(sentence) for sentence in sentences]
        self._shown = _BREAK.join(tidied)
        self._plain = self._shown.translate(_SAME)
        self._folded = self._plain.casefold()
        self._starts = list(accumulate((len(text) + 1 for text in tidied), initial=0))
        # Few characters fold into several; only then do positions need a map back.
        self._back = None if len(self._folded) == len(self._plain) else _positions(self._plain)

    def mentions(
        self, surfaces: Sequence[str], words: MentionWords | None = None, known: Sequence[str] = ()
    ) -> Iterator[Mention]:
        """Every (surface, sentence) with a match, in no particular order.

        words: what is no mention though it matches; known: what the page itself is called.
        """
        lists = words or MentionWords()
        every = [*surfaces, *known, *lists.names]
        wanted = _Surfaces(every, lists)
        found = list(self._spans(wanted))
        bounds = len(surfaces) + len(known)
        names = _Names(
            own=Longer({span for span, name in found if len(surfaces) <= name < bounds}),
            sought=Longer({span for span, name in found if name < len(surfaces)}),
            listed=Longer({span for span, name in found if name >= bounds}, always=True),
        )
        seen: set[tuple[int, int]] = set()
        for span, surface in found:
            sentence = bisect_right(self._starts, span[0]) - 1
            if surface >= len(surfaces) or (surface, sentence) in seen:
                continue
            if words is not None and self._no_mention(span, every[surface], names, words):
                continue
            seen.add((surface, sentence))
            yield Mention(surface, sentence, self._shown[span[0] : span[1]])

    def _spans(self, wanted: _Surfaces) -> Iterator[tuple[Span, int]]:
        """Where each surface stands as whole tokens in its own case, as (span, surface)."""
        for pattern, start, end in wanted.hits(self._folded):
            span = self._span(start, end) if is_whole(self._folded, start, end) else None
            if span is not None:
                yield from ((span, surface) for surface in wanted.surfaces(pattern, self._plain[span[0] : span[1]]))

    def _no_mention(self, span: Span, surface: str, names: _Names, words: MentionWords) -> bool:
        common = surface[:1].islower()
        if words.is_word(plain_surface(surface)) and opens_sentence(self._shown, span[0]):
            return True
        if names.listed.takes(span, self._shown) or names.sought.takes(span, self._shown):
            return True
        # What a page's own name says of its kind, it says: the Kingdom of Saxony is a kingdom.
        if common and names.own.begins_or_ends(span):
            return False
        return names.own.takes(span, self._shown) or within_longer(self._shown, span, common, words)

    def _span(self, start: int, end: int) -> Span | None:
        """Where a folded span lies in the text; None if it begins or ends inside a character."""
        if self._back is None:
            return start, end
        first, last = self._back.get(start), self._back.get(end)
        return None if first is None or last is None else (first, last)


class _Names(NamedTuple):
    """The longer names of a page that its mentions may be parts of, by where they are known from."""

    own: Longer
    sought: Longer
    listed: Longer


class _Surfaces:
    """Folded surfaces, each pattern with the surfaces that it may stand for."""

    def __init__(self, surfaces: Sequence[str], words: MentionWords) -> None:
        self._by_pattern: dict[str, list[tuple[int, str | None]]] = {}
        for index, surface in enumerate(surfaces):
            plain = plain_surface(surface)
            word = words.is_word(plain)
            if plain and not (word and (len(plain) <= CASED_LENGTH or plain.islower())):
                cased = plain if word or len(plain) <= CASED_LENGTH else None
                self._by_pattern.setdefault(plain.casefold(), []).append((index, cased))
        self._patterns = list(self._by_pattern)

    def hits(self, text: str) -> Iterator[tuple[int, int, int]]:
        if not self._patterns:
            return iter(())
        # The cheapest automaton to build: a page is short, and read once.
        automaton = AhoCorasick(self._patterns, implementation=Implementation.NoncontiguousNFA)
        return iter(automaton.find_matches_as_indexes(text, overlapping=True))

    def surfaces(self, pattern: int, found: str) -> Iterator[int]:
        for index, cased in self._by_pattern[self._patterns[pattern]]:
            if cased is None or cased == found:
                yield index


def tidy(text: str) -> str:
    """Normal form C, white space collapsed."""
    # Of the characters that are white space only the plain one is printable.
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    return " ".join(unicodedata.normalize("NFC", text).split())


# A few names (countries, cities) are sought on very many pages.
@lru_cache(maxsize=65536)
def plain_surface(surface: str) -> str:
    """A surface as it is compared before case folding; "" if it may never match."""
    plain = tidy(surface).translate(_SAME).strip()
    if any(map(str.isalpha, plain)):
        return plain
    digits = sum(map(str.isdigit, plain))
    return "" if 0 < digits < MIN_DIGITS else plain


def is_whole(text: str, start: int, end: int) -> bool:
    """Whether the span of a folded text is a sequence of whole tokens."""
    return _opens(text, start) and _closes(text, end)


def _opens(text: str, start: int) -> bool:
    if start == 0:
        return True
    first, before = text[start], text[start - 1]
    if _is_word(before) or (before == first and not _is_word(first)):
        return False
    if start == 1:
        return True
    if before == "'":
        return not (_is_word(first) and _is_word(text[start - 2]))
    return not (before in ".," and first.isdigit() and text[start - 2].isdigit())


def _closes(text: str, end: int) -> bool:
    if end == len(text):
        return True
    last, after = text[end - 1], text[end]
    if _is_word(after) or (after == last and not _is_word(last) and not _ends_sentence(text, end)):
        return False
    following = text[end + 1 : end + 3]
    if not following:
        return True
    if after == "'":
        possessive = following[0] == "s" and not _is_word(following[1:])
        return possessive or not (_is_word(last) and _is_word(following[0]))
    return not (after in ".," and last.isdigit() and following[0].isdigit())


def _ends_sentence(text: str, at: int) -> bool:
    """Whether the full stop there is a sentence's own: the second of two, and no third of an ellipsis."""
    return text[at] == "." and text[at + 1 : at + 2] in ("", " ", _BREAK) and text[at - 2 : at - 1] != "."


def _is_word(char: str) -> bool:
    return char.isalnum() or (char > "\u02ff" and unicodedata.category(char)[0] == "M")


def _positions(plain: str) -> dict[int, int]:
    """Position in the folded text -> position in the text, at the borders of its characters."""
    ends = accumulate((len(char.casefold()) for char in plain), initial=0)
    return {folded: index for index, folded in enumerate(ends)}
