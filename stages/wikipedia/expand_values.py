"""Numbers, units and dates inside templates, as a reader sees them."""

from __future__ import annotations

import re

from stages.core.english import MONTHS
from stages.core.steps import Steps

# No number in prose is longer, and Python refuses to convert thousands of digits.
_MOST_DIGITS = 400
_INTEGER = re.compile(rf"[+-]?\d{{4,{_MOST_DIGITS}}}(?:\.\d+)?")
# Nothing is given back once matched: what a digit is part of is certain, and a long row of them is read once.
_NUMBER = re.compile(r"[+\-−]?(?:\d[\d,]*+(?:\.\d++)?+|\.\d++)(?:e[+-]?\d++)?+(?:[+]?\d*+/{1,2}\d+)?", re.IGNORECASE)
_RANGES = {
    **dict.fromkeys(("-", "–", "to(-)"), "–"),
    "to": " to ",
    "and": " and ",
    "or": " or ",
    "and(-)": " and ",
    "by": " by ",
    "x": " × ",
    "×": " × ",
    "xx": " × ",
    "*": " × ",
    "+/-": " ± ",
    "±": " ± ",
    "+": " + ",
    ",": ", ",
}


def grouped(text: str) -> str:
    """A number with its thousands separated by commas; anything else as it is."""
    if not _INTEGER.fullmatch(text):
        return text
    whole, point, decimals = text.partition(".")
    return f"{int(whole):,}{point}{decimals}"


def convert(args: list[str], _: dict[str, str]) -> str:
    """The first quantity of {{convert}}, without its conversions: "10 to 15 km", "6 ft 4 in"."""
    text, rest = _quantity(args)
    steps = Steps(args)
    while len(rest) > 1 and _NUMBER.fullmatch(rest[0]) and not _NUMBER.fullmatch(rest[1]) and steps.on():
        more, rest = _quantity(rest)
        text = f"{text} {more}"
    return text


def _quantity(args: list[str]) -> tuple[str, list[str]]:
    pieces: list[str] = []
    for index, arg in enumerate(args):
        if _NUMBER.fullmatch(arg) and (not pieces or index > 0):
            pieces.append(grouped(arg.replace(",", "")))
        elif pieces and arg.lower() in _RANGES:
            pieces.append(_RANGES[arg.lower()])
        else:
            return f"{''.join(pieces)} {arg}".strip(), args[index + 1 :]
    return "".join(pieces), []


def number_with_unit(args: list[str], named: dict[str, str]) -> str:
    unit = named.get("u") or named.get("ul") or ""
    return f"{grouped(args[0]) if args else ''} {unit}".strip()


def fraction(args: list[str], _: dict[str, str]) -> str:
    match args:
        case [denominator]:
            return f"1/{denominator}"
        case [numerator, denominator]:
            return f"{numerator}/{denominator}"
        case [whole, numerator, denominator, *_]:
            return f"{whole} {numerator}/{denominator}"
    return ""


def date(args: list[str], named: dict[str, str]) -> str:
    """Year, month and day given as numbers, in the order that the template asks for."""
    year, month, day = (*args, "", "", "")[:3]
    if not year.isdecimal():
        return year
    name = _month(month)
    if not name:
        return year
    if not _is_small(day):
        return f"{name} {year}"
    day_first = named.get("df", "").lower() in ("y", "yes", "true", "1") or named.get("mf", "").lower() == "no"
    return f"{int(day)} {name} {year}" if day_first else f"{name} {int(day)}, {year}"


def _month(text: str) -> str:
    if _is_small(text) and 1 <= int(text) <= 12:
        return MONTHS[int(text) - 1]
    return text if text in MONTHS else ""


def _is_small(text: str) -> bool:
    """Whether the text is a whole number of a sane length."""
    return text.isdecimal() and len(text) <= _MOST_DIGITS


def as_of(args: list[str], named: dict[str, str]) -> str:
    if named.get("alt"):
        return named["alt"]
    lead = "since" if named.get("since") else "as of"
    lead = lead if named.get("lc") else lead.capitalize()
    return f"{lead} {date(args, {'df': 'y'} | named)}" if args else ""
