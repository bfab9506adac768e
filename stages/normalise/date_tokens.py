"""A text as a string of date tokens, one letter each, or nothing where a word belongs to no date.

m month, w weekday, s season, y year, n one- or two-digit number, k other number, o ordinal,
x ordinal with a wrong ending, D decade, d decade without its century, q year of two digits,
C century, L millennium, Q quarter, H half, E before our era, A in our era, Y the word "year",
Z circa, G near, P part of a period, O open end, U until, R relative word, r the same beside others,
N number word, u unit of time, T to, - dash, & and, B between, F from.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from stages.core.overlay import remembered
from stages.core.steps import Steps
from stages.normalise import roman
from stages.normalise.calendar import before_christ
from stages.normalise.lexicon import lexicon
from stages.normalise.spelling import ordinal, ordinal_words

_TOKEN = re.compile(
    r"(?P<grouped>\d{1,3}(?:,\d{3})+)(?![\d,])|(?P<decade>\d+0'?s)(?![a-z])|(?P<ordinal>\d+(?:st|nd|rd|th))(?![a-z])"
    r"|(?P<number>\d+)|'(?P<short>\d\d)(?!\d)(?P<plural>'?s)?|(?P<word>q[1-4](?!\d)|[a-z](?:\.[a-z])+(?![a-z])|[a-z]+)|(?P<mark>\S)"
)
_ROMAN_CENTURY = re.compile(r"([ivx]{1,5})(?=(?: |-)centur)")
_MARKS = {"–": "-", "-": "-", "&": "&", "~": "Z"}
_SILENT = frozenset(",.")
_SILENT_WORDS = frozenset({"the", "of"})
_DANGLING = tuple(f" {word}" for word in sorted(_SILENT_WORDS))
# "16-Jul-2020", "2020/Jul/16".
_DASHED = re.compile(r"(?<![\w-])(\d{1,4}|[a-z]+)([-/])([a-z]+|\d{1,2})\2(\d{1,4})(?![\w-])")
# The years of our era before 1000 are told by day and month beside them: "4 September 476".
_EARLY = re.compile("(?:[no]m|m[no](?:[-T&](?:m?[no]))?)(k)")
_EARLIEST, _EARLY_END = 100, 1000
# These may only begin a date: "in the month of July".
_BEFORE = re.compile(r"(?:(?:in|on|during|at) )?(?:the )?(?:months? of )?")


@dataclass(frozen=True, slots=True)
class Tokens:
    """letters: one per token; values: its number.

    grouped: a number has thousands separators; marked: a year has its era or the word "year" beside it.
    """

    letters: str
    values: tuple[int, ...]
    grouped: bool = False
    marked: bool = False

    def value(self, letter: str) -> int:
        """Of the first token with a letter."""
        return self.values[self.letters.index(letter)]

    def cut(self, start: int, end: int | None = None) -> Tokens:
        return Tokens(self.letters[start:end], self.values[start:end], self.grouped, self.marked)


def tokens(lower: str) -> Tokens | None:
    """The tokens of a lower-case text; None where it holds a word of no date."""
    if lower.endswith(_DANGLING) or lower.startswith("of "):
        return None
    text = _spelt_ordinals(_BEFORE.sub("", lower, count=1))
    text = _DASHED.sub(lambda found: f"{found[1]} {found[3]} {found[4]}" if _has_month(found) else found[0], text)
    if "centur" in text:
        text = _ROMAN_CENTURY.sub(lambda found: ordinal(roman.value(found[1].upper())), text)
    letters, values, grouped = [], [], False
    for found in _TOKEN.finditer(text):
        token = _token(found.lastgroup or "", found)
        if token is None:
            return None
        grouped = grouped or found["grouped"] is not None
        if token[0]:
            letters.append(token[0])
            values.append(token[1])
    return Tokens("".join(letters), tuple(values), grouped)


def with_years(found: Tokens) -> Tokens:
    """The tokens with each year and its era as one year.

    Raises ImpossibleDateError for a year 0.
    """
    letters, values, place, marked = [], [], 0, False
    steps = Steps(found.letters)
    while place < len(found.letters) and steps.on():
        here, taken = found.letters[place : place + 2], 1
        letter, value = here[0], found.values[place]
        if here[1:] == "E" and letter in "nky":
            letter, value, taken = "y", before_christ(value), 2
        elif here[1:] == "A" and letter in "nky":
            letter, value, taken = "y", _ours(value), 2
        elif letter in "AY" and here[1:] and here[1] in "nky":
            # "AD 79", "the year 536"; the year 44 BC has its era behind it.
            if letter == "Y" and found.letters[place + 2 : place + 3] in ("E", "A"):
                place += 1
                continue
            letter, value, taken = "y", _ours(found.values[place + 1]), 2
        letters.append(letter)
        values.append(value)
        place, marked = place + taken, marked or taken > 1
    return Tokens(_early("".join(letters), values), tuple(values), found.grouped, marked)


def _early(letters: str, values: Sequence[int]) -> str:
    """The letters with each number of three digits behind a day and month as a year."""
    places = {found.start(1) for found in _EARLY.finditer(letters)}
    years = {place for place in places if _EARLIEST <= values[place] < _EARLY_END}
    return "".join("y" if place in years else letter for place, letter in enumerate(letters))


def _has_month(found: re.Match[str]) -> bool:
    return sum(_words().get(found[part], ("",))[0] == "m" for part in (1, 3)) == 1


def _ours(year: int) -> int:
    before_christ(year)
    return year


def _token(group: str, found: re.Match[str]) -> tuple[str, int] | None:
    text = found[0]
    if group in ("number", "grouped"):
        value = int(text.replace(",", ""))
        return ("n" if len(text) <= 2 else "y" if _is_year(text) else "k"), value
    if group == "ordinal":
        number = int(text[:-2])
        return ("o" if ordinal(number) == text else "x"), number
    if group == "decade":
        value = int(text.rstrip("s").rstrip("'"))
        return ("D" if 1000 <= value <= 2100 else "d" if value < 100 else "?"), value
    if found["short"] is not None:
        return ("d" if found["plural"] else "q"), int(found["short"])
    if group == "mark":
        return ("", 0) if text in _SILENT else (_MARKS[text], 0) if text in _MARKS else None
    return _words().get(text.replace(".", ""))


def _is_year(digits: str) -> bool:
    return len(digits) == 4 and "1000" <= digits <= "2100"


def _spelt_ordinals(lower: str) -> str:
    pattern, numbers = _ordinal_words()
    return pattern.sub(lambda found: ordinal(numbers[found[0].replace(" ", "-")]), lower)


@remembered()
def _ordinal_words() -> tuple[re.Pattern[str], dict[str, int]]:
    numbers = {ordinal_words(number) or "": number for number in range(1, 41)}
    spelt = sorted(numbers, key=len, reverse=True)
    # "second" and "third" also begin other words, and a number word may stand before them.
    return re.compile(r"\b(?:" + "|".join(word.replace("-", "[ -]") for word in spelt) + r")\b"), numbers


@remembered()
def _words() -> dict[str, tuple[str, int]]:
    """Each word of a date with its letter and number."""
    dates, table = lexicon().dates, {}
    for letter, name, first in (("m", "months", 1), ("w", "weekdays", 0)):
        for number, spellings in enumerate(dates[name], first):
            table.update(dict.fromkeys(spellings, (letter, number)))
    for code, spellings in dates["seasons"].items():
        table.update(dict.fromkeys(spellings, ("s", code)))
    for letter, name in (
        ("Z", "circa"),
        ("G", "near"),
        ("P", "parts"),
        ("O", "open"),
        ("R", "relative"),
        ("r", "relative_with_more"),
    ):
        table.update({word: (letter, 0) for word in dates[name] if " " not in word})
    table.update({word: ("d", value) for word, value in dates["decades"].items()})
    table.update({word: ("E", 0) for word in dates["eras"]["before"] if " " not in word})
    table.update({word: ("A", 0) for word in dates["eras"]["after"] if " " not in word})
    fixed = {"century": "C", "centuries": "C", "millennium": "L", "quarter": "Q", "half": "H", "year": "Y"}
    fixed |= {
        "years": "Y",
        "between": "B",
        "from": "F",
        "to": "T",
        "through": "T",
        "and": "&",
        "until": "U",
        "till": "U",
    }
    fixed |= {"day": "u", "days": "u", "week": "u", "weeks": "u", "decade": "u", "decades": "u"}
    table.update({word: (letter, 0) for word, letter in fixed.items()})
    table.update(dict.fromkeys(_SILENT_WORDS, ("", 0)))
    numbers = lexicon().numbers
    spelt = [*numbers["ones"][1:], *filter(None, numbers["tens"]), "hundred", "thousand"]
    table.update(dict.fromkeys(spelt, ("N", 0)))
    table.update({f"q{number}": ("Q", number) for number in range(1, 5)})
    return table


@remembered()
def vocabulary() -> frozenset[str]:
    """All words that dates consist of, besides ordinals."""
    return frozenset([*_words(), "in", "on", "at", "during"])
