"""General libraries on the same answers, each used as well as it can be: what it says an answer's value is.

dateparser names the precision of what it found; dateutil fills missing parts from a default, so that two
different defaults tell them; edtf writes the format itself; a quantity of quantulum3 counts where it covers
the whole text. Each function gives the value in the way of the hand-worked cases, or None.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from fractions import Fraction
from typing import Any

import pytest

from stages.normalise.lexicon import Unit, lexicon
from stages.normalise.spelling import decimal

Reader = Callable[[str], str | None]
_CURRENCIES = {"dollar": "$", "pound sterling": "£", "euro": "EUR ", "united states dollar": "USD "}
_CURRENCIES |= {"japanese yen": "JPY ", "indian rupee": "INR "}
_UNITS = {"pound-mass": "lb", "degree angle": "°", "count": "times", "dozen": "dozen"}


def readers() -> dict[str, Reader]:
    """By library, those that are installed. They come with the extra `compare`."""
    made: dict[str, Reader] = {}
    for name, make in (("dateparser", dateparser), ("dateutil", dateutil), ("edtf", edtf), ("quantulum3", quantulum3)):
        try:
            made[name] = make()
        except ImportError:
            continue
    if not made:
        pytest.skip("none of dateparser, dateutil, edtf and quantulum3 is installed (extra `compare`)")
    return made


def dateparser() -> Reader:
    from dateparser.date import DateDataParser

    parser = DateDataParser(languages=["en"])

    def read(text: str) -> str | None:
        found = parser.get_date_data(text)
        if found.date_obj is None:
            return None
        return found.date_obj.date().isoformat()[: {"year": 4, "month": 7}.get(found.period, 10)]

    return read


def dateutil() -> Reader:
    from dateutil.parser import parse

    # No part of the two is equal, and the first year is a leap year.
    defaults = (datetime(2000, 1, 1), datetime(1999, 2, 2))

    def read(text: str) -> str | None:
        try:
            first, second = (parse(text, default=default).date().isoformat().split("-") for default in defaults)
        except (ValueError, OverflowError, TypeError):
            return None
        parts = [one if one == other else None for one, other in zip(first, second, strict=True)]
        if parts[0] is None and parts[1]:
            parts[0] = "XXXX"
        return "-".join(part for part in parts if part) if parts[0] else None

    return read


def edtf() -> Reader:
    from edtf import text_to_edtf

    def read(text: str) -> str | None:
        found = text_to_edtf(text)
        return str(found) if found else None

    return read


def quantulum3() -> Reader:
    from quantulum3 import classifier, parser

    # Its trained classifier is stored for older versions of scikit-learn; without it, it disambiguates by rules.
    classifier.USE_CLF = False

    def read(text: str) -> str | None:
        found = parser.parse(text)
        if len(found) != 1 or found[0].span != (0, len(text)):
            return None
        return _amount(found[0])

    return read


def _amount(quantity: Any) -> str:
    value, name = decimal(_exact(quantity.value)), quantity.unit.name
    if name == "cent":
        return f"{value} cent"
    if quantity.unit.entity.name == "currency":
        return f"{_CURRENCIES.get(name, name + ' ')}{value}"
    if name == "dimensionless":
        return value
    if name.startswith("percent"):
        return f"{value}%"
    unit = lexicon().names.get(name.lower()) or lexicon().names.get(name.replace("-", " ").lower())
    return f"{value} {_UNITS.get(name, name)}" if unit is None else _with_unit(value, unit)


def _exact(value: float) -> Fraction:
    """A third that a float has rounded is a third."""
    near, written = Fraction(value).limit_denominator(100), Fraction(str(value))
    return near if abs(near - written) < Fraction(1, 10**12) else written


def _with_unit(value: str, unit: Unit) -> str:
    if unit.iso is None:
        return f"{value} {unit.key}"
    clock, times, letter = re.fullmatch(r"(T?)(\d+)([A-Z])", unit.iso).groups()  # type: ignore[union-attr]
    return f"P{clock}{decimal(Fraction(value) * int(times))}{letter}"
