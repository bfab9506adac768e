"""Statements of a dump, put together from what an endpoint says of each."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from stages.live.answers import Node, Row
from stages.live.queries import ENTITY, PARTS, PROPERTY
from stages.live.values import Unread, snak

_STATEMENT = f"{ENTITY}statement/"
_ONTOLOGY = "http://wikiba.se/ontology#"
_RANKS = {"PreferredRank": "preferred", "NormalRank": "normal", "DeprecatedRank": "deprecated"}
_WHOLE = ("uri", "bnode")
Full = dict[str, Node]


@dataclass
class _Parts:
    """What is known of one statement. values and fulls: by ps:, pq:, psv: and pqv: names, without their prefixes."""

    item: str
    name: str
    rank: str = ""
    main: list[Node] = field(default_factory=list)
    main_full: dict[str, Full] = field(default_factory=lambda: defaultdict(dict))
    values: dict[str, list[Node]] = field(default_factory=lambda: defaultdict(list))
    fulls: dict[str, dict[str, Full]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(dict)))
    without: set[str] = field(default_factory=set)


class Statements:
    """Collects rows, in any order. unread: values that the endpoint does not tell in full, by property and reason."""

    def __init__(self, datatypes: dict[str, str]) -> None:
        self._datatypes = datatypes
        self._parts: dict[str, _Parts] = {}
        self.unread: Counter[str] = Counter()

    def add(self, row: Row) -> None:
        """A row of `queries.statements`."""
        parts, says, value = self._of(row), row["says"].value.removeprefix(PROPERTY), row["value"]
        role, _, name = says.partition("/")
        if says == f"{_ONTOLOGY}rank":
            parts.rank = value.value.removeprefix(_ONTOLOGY)
        elif role == "statement":
            parts.main.append(value)
        elif role == "qualifier":
            parts.values[name].append(value)
        else:
            parts.without.add(value.value.removeprefix(f"{PROPERTY}novalue/"))

    def add_part(self, row: Row) -> None:
        """A row of `queries.full_values`, after those of `queries.statements`."""
        parts, full = self._of(row), row["full"].value
        role, _, name = row["node"].value.removeprefix(PROPERTY).partition("/value/")
        whole = parts.main_full[full] if role == "statement" else parts.fulls[name][full]
        part = row["part"].value.removeprefix(_ONTOLOGY)
        whole[PARTS.get(part, part)] = row["value"]

    def in_parts(self, items: Sequence[str]) -> list[str]:
        """The items with a value or a qualifier that may stand in parts."""
        having = {
            parts.item
            for parts in self._parts.values()
            if parts.values or any(value.type not in _WHOLE and value.datatype for value in parts.main)
        }
        return [item for item in items if item in having]

    def finished(self) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
        """(item, property, address, statement as the dump writes it) of all statements."""
        for place, parts in sorted(self._parts.items()):
            datatype = self._datatypes.get(parts.name)
            # A statement has one value, and one full value.
            main = min(parts.main, key=lambda node: (node.type, node.value), default=None)
            full = parts.main_full[min(parts.main_full)] if parts.main_full else {}
            try:
                value = _snak(parts.name, main, full, parts.name in parts.without and main is None, datatype)
            except Unread as reason:
                self.unread[f"{parts.name} ({reason})"] += 1
                continue
            statement = {"mainsnak": value, "type": "statement", "id": _statement_id(place)}
            statement["rank"] = _RANKS.get(parts.rank, parts.rank)
            if qualifiers := _qualifiers(parts):
                statement["qualifiers"] = qualifiers
            yield parts.item, parts.name, place, statement

    def _of(self, row: Row) -> _Parts:
        place, name = row["statement"].value, row["claim"].value.removeprefix(PROPERTY)
        return self._parts.setdefault(place, _Parts(row["item"].entity or "", name))


def _snak(name: str, value: Node | None, full: Full, none: bool, datatype: str | None) -> dict[str, Any]:
    row = {**full, **({"value": value} if value is not None else {})}
    return snak(name, {**row, "novalue": Node("literal", "true")} if none else row, datatype)


def _qualifiers(parts: _Parts) -> dict[str, list[dict[str, Any]]]:
    """Those that say when; that there is one may decide about the statement even where it does not say when."""
    found: dict[str, list[dict[str, Any]]] = {}
    for name in sorted({*parts.values, *(parts.without - {parts.name})}):
        given = [_time(name, full) for full in parts.fulls[name].values()]
        unknown = len(parts.values[name]) - len(given)
        given += [{"snaktype": "somevalue", "property": name, "datatype": "time"}] * max(unknown, 0)
        if name in parts.without:
            given.append({"snaktype": "novalue", "property": name, "datatype": "time"})
        found[name] = sorted(given, key=lambda one: json.dumps(one, sort_keys=True))
    return found


def _time(name: str, full: Full) -> dict[str, Any]:
    try:
        return _snak(name, full.get("time"), full, none=False, datatype="time")
    except Unread:
        return {"snaktype": "somevalue", "property": name, "datatype": "time"}


def _statement_id(address: str) -> str:
    """As in a dump, where the entity's id ends in $ instead of a hyphen."""
    item, _, rest = address.removeprefix(_STATEMENT).partition("-")
    return f"{item}${rest}"
