"""Wikidata's JSON as RDF in the shape that its query service holds, for servers in tests.

Written from the documented mapping, not from the reader's code: days of the Julian calendar are
converted by counting days from a date on which both calendars are known, years before our era
become astronomical, months and days that are not known become 1.

    python -m tests.tools.rdf entities.json > entities.nt
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

WD = "http://www.wikidata.org/"
WIKIBASE = "http://wikiba.se/ontology#"
XSD = "http://www.w3.org/2001/XMLSchema#"
RDF_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
ALIAS = "<http://www.w3.org/2004/02/skos/core#altLabel>"
SCHEMA = "http://schema.org/"
KINDS = {
    "wikibase-item": "WikibaseItem",
    "wikibase-property": "WikibaseProperty",
    "wikibase-lexeme": "WikibaseLexeme",
    "external-id": "ExternalId",
    "string": "String",
    "time": "Time",
    "quantity": "Quantity",
    "monolingualtext": "Monolingualtext",
    "globe-coordinate": "GlobeCoordinate",
    "url": "Url",
    "commonsMedia": "CommonsMedia",
    "math": "Math",
    "geo-shape": "GeoShape",
    "tabular-data": "TabularData",
    "musical-notation": "MusicalNotation",
}
RANKS = {"preferred": "PreferredRank", "normal": "NormalRank", "deprecated": "DeprecatedRank"}
JULIAN = "Q1985786"
MONTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def records(path: str | Path) -> Iterator[dict[str, Any]]:
    """The items of a dump with one a line, each once, without those that are damaged."""
    seen: set[str] = set()
    data = Path(path).read_bytes()
    lines = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).splitlines()
    for line in lines:
        text = line.strip().rstrip(b",")
        try:
            record = json.loads(text)
        except ValueError:
            continue
        if _sound(record) and record["id"] not in seen:
            seen.add(record["id"])
            yield record


def _sound(record: Any) -> bool:
    if not isinstance(record, dict) or not re.fullmatch("Q[1-9][0-9]*", record.get("id") or ""):
        return False
    fields = (record.get(name) for name in ("labels", "descriptions", "aliases", "sitelinks", "claims"))
    return all(isinstance(field, dict) or field == [] for field in fields)


def triples(entities: Iterable[dict[str, Any]], site: str = "enwiki") -> Iterator[str]:
    """Lines of N-Triples, those about properties' types among them."""
    kinds: dict[str, str] = {}
    for entity in entities:
        yield from _entity(entity, site, kinds)
    for name, kind in sorted(kinds.items()):
        yield f"{wd(name)} <{WIKIBASE}propertyType> <{WIKIBASE}{KINDS[kind]}> ."


def _entity(entity: dict[str, Any], site: str, kinds: dict[str, str]) -> Iterator[str]:
    subject = wd(entity["id"])
    for name, predicate in (("labels", LABEL), ("descriptions", f"<{SCHEMA}description>")):
        for term in dict(entity.get(name) or {}).values():
            yield f"{subject} {predicate} {text(term['value'], term['language'])} ."
    for terms in dict(entity.get("aliases") or {}).values():
        for term in terms:
            yield f"{subject} {ALIAS} {text(term['value'], term['language'])} ."
    if link := dict(entity.get("sitelinks") or {}).get(site):
        address = f"https://{site.removesuffix('wiki')}.wikipedia.org/"
        page = f"<{address}wiki/{quote(link['title'].replace(' ', '_'))}>"
        yield f"{page} <{SCHEMA}about> {subject} ."
        yield f"{page} <{SCHEMA}isPartOf> <{address}> ."
        yield f"{page} <{SCHEMA}name> {text(link['title'], 'en')} ."
    for name, statements in dict(entity.get("claims") or {}).items():
        yield from _claims(subject, name, statements, kinds)


def _claims(subject: str, name: str, statements: list[dict[str, Any]], kinds: dict[str, str]) -> Iterator[str]:
    best = "preferred" if any(given["rank"] == "preferred" for given in statements) else "normal"
    for given in statements:
        node = f"<{WD}entity/statement/{given['id'].replace('$', '-')}>"
        if datatype := given["mainsnak"].get("datatype"):
            kinds[name] = datatype
        yield f"{subject} <{WD}prop/{name}> {node} ."
        yield f"{node} {RDF_TYPE} <{WIKIBASE}Statement> ."
        yield f"{node} <{WIKIBASE}rank> <{WIKIBASE}{RANKS[given['rank']]}> ."
        yield from _snak(node, "statement", name, given["mainsnak"])
        if given["rank"] == best:
            direct = plain(given["mainsnak"], _mark("d", node))
            yield f"{subject} <{WD}prop/direct/{name}> {direct} ." if direct else f"{subject} {RDF_TYPE} {none(name)} ."
        for qualifier, snaks in dict(given.get("qualifiers") or {}).items():
            for snak in snaks:
                yield from _snak(node, "qualifier", qualifier, snak)


def _snak(node: str, role: str, name: str, snak: dict[str, Any]) -> Iterator[str]:
    value = plain(snak, _mark("b", node, role, name))
    if value is None:
        yield f"{node} {RDF_TYPE} {none(name)} ."
        return
    yield f"{node} <{WD}prop/{role}/{name}> {value} ."
    parts = list(full(snak))
    if parts:
        full_node = f"<{WD}value/{_mark('', json.dumps(snak['datavalue'], sort_keys=True))}>"
        yield f"{node} <{WD}prop/{role}/value/{name}> {full_node} ."
        for predicate, said in parts:
            yield f"{full_node} <{WIKIBASE}{predicate}> {said} ."


