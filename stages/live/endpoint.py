"""A SPARQL endpoint in Wikidata's shape: members of classes by keyset pages, and what it says of entities."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from stages.live import queries
from stages.live.addresses import LiveError, shown
from stages.live.answers import Row, counted, number, plain
from stages.live.batches import Tell, in_batches, some
from stages.live.queries import ENTITY, PROPERTY, Membership
from stages.live.service import Cut, Service, silent
from stages.live.values import datatype_of

Items = Sequence[str]
_Query = Callable[[Items, Items], str]
_LEAST_PAGE = 50
# What a phase asks for, in words, and the variables of its rows, of which the first names what it asks about.
_PHASES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "merged": ("what was merged of", ("item", "other")),
    "properties": ("the types of", ("property", "kind")),
    "names": ("the names of", ("item", "kind", "text")),
    "statements": ("the statements of", ("item", "claim", "statement", "says", "value")),
    "values": (
        "the dates, amounts and places of",
        ("item", "claim", "statement", "node", "full", "part", "value"),
    ),
}


@dataclass(frozen=True)
class Members:
    """ids: in the order of their addresses; total: how many the endpoint counts."""

    ids: tuple[str, ...]
    total: int


@dataclass
class Endpoint:
    """Asks one endpoint. page: members, batch and names_batch: entities a question."""

    service: Service
    tell: Tell = silent
    page: int = 5000
    batch: int = 100
    names_batch: int = 200

    def members(self, asked: Membership, most: int) -> Members:
        """The first members, `most` at the most.

        Pages go on until an empty one, since a full one may be what the endpoint gives at the most, and are
        counted against a count of its own.

        Raises:
            LiveError: pages and count contradict each other, or a page goes back.
        """
        total = self._total(asked)
        found = tuple(self._walk(asked, min(most, total)))
        if len(found) < min(most, total):
            raise LiveError(
                f"{shown(self.service.address)}: counts {total:,} members and gives {len(found):,}; its data has "
                "changed in between, or it cuts pages: ask again with --refresh"
            )
        return Members(found, total)

    def merged(self, items: Items) -> dict[str, str]:
        """Entities that were merged into others, and into which."""
        found: dict[str, str] = {}
        for row in self._named(items, "merged", queries.same_as):
            item, other = row["item"].entity, row["other"].entity
            if item and other:
                found[item] = min(other, found.get(item, other))
        return found

    def datatypes(self, properties: Items) -> dict[str, str]:
        """The dump's names of properties' types; of those that the endpoint does not know, nothing."""
        found = [(row["property"].entity, datatype_of(row["kind"])) for row in self._kinds(properties)]
        return {name: kind for name, kind in found if name and kind}

    def names(self, items: Items, languages: Sequence[str], wiki: str) -> Iterator[Row]:
        """See `queries.names`."""
        return self._named(items, "names", partial(queries.names, languages=languages, wiki=wiki))

    def statements(self, items: Items, properties: Items) -> Iterator[Row]:
        """See `queries.statements`."""
        return self._rows(items, "statements", queries.statements, self.batch, properties)

    def full_values(self, items: Items, properties: Items) -> Iterator[Row]:
        """See `queries.full_values`."""
        return self._rows(items, "values", queries.full_values, self.batch, properties)

    def _kinds(self, properties: Items) -> Iterator[Row]:
        return self._named(properties, "properties", queries.kinds_of)

    def _named(self, things: Items, phase: str, query: Callable[[Items], str]) -> Iterator[Row]:
        return self._rows(things, phase, lambda batch, _: query(batch), self.names_batch)

    def _rows(self, things: Items, phase: str, query: _Query, size: int, properties: Items = ()) -> Iterator[Row]:
        ask = partial(self._shared, properties=properties, query=query, phase=phase)
        for _, rows in in_batches(things, size, ask, self.tell, phase):
            yield from rows

    def _shared(self, batch: Items, properties: Items, query: _Query, phase: str) -> list[Row]:
        """The rows about a batch; about one entity alone in several questions, if one is too much."""
        words, columns = _PHASES[phase]
        among = {columns[0]: frozenset(f"{ENTITY}{name}" for name in batch)}
        if "claim" in columns:
            among["claim"] = frozenset(f"{PROPERTY}{name}" for name in properties)
        check = partial(counted, columns=columns, among=among)
        about = f"{words} {some(batch)}" + (f" under {some(properties)}" if properties else "")
        is_least = len(batch) == 1 and len(properties) <= 1
        try:
            return self.service.ask({"query": query(batch, properties)}, check, is_least, about)
        except Cut:
            if len(batch) > 1 or is_least:
                raise
        half = len(properties) // 2
        parts = (properties[:half], properties[half:])
        return [row for part in parts for row in self._shared(batch, part, query, phase)]

    def _total(self, asked: Membership) -> int:
        try:
            about = f"the number of members of {some(asked.classes)}"
            return self.service.ask({"query": queries.member_count(asked)}, number, least=True, about=about)
        except Cut as cut:
            raise LiveError(
                f"{shown(self.service.address)}: cannot count the members of {', '.join(asked.classes)} ({cut}); "
                "a narrower class or one more condition helps"
            ) from cut

    def _walk(self, asked: Membership, wanted: int) -> Iterator[str]:
        """The first members, or fewer where a page comes back empty."""
        last, size, done = "", self.page, 0
        members = f"members of {some(asked.classes)}"
        while done < wanted:
            query = queries.members(asked, last, min(size, wanted - done))
            check = partial(_in_order, after=last)
            about = f"the {members} after {last}" if last else f"the first {members}"
            try:
                page = self.service.ask({"query": query}, check, size <= _LEAST_PAGE, about)
            except Cut as cut:
                if size <= _LEAST_PAGE:
                    raise LiveError(f"{shown(self.service.address)}: no whole page of members: {cut}") from cut
                size //= 4
                continue
            if not page:
                return
            yield from page
            last, done = page[-1], done + len(page)
            self.tell("members", done, wanted)


def _in_order(body: bytes, after: str) -> list[str]:
    """The ids of a page.

    Raises:
        Cut: something else than an entity, or not in the order that the next page is asked by.
    """
    ids = []
    for row in plain(body):
        name = row["item"].entity if "item" in row else None
        if name is None or name <= after:
            raise Cut(f"members out of order: {name or 'no entity'} after {after or 'nothing'}")
        ids.append(name)
        after = name
    return ids
