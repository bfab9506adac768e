"""Dates in digits alone: the formats themselves, days between strokes or points, times of day."""

from __future__ import annotations

import re

from stages.normalise import evidence
from stages.normalise.calendar import CLOCK, EDTF, Day, ImpossibleDateError, is_formatted
from stages.normalise.lexicon import lexicon
from stages.normalise.model import AnswerForm, AnswerPassage, Kind, Read, Reading, Undecidable

_YEAR_FIRST = re.compile(r"(\d{4})([/.-])(\d{1,2})\2(\d{1,2})")
_YEAR_LAST = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})")
_MONTH_YEAR = re.compile(r"(0?[1-9]|1[0-2])/([12]\d{3})")
_TWELVE = re.compile(r"(\d{1,2})(?:[:.](\d{2}))?(?::(\d{2}))? ?([ap])\.? ?m\.?")
_TWELVE_RANGE = re.compile(
    r"(?:(?:from|between) )?(\d{1,2}(?:[:.]\d{2})?)(?: ?([ap])\.? ?m\.?)?(?: ?[–-] ?| to | and )"
    r"(\d{1,2}(?:[:.]\d{2})? ?[ap]\.? ?m\.?)"
)
_NAMED = re.compile(r"(?:at |12 )?(noon|midday|midnight)")
_TWENTY_FOUR = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?")
# A year alone or with a month is read with the words of dates, where the passage may say otherwise.
_PLAIN_YEAR = re.compile(r"[1-9]\d{3}(?:-\d\d)?|\d{1,3}")


def read_digits(text: str, lower: str, passage: AnswerPassage | None, certain: bool = False) -> Reading:
    """A date or time of day in digits; None where the text is neither.

    certain: the text is known to be a date, so that "2011-12" is the format's month.
    """
    if (EDTF.fullmatch(text) or CLOCK.fullmatch(text)) and (certain or not _PLAIN_YEAR.fullmatch(text)):
        return _formatted(text)
    if found := _YEAR_FIRST.fullmatch(lower):
        return _day(Day(int(found[1]), int(found[3]), int(found[4])))
    if found := _YEAR_LAST.fullmatch(lower):
        return _year_last(found, passage)
    if found := _MONTH_YEAR.fullmatch(lower):
        return _month_of_year(found, passage)
    if found := _TWELVE.fullmatch(lower):
        return _twelve_hours(found)
    if found := _TWELVE_RANGE.fullmatch(lower):
        return _hours(found)
    if found := _NAMED.fullmatch(lower):
        return _named(text, found, passage)
    if found := _TWENTY_FOUR.fullmatch(lower):
        return _twenty_four_hours(found, passage)
    return None


def _formatted(text: str) -> Reading:
    return _read(text, "as_formatted") if is_formatted(text) else Undecidable(Kind.DATE, "impossible_date")


def _read(text: str, rule: str) -> Read:
    return Read(Kind.DATE, (AnswerForm(text, rule),))


def _day(day: Day, rule: str = "date_in_digits") -> Reading:
    try:
        return _read(day.text(), rule)
    except ImpossibleDateError as error:
        return Undecidable(Kind.DATE, str(error))


def _year_last(found: re.Match[str], passage: AnswerPassage | None) -> Reading:
    first, second = int(found[1]), int(found[3])
    if len(found[4]) == 2:
        return Undecidable(Kind.DATE, "two_digit_year") if max(first, second) <= 31 and first and second else None
    year = int(found[4])
    if first == second:
        return _day(Day(year, first, second))
    orders = [Day(year, month, day) for month, day in ((first, second), (second, first)) if 1 <= month <= 12]
    if len(orders) < 2:
        return _day(orders[0]) if orders else Undecidable(Kind.DATE, "impossible_date")
    settled = [day for day in orders if _in_passage(day, passage)]
    return _day(settled[0], "order_of_passage") if len(settled) == 1 else Undecidable(Kind.DATE, "day_or_month")


def _month_of_year(found: re.Match[str], passage: AnswerPassage | None) -> Reading:
    """ "12/2020"; but "1/2000" is a fraction too, unless the passage names the month."""
    month, year = int(found[1]), int(found[2])
    name = lexicon().dates["months"][month - 1][0]
    doubtful = found[1][0] != "0" and year % 100 == 0
    if doubtful and not evidence.mentions(passage, f"{name} {year}"):
        return None
    return _day(Day(year, month), "month_in_digits")


def _in_passage(day: Day, passage: AnswerPassage | None) -> bool:
    name = lexicon().dates["months"][(day.month or 1) - 1][0]
    forms = (f"{name} {day.day}, {day.year}", f"{name} {day.day} {day.year}", f"{day.day} {name} {day.year}")
    return any(evidence.mentions(passage, form) for form in forms)


def _twelve_hours(found: re.Match[str]) -> Reading:
    hour = int(found[1])
    if not 1 <= hour <= 12 or any(part is not None and int(part) > 59 for part in (found[2], found[3])):
        return Undecidable(Kind.DATE, "impossible_date")
    return _clock(hour % 12 + (12 if found[4] == "p" else 0), found[2], found[3])


def _hours(found: re.Match[str]) -> Reading:
    """ "7-10 pm": the first hour is of the half of the day that it names, else of the second one's."""
    if " and " in found[0] and not found[0].startswith("between "):
        return Undecidable(Kind.DATE, "several_dates")
    half = found[2] or re.findall(r"[ap]", found[3])[0]
    ends = [_TWELVE.fullmatch(text) for text in (f"{found[1]} {half}m", found[3])]
    readings = [_twelve_hours(end) for end in ends if end is not None]
    times = [reading.forms[0].text for reading in readings if isinstance(reading, Read)]
    if len(times) < 2:
        return Undecidable(Kind.DATE, "impossible_date")
    if found[2] is None and times[0] >= times[1]:
        return Undecidable(Kind.DATE, "not_ascending")
    return _read("/".join(times), "interval")


def _named(text: str, found: re.Match[str], passage: AnswerPassage | None) -> Reading:
    """ "noon"; with capitals it is as often a name, unless the passage has it as a time."""
    times = (f"{word} {found[1]}" for word in lexicon().dates["before_times"])
    if not text.islower() and not any(evidence.mentions(passage, time) for time in times):
        return Undecidable(Kind.DATE, "may_be_a_name")
    return _read("T00" if found[1] == "midnight" else "T12", "time_of_day")


def _twenty_four_hours(found: re.Match[str], passage: AnswerPassage | None) -> Reading:
    written = found[0]
    phrases = [f"{word} {written}" for word in lexicon().dates["before_times"]]
    phrases += [f"{written} {word}" for word in lexicon().dates["behind_times"]]
    if not any(evidence.mentions(passage, phrase) for phrase in phrases):
        return Undecidable(Kind.DATE, "clock_or_ratio")
    return _clock(int(found[1]), found[2], found[3])


def _clock(hour: int, *rest: str | None) -> Read:
    return _read(":".join([f"T{hour:02}", *(part for part in rest if part is not None)]), "time_of_day")
