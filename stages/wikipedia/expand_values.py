"""Numbers, units and dates inside templates, as a reader sees them."""

from __future__ import annotations

import re
from collections.abc import Callable

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


# Shown alone by these values of |disp=, the conversion or the unit is not ours to give.
_DISP_HIDES = frozenset(
    {"out", "output only", "output number only", "number", "unit", "unit2", "unit or text", "preunit", "x", "table"}
)
_SCALED = re.compile(r"e(\d{1,2})([^\W\d_].{0,29})")
_SCALES = {"3": "thousand", "6": "million", "9": "billion", "12": "trillion"}
_UNIT = re.compile(r"[^\W\d_°'\"µ%$][^|\[\]{}<>\ufff9-\ufffc]{0,29}|[°'\"µ%$][\w/]{0,20}", re.IGNORECASE)
_UNITS = {
    **{"acre": "acres"},
    **{"F": "°F", "C": "°C", "sqmi": "sq mi", "sqft": "sq ft", "sqyd": "sq yd", "cuft": "cu ft", "cuin": "cu in"},
    **{"sqin": "sq in", "cumi": "cu mi", "cuyd": "cu yd", "km2": "km²", "m2": "m²", "cm2": "cm²", "mm2": "mm²"},
    **{"km3": "km³", "m3": "m³", "cm3": "cm³", "m/s2": "m/s²", "ft/s2": "ft/s²", "usgal": "US gal", "USgal": "US gal"},
    **{"impgal": "imp gal", "kn": "knots", "kt": "knots", "F-change": "°F", "C-change": "°C", "lbf": "lbf"},
    **{"km/h": "km/h", "PD/sqmi": "/sq mi", "PD/km2": "/km²", "/sqmi": "/sq mi", "/km2": "/km²"},
}
_DECIMAL = re.compile(r"[+\-−]?(?:\d[\d,]{0,60}(?:\.\d{1,60})?|\.\d{1,60})")
_POWER = re.compile(r"[+\-−]?\d{1,4}")
_YEAR = re.compile(r"[12]\d{3}")
# What {{val}} shows of these is known; all its other arguments are refused.
_VAL_NAMES = frozenset({"e", "u", "ul", "up", "upl", "s", "p", "fmt", "sortable"})


def grouped(text: str) -> str:
    """A number with its thousands separated by commas; anything else as it is."""
    if not _INTEGER.fullmatch(text):
        return text
    whole, point, decimals = text.partition(".")
    return f"{int(whole):,}{point}{decimals}"


def convert(args: list[str], named: dict[str, str]) -> str | None:
    """The first quantity of {{convert}}, without its conversions: "10 to 15 km", "6 ft 4 in".

    None where it is not shown, or a number or a unit is none that is known.
    """
    if named.get("disp", "").lower() in _DISP_HIDES:
        return None
    found = _quantity(args)
    if found is None:
        return None
    text, rest = found
    steps = Steps(args)
    while len(rest) > 1 and _NUMBER.fullmatch(rest[0]) and not _NUMBER.fullmatch(rest[1]) and steps.on():
        more = _quantity(rest)
        if more is None:
            return None
        text, rest = f"{text} {more[0]}", more[1]
    return text


def _quantity(args: list[str]) -> tuple[str, list[str]] | None:
    """Numbers, signs of a range between them and a unit; and the arguments after it."""
    pieces: list[str] = []
    for index, arg in enumerate(args):
        if pieces and arg.lower() in _RANGES:
            pieces.append(_RANGES[arg.lower()])
        elif (number := _number(arg)) is not None and (not pieces or pieces[-1] in _RANGES.values()):
            pieces.append(number)
        elif pieces and pieces[-1] not in _RANGES.values() and (unit := _unit(arg)):
            return f"{''.join(pieces)} {unit}", args[index + 1 :]
        else:
            return None
    return None


def _number(text: str) -> str | None:
    """A number of {{convert}} as it is shown: 98, 1,250, 5 1/2, about 5, 3×10^6."""
    about = "about " if text.startswith("~") else ""
    text = text.removeprefix("~").replace(",", "")
    if not _NUMBER.fullmatch(text):
        return None
    base, _, power = text.lower().partition("e")
    whole, plus, part = base.rpartition("+")
    fraction = part.replace("//", "/")
    shown = f"{whole} {fraction}" if plus and whole else grouped(fraction)
    return f"{about}{shown}" + (f"×10^{int(power)}" if power else "")


