"""Writes the sample's entities in the framing of a Wikidata JSON dump.

`[`, one entity a line with a trailing comma but for the last, `]`. Statement identifiers are
derived from subject, property and position, so that the same source gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from typing import Any

from tests.tools.world_source import Entity, Fact, SourceError, World

GREGORIAN = "http://www.wikidata.org/entity/Q1985727"
TIME = re.compile(r"(?P<year>\d{4})(-(?P<month>\d\d))?(-(?P<day>\d\d))?")
QUANTITY = re.compile(r"(?P<amount>-?\d+(\.\d+)?)( (?P<unit>\S.*))?")
DATATYPES = {"item": "wikibase-item", "time": "time", "quantity": "quantity", "string": "string"}


def dump(world: World) -> str:
    """The whole dump as text; odd lines come last, as they stand."""
    lines = [_line(entity, world) for entity in (*world.entities, *world.odd_entities)]
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _line(entity: Entity | str, world: World) -> str:
    if isinstance(entity, str):
        return entity
    return json.dumps(_entity(entity, world), ensure_ascii=True, separators=(",", ":"))


def _entity(entity: Entity, world: World) -> dict[str, Any]:
    claims: dict[str, list[dict[str, Any]]] = {}
    for fact in entity.facts:
        pid = world.properties[fact.property]["id"]
        statements = claims.setdefault(pid, [])
        statements.append(_statement(entity.qid, fact, len(statements), world))
    title = entity.title
    return {
        "type": "item",
        "id": entity.qid,
        "labels": {"en": _text(entity.label)},
        "descriptions": {"en": _text(entity.about)} if entity.about else {},
        "aliases": {"en": [_text(alias) for alias in entity.aliases]} if entity.aliases else {},
        "claims": claims,
        "sitelinks": {"enwiki": {"site": "enwiki", "title": title, "badges": []}} if title else {},
        "lastrevid": int(entity.qid[1:]) + 1_000_000_000,
    }


def _text(value: str) -> dict[str, str]:
    return {"language": "en", "value": value}


def _statement(qid: str, fact: Fact, position: int, world: World) -> dict[str, Any]:
    digest = hashlib.sha256(f"{qid} {fact.property} {position}".encode()).digest()
    statement = {
        "mainsnak": _snak(fact.property, fact.value, fact.snak, world),
        "type": "statement",
        "id": f"{qid}${uuid.UUID(bytes=digest[:16])}",
        "rank": fact.rank,
    }
    if fact.qualifiers:
        snaks = {world.properties[name]["id"]: [_snak(name, value, "value", world)] for name, value in fact.qualifiers}
        statement["qualifiers"] = snaks
        statement["qualifiers-order"] = list(snaks)
    return statement


def _snak(name: str, value: str, kind: str, world: World) -> dict[str, Any]:
    prop = world.properties[name]
    snak: dict[str, Any] = {"snaktype": kind, "property": prop["id"]}
    if kind == "value":
        snak["datavalue"] = _value(prop["type"], value, world)
    return {**snak, "datatype": DATATYPES[prop["type"]]}


def _value(kind: str, value: str, world: World) -> dict[str, Any]:
    if kind == "item":
        qid = world.qids.get(value, value)
        return {
            "value": {"entity-type": "item", "numeric-id": int(qid[1:]), "id": qid},
            "type": "wikibase-entityid",
        }
    if kind == "time":
        return {"value": _time(value), "type": "time"}
    if kind == "quantity":
        return {"value": _quantity(value, world), "type": "quantity"}
    return {"value": value, "type": "string"}


def _time(value: str) -> dict[str, Any]:
    match = TIME.fullmatch(value)
    if not match:
        raise SourceError(f"{value!r} is not a date such as 1969, 1969-07 or 1969-07-20")
    month, day = match["month"] or "00", match["day"] or "00"
    return {
        "time": f"+{match['year']}-{month}-{day}T00:00:00Z",
        "timezone": 0,
        "before": 0,
        "after": 0,
        "precision": 9 + (month != "00") + (day != "00"),
        "calendarmodel": GREGORIAN,
    }


def _quantity(value: str, world: World) -> dict[str, str]:
    match = QUANTITY.fullmatch(value)
    if not match:
        raise SourceError(f"{value!r} is not a quantity such as '216 centimetre'")
    unit = f"http://www.wikidata.org/entity/{world.qids[match['unit']]}" if match["unit"] else "1"
    return {"amount": f"+{match['amount']}", "unit": unit}
