"""Wikidata records in straightforward Python: `json` and dictionaries, one record at a time.

Values and labels are spelled by the project's own functions on both sides; what differs is
how a record is decoded, walked and turned into rows.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from stages.wikidata.shapes import TimeValue
from stages.wikidata.text import clean, has_markup
from stages.wikidata.values import decimal, iso_time
from stages.wikipedia.titles import normalise_title

Row = dict[str, Any]
Rows = dict[str, list[Row]]
_LANGUAGES = ("en", "mul")


def parse(lines: Iterable[bytes]) -> Rows:
    """As `stages.wikidata.parse.parse` on sound items, without its rejects."""
    rows: Rows = {"entities": [], "statements": [], "subclasses": []}
    for line in lines:
        record = json.loads(line.strip().rstrip(b","))
        qid, types = record["id"], set()
        for property_id, statements in record["claims"].items():
            for statement in _truthy(statements):
                row = {"subject": qid, "property": property_id} | _value(statement["mainsnak"]["datavalue"])
                qualifiers = statement.get("qualifiers", {})
                row |= {"start": _time(qualifiers, "P580"), "end": None, "point_in_time": _time(qualifiers, "P585")}
                rows["statements"].append(row)
                if property_id == "P31":
                    types.add(row["value"])
                elif property_id == "P279":
                    rows["subclasses"].append({"child": qid, "parent": row["value"]})
        rows["entities"].append(_entity(record) | {"types": sorted(types)})
    return rows


def _entity(record: Row) -> Row:
    labels = [clean(record["labels"][language]["value"]) for language in _LANGUAGES if language in record["labels"]]
    listed = [alias["value"] for language in _LANGUAGES for alias in record["aliases"].get(language, [])]
    names = {*labels, *map(clean, listed)} - {labels[0], ""}
    described = [record["descriptions"][language] for language in _LANGUAGES if language in record["descriptions"]]
    link = record["sitelinks"].get("enwiki")
    return {
        "qid": record["id"],
        "label": labels[0],
        "aliases": sorted(name for name in names if not has_markup(name)),
        "description": clean(described[0]["value"]) if described else None,
        "title": normalise_title(link["title"]) if link else None,
    }


def _truthy(statements: list[Row]) -> Iterator[Row]:
    best = "preferred" if any(statement["rank"] == "preferred" for statement in statements) else "normal"
    seen = set()
    for statement in statements:
        snak = statement["mainsnak"]
        if statement["rank"] != best or snak["snaktype"] != "value" or "P582" in statement.get("qualifiers", {}):
            continue
        key = json.dumps(snak["datavalue"], sort_keys=True)
        if key not in seen:
            seen.add(key)
            yield statement


def _value(data: Row) -> Row:
    kind, value = data["type"], data["value"]
    found = {"value_kind": kind, "value": "", "unit": "", "precision": None}
    if kind == "wikibase-entityid":
        return found | {"value_kind": "item", "value": value["id"]}
    if kind == "quantity":
        unit = "" if value["unit"] == "1" else value["unit"].rpartition("/")[2]
        return found | {"value": decimal(value["amount"]), "unit": unit}
    if kind == "time":
        return found | {"value": _iso(value), "precision": value["precision"]}
    if kind == "monolingualtext":
        return found | {"value_kind": "monolingual", "value": clean(value["text"])}
    if kind == "globecoordinate":
        place = f"{float(value['latitude'])!r},{float(value['longitude'])!r}"
        return found | {"value_kind": "coordinate", "value": place}
    return found | {"value": clean(value)}


def _iso(value: Row) -> str:
    return iso_time(TimeValue(value["time"], value["precision"], value["calendarmodel"]))


def _time(qualifiers: Row, property_id: str) -> str | None:
    for snak in qualifiers.get(property_id, []):
        if snak["snaktype"] == "value":
            return _iso(snak["datavalue"]["value"])
    return None
