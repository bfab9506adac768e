"""Values of statements in one canonical spelling each.

Times become ISO 8601 at their own precision, quantities plain decimals, items their
QID. A value that contradicts itself is a `BadValue`; nothing is guessed or filled in.

Wikidata writes years before our era in the traditional count ("-0044" is 44 BC); ISO
counts astronomically (44 BC is -0043), and so does this module. A date stays in the
calendar that it was given in: it is the date that texts name.
"""

from __future__ import annotations

import re
from calendar import isleap, monthrange
from collections.abc import Callable
from typing import Any, NamedTuple

from stages.wikidata.shapes import (
    CoordinateData,
    CoordinateValue,
    EntityId,
    ItemData,
    MonolingualData,
    MonolingualValue,
    QuantityData,
    QuantityValue,
    Snak,
    StringData,
    TimeData,
    TimeValue,
)
from stages.wikidata.text import clean

YEAR, MONTH, DAY = 9, 10, 11
_TIME = re.compile(r"([+-]?)([0-9]{1,16})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})Z")
# Wikidata takes no longer amount; far longer ones cannot even be converted to a number.
_MOST_DECIMAL = 127
_DECIMAL = re.compile(r"([+-]?)([0-9]+)(\.[0-9]+)?")
_QID = re.compile(r"Q[1-9][0-9]{0,17}")
LEAST_OWN = 10**17
"""The least number of ids that are made of names: they have as many digits as an id may have, far from Wikidata's."""
_UNIT = re.compile(r"https?://[^/\s]+/entity/(Q[1-9][0-9]{0,17})")
_JULIAN = "Q1985786"


class BadValue(ValueError):
    """A value that cannot be what its type says."""


class Literal(NamedTuple):
    """kind: item, quantity, time, string, monolingual, url, coordinate or other; unit: a QID, "" for none;
    precision: times only."""

    kind: str
    value: str
    unit: str = ""
    precision: int | None = None


def literal(snak: Snak) -> Literal:
    """The canonical value of a snak that has one.

    Raises:
        BadValue: the value is missing or contradicts its type.
    """
    data = snak.datavalue
    if data is None:
        raise BadValue("no datavalue")
    return _READERS[type(data)](data.value, snak.datatype)


def is_qid(text: str) -> bool:
    return _QID.fullmatch(text) is not None


def is_own(qid: str) -> bool:
    """Whether an item's id was made of a name, so that Wikidata has no page of it."""
    return is_qid(qid) and len(qid) == len(str(LEAST_OWN)) + 1


def decimal(amount: str) -> str:
    """A decimal number without plus sign and leading zeros; digits after the point stay as given.

    Raises:
        BadValue: not a plain decimal number, or longer than Wikidata's own numbers may be.
    """
    match = _DECIMAL.fullmatch(amount)
    if match is None or len(amount) > _MOST_DECIMAL:
        raise BadValue(f"amount {amount[:40]!r} is not a decimal number of at most {_MOST_DECIMAL} characters")
    sign, whole, fraction = match.groups()
    number = (whole.lstrip("0") or "0") + (fraction or "")
    return f"-{number}" if sign == "-" and number.strip("0.") else number


def iso_time(value: TimeValue) -> str:
    """A time at its precision: 1969-07-20, 1969-07, 1969, 196X, 19XX, 1XXX, Y-13798000000.

    A year of more than four digits has the prefix Y. A span that the X notation cannot
    say exactly (a decade before our era) is an interval: -0048/-0039. Precisions of
    10,000 years and more give the year as it stands.

    Raises:
        BadValue: not in Wikidata's form, a year 0, a date that does not exist.
    """
    match = _TIME.fullmatch(value.time)
    if match is None:
        raise BadValue(f"time {value.time[:40]!r} is not in Wikidata's form")
    sign, digits, *rest = match.groups()
    year = int(digits)
    if year == 0:
        raise BadValue("there is no year 0 in Wikidata's count")
    if value.precision >= YEAR:
        julian = value.calendarmodel.endswith(_JULIAN)
        return _exact(1 - year if sign == "-" else year, [int(part) for part in rest], value.precision, julian)
    if 6 <= value.precision < YEAR:
        return _span(year, sign == "-", 10 ** (YEAR - value.precision))
    if 0 <= value.precision < 6:
        return f"Y{'-' if sign == '-' else ''}{year}"
    raise BadValue(f"precision {value.precision} is not between 0 and 14")


