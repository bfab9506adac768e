"""SPARQL for what a build reads of Wikidata: text made from checked ids only, for any endpoint of Wikidata's shape.

Prefixes are declared, labels are asked for as triples (no label service), and rows come in the
order of what pages are cut at. Each row carries the number of all rows of its query as ?n, so
that an answer which a service has shortened is known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from stages.live.addresses import LiveError

ENTITY = "http://www.wikidata.org/entity/"
PROPERTY = "http://www.wikidata.org/prop/"
PARTS = {
    "timeValue": "time",
    "timePrecision": "precision",
    "timeCalendarModel": "calendar",
    "quantityAmount": "amount",
    "quantityUnit": "unit",
    "geoLatitude": "latitude",
    "geoLongitude": "longitude",
}
"""Of a full value, and what this project calls them."""
QUALIFIERS = ("P580", "P582", "P585")
"""Which say when a statement holds."""
_PREFIXES = """\
PREFIX wd: <http://www.wikidata.org/entity/>
PREFIX wdt: <http://www.wikidata.org/prop/direct/>
PREFIX p: <http://www.wikidata.org/prop/>
PREFIX pqv: <http://www.wikidata.org/prop/qualifier/value/>
PREFIX pq: <http://www.wikidata.org/prop/qualifier/>
PREFIX wikibase: <http://wikiba.se/ontology#>
PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
PREFIX owl: <http://www.w3.org/2002/07/owl#>
PREFIX schema: <http://schema.org/>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
"""


def checked(pattern: re.Pattern[str], what: str) -> Callable[[str], str]:
    """A function that gives back a text of a form, and raises a LiveError for every other one."""

    def check(text: str) -> str:
        if not pattern.fullmatch(text):
            raise LiveError(f"{text[:60]!r} is not {what}")
        return text

    return check


item = checked(re.compile(r"Q[1-9][0-9]{0,17}"), "the id of an item, such as Q42")
property_id = checked(re.compile(r"P[1-9][0-9]{0,11}"), "the id of a property, such as P57")
_language = checked(re.compile(r"[a-z]{2,12}(?:-[a-z0-9]{1,12})*"), "a language code, such as en")
_wiki = checked(
    re.compile(r"https://[a-z0-9-]{1,40}\.[a-z]{1,20}\.org/"),
    "the address of a wiki, such as https://en.wikipedia.org/",
)


@dataclass(frozen=True)
class Years:
    """Members whose date under `property` lies in the years from `first` to `last`, as ISO 8601 counts them."""

    property: str
    first: int
    last: int

    def __post_init__(self) -> None:
        property_id(self.property)
        if not -9999 <= self.first <= self.last <= 9999:
            raise LiveError(f"years {self.first} to {self.last}: expected two years from -9999 to 9999, in order")


@dataclass(frozen=True)
class Membership:
    """Which entities are meant: those of any of the classes (QIDs) or their subclasses, that meet every condition.

    holding: pairs (property, item) that a member has as a truthy statement.
    """

    classes: tuple[str, ...]
    years: tuple[Years, ...] = ()
    holding: tuple[tuple[str, str], ...] = ()


def members(asked: Membership, after: str, most: int) -> str:
    """Rows ?item in the order of their addresses, beginning after the entity `after` ("" for the first ones)."""
    later = f'FILTER(STR(?item) > "{ENTITY}{item(after)}")' if after else ""
    return f"{_PREFIXES}SELECT DISTINCT ?item WHERE {{\n{_pattern(asked)}{later}\n}} ORDER BY STR(?item) LIMIT {most:d}"


def member_count(asked: Membership) -> str:
    """One row ?n."""
    return f"{_PREFIXES}SELECT (COUNT(DISTINCT ?item) AS ?n) WHERE {{\n{_pattern(asked)}}}"


def same_as(items: Iterable[str]) -> str:
    """Rows ?n ?item ?other: entities that were merged into another one."""
    return _counted(f"VALUES ?item {{ {_items(items)} }} ?item owl:sameAs ?other .", "?item ?other")


def names(items: Iterable[str], languages: Sequence[str], wiki: str) -> str:
    """Rows ?n ?item ?kind ?text: labels, aliases and descriptions in the languages, and titles on one wiki.

    wiki: its address, such as https://en.wikipedia.org/.
    """
    kinds = '("label" rdfs:label) ("alias" skos:altLabel) ("description" schema:description)'
    wanted = ", ".join(f'"{_language(language)}"' for language in languages)
    values = f"VALUES ?item {{ {_items(items)} }}"
    return _counted(
        f"{{ {values} VALUES (?kind ?says) {{ {kinds} }} ?item ?says ?text . FILTER(LANG(?text) IN ({wanted})) }}\n"
        f"UNION {{ {values} ?page schema:about ?item ; schema:isPartOf <{_wiki(wiki)}> ; schema:name ?text . "
        'BIND("title" AS ?kind) }',
        "?item ?kind ?text",
    )


def kinds_of(properties: Iterable[str]) -> str:
    """Rows ?n ?property ?kind: the types of properties, where the endpoint holds them."""
    wanted = " ".join(f"wd:{property_id(name)}" for name in properties)
    return _counted(f"VALUES ?property {{ {wanted} }} ?property wikibase:propertyType ?kind .", "?property ?kind")


def statements(items: Iterable[str], properties: Sequence[str]) -> str:
    """Rows ?n ?item ?claim ?statement ?says ?value: what statements of some properties say of themselves.

    ?claim: p:P57; ?says: wikibase:rank, ps:P57, pq:P580, or a type wdno:P57 (rdf:type) for what has no value.
    """
    # Everything at one node and then a filter: an optional part per predicate makes some engines read the whole store.
    wanted = ", ".join(f"pq:{name}" for name in QUALIFIERS)
    pattern = f"""{_claims(items, properties)} ?statement ?says ?value .
