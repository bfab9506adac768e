"""Reads the source of the sample world: pages, names, classes, properties and odd records.

The source is a folder of YAML files that people edit; every scalar is read as text, so that
years, jersey numbers and the like keep their spelling. `read` checks what the dumps rely on:
names that resolve, identifiers that are well formed and unique.

    pages/*.yaml          title: {id, about, is, facts, text, label?, aliases?, categories?, sitelink?}
    names.yaml            name: {id, is?, label?, aliases?, title?}, for entities without a page;
                          `title` is the sitelink where it differs from the name, "" for none
    classes.yaml          name: {id, under?, label?}
    properties.yaml       name: {id, type}
    odd/statements.yaml   title: [{property, value?, snak?, rank?, start?, end?, at?}], added to the page's entity
    odd/entities.yaml     [{why, line} or {why, copy, about?}]: a line of the dump as it stands, or a
                          second copy of a page's entity
    odd/pages.yaml        [{why, title, ns?, redirect?, text?}], pages added to the Wikipedia dump
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

QID = re.compile(r"Q[1-9][0-9]*")
PARENTHESES = re.compile(r" \([^()]*\)$")


class SourceError(ValueError):
    """The source of the sample is wrong; the message names the entry."""


@dataclass(frozen=True)
class Fact:
    """One statement: property name, value as written in the source, rank and qualifiers."""

    property: str
    value: str
    snak: str = "value"
    rank: str = "normal"
    qualifiers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Entity:
    """One Wikidata item. `title` is its enwiki sitelink or None."""

    qid: str
    label: str
    about: str = ""
    aliases: tuple[str, ...] = ()
    title: str | None = None
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True)
class Page:
    """One Wikipedia page. `qid` is empty for the odd ones that belong to no entity."""

    title: str
    text: str
    qid: str = ""
    namespace: int = 0
    redirect: str | None = None


@dataclass(frozen=True)
class World:
    """Everything that goes into the two dumps, in the order of the dumps."""

    entities: tuple[Entity, ...]
    pages: tuple[Page, ...]
    properties: dict[str, dict[str, str]]
    qids: dict[str, str]
    odd_entities: tuple[str | Entity, ...] = ()
    odd_pages: tuple[Page, ...] = ()


def read(folder: Path) -> World:
    """The world in a source folder. Raises SourceError for a name, an identifier or a property that is wrong."""
    properties = _load(folder / "properties.yaml")
    classes = _load(folder / "classes.yaml")
    names = _load(folder / "names.yaml")
    pages: dict[str, dict[str, Any]] = {}
    for path in sorted((folder / "pages").glob("*.yaml")):
        for title, entry in _load(path).items():
            if title in pages:
                raise SourceError(f"{path.name}: page {title!r} exists twice")
            pages[title] = entry
    qids = _qids(pages, names, classes)
    extra = _load(folder / "odd" / "statements.yaml")
    unknown = sorted(set(extra) - set(pages))
    if unknown:
        raise SourceError(f"odd/statements.yaml: no page is called {unknown[0]!r}")
    entities = [*_page_entities(pages, extra), *_name_entities(names), *_class_entities(classes)]
    for entity in entities:
        for fact in entity.facts:
            _check(entity, fact, properties, qids)
    return World(
        entities=tuple(sorted(entities, key=lambda e: int(e.qid[1:]))),
        pages=tuple(Page(title, _wikitext(entry), qid=entry["id"]) for title, entry in sorted(pages.items())),
        properties=properties,
        qids=qids,
        odd_entities=tuple(_odd_entity(odd, entities) for odd in _load(folder / "odd" / "entities.yaml")),
        odd_pages=tuple(_odd_page(odd) for odd in _load(folder / "odd" / "pages.yaml")),
    )


def _load(path: Path) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader)  # noqa: S506


def _many(value: str | list[str]) -> list[str]:
    return value if isinstance(value, list) else [value]


def _qids(*tables: dict[str, dict[str, Any]]) -> dict[str, str]:
    qids: dict[str, str] = {}
    for table in tables:
        for name, entry in table.items():
            if not QID.fullmatch(entry.get("id", "")):
                raise SourceError(f"{name!r}: id {entry.get('id')!r} is not a Wikidata identifier such as Q42")
            if name in qids:
                raise SourceError(f"{name!r} is the name of two entries")
            qids[name] = entry["id"]
    repeated = [qid for qid, count in Counter(qids.values()).items() if count > 1]
    if repeated:
        bearers = sorted(name for name, qid in qids.items() if qid == repeated[0])
        raise SourceError(f"{repeated[0]} stands for {bearers}")
    return qids


def _page_entities(pages: dict[str, Any], extra: dict[str, Any]) -> Iterator[Entity]:
    for title, entry in pages.items():
        facts = [Fact("instance of", entry["is"])]
        facts += [Fact(name, value) for name, values in (entry.get("facts") or {}).items() for value in _many(values)]
        facts += [_odd_fact(odd) for odd in extra.get(title, ())]
        label = entry.get("label", PARENTHESES.sub("", title))
        sitelink = entry.get("sitelink", title)
        yield Entity(entry["id"], label, entry["about"], tuple(entry.get("aliases", ())), sitelink, tuple(facts))


def _name_entities(names: dict[str, Any]) -> Iterator[Entity]:
    for name, entry in names.items():
        facts = (Fact("instance of", entry["is"]),) if "is" in entry else ()
        title = entry.get("title", name) or None
        yield Entity(entry["id"], entry.get("label", name), "", tuple(entry.get("aliases", ())), title, facts)


def _class_entities(classes: dict[str, Any]) -> Iterator[Entity]:
    for name, entry in classes.items():
        facts = tuple(Fact("subclass of", above) for above in entry.get("under", ()))
        yield Entity(entry["id"], entry.get("label", name), facts=facts)


def _odd_fact(odd: dict[str, str]) -> Fact:
    names = {"start": "start time", "end": "end time", "at": "point in time"}
    qualifiers = tuple((names[key], odd[key]) for key in names if key in odd)
    snak = odd.get("snak", "value")
    return Fact(odd["property"], odd.get("value", ""), snak, odd.get("rank", "normal"), qualifiers)


def _odd_entity(odd: dict[str, str], entities: list[Entity]) -> str | Entity:
    if "line" in odd:
        return odd["line"]
    found = [entity for entity in entities if entity.title == odd["copy"]]
    if not found:
        raise SourceError(f"odd/entities.yaml: no entity has the title {odd['copy']!r}")
    return replace(found[0], about=odd.get("about", found[0].about))


def _odd_page(odd: dict[str, str]) -> Page:
    return Page(odd["title"], odd.get("text", ""), namespace=int(odd.get("ns", "0")), redirect=odd.get("redirect"))


def _check(entity: Entity, fact: Fact, properties: dict[str, Any], qids: dict[str, str]) -> None:
    if fact.property not in properties:
        raise SourceError(f"{entity.label}: {fact.property!r} is not in properties.yaml")
    is_item = fact.snak == "value" and properties[fact.property]["type"] == "item"
    if is_item and fact.value not in qids and not QID.fullmatch(fact.value):
        raise SourceError(f"{entity.label}, {fact.property}: no page, name or class is called {fact.value!r}")


def _wikitext(entry: dict[str, Any]) -> str:
    categories = [f"[[Category:{name}]]" for name in entry.get("categories", ())]
    return "\n\n".join([entry["text"].strip(), *(["\n".join(categories)] if categories else [])])
