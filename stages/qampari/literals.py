"""Plain values (dates, quantities, texts) as answers: the text to show, and other ways to write it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import product

from stages.core.english import MONTHS, span_names

_DATE = re.compile(r"(-?\d{4,})(?:-(0[1-9]|1[0-2])(?:-(\d{2}))?)?")
_DECIMAL = re.compile(r"(-?)(\d+)(\.\d+)?")
# Units whose plural is not made with an "s" at the end of their last word.
_PLURALS = {"foot": "feet", "inch": "inches", "pound sterling": "pounds sterling", "century": "centuries"}
_INVARIABLE = ("baht", "hertz", "lux", "rand", "renminbi", "siemens", "won", "yen", "yuan")


def literal_forms(value: str, kind: str, unit: Sequence[str] = ()) -> list[str]:
    """The spellings of a canonical literal, the one to show first, none twice.

    kind: "time" (ISO at its own precision, years before our era counted
    astronomically; decades, centuries and millennia as 196X, 19XX, 1XXX), "quantity"
    (a plain decimal) or anything else, which stands as it is.
    unit: the unit's label and then its aliases; empty for a bare number.
    """
    if kind == "time":
        forms: Iterable[str] = _date_forms(value)
    elif kind == "quantity":
        forms = _quantity_forms(value, unit)
    else:
        forms = [value]
    return list(dict.fromkeys(forms))


def _date_forms(value: str) -> list[str]:
    match = _DATE.fullmatch(value)
    if match is None:
        return span_names(value) or [value]
    number = int(match[1])
    years = [str(number)] if number > 0 else [f"{1 - number} BC", f"{1 - number} BCE"]
    if match[2] is None:
        return years
    month = MONTHS[int(match[2]) - 1]
    if match[3] is None:
        return [*(f"{month} {year}" for year in years), value]
    day = int(match[3])
    return [*(f"{day} {month} {year}" for year in years), *(f"{month} {day}, {year}" for year in years), value]


def _quantity_forms(value: str, unit: Sequence[str]) -> list[str]:
    match = _DECIMAL.fullmatch(value)
    if match is None:
        return [value]
    fraction = (match[3] or "").rstrip("0").rstrip(".")
    plain = f"{match[1]}{match[2]}{fraction}"
    numbers = [f"{match[1]}{int(match[2]):,}{fraction}", plain, value]
    if not unit:
        return numbers
    label, *aliases = unit
    names = [label if plain == "1" else plural(label), label, *aliases]
    return [*(f"{number} {name}" for name, number in product(names, numbers)), *numbers]


def plural(unit: str) -> str:
    """English plural of a unit's name: "square metres", "kilometres per hour", "degrees Celsius", "feet"."""
    head, per, rest = unit.partition(" per ")
    if head in _PLURALS:
        several = _PLURALS[head]
    elif head.startswith("degree "):
        several = f"degrees {head.removeprefix('degree ')}"
    elif head.endswith(_INVARIABLE) or not head[-1:].isalpha():
        several = head
    else:
        *before, last = head.split(" ")
        several = " ".join([*before, _PLURALS.get(last, f"{last}s")])
    return f"{several}{per}{rest}"
