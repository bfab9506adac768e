"""Intervals between two dates, each end at the precision that is written."""

from __future__ import annotations

import re
from dataclasses import replace

from stages.normalise import evidence
from stages.normalise.calendar import Day, before_christ, century, decade, year_text
from stages.normalise.date_tokens import Tokens
from stages.normalise.lexicon import lexicon
from stages.normalise.model import AnswerForm, AnswerPassage, Kind, Read, Reading, Undecidable

_SHAPE = re.compile(r"(?:B(?P<low>[^&]+)&(?P<high>[^&]+)|F?(?P<left>[^-TU]+)[-TU](?P<right>[^-TU]+))")
_END = re.compile(r"[no]?m?[no]?y?|y|k")
_CENTURIES = re.compile(r"(?:F?o(?:-?C([AE]?))?[-T]|Bo(?:-?C([AE]?))?&)o-?C([AE]?)")
_ONE_DIGIT = re.compile(r"(?<!\d)\d\D*$")
_YEAR_MONTH = re.compile(r"(\d{4})-(0[1-9]|1[0-2])")


def read_range(found: Tokens, lower: str, passage: AnswerPassage | None) -> Reading:
    """An interval; None where the tokens are none."""
    if centuries := _CENTURIES.fullmatch(found.letters):
        return _hundreds(centuries, found)
    shape = _SHAPE.fullmatch(found.letters)
    if shape is None:
        return None
    names = ("low", "high") if shape["low"] else ("left", "right")
    low, high = (_without_word(found.cut(*shape.span(name))) for name in names)
    if low.letters == high.letters == "D":
        return _decades(low.values[0], high.values[0])
    if not (_END.fullmatch(low.letters) and _END.fullmatch(high.letters)):
        return None
    if high.letters == "n" and low.letters == "y":
        return _short_range(low.values[0], high.values[0], lower, passage)
    if low.letters in ("k", "n") and high.letters == "y" and found.marked:
        low = Tokens("y", (_era_of(high.values[0], low.values[0]),))
    if high.letters == "k" and low.letters == "y" and found.marked and low.values[0] > 0:
        high = Tokens("y", high.values)
    return None if "k" in low.letters + high.letters else _between(_end(low), _end(high))


def _era_of(year: int, number: int) -> int:
    """A year in the era of another."""
    return before_christ(number) if year <= 0 else number


def _without_word(end: Tokens) -> Tokens:
    """ "between the years 1985": the word adds nothing."""
    return end.cut(1) if end.letters[:1] == "Y" else end


def _decades(first: int, last: int) -> Reading:
    if not (first % 100 and last % 100):
        return Undecidable(Kind.DATE, "decade_or_century")
    if first % 10 or last % 10 or first >= last:
        return None
    return _interval(decade(first), decade(last))


def _hundreds(shape: re.Match[str], found: Tokens) -> Reading:
    """ "16th-17th century", "5th to 4th century BC": the era of the last counts for both, unless the first has one."""
    first, last = (value for letter, value in zip(found.letters, found.values, strict=True) if letter == "o")
    eras = ((shape[1] or shape[2] or shape[3]) == "E", shape[3] == "E")
    places = [-number if before else number for number, before in zip((first, last), eras, strict=True)]
    if places[0] >= places[1]:
        return Undecidable(Kind.DATE, "not_ascending")
    ends = century(first, eras[0]), century(last, eras[1])
    # The format has no blanks in the years before its own in an interval, so that their outermost years stand there.
    low = year_text(1 - 100 * first) if eras[0] else ends[0]
    return _interval(low, year_text(100 - 100 * last) if eras[1] else ends[1])


def _short_range(start: int, short: int, lower: str, passage: AnswerPassage | None) -> Reading:
    """ "1942-43"; with a hyphen and a number up to 12 it may as well be a month."""
    # "1961–2" continues the decade, "1961–62" the century; "AD 69–79" has both years in full.
    base = 10 if _ONE_DIGIT.search(lower) else 100
    end = start - start % base + short
    if found := _YEAR_MONTH.fullmatch(lower):
        month = lexicon().dates["months"][int(found[2]) - 1][0]
        as_month = any(evidence.mentions(passage, f"{month}{gap}{found[1]}") for gap in (" ", ", "))
        written = (f"{start}–{found[2]}", f"{start}–{end}", f"{start}/{found[2]}")
        as_range = any(evidence.mentions(passage, form) for form in written)
        if as_month == as_range and end > start:
            return Undecidable(Kind.DATE, "month_or_range")
        if as_month or end <= start:
            return Read(Kind.DATE, (AnswerForm(lower, "month"),))
    if not 0 < start <= 9999:
        return None
    if end <= start:
        return Undecidable(Kind.DATE, "not_ascending")
    return _interval(Day(start).text(), Day(end).text())


def _end(found: Tokens) -> Day:
    def value(letters: str) -> int | None:
        return next((found.value(letter) for letter in letters if letter in found.letters), None)

    return Day(value("y"), value("m"), value("no"))


def _between(low: Day, high: Day) -> Reading:
    """The ends complete each other: "10–12 May 1940", "May 10–12, 1940", "264–146 BC"."""
    if high.year is None and low.year is None:
        return Undecidable(Kind.DATE, "range_without_year") if low.month or high.month else None
    if high.year is None:
        return None
    if low.year is None:
        low = _completed(low, high)
    if high.month is None and low.month is not None and high.day is not None:
        high = replace(high, month=low.month)
    if (low.month is None) != (high.month is None) and (low.day or high.day):
        return None
    if low.day and low.month is None:
        return None
    if not _ascending(low, high):
        return Undecidable(Kind.DATE, "not_ascending")
    return _interval(low.text(), high.text())


def _completed(low: Day, high: Day) -> Day:
    return Day(high.year, low.month or high.month, low.day)


def _ascending(low: Day, high: Day) -> bool:
    ends = [(end.year or 0, end.month or 0, end.day or 0) for end in (low, high)]
    depth = 3 if low.day and high.day else 2 if low.month and high.month else 1
    return ends[0][:depth] < ends[1][:depth]


def _interval(low: str, high: str) -> Read:
    return Read(Kind.DATE, (AnswerForm(f"{low}/{high}", "interval"),))


def years_of(day: Day, passage: AnswerPassage | None) -> set[str]:
    """The years that the passage puts behind a day or month."""
    if passage is None or day.month is None:
        return set()
    name = lexicon().dates["months"][day.month - 1][0]
    written = [name] if day.day is None else [f"{name} {day.day}", f"{day.day} {name}"]
    pieces = (
        passage.lower[at + len(text) : at + len(text) + 6] for text in written for at in evidence.places(passage, text)
    )
    return {found[1] for piece in pieces if (found := re.match(r",? (\d{4})(?!\d)", piece))}