def _exact(year: int, rest: list[int], precision: int, julian: bool) -> str:
    month, day, hour, minute, second = rest
    if precision > 14:
        raise BadValue(f"precision {precision} is not between 0 and 14")
    text = _year(year)
    if precision == YEAR:
        return text
    if not 1 <= month <= 12:
        raise BadValue(f"month {month} at month precision or finer")
    if precision == MONTH:
        return f"{text}-{month:02}"
    if not 1 <= day <= _days(year, month, julian):
        raise BadValue(f"day {day} of month {month} at day precision or finer")
    if hour > 23 or minute > 59 or second > 60:
        raise BadValue(f"time of day {hour}:{minute}:{second}")
    clock = ("", f"T{hour:02}", f"T{hour:02}:{minute:02}", f"T{hour:02}:{minute:02}:{second:02}Z")
    return f"{text}-{month:02}-{day:02}{clock[precision - DAY]}"


def _days(year: int, month: int, julian: bool) -> int:
    if month == 2:
        return 29 if (year % 4 == 0 if julian else isleap(year)) else 28
    return monthrange(2001, month)[1]


def _year(year: int) -> str:
    sign, digits = "-" if year < 0 else "", f"{abs(year):04}"
    return f"{sign}{digits}" if len(digits) == 4 else f"Y{sign}{digits}"


def _span(year: int, before: bool, unit: int) -> str:
    """A decade, century or millennium; centuries are counted from 1 (1900 ends the 19th)."""
    blanks = len(str(unit)) - 1
    index = year // unit if unit == 10 else (year - 1) // unit
    prefix = f"{index:0{4 - blanks}}"
    if len(prefix) == 4 - blanks and not (before and unit == 10):
        return f"{'-' if before else ''}{prefix}{'X' * blanks}"
    nearest, farthest = index * unit, index * unit + unit - 1
    if not before:
        return f"{_year(nearest)}/{_year(farthest)}"
    # The decade "40s BC" is 49 to 40 BC; there is no 0 BC in the first one.
    shift = 1 if unit == 10 else 0
    return f"{_year(shift - farthest)}/{_year(shift - max(nearest, shift))}"


def _item(value: EntityId, _: str | None) -> Literal:
    if value.kind != "item":
        if not value.id:
            raise BadValue(f"{value.kind[:40]!r} without an id")
        return Literal("other", clean(value.id))
    text = value.id if value.id is not None else f"Q{value.number}"
    if _QID.fullmatch(text) is None:
        raise BadValue(f"item id {text[:40]!r}")
    return Literal("item", text)


def _quantity(value: QuantityValue, _: str | None) -> Literal:
    amount = decimal(value.amount)
    if value.unit == "1":
        return Literal("quantity", amount)
    match = _UNIT.fullmatch(value.unit)
    if match is None:
        raise BadValue(f"unit {value.unit[:60]!r} is not an item")
    return Literal("quantity", amount, match.group(1))


def _time(value: TimeValue, _: str | None) -> Literal:
    return Literal("time", iso_time(value), precision=value.precision)


def _string(value: str, datatype: str | None) -> Literal:
    kind = {None: "string", "string": "string", "url": "url"}.get(datatype, "other")
    return Literal(kind, _text(value))


def _monolingual(value: MonolingualValue, _: str | None) -> Literal:
    return Literal("monolingual", _text(value.text))


def _coordinate(value: CoordinateValue, _: str | None) -> Literal:
    return Literal("coordinate", f"{value.latitude!r},{value.longitude!r}")


def _text(text: str) -> str:
    cleaned = clean(text)
    if not cleaned:
        raise BadValue("empty text")
    return cleaned


_READERS: dict[type, Callable[[Any, str | None], Literal]] = {
    ItemData: _item,
    QuantityData: _quantity,
    TimeData: _time,
    StringData: _string,
    MonolingualData: _monolingual,
    CoordinateData: _coordinate,
}
