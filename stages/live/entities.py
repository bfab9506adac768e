"""Entities of a SPARQL endpoint in the dump's own JSON: what a recipe names, and what that leads to.

    members and seeds
      -> their statements, with rank and qualifiers
      -> the entities that these lead to (with their own statements, as many hops as the recipe wants)
      -> the classes of all of them, upwards along P279

Of the objects of the last hop only names, types and superclasses are read, of classes only names
and superclasses. Which statements count is not decided here: the reader of dumps does.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from stages.live.addresses import LiveError, shown
from stages.live.answers import Row
from stages.live.batches import some
from stages.live.endpoint import Endpoint
from stages.live.recipe import Recipe
from stages.live.statements import Statements

TYPE, SUBCLASS = "P31", "P279"
CHANGE = "change classes, where or seeds of the --recipe"
Claims = dict[str, dict[str, dict[str, Any]]]


@dataclass(frozen=True)
class Terms:
    """Whose names are read. languages: codes; site: the wiki's name in a dump, such as enwiki; wiki: its address."""

    languages: tuple[str, ...]
    site: str
    wiki: str


@dataclass
class FoundEntity:
    """What an endpoint says of one entity. claims: property -> statement's id -> statement."""

    labels: dict[str, str] = field(default_factory=dict)
    descriptions: dict[str, str] = field(default_factory=dict)
    aliases: set[tuple[str, str]] = field(default_factory=set)
    title: str = ""
    claims: Claims = field(default_factory=dict)

    def is_something(self) -> bool:
        return bool(self.labels or self.descriptions or self.aliases or self.title or self.claims)

    def objects(self, properties: Iterable[str]) -> Iterator[str]:
        """The items that statements of some properties lead to."""
        for name in properties:
            for statement in self.claims.get(name, {}).values():
                value = statement["mainsnak"].get("datavalue")
                if value is not None and value["type"] == "wikibase-entityid" and value["value"]["id"][0] == "Q":
                    yield value["value"]["id"]


