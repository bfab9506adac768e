"""The matching rule of `stages.facts.matching` once more, as plain as can be: a regular expression per surface.

Quadratic and slow: an oracle for equality, and the baseline of the benchmark.
"""

from __future__ import annotations

import re
import unicodedata

# A letter, digit or mark that cannot stand beside a match.
_WORD = r"(?:[^\W_]|[\u0300-\u036f])"
_READ_AS = {"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u00b4": "'", "`": "'"} | dict.fromkeys(
    "-\u2010\u2011\u2012\u2013", " "
)


def normal(text: str) -> str:
    tidy = " ".join(unicodedata.normalize("NFC", text).split())
    return "".join(_READ_AS.get(char, char) for char in tidy)


def pattern(surface: str) -> re.Pattern[str] | None:
    """What matches a surface in a text after `normal` (and after case folding, unless the surface is short)."""
    plain = normal(surface).strip()
    if not plain:
        return None
    if not any(char.isalpha() for char in plain) and 0 < sum(char.isdigit() for char in plain) < 3:
        return None
    folded = plain if len(plain) <= 3 else plain.casefold()
    return re.compile(_before(folded[0]) + re.escape(folded) + _after(folded[-1]))


def _before(first: str) -> str:
    rule = rf"(?<!{_WORD})"
    if first.isdigit():
        rule += r"(?<!\d[.,])"
    if re.fullmatch(_WORD, first):
        return rule + rf"(?<!{_WORD}')"
    return rule + f"(?<!{re.escape(first)})"


def _after(last: str) -> str:
    rule = rf"(?!{_WORD})"
    if last.isdigit():
        rule += r"(?![.,]\d)"
    if re.fullmatch(_WORD, last):
        return rule + rf"(?:(?!'{_WORD})|(?='[sS](?!{_WORD})))"
    if last == ".":
        # One more full stop is the end of the sentence, two more are an ellipsis.
        return rule + r"(?:(?!\.)|(?<!\.\.)(?=\.(?: |$)))"
    return rule + f"(?!{re.escape(last)})"


def mentions(sentences: list[str], surfaces: list[str]) -> set[tuple[int, int]]:
    """(surface, sentence) of every match."""
    cased = [normal(sentence) for sentence in sentences]
    folded = [text.casefold() for text in cased]
    found = set()
    for index, surface in enumerate(surfaces):
        compiled = pattern(surface)
        if compiled is not None:
            short = len(normal(surface).strip()) <= 3
            found |= {(index, at) for at, text in enumerate(cased if short else folded) if compiled.search(text)}
    return found
