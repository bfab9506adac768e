"""Days, months and years in ISO 8601 and EDTF, each checked against the calendar.

Years are astronomical: 1 BC is 0, 44 BC is -43. A missing part stays missing.
"""

from __future__ import annotations

import re
from calendar import isleap, weekday
from dataclasses import dataclass

# The Gregorian calendar's first whole year; before it a weekday tells nothing about the written date.
GREGORIAN = 1583
# Some countries kept the Julian calendar until then, and a weekday may be of either.
JULIAN_UNTIL = 1924
_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_YEAR = r"(?:-?\d{4}|Y-?\d{5,9})"
_DAY = rf"{_YEAR}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?"
_SPAN = rf"{_DAY}|\d{{3}}X|-?\d{{2}}XX|-?\dXXX|\d{{4}}-(?:2[1-4]|3[3-6])"
_UNDATED = r"XXXX-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?"
EDTF = re.compile(rf"(?:{_SPAN})~?(?:/(?:{_SPAN})~?)?|{_UNDATED}")
_TIME = r"T(?:[01]\d|2[0-3])(?::[0-5]\d(?::[0-5]\d)?)?"
CLOCK = re.compile(rf"{_TIME}(?:/{_TIME})?")
_PARTS = re.compile(rf"({_YEAR})(?:-(\d\d)(?:-(\d\d))?)?")


class ImpossibleDateError(ValueError):
    """A date that the calendar does not have; the message is the refusal's reason."""


@dataclass(frozen=True, slots=True, order=True)
class Day:
    """A date at the precision that is there; `year` is None where none is given."""

    year: int | None
    month: int | None = None
    day: int | None = None

    def text(self) -> str:
        """ISO 8601 at the date's precision; XXXX for a year that is not given.

        Raises ImpossibleDateError where the calendar has no such day.
        """
        self._check()
        parts = [year_text(self.year) if self.year is not None else "XXXX"]
        parts += [f"{part:02}" for part in (self.month, self.day) if part is not None]
        return "-".join(parts)

    def _check(self) -> None:
        if self.month is not None and self.year is not None and abs(self.year) > 9999:
            # The format knows longer years by themselves only.
            raise ImpossibleDateError("impossible_date")
        if self.month is not None and not 1 <= self.month <= 12:
            raise ImpossibleDateError("impossible_date")
        if self.day is not None and not 1 <= self.day <= days_of(self.year, self.month or 1):
            raise ImpossibleDateError("impossible_date")

    def falls_on(self, wanted: int) -> bool:
        """Whether the date can be on a weekday (0 is Monday).

        Raises ImpossibleDateError where the calendar has no such day.
        """
        self._check()
        if self.year is None or self.month is None or self.day is None or not GREGORIAN <= self.year <= 9999:
            return True
        here = weekday(self.year, self.month, self.day)
        if self.year < JULIAN_UNTIL and (here + _julian_lag(self.year, self.month)) % 7 == wanted:
            return True
        return here == wanted


def _julian_lag(year: int, month: int) -> int:
    """How many days later a Julian date of the same name falls: 13 from March 1900 on."""
    turned = year if month > 2 else year - 1
    return turned // 100 - turned // 400 - 2


def days_of(year: int | None, month: int) -> int:
    """Days of a month: of the Julian calendar before 1583; with February 29 where the year is not known."""
    if month != 2:
        return _LENGTHS[month - 1]
    leaps = year is None or isleap(year) or (year < GREGORIAN and year % 4 == 0)
    return 29 if leaps else 28


def year_text(year: int) -> str:
    """Four digits; a longer year has the prefix Y."""
    sign, digits = "-" if year < 0 else "", f"{abs(year):04}"
    return f"{sign}{digits}" if len(digits) == 4 else f"Y{sign}{digits}"


def before_christ(year: int) -> int:
    """The astronomical number of a year BC.

    Raises ImpossibleDateError for a year 0, which neither era has.
    """
    if year == 0:
        raise ImpossibleDateError("no_year_zero")
    return 1 - year


def decade(first: int) -> str:
    """first: the decade's first year, 1990 for the 1990s."""
    return f"{first // 10:03}X"


def decade_before_christ(first: int) -> str:
    """The 40s BC are the years 49 to 40 BC, which X cannot say; the first decade has no year 0."""
    return f"{year_text(-first - 8)}/{year_text(1 - max(first, 1))}"


def century(number: int, before: bool, blanks: int = 2) -> str:
    """The n-th century, or with three blanks the n-th millennium.

    Raises ImpossibleDateError for the 0th, and for one of more than four digits.
    """
    if not number or number > 10 ** (4 - blanks):
        raise ImpossibleDateError("impossible_date" if number else "no_year_zero")
    return f"{'-' if before else ''}{number - 1:0{4 - blanks}}{'X' * blanks}"


def is_formatted(text: str) -> bool:
    """Is the text in the format that this module writes, with days that exist?"""
    if CLOCK.fullmatch(text):
        return True
    if not EDTF.fullmatch(text):
        return False
    try:
        for part in text.replace("~", "").split("/"):
            _check(part)
    except ImpossibleDateError:
        return False
    return True


def _check(part: str) -> None:
    if part.startswith("XXXX"):
        Day(None, int(part[5:7]), int(part[8:]) if part[8:] else None).text()
    elif found := _PARTS.fullmatch(part):
        year, month, day = found.groups()
        if day:
            Day(int(year.removeprefix("Y")), int(month), int(day)).text()
