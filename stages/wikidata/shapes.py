"""What the project reads of a Wikidata record, as typed structs.

The structs name only what is used, so references, snak hashes and the hundreds of
other languages are skipped at scanner speed. PHP writes an empty map as an empty
list, which is why every map may also be a list.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct


class EntityId(Struct, gc=False):
    id: str | None = None
    number: int | None = msgspec.field(name="numeric-id", default=None)
    kind: str = msgspec.field(name="entity-type", default="item")


class TimeValue(Struct, gc=False):
    time: str
    precision: int
    calendarmodel: str = ""


class QuantityValue(Struct, gc=False):
    amount: str
    unit: str = "1"


class MonolingualValue(Struct, gc=False):
    text: str


class CoordinateValue(Struct, gc=False):
    latitude: float
    longitude: float


class ItemData(Struct, gc=False, tag_field="type", tag="wikibase-entityid"):
    value: EntityId


class TimeData(Struct, gc=False, tag_field="type", tag="time"):
    value: TimeValue


class QuantityData(Struct, gc=False, tag_field="type", tag="quantity"):
    value: QuantityValue


class MonolingualData(Struct, gc=False, tag_field="type", tag="monolingualtext"):
    value: MonolingualValue


class CoordinateData(Struct, gc=False, tag_field="type", tag="globecoordinate"):
    value: CoordinateValue


class StringData(Struct, gc=False, tag_field="type", tag="string"):
    value: str


DataValue = ItemData | TimeData | QuantityData | MonolingualData | CoordinateData | StringData


class Snak(Struct, gc=False):
    snaktype: str
    property: str | None = None
    datatype: str | None = None
    datavalue: DataValue | None = None


class Qualifiers(Struct, gc=False):
    """The qualifiers that the project reads: start, end, point in time."""

    start: list[Snak] = msgspec.field(name="P580", default_factory=list)
    end: list[Snak] = msgspec.field(name="P582", default_factory=list)
    point: list[Snak] = msgspec.field(name="P585", default_factory=list)


class Statement(Struct, gc=False):
    mainsnak: Snak
    rank: str = "normal"
    qualifiers: Qualifiers | list[Any] | None = None
    id: str | None = None


class LabelTerm(Struct, gc=False):
    value: str


class Sitelink(Struct, gc=False):
    title: str


class Envelope(Struct, gc=False):
    """Fields that tell what kind of record this is."""

    id: str | None = None
    type: str | None = None
    title: str | None = None
    entity: str | None = None
    redirect: str | None = None
    missing: Any = None
    entities: dict[str, msgspec.Raw] | list[Any] | None = None


Claims = dict[str, list[Statement]]
