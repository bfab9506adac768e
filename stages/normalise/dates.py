"""Whole texts that are dates, as ISO 8601 and EDTF at the precision that is written.

The tokens of the text form a string of letters (`stages.normalise.date_tokens`), which the
readers of `stages.normalise.date_units` are named by. Nothing is filled in: what the text leaves open is
settled by the passage or refused.
"""

from __future__ import annotations

import re

from stages.normalise import date_ranges, evidence, usage
from stages.normalise.calendar import ImpossibleDateError
from stages.normalise.date_tokens import Tokens, tokens, with_years
from stages.normalise.date_units import DAYS, READERS, day_of, made
from stages.normalise.model import AnswerPassage, Kind, Read, Reading, Undecidable
from stages.normalise.number_words import cardinal

_DATED = re.compile(r"[mywsDdCLnokqxQ]")
_SHORT_YEAR = re.compile(r"(?:w?m?[no]?[no]?m?|s)q")
_SEASON_OVER_YEARS = re.compile(r"sy[-T][ny]")
_LIST = re.compile(r"n&nmy|mn&ny|(?=[on]*[yDmC])[moyDnC]++&[moyDnC]*|y{2,}|(?:y&?)+y|o&oC")
_RELATIVE = re.compile(r"R+|r+[wmsuYCQ]+|[Nno]+[uYC]+[rO]|[uY]+[rO]|[or]wm[ny]?|Rw?")
_PART_OF = re.compile(r"P-?|oH|H")
_BETWEEN_YEARS = re.compile(r"(y)([-T])Z?([yn])")
_SPOKEN = re.compile(r"NN(?:-?N)?")
_DIGITS = re.compile(r"\d")


def read_date(lower: str, passage: AnswerPassage | None, written: str = "") -> Reading:
    """A date, century, season or interval; Refused with the reason where one part cannot be told.

    lower: the whole text in lower case; written: the same as it was, for names in capitals.
    """
    found = tokens(lower)
    if found is None:
        return None
    if not _DATED.search(found.letters):
        return _without_digits(found, lower, written)
    try:
        return _read(with_years(found), passage, lower)
    except ImpossibleDateError as error:
        return Undecidable(Kind.DATE, str(error))


def _without_digits(found: Tokens, lower: str, written: str) -> Reading:
    if _RELATIVE.fullmatch(found.letters):
        return Undecidable(Kind.DATE, "relative_date")
    if _SPOKEN.fullmatch(found.letters):
        return _spoken_year(lower, written)
    return None


def _spoken_year(lower: str, written: str) -> Reading:
    """ "nineteen sixty-nine"; a novel is written with more capitals."""
    first, _, second = lower.partition(" ")
    hundreds, rest = cardinal(first), cardinal(second)
    if hundreds is None or rest is None or not (10 <= hundreds <= 20 and 10 <= rest <= 99):
        return None
    if any(mark.isupper() for mark in written[1:]):
        return Undecidable(Kind.DATE, "may_be_a_name")
    if hundreds <= 12 and rest < 60:
        return Undecidable(Kind.DATE, "year_or_clock")
    return made(str(hundreds * 100 + rest), "spoken_year")


def _read(found: Tokens, passage: AnswerPassage | None, lower: str) -> Reading:
    letters = found.letters
    if letters[:1] in ("Z", "G"):
        return _approximate(found, passage, lower)
    if _RELATIVE.fullmatch(letters):
        return Undecidable(Kind.DATE, "relative_date")
    if letters[:1] in ("O", "U") or letters[-1:] == "O":
        return Undecidable(Kind.DATE, "open_range") if re.search("[ymDC]", letters) else None
    if parts := _PART_OF.match(letters):
        return _part(found.cut(parts.end()))
    if letters[:1] == "w" and len(letters) > 1:
        return _on_weekday(found, passage, lower)
    reader = READERS.get(letters)
    if reader is not None:
        return reader(found, passage, lower)
    return _compound(found, passage, lower)


def _compound(found: Tokens, passage: AnswerPassage | None, lower: str) -> Reading:
    letters = found.letters
    if _SEASON_OVER_YEARS.fullmatch(letters):
        return Undecidable(Kind.DATE, "season_over_two_years")
    if _SHORT_YEAR.fullmatch(letters):
        return _short_year(found, passage, lower)
    interval = date_ranges.read_range(found, lower, passage)
    if interval is not None:
        return interval
    if _LIST.fullmatch(letters) and re.search("[yDC]", letters):
        return Undecidable(Kind.DATE, "several_dates")
    return None


def _part(rest: Tokens) -> Reading:
    """ "early 1961": a part that no format can say, and that the whole year would not be true to."""
    return Undecidable(Kind.DATE, "part_of_period") if re.search(r"[yDdCms]", rest.letters) else None


def _approximate(found: Tokens, passage: AnswerPassage | None, lower: str) -> Reading:
    rest = found.cut(1)
    if parts := _PART_OF.match(rest.letters):
        return _part(rest.cut(parts.end()))
    if ends := _BETWEEN_YEARS.fullmatch(rest.letters):
        return _about_years(found.letters[0], ends, rest, passage, lower)
    hedged = found.letters[0] == "G"
    if hedged and not found.marked and not re.search("[mDCs]", rest.letters):
        digits = _DIGITS.search(lower)
        if "y" not in rest.letters or found.grouped or digits is None:
            return None
        year = lower[digits.start() :]
        if rest.letters == "y" and usage.counts(passage, year):
            return None
        if rest.letters != "y" or not usage.is_year(passage, year):
            return Undecidable(Kind.DATE, "year_or_number")
    reading = _read(rest, None if rest.letters == "y" else passage, lower)
    if not isinstance(reading, Read) or "/" in reading.forms[0].text or "XXXX" in reading.forms[0].text:
        return reading if isinstance(reading, Undecidable) else None
    return made(f"{reading.forms[0].text}~", "approximate")


def _about_years(hedge: str, ends: re.Match[str], rest: Tokens, passage: AnswerPassage | None, lower: str) -> Reading:
    """ "c. 1450-1475", "c. 1450 – c. 1475": years by "circa" or their eras; both ends are as uncertain."""
    written = re.findall(r"\d+", lower)
    if any(usage.counts(passage, year) for year in written):
        return None
    if hedge == "G" and not rest.marked and not all(usage.is_year(passage, year) for year in written):
        return Undecidable(Kind.DATE, "year_or_number")
    plain = Tokens(
        "".join(ends.groups("")),
        tuple(v for letter, v in zip(rest.letters, rest.values, strict=True) if letter != "Z"),
        False,
        rest.marked,
    )
    reading = date_ranges.read_range(plain, lower, passage)
    if not isinstance(reading, Read):
        return reading
    return made(reading.forms[0].text.replace("/", "~/") + "~", "approximate")


def _on_weekday(found: Tokens, passage: AnswerPassage | None, lower: str) -> Reading:
    rest = found.cut(1)
    if rest.letters not in DAYS:
        return None
    if not day_of(rest).falls_on(found.values[0]):
        return Undecidable(Kind.DATE, "wrong_weekday")
    return _read(rest, passage, lower)


def _short_year(found: Tokens, passage: AnswerPassage | None, lower: str) -> Reading:
    short = found.value("q")
    known = {year for year in evidence.years(passage) if int(year) % 100 == short}
    if len(known) != 1:
        return Undecidable(Kind.DATE, "two_digit_year")
    values = [
        int(known.copy().pop()) if letter == "q" else v for letter, v in zip(found.letters, found.values, strict=True)
    ]
    return _read(Tokens(found.letters.replace("q", "y"), tuple(values)), None, lower)
