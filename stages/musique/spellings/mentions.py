"""Whether a text mentions an answer, in whatever spelling or under whatever name.

It does where the answer's words stand in it one after the other, with marks as gaps
("U.S." is two words) or with marks left out ("us"), with accents or without, in the plural or not; and where
other spellings of a value (`stages.musique.spellings.values`) or other names of a thing
(`stages.musique.spellings.other_names`) do. Rather once too often than too seldom: a context that must not hold an
answer shall not hold it in any spelling.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from stages.core.overlay import remembered
from stages.core.short_answers import normalise
from stages.musique.single_hops.forms import bare, form
from stages.musique.spellings.other_names import beginning, cased_names, other_names
from stages.musique.spellings.values import other_spellings
from stages.wikipedia.title_lookup import fold

# Between words that are looked for as they are written, capitals included.
_CASED = "\t"
_WORD = re.compile(r"[^\W_]+")
_SHORTEST_PLURAL = 3
_HISSES = ("s", "x", "z", "ch", "sh", "o")


@remembered(1 << 14)
def _forms_of(spelling: str) -> frozenset[str]:
    spelt = {spelling, *other_spellings(spelling)}
    named = set(other_names(spelling))
    cased = {*cased_names(spelling), *(name for name in named if _is_cased(name))}
    plain = {variant for text in spelt | (named - cased) for variant in _plain(text)}
    found = plain | {other for variant in plain for other in _numbers(variant)}
    found |= {f"{_CASED}{_letters(word)}{_CASED}" for word in cased}
    if stem := beginning(spelling):
        found.add(f"{_CASED}{stem}")
    return frozenset(variant for variant in found if variant.strip())


def forms(answers: Iterable[str]) -> tuple[str, ...]:
    """What to look for, for all spellings of an answer."""
    return tuple(sorted({variant for answer in answers for variant in _forms_of(answer)}))


# A paragraph is shown with many questions.
@lru_cache(maxsize=8192)
def searchable(text: str) -> str:
    """A text in all its forms, between which nothing is found."""
    cased = _CASED.join(["", *_WORD.findall(_letters(text)), ""])
    lines = [form(text), f" {normalise(text)} "]
    if not text.isascii():
        plain = fold(text)
        lines += [form(plain), f" {normalise(plain)} "]
    return "\n".join([*lines, cased])


def mentions(text: str, answer: Iterable[str]) -> bool:
    """Whether a searchable text holds one of an answer's forms."""
    return any(variant in text for variant in answer)


def _plain(text: str) -> Iterator[str]:
    for spelt in (text, fold(text)):
        yield from (bare(form(spelt)), f" {normalise(spelt)} ")


def _numbers(variant: str) -> Iterator[str]:
    """The plural of its last word, and the singular."""
    word = variant.rstrip().rpartition(" ")[2]
    start = variant.rstrip()[: -len(word)] if word else ""
    if len(word) < _SHORTEST_PLURAL or not word.isalpha():
        return
    yield f"{start}{word}{'es' if word.endswith(_HISSES) else 's'} "
    if word.endswith("y"):
        yield f"{start}{word[:-1]}ies "
    if word.endswith("s") and len(word) > _SHORTEST_PLURAL and not word.endswith("ss"):
        yield f"{start}{word[:-1]} "
        yield from (f"{start}{word[:-3]}y ",) if word.endswith("ies") else ()


def _is_cased(name: str) -> bool:
    """Whether a name is one of capitals, such as "US", which "us" does not spell."""
    letters = _letters(name)
    return letters.isalnum() and letters.isupper() and len(letters) <= 5


def _letters(text: str) -> str:
    """The text with points left out, so that "U.S." is the word "US"."""
    return text.replace(".", "")