def plain(snak: dict[str, Any], blank: str) -> str | None:
    """The value in its short form; None where the snak says that there is none."""
    if snak["snaktype"] != "value":
        return None if snak["snaktype"] == "novalue" else f"_:{blank}"
    kind, value = snak["datavalue"]["type"], snak["datavalue"]["value"]
    if kind == "wikibase-entityid":
        letter = {"item": "Q", "property": "P", "lexeme": "L"}[value.get("entity-type", "item")]
        return wd(value.get("id") or f"{letter}{value['numeric-id']}")
    if kind == "time":
        return date(value)
    if kind == "quantity":
        return f'"{value["amount"]}"^^<{XSD}decimal>'
    if kind == "globecoordinate":
        return f'"Point({value["longitude"]} {value["latitude"]})"^^<http://www.opengis.net/ont/geosparql#wktLiteral>'
    if kind == "monolingualtext":
        return text(value["text"], value["language"])
    return _string(value, snak.get("datatype"))


def _string(value: str, datatype: str | None) -> str:
    commons = "http://commons.wikimedia.org/"
    if datatype == "commonsMedia":
        return f"<{commons}wiki/Special:FilePath/{quote(value, safe='')}>"
    if datatype in ("geo-shape", "tabular-data"):
        return f"<{commons}data/main/{quote(value, safe=':')}>"
    if datatype == "url":
        return f"<{value}>"
    if datatype == "math":
        return f'"<math>{quote(value)}</math>"^^<http://www.w3.org/1998/Math/MathML>'
    return text(value)


def full(snak: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The parts of a full value, of the types that have one."""
    if snak["snaktype"] != "value":
        return
    kind, value = snak["datavalue"]["type"], snak["datavalue"]["value"]
    if kind == "time":
        yield "timeValue", date(value)
        yield "timePrecision", f'"{value["precision"]}"^^<{XSD}integer>'
        yield "timeCalendarModel", f"<{value['calendarmodel']}>"
    elif kind == "quantity":
        yield "quantityAmount", f'"{value["amount"]}"^^<{XSD}decimal>'
        yield "quantityUnit", wd("Q199") if value["unit"] == "1" else f"<{value['unit'].replace('https:', 'http:')}>"
    elif kind == "globecoordinate":
        yield "geoLatitude", f'"{value["latitude"]}"^^<{XSD}double>'
        yield "geoLongitude", f'"{value["longitude"]}"^^<{XSD}double>'


def date(value: dict[str, Any]) -> str:
    """A date of XSD 1.1, or a plain text where none can say it."""
    sign, rest = value["time"][0], value["time"][1:]
    digits, month, tail = rest.split("-", 2)
    day, clock = tail.split("T")
    year, months, days = int(digits), int(month), int(day)
    if year == 0 or months > 12 or days > 31:
        return text(value["time"])
    year = 1 - year if sign == "-" else year
    if value["precision"] >= 11 and value["calendarmodel"].endswith(JULIAN):
        year, months, days = to_gregorian(year, months, days)
    months, days = months or 1, days or 1
    shown = f"{'-' if year < 0 else ''}{abs(year):04}-{months:02}-{days:02}T{clock}"
    return f'"{shown}"^^<{XSD}dateTime>'


def to_gregorian(year: int, month: int, day: int) -> tuple[int, int, int]:
    """From the Julian calendar; 1 January 1 of the Julian calendar is two days before that of the Gregorian one."""
    number = _ordinal(year, month, day, lambda y: y % 4 == 0, lambda y: y // 4) - 2
    leap = lambda y: y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)  # noqa: E731
    leaps = lambda y: y // 4 - y // 100 + y // 400  # noqa: E731
    guess = number // 366 + 1 if number > 0 else number // 365 + 1
    while _ordinal(guess + 1, 1, 1, leap, leaps) <= number:
        guess += 1
    while _ordinal(guess, 1, 1, leap, leaps) > number:
        guess -= 1
    for months in range(12, 0, -1):
        if (first := _ordinal(guess, months, 1, leap, leaps)) <= number:
            return guess, months, number - first + 1
    raise AssertionError


def _ordinal(year: int, month: int, day: int, leap: Any, leaps: Any) -> int:
    """Days since 31 December of the year 0."""
    before = 365 * (year - 1) + leaps(year - 1)
    return before + sum(MONTHS[: month - 1]) + (1 if month > 2 and leap(year) else 0) + day


def text(value: str, language: str = "") -> str:
    escaped = json.dumps(value, ensure_ascii=False).replace("\\/", "/").replace("\x7f", "\\u007F")
    return f"{escaped}@{language}" if language else escaped


def _mark(first: str, *parts: str) -> str:
    return first + hashlib.sha1("\n".join(parts).encode(), usedforsecurity=False).hexdigest()


def wd(name: str) -> str:
    return f"<{WD}entity/{name}>"


def none(name: str) -> str:
    return f"<{WD}prop/novalue/{name}>"


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in triples(records(sys.argv[1])))
