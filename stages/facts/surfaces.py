"""How English texts write the literal values of statements (paper, step 3).

A date is only sought at the precision that it is stated with, and a number as a whole:
a sentence with the year alone does not state the day. Decades, centuries and millennia
have names. Other values with fewer than three digits have no surface, because any page
is full of them.
"""

from __future__ import annotations

import re

from stages.core.english import MONTHS, ordinal, span_names
from stages.facts.matching import MIN_DIGITS

_TIME = re.compile(r"(-?\d{4,})(?:-(\d{2})(?:-(\d{2}))?)?")
_NUMBER = re.compile(r"(-?)(\d+)(?:\.(\d+))?")
# May has no abbreviation, and September two; the others are cut after three letters.
_SHORT = {"May": (), "September": ("Sep", "Sep.", "Sept", "Sept.")}
_MAGNITUDES = ((12, "trillion"), (9, "billion"), (6, "million"))
_PLURALS = {"foot": "feet", "inch": "inches", "hertz": "hertz", "percent": "percent", "century": "centuries"}
_NAMED = frozenset({"string", "monolingual"})


def surfaces(value: str, kind: str) -> list[str]:
    """The ways a text may write a value, the usual one first; none where it is not to be looked for.

    value: canonical literal of the statements table; kind: quantity, time, string, monolingual or another.
    """
    if kind == "time":
        return _times(value)
    if kind == "quantity":
        return _numbers(value)
    return [value] if kind in _NAMED and value.strip() else []


def spoken(surface: str, unit: str | None) -> str:
    """A surface with the label of its unit, as a sentence would say it: "8,848 metres"."""
    if not unit:
        return surface
    head, per, rest = unit.partition(" per ")
    degree = re.fullmatch(r"(degree)( .+)", head)
    plural = f"{degree[1]}s{degree[2]}" if degree else _PLURALS.get(head) or _plural_phrase(head)
    return f"{surface} {plural}{per}{rest}"


def _plural_phrase(head: str) -> str:
    words = head.split(" ")
    return " ".join([*words[:-1], _PLURALS.get(words[-1], words[-1] + ("" if words[-1].endswith("s") else "s"))])


def _times(value: str) -> list[str]:
    match = _TIME.fullmatch(value)
    if match is None:
        return span_names(value)
    number, month, day = int(match[1]), match[2], match[3]
    if month is not None and not 1 <= int(month) <= 12:
        return []
    years = _years(number)
    if month is None:
        return years
    name = MONTHS[int(month) - 1]
    if day is None:
        return _unique([form for year in years for form in (f"{name} {year}", f"{name}, {year}", f"{name} of {year}")])
    return _unique([form for year in years for form in _days(int(day), name, year)] + ([value] if number > 0 else []))


def _years(number: int) -> list[str]:
    if number <= 0:
        past = 1 - number
        return [f"{past} BC", f"{past} BCE", f"{past} B.C."]
    marked = [f"AD {number}", f"{number} AD", f"{number} CE"]
    if len(str(number)) < MIN_DIGITS:
        return marked
    return [str(number)] if number >= 1000 else [str(number), *marked]


def _days(day: int, month: str, year: str) -> list[str]:
    nth = ordinal(day)
    forms = [f"{day} {month} {year}", f"{month} {day}, {year}", f"{month} {day} {year}", f"{day} {month}, {year}"]
    forms += [f"{nth} {month} {year}", f"{month} {nth}, {year}", f"{nth} {month}, {year}"]
    forms += [f"{nth} of {month} {year}", f"{nth} of {month}, {year}"]
    for short in _SHORT.get(month, (month[:3], f"{month[:3]}.")):
        forms += [f"{day} {short} {year}", f"{short} {day}, {year}"]
    return forms


def _numbers(value: str) -> list[str]:
    match = _NUMBER.fullmatch(value)
    if match is None:
        return []
    sign, whole, part = match[1], str(int(match[2])), (match[3] or "").rstrip("0")
    if len((whole + part).lstrip("0")) < MIN_DIGITS:
        return []
    tail = f".{part}" if part else ""
    grouped = f"{int(whole):,}"
    forms = [grouped + tail, whole + tail, grouped.replace(",", " ") + tail]
    if not part:
        forms += _magnitudes(int(whole))
    return _unique([f"{before}{form}" for form in forms for before in (("−", "minus ") if sign else ("",))])


def _magnitudes(number: int) -> list[str]:
    """ "1.2 million" for 1,200,000; only where at most three decimals say the number exactly."""
    forms = []
    for power, word in _MAGNITUDES:
        whole, rest = divmod(number, 10**power)
        decimals = f"{rest:0{power}d}".rstrip("0")
        if whole and len(decimals) <= 3:
            forms.append(f"{whole:,}{'.' + decimals if decimals else ''} {word}")
    return forms


def _unique(forms: list[str]) -> list[str]:
    return list(dict.fromkeys(forms))