@dataclass
class Walk:
    """Follows a recipe. main: the members and seeds, in the order of the recipe; notes: what a reader must know."""

    endpoint: Endpoint
    recipe: Recipe
    properties: tuple[str, ...]
    terms: Terms
    found: dict[str, FoundEntity] = field(default_factory=dict)
    main: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)
    unread: Counter[str] = field(default_factory=Counter)
    _datatypes: dict[str, str] = field(default_factory=dict)

    def run(self) -> None:
        """Fills `found`."""
        every = tuple(sorted({*self.properties, TYPE, SUBCLASS}, key=_number))
        self._datatypes = self.endpoint.datatypes(every)
        if missing := [name for name in every if name not in self._datatypes]:
            self.notes.append(
                f"The endpoint does not tell the types of {len(missing)} of {len(every)} properties "
                f"({some(missing)}): identifiers count as texts."
            )
        self.main = self._main()
        named = self._hops(every)
        self._fetch(named, (TYPE, SUBCLASS))
        self._classes()
        self.notes += [
            f"{count} values of {name} were left out: the endpoint does not tell them in full"
            for name, count in sorted(self.unread.items())
        ]

    def lines(self) -> Iterator[bytes]:
        """The entities of which the endpoint says anything as lines of a dump, by their numbers."""
        yield b"[\n"
        known = sorted((name for name in self.found if self.found[name].is_something()), key=_number)
        for place, name in enumerate(known):
            record = self._record(name, self.found[name])
            comma = b"," if place < len(known) - 1 else b""
            yield json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + comma + b"\n"
        yield b"]\n"

    def titles(self) -> list[str]:
        """The pages of all entities: those of members and seeds first, then the others by their numbers."""
        rest = sorted(set(self.found) - set(self.main), key=_number)
        return list(dict.fromkeys(title for name in (*self.main, *rest) if (title := self.found[name].title)))

    def lacking(self) -> list[str]:
        """Notes about entities that the endpoint does not know, or of which no question can be made; after `run`.

        Raises:
            LiveError: there is no entity, or none with a statement of the properties.
        """
        address = shown(self.endpoint.service.address)
        if not self.main:
            raise LiveError(f"{address}: there are no {self.recipe.entities}; {CHANGE}, or its years")
        known = [name for name in self.main if self.found[name].is_something()]
        unknown = [name for name in self.main if name not in known]
        if not known:
            raise LiveError(f"{address}: says nothing of {some(unknown)}; {CHANGE}")
        bare = [name for name in known if not any(self.found[name].claims.get(key) for key in self.properties)]
        if len(bare) == len(known):
            raise LiveError(
                f"{address}: none of {len(known):,} entities ({some(known)}) has a statement of the properties "
                f"{some(self.properties)}, so that there is nothing to ask about; name others under properties of the "
                "--recipe, or other entities"
            )
        notes = {
            f"The endpoint says nothing of {len(unknown):,} of {len(self.main):,} entities: {some(unknown)}.": unknown,
            f"{len(bare):,} of {len(known):,} entities have no statement of the properties: {some(bare)}.": bare,
        }
        return [note for note, names in notes.items() if names]

    def _main(self) -> tuple[str, ...]:
        merged = self.endpoint.merged(self.recipe.seeds) if self.recipe.seeds else {}
        seeds = [merged.get(name, name) for name in self.recipe.seeds]
        most, members = self.recipe.limits.entities, []
        if self.recipe.members is not None and len(seeds) < most:
            found = self.endpoint.members(self.recipe.members, most - len(seeds))
            members = list(found.ids)
            if found.total > len(members):
                self.notes.append(
                    f"The endpoint has {found.total:,} members; limits.entities took the first {len(members):,} by id."
                )
        return tuple(dict.fromkeys((*seeds, *members)))[:most]

    def _hops(self, every: tuple[str, ...]) -> list[str]:
        """Reads statements hop by hop; returns the objects of the last one."""
        frontier, room = list(self.main), self.recipe.limits.objects
        for _ in range(self.recipe.hops + 1):
            self._fetch(frontier, every)
            led = {item for name in frontier for item in self.found[name].objects(self.properties)}
            frontier = self._within(sorted(led - set(self.found), key=_number), room, "objects")
            room -= len(frontier)
        return frontier

    def _classes(self) -> None:
        """Reads upwards from the types of all entities."""
        room = self.recipe.limits.classes
        wanted = {item for found in self.found.values() for item in found.objects((TYPE, SUBCLASS))}
        while frontier := self._within(sorted(wanted - set(self.found), key=_number), room, "classes"):
            room -= len(frontier)
            self._fetch(frontier, (SUBCLASS,))
            wanted = {item for name in frontier for item in self.found[name].objects((SUBCLASS,))}

    def _within(self, items: list[str], room: int, limit: str) -> list[str]:
        if len(items) > room:
            self.notes.append(f"limits.{limit} left out {len(items) - room:,} of {len(items):,} entities of a step.")
        return items[: max(room, 0)]

    def _fetch(self, items: Sequence[str], properties: tuple[str, ...]) -> None:
        """Reads names, and statements of some properties."""
        ordered = sorted(items, key=_number)
        for name in ordered:
            self.found[name] = FoundEntity()
        for row in self.endpoint.names(ordered, self.terms.languages, self.terms.wiki):
            self._name(row)
        read = Statements(self._datatypes)
        for row in self.endpoint.statements(ordered, properties):
            read.add(row)
        # Most have no value that stands in parts, and those of the others are few.
        for row in self.endpoint.full_values(read.in_parts(ordered), properties):
            read.add_part(row)
        for item, name, place, statement in read.finished():
            self.found[item].claims.setdefault(name, {})[place] = statement
        self.unread.update(read.unread)

    def _name(self, row: Row) -> None:
        item, kind, text = row["item"].entity or "", row["kind"].value, row["text"]
        entity = self.found[item]
        if kind == "alias":
            entity.aliases.add((text.language.lower(), text.value))
        elif kind == "title":
            entity.title = min(text.value, entity.title or text.value)
        else:
            said = entity.labels if kind == "label" else entity.descriptions
            language = text.language.lower()
            said[language] = min(text.value, said.get(language, text.value))

    def _record(self, name: str, entity: FoundEntity) -> dict[str, Any]:
        aliases: dict[str, list[dict[str, str]]] = {}
        for language, value in sorted(entity.aliases):
            aliases.setdefault(language, []).append({"language": language, "value": value})
        site = self.terms.site
        return {
            "type": "item",
            "id": name,
            "labels": _terms(entity.labels),
            "descriptions": _terms(entity.descriptions),
            "aliases": aliases,
            "claims": {
                key: [statement for _, statement in sorted(entity.claims[key].items())]
                for key in sorted(entity.claims, key=_number)
            },
            "sitelinks": {site: {"site": site, "title": entity.title}} if entity.title else {},
        }


def _terms(said: dict[str, str]) -> dict[str, dict[str, str]]:
    return {language: {"language": language, "value": said[language]} for language in sorted(said)}


def _number(name: str) -> int:
    return int(name[1:])
