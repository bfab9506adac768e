"""Other spellings of numbers, amounts, dates and spans of time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from stages.core.english import MONTHS, SHORT_MONTHS, ordinal, span_names
from stages.core.overlay import remembered
from stages.normalise import Kind, normalise
from stages.normalise.number_words import cardinal
from stages.normalise.spelling import grouped, ordinal_words, words

_DAY = re.compile(r"(-?\d{4})-(\d{2})-(\d{2})")
_MONTH = re.compile(r"(\d{4})-(\d{2})")
_YEARS = re.compile(r"(\d{4})/(\d{4})")
_FIGURES, _WORDS = r"(?<![\w.,])(?:\d{1,3}(?:,\d{3})+|\d+)(?![\w]|[.,]\d)", r"(?<![\w-])[a-z]+(?:-[a-z]+)?(?![\w-])"
_NUMBER = re.compile(f"{_FIGURES}|{_WORDS}", re.IGNORECASE)
_YEAR = re.compile(r"1\d{3}|20\d{2}")
_LARGE = (("trillion", 10**12), ("billion", 10**9), ("million", 10**6))
_DIGITS = re.compile(r"\d+")
# Long answers are sentences; nobody looks for them in other words.
_LONGEST = 60


@remembered(1 << 14)
def other_spellings(text: str) -> tuple[str, ...]:
    """Of a value, or of an answer with numbers in it; none of others. Marks between words do not matter."""
    if len(text) > _LONGEST:
        return ()
    found = normalise(text)
    spelt: set[str] = set()
    if found.kind is Kind.DATE and found.value:
        spelt.update(_dates(found.value))
        return tuple(sorted(spelt - {text}))
    spelt.update(other for number in _numbers(text) for other in number)
    if found.kind is not Kind.SPAN:
        spelt.update(form.text for form in found.forms if form.rule != "without_unit")
        spelt.update(_large(found.forms[0].text) if found.forms else ())
    return tuple(sorted(spelt - {text}))


def _dates(value: str) -> Iterator[str]:
    yield from span_names(value)
    if match := _DAY.fullmatch(value):
        yield from _days(match[1], int(match[2]), int(match[3]))
    elif match := _MONTH.fullmatch(value):
        if 1 <= int(match[2]) <= len(MONTHS):
            yield from (f"{month} {of}{match[1]}" for month in _months(int(match[2])) for of in ("", "of "))
    elif match := _YEARS.fullmatch(value):
        first, last = match.groups()
        yield from (f"{first} {between}{last}" for between in ("", "to ", "until ", "till ", "and ", "through "))
        if first[:2] == last[:2]:
            yield f"{first} {last[2:]}"


def _days(year: str, month: int, day: int) -> Iterator[str]:
    """Without their year as well: where a text tells it once, it need not tell it again."""
    yield from (f"{year} {month:02} {day:02}", f"{day} {month} {year}", f"{month} {day} {year}")
    for name in _months(month):
        for number in (str(day), ordinal(day), ordinal_words(day) or ""):
            yield from (f"{number} {name}", f"{number} of {name}", f"{name} {number}", f"{name} the {number}")


def _months(month: int) -> tuple[str, str]:
    return MONTHS[month - 1], SHORT_MONTHS[month - 1]


def _numbers(text: str) -> Iterator[list[str]]:
    """The text with each of its whole numbers, besides years, in words, in figures, and with separators."""
    for match in _NUMBER.finditer(text):
        number = _whole(match[0])
        if number is not None:
            value = Fraction(number)
            others = [str(number), grouped(value), words(value)]
            yield [text[: match.start()] + other + text[match.end() :] for other in others if other]


def _whole(token: str) -> int | None:
    if _YEAR.fullmatch(token):
        return None
    digits = token.replace(",", "")
    return int(digits) if digits.isdecimal() else cardinal(token.casefold())


def _large(value: str) -> Iterator[str]:
    """ "4 million" of "4000000"."""
    digits = _DIGITS.search(value)
    number = int(digits[0]) if digits else 0
    for name, size in _LARGE:
        if number >= size and number * 10 % size == 0:
            amount = f"{number / size:g}"
            yield f"{amount} {name}"
            if amount.isdecimal() and (spelt := words(Fraction(int(amount)))):
                yield f"{spelt} {name}"
    if number >= 10**4:
        yield from (str(number), grouped(Fraction(number)) or str(number))
