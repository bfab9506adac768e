"""Values of Wikidata's RDF as the JSON of its dumps writes them.

RDF counts years as ISO 8601 does (44 BC is -0043), JSON in the traditional way (-0044). A day
of the Julian calendar stands in RDF as the Gregorian day, and only the calendar model tells; a
coarser date stands as it is. What a dump says of a month or day that a date does not have is
lost in RDF, so they become 00.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal, InvalidOperation
from typing import Any
from urllib.parse import unquote

from stages.live.answers import Node, Row
from stages.live.queries import ENTITY

_ONTOLOGY = "http://wikiba.se/ontology#"
_COMMONS = ("http://commons.wikimedia.org/wiki/Special:FilePath/", "http://commons.wikimedia.org/data/main/")
_UNKNOWN = "/.well-known/genid/"
_JULIAN, _NO_UNIT = f"{ENTITY}Q1985786", "Q199"
_MONTH, _DAY = 10, 11
_DATE = re.compile(r"([+-]?)([0-9]{4,16})-([0-9]{2})-([0-9]{2})T([0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.0+)?Z?")
_PRECISION = re.compile(r"[0-9]{1,2}")
# Digits before or behind the point: more than any amount of Wikidata has.
_MOST_POWER = 200
_XSD = "http://www.w3.org/2001/XMLSchema#"
_DATE_TIME = f"{_XSD}dateTime"
_PLAIN = ("", f"{_XSD}string")
_MARKED = "http://www.w3.org/1998/Math/MathML"
_KINDS = {
    "WikibaseItem": "wikibase-item",
    "WikibaseProperty": "wikibase-property",
    "WikibaseLexeme": "wikibase-lexeme",
    "WikibaseForm": "wikibase-form",
    "WikibaseSense": "wikibase-sense",
    "ExternalId": "external-id",
    "String": "string",
    "Time": "time",
    "Quantity": "quantity",
    "Monolingualtext": "monolingualtext",
    "GlobeCoordinate": "globe-coordinate",
    "Url": "url",
    "CommonsMedia": "commonsMedia",
    "Math": "math",
    "GeoShape": "geo-shape",
    "TabularData": "tabular-data",
    "MusicalNotation": "musical-notation",
}
_NEED_FULL = frozenset({"time", "quantity", "globe-coordinate"})
_LETTERS = {"Q": "item", "P": "property", "L": "lexeme"}


class Unread(ValueError):
    """A value that RDF does not tell in full; the text is a reason of fixed words."""


def datatype_of(kind: Node) -> str | None:
    """The dump's name of a property's type; None for one that is not known."""
    return _KINDS.get(kind.value.removeprefix(_ONTOLOGY))


def snak(property_id: str, row: Row, datatype: str | None) -> dict[str, Any]:
    """A value as the dump writes it; row: as `queries.statements` and `queries.qualifiers` give it.

    Raises:
        Unread: formula, no_full_value, odd_value.
    """
    base: dict[str, Any] = {"property": property_id, **({"datatype": datatype} if datatype else {})}
    value = row.get("value")
    if "novalue" in row:
        return {"snaktype": "novalue", **base}
    if value is None or value.type == "bnode" or (value.type == "uri" and _UNKNOWN in value.value):
        return {"snaktype": "somevalue", **base}
    kind, data = _data(value, row, datatype)
    return {"snaktype": "value", **base, "datavalue": {"value": data, "type": kind}}


def _data(value: Node, row: Row, datatype: str | None) -> tuple[str, Any]:
    if datatype == "math" or value.datatype == _MARKED:
        raise Unread("formula")
    if "amount" in row:
        return "quantity", _quantity(row)
    if "time" in row:
        return "time", _time(row)
    if "latitude" in row:
        return "globecoordinate", {name: _float(_part(row, name).value) for name in ("latitude", "longitude")}
    if value.language:
        return "monolingualtext", {"text": value.value, "language": value.language}
    if datatype in _NEED_FULL or (datatype is None and value.datatype not in _PLAIN):
        raise Unread("no_full_value")
    if value.type == "uri" and datatype != "url" and (found := value.entity) is not None:
        return "wikibase-entityid", _entity(found)
    return "string", _string(value, datatype)


def _entity(name: str) -> dict[str, Any]:
    if "-" in name:
        return {"entity-type": {"F": "form", "S": "sense"}[name.partition("-")[2][0]], "id": name}
    kind = _LETTERS.get(name[0])
    if kind is None:
        raise Unread("odd_value")
    return {"entity-type": kind, "numeric-id": int(name[1:]), "id": name}


def _string(value: Node, datatype: str | None) -> str:
    """A file's name stands in RDF as an address that it can be fetched from."""
    if value.type == "uri" and datatype != "url":
        for start in _COMMONS:
            if value.value.startswith(start):
                return unquote(value.value[len(start) :])
    return value.value


def _quantity(row: Row) -> dict[str, str]:
    amount, unit = row["amount"].value, _part(row, "unit").entity
    if unit is None:
        raise Unread("odd_value")
    try:
        number = Decimal(amount)
    except InvalidOperation as error:
        raise Unread("odd_value") from error
    if not number.is_finite() or abs(number.adjusted()) > _MOST_POWER:
        raise Unread("odd_value")
    # An endpoint may write 1.0E5 for what it was given as a plain number.
    text = f"{number:f}"
    return {
        "amount": text if text.startswith("-") else f"+{text.removeprefix('+')}",
        "unit": "1" if unit == _NO_UNIT else f"{ENTITY}{unit}",
    }


def _time(row: Row) -> dict[str, Any]:
    time, precision, calendar = row["time"], _part(row, "precision").value, _part(row, "calendar").value
    match = _DATE.fullmatch(time.value)
    if match is None or not _PRECISION.fullmatch(precision):
        raise Unread("odd_value")
    sign, clock = match.group(1), match.group(5)
    year, month, day = (int(match.group(number)) for number in (2, 3, 4))
    year = -year if sign == "-" else year
    # What no date of XSD can say is a plain text, in the dump's own count.
    if time.datatype == _DATE_TIME:
        if int(precision) >= _DAY and calendar == _JULIAN:
            year, month, day = _julian(_days(year, month, day))
        year = year if year > 0 else year - 1
    month, day = (month if int(precision) >= _MONTH else 0), (day if int(precision) >= _DAY else 0)
    return {
        "time": f"{'-' if year < 0 else '+'}{abs(year):04}-{month:02}-{day:02}T{clock}Z",
        "timezone": 0,
        "before": 0,
        "after": 0,
        "precision": int(precision),
        "calendarmodel": calendar,
    }


def _days(year: int, month: int, day: int) -> int:
    """The Julian day number of a Gregorian date, years counted astronomically."""
    shift = (14 - month) // 12
    years, months = year + 4800 - shift, month + 12 * shift - 3
    return day + (153 * months + 2) // 5 + 365 * years + years // 4 - years // 100 + years // 400 - 32045


def _julian(days: int) -> tuple[int, int, int]:
    """Year (astronomical), month and day of the Julian calendar."""
    shifted = days + 32082
    years = (4 * shifted + 3) // 1461
    rest = shifted - 1461 * years // 4
    months = (5 * rest + 2) // 153
    return years - 4800 + months // 10, months + 3 - 12 * (months // 10), rest - (153 * months + 2) // 5 + 1


def _float(text: str) -> float:
    try:
        number = float(text)
    except ValueError as error:
        raise Unread("odd_value") from error
    if not math.isfinite(number):
        raise Unread("odd_value")
    return number


def _part(row: Row, name: str) -> Node:
    if name not in row:
        raise Unread("no_full_value")
    return row[name]
