"""Numbers in words, by text2num where it is right.

text2num alone also takes scales in the wrong order ("three thousand four million") and
glued words; only runs of known words with falling scales reach it.
"""

from __future__ import annotations

import itertools
import re

from text_to_num import text2num  # type: ignore[import-untyped]

from stages.core.overlay import remembered
from stages.normalise.lexicon import lexicon

_LARGEST, _TRILLION = "trillion", 10**12
_SPLIT = re.compile(r"[ -]+")


@remembered(4096)
def cardinal(text: str) -> int | None:
    """The whole number that lower-case words say; None where they say none."""
    words = [word for word in _SPLIT.split(text) if word]
    if not words or not all(word in _known() for word in words):
        return None
    if text in lexicon().numbers["zero"]:
        return 0
    if words[0] in ("a", "an"):
        words = ["one", *words[1:]] if words[1:2] and words[1] in ("hundred", *_scales()) else []
    if len(words) > 1 and "zero" in words:
        return None
    if words[:1] and words[0] in _scales():
        words = ["one", *words]
    if not words or not _ands_right(words) or ("-" in text and not _hyphens_right(text)) or not _falling(words):
        return None
    return _value(words)


def _value(words: list[str]) -> int | None:
    if _LARGEST in words:
        # text2num ends with billions.
        cut = words.index(_LARGEST)
        above = _value(words[:cut]) if cut else 1
        rest = words[cut + 1 :]
        rest = rest[1:] if rest[:1] == ["and"] else rest
        below = _value(rest) if rest else 0
        return None if above is None or below is None else above * _TRILLION + below
    try:
        return int(text2num(" ".join(words), "en"))
    except ValueError:
        return None


@remembered(4096)
def ordinal_number(text: str) -> int | None:
    """The number of a lower-case ordinal in words ("twenty-first")."""
    cut = max(text.rfind(" "), text.rfind("-")) + 1
    last = _ordinals().get(text[cut:])
    if last is None:
        return None
    number = cardinal(text[:cut] + last)
    # "one hundredth" is a place; "two thirds" and "one third" are parts, read elsewhere.
    return None if cut and number is not None and number < 20 else number


@remembered()
def run() -> re.Pattern[str]:
    """A run of number words from a place on."""
    known = sorted(_known() - {"a", "an", "and"}, key=len, reverse=True)
    word = "(?:" + "|".join(known) + ")(?![a-z])"
    return re.compile(rf"(?:an? )?{word}(?:(?:[ -]| and |, ){word})*")


@remembered()
def _scales() -> frozenset[str]:
    return frozenset(lexicon().numbers["scales"])


@remembered()
def _known() -> frozenset[str]:
    numbers = lexicon().numbers
    spelt = [*numbers["ones"], *filter(None, numbers["tens"]), *numbers["misspelt"], *numbers["scales"]]
    return frozenset([*spelt, *numbers["zero"], "hundred", "and", "a", "an"])


@remembered()
def _ordinals() -> dict[str, str]:
    numbers = lexicon().numbers
    special = numbers["ordinals"]
    table = {}
    for word in [*numbers["ones"][1:], *filter(None, numbers["tens"]), *numbers["scales"], "hundred"]:
        table[special.get(word) or (word[:-1] + "ieth" if word.endswith("y") else word + "th")] = word
    return table


def _ands_right(words: list[str]) -> bool:
    """Whether each "and" stands behind a hundred or a scale and before less: "thirty and six" are two numbers."""
    above = {"hundred", *_scales()}
    places = [place for place, word in enumerate(words) if word == "and"]
    return all(
        place and words[place - 1] in above and words[place + 1 : place + 2] and words[place + 1] not in (*above, "and")
        for place in places
    )


def _falling(words: list[str]) -> bool:
    """Scales fall from left to right; "thousand million" is the one pair that rises."""
    powers = lexicon().numbers["scales"]
    found = [(place, powers[word]) for place, word in enumerate(words) if word in powers]
    return all(
        high > low or ((high, low) == (3, 6) and second == first + 1)
        for (first, high), (second, low) in itertools.pairwise(found)
    )


def _hyphens_right(text: str) -> bool:
    """A hyphen joins tens and ones, or a count and its hundred: "three-four" is no number."""
    tens, ones = lexicon().numbers["tens"][2:], lexicon().numbers["ones"]
    joined = [pair for word in text.split(" ") for pair in zip(word.split("-"), word.split("-")[1:], strict=False)]
    return all(
        (first in (*tens, *lexicon().numbers["misspelt"]) and second in ones[1:10])
        or second in ("hundred", "and", *_scales())
        or first in ("hundred", "and", *_scales())
        for first, second in joined
    )