FILTER(?says IN (wikibase:rank, {wanted}) || STRSTARTS(STR(?says), "{PROPERTY}statement/P") ||
(?says = rdf:type && STRSTARTS(STR(?value), "{PROPERTY}novalue/P")))"""
    return _counted(pattern, "?item ?claim ?statement ?says ?value")


def full_values(items: Iterable[str], properties: Sequence[str]) -> str:
    """Rows ?n ?item ?claim ?statement ?node ?full ?part ?value: dates, amounts and places in all their parts.

    ?node: psv:P569 or pqv:P580; ?full: tells several values of one qualifier apart; ?part: see PARTS.
    """
    wanted = ", ".join(f"pqv:{name}" for name in QUALIFIERS)
    parts = ", ".join(f"wikibase:{name}" for name in PARTS)
    pattern = f"""{_claims(items, properties)} ?statement ?node ?full . ?full ?part ?value .
FILTER(?node IN ({wanted}) || STRSTARTS(STR(?node), "{PROPERTY}statement/value/P"))
FILTER(?part IN ({parts}))"""
    return _counted(pattern, "?item ?claim ?statement ?node ?full ?part ?value")


def _claims(items: Iterable[str], properties: Sequence[str]) -> str:
    claims = ", ".join(f"p:{property_id(name)}" for name in properties)
    return f"VALUES ?item {{ {_items(items)} }} ?item ?claim ?statement . FILTER(?claim IN ({claims}))\n"


def _counted(pattern: str, variables: str) -> str:
    return (
        f"{_PREFIXES}SELECT ?n {variables} WHERE {{\n"
        f"{{ SELECT (COUNT(*) AS ?n) WHERE {{\n{pattern}\n}} }}\n{pattern}\n}}"
    )


def _pattern(asked: Membership) -> str:
    if not asked.classes:
        raise LiveError("no class is named whose members are meant")
    lines = [f"VALUES ?class {{ {_items(asked.classes)} }} ?item wdt:P31/wdt:P279* ?class ."]
    lines += [f"?item wdt:{property_id(name)} wd:{item(value)} ." for name, value in asked.holding]
    for number, years in enumerate(asked.years):
        lines.append(
            f"?item wdt:{years.property} ?date{number} . FILTER(DATATYPE(?date{number}) = xsd:dateTime && "
            f"YEAR(?date{number}) >= {years.first:d} && YEAR(?date{number}) <= {years.last:d})"
        )
    lines.append(f'FILTER(STRSTARTS(STR(?item), "{ENTITY}Q"))')
    return "\n".join(lines) + "\n"


def _items(items: Iterable[str]) -> str:
    return " ".join(f"wd:{item(name)}" for name in items)
