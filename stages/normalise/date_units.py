"""Readers of one date, decade, century or season, by the letters of its tokens."""

from __future__ import annotations

import re
from collections.abc import Callable

from stages.normalise import date_ranges, evidence, usage
from stages.normalise.calendar import Day, century, decade, decade_before_christ, year_text
from stages.normalise.date_tokens import Tokens
from stages.normalise.lexicon import lexicon
from stages.normalise.model import AnswerForm, AnswerPassage, Kind, Read, Reading, Undecidable

_AS_MONTH = ("in ", "during ", "the month of ", "month of ")


def made(text: str, rule: str) -> Read:
    return Read(Kind.DATE, (AnswerForm(text, rule),))


def day_of(found: Tokens) -> Day:
    letters = found.letters
    number = "n" if "n" in letters else "o" if "o" in letters else None
    return Day(
        found.value("y") if "y" in letters else None,
        found.value("m") if "m" in letters else None,
        found.value(number) if number else None,
    )


def _full(found: Tokens, passage: AnswerPassage | None, lower: str) -> Reading:
    return made(day_of(found).text(), "date")


def _undated(found: Tokens, passage: AnswerPassage | None, lower: str) -> Reading:
    """A day or month of no year; the year is a second form where the passage gives the day exactly one."""
    day = day_of(found)
    name = lower.rstrip(".").rpartition(" ")[2]
    doubtful = found.letters == "m" and name in lexicon().dates["doubtful"]
    if doubtful and not lower.startswith(_AS_MONTH) and not _is_month(passage, name):
        return Undecidable(Kind.DATE, "doubtful_month")
    forms = [AnswerForm(day.text(), "month" if day.day is None else "day_of_year")]
    years = date_ranges.years_of(day, passage)
    if len(years) == 1:
        forms.append(AnswerForm(Day(int(next(iter(years))), day.month, day.day).text(), "year_of_passage"))
    return Read(Kind.DATE, tuple(forms))


def _is_month(passage: AnswerPassage | None, name: str) -> bool:
    """Does the passage use the word as a month, or other months and this word not at all?"""
    if evidence.mentions(passage, name):
        return _month_in(passage, name)
    return any(_month_in(passage, names[0]) for names in lexicon().dates["months"])


def _month_in(passage: AnswerPassage | None, name: str) -> bool:
    """Does the passage use the word as a month: "in May", "May 1936", "3 May"?"""
    if any(evidence.mentions(passage, f"{before} {name}") for before in ("in", "during", "since", "until", "by", "of")):
        return True
    text = passage.lower if passage else ""
    around = (text[max(0, at - 4) : at + len(name) + 5] for at in evidence.places(passage, name))
    return any(re.search(rf"\d (?:of )?{name}|{name},? \d", part) for part in around)


def _year(found: Tokens, passage: AnswerPassage | None, lower: str) -> Reading:
    year = found.values[0]
    if found.grouped and year > 0 and not re.search("[a-z]", lower):
        return None
    if lower.isdecimal():
        return None if usage.counts(passage, lower) else made(year_text(year), "year")
    rule = "year_before_our_era" if year <= 0 else "year_of_our_era" if re.search(r"[ac]\.?[de]", lower) else "year"
    return made(year_text(year), rule)


def _decade(found: Tokens, passage: AnswerPassage | None, lower: str) -> Reading:
    first = found.values[0]
    if found.letters[1:] == "E":
        return made(decade_before_christ(first), "decade_before_our_era") if first % 10 == 0 else None
    if first % 10:
        return None
    if first % 100 == 0:
        return _hundred_years(first, passage)
    if first < 100:
        return _decade_of_passage(first, passage)
    return made(decade(first), "decade")


def _hundred_years(first: int, passage: AnswerPassage | None) -> Reading:
    """ "the 1900s": ten years or a hundred, as the passage's other words have it."""
    known = evidence.decades(passage)
    as_decade = bool({str(first // 10 - 1), str(first // 10 + 1)} & known)
    as_century = any(evidence.mentions(passage, f"{first // 100 + 1}{end} century") for end in ("th", "st", "nd", "rd"))
    if as_decade == as_century:
        return Undecidable(Kind.DATE, "decade_or_century")
    return made(decade(first) if as_decade else f"{first // 100}XX", "decade" if as_decade else "hundred_years")


def _decade_of_passage(first: int, passage: AnswerPassage | None) -> Reading:
    known = {found for found in evidence.decades(passage) if int(found) % 10 == first // 10 % 10}
    if len(known) != 1:
        return Undecidable(Kind.DATE, "two_digit_year")
    return made(f"{known.pop()}X", "decade_of_passage")


def _century(found: Tokens, passage: AnswerPassage | None, lower: str) -> Reading:
    before = found.letters.endswith("E")
    blanks = 3 if "L" in found.letters else 2
    return made(century(found.values[0], before, blanks), "millennium" if blanks == 3 else "century")


def _season(found: Tokens, passage: AnswerPassage | None, lower: str) -> Reading:
    year = found.value("y")
    if not 0 <= year <= 9999:
        return None
    return made(f"{year_text(year)}-{found.value('s')}", "season")


def _quarter(found: Tokens, passage: AnswerPassage | None, lower: str) -> Reading:
    number = found.value("o") if "o" in found.letters else found.value("Q")
    return made(f"{year_text(found.value('y'))}-{32 + number}", "quarter") if 1 <= number <= 4 else None


def _weekday(found: Tokens, passage: AnswerPassage | None, lower: str) -> Reading:
    # "The Sun" and "Wed" are no days.
    named = lower in {names[0] for names in lexicon().dates["weekdays"]}
    return Undecidable(Kind.DATE, "weekday_only") if named else None


def _refuse(reason: str) -> Callable[[Tokens, AnswerPassage | None, str], Reading]:
    return lambda found, passage, lower: Undecidable(Kind.DATE, reason)


DAYS = frozenset({"nmy", "omy", "mny", "moy", "ymn", "ymo", "nm", "om", "mn", "mo"})
Reader = Callable[[Tokens, AnswerPassage | None, str], Reading]
READERS: dict[str, Reader] = {
    **dict.fromkeys(("nmy", "omy", "mny", "moy", "ymn", "ymo", "my", "ym"), _full),
    **dict.fromkeys(("nm", "om", "mn", "mo", "m"), _undated),
    **dict.fromkeys(("y",), _year),
    **dict.fromkeys(("D", "DA", "DE", "d", "dE"), _decade),
    **dict.fromkeys(
        (f"o{dash}{unit}{era}" for dash in ("", "-") for unit in "CL" for era in ("", "A", "E")),
        _century,
    ),
    **dict.fromkeys(("xC", "x-C", "xCE", "xL"), _refuse("bad_ordinal")),
    **dict.fromkeys(("nmn", "omn"), _refuse("two_digit_year")),
    **dict.fromkeys(("sy", "ys"), _season),
    "s": _refuse("season_without_year"),
    **dict.fromkeys(("oQy", "Qy"), _quarter),
    "w": _weekday,
}