def _unit(text: str) -> str | None:
    """A unit as it is shown, with the word of what multiplies the number (e6acre); None for what can be none."""
    if scaled := _SCALED.fullmatch(text):
        return f"{_SCALES[scaled[1]]} {_UNITS.get(scaled[2], scaled[2])}" if scaled[1] in _SCALES else None
    return _UNITS.get(text, text) if _UNIT.fullmatch(text) else None


def number_with_unit(args: list[str], named: dict[str, str]) -> str | None:
    """{{val}}: a number, or a range of two, with its uncertainty, power of ten and unit."""
    numbers = [_plain_number(arg) if _RANGES.get(arg.lower()) is None else _RANGES[arg.lower()] for arg in args]
    if not named.keys() <= _VAL_NAMES or None in numbers or not args:
        return None
    match args:
        case [_] | [_, _] if all(map(_plain_number, args)):
            text = "±".join(map(str, numbers))
        case [first, up, down] if all(map(_plain_number, args)):
            text = f"{grouped(first)} (+{up.lstrip('+')}, −{down.lstrip('-−')})"
        case [_, sign, _] if sign.lower() in _RANGES:
            text = "".join(map(str, numbers))
        case _:
            return None
    power = named.get("e", "")
    if power and not _POWER.fullmatch(power):
        return None
    unit = named.get("u") or named.get("ul") or named.get("s") or ""
    below = named.get("up") or named.get("upl") or ""
    scaled = f"({text})" if power and len(args) > 1 else text
    joined = f"{named.get('p', '')}{scaled}" + (f"×10^{power.replace('−', '-')}" if power else "")
    return f"{joined} {unit}{'/' * bool(below)}{below}".strip()


def _plain_number(text: str) -> str | None:
    return grouped(text.replace(",", "")) if _DECIMAL.fullmatch(text) else None


def exponent(args: list[str], _: dict[str, str]) -> str | None:
    """{{e|24}}: what stands before it, times a power of ten."""
    return f"×10^{args[0].replace('−', '-')}" if len(args) == 1 and _POWER.fullmatch(args[0]) else None


def power(args: list[str], _: dict[str, str]) -> str | None:
    match args:
        case [up]:
            return f"10^{up}" if _POWER.fullmatch(up) else None
        case [base, up]:
            return f"{base}^{up}" if base.isalnum() and _POWER.fullmatch(up) else None
    return None


def currency(args: list[str], _: dict[str, str]) -> str | None:
    """{{currency|13 billion|USD}}: the amount after the code of its currency."""
    return f"{args[1]} {grouped(args[0])}" if len(args) == 2 and all(args) else None


def ordinal(args: list[str], _: dict[str, str]) -> str | None:
    if not args or not _is_small(args[0]):
        return None
    number = int(args[0])
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"


def age(args: list[str], _: dict[str, str]) -> str | None:
    """Whole years between two dates that are both given; between one and today nobody can say."""
    if len(args) != 6 or not all(map(_is_small, args)):
        return None
    year, month, day, last_year, last_month, last_day = map(int, args)
    return str(last_year - year - ((last_month, last_day) < (month, day)))


def season(years: int) -> Callable[[list[str], dict[str, str]], str | None]:
    """Links to a season by its year: 1999, or 1999–2000 where it takes two."""

    def shown(args: list[str], _: dict[str, str]) -> str | None:
        if not args or not _YEAR.fullmatch(args[0]) or len(args) > 1:
            return None
        return args[0] if years == 1 else f"{args[0]}–{str(int(args[0]) + 1)[2:]}"

    return shown


def fraction(args: list[str], _: dict[str, str]) -> str | None:
    if not all(map(_DECIMAL.fullmatch, args)):
        return None
    match args:
        case [denominator]:
            return f"1/{denominator}"
        case [numerator, denominator]:
            return f"{numerator}/{denominator}"
        case [whole, numerator, denominator]:
            return f"{whole} {numerator}/{denominator}"
    return None


def date(args: list[str], named: dict[str, str]) -> str | None:
    """Year, month and day given as numbers, in the order that the template asks for."""
    year, month, day = (*args, "", "", "")[:3]
    if not year.isdecimal():
        return year or None
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


def as_of(args: list[str], named: dict[str, str]) -> str | None:
    if named.get("alt"):
        return named["alt"]
    lead = "since" if named.get("since") else "as of"
    lead = lead if named.get("lc") else lead.capitalize()
    shown = date(args, {"df": "y"} | named)
    return f"{lead} {shown}" if shown else None
