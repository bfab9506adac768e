"""Why a question, a query, an entity or a statement is in a build, or is not: where it was made, and where it was lost.

The answer is read from the tables: which of them hold it, in the order of the stages, and which stage's rejects name
it. A stage may count what it drops under something larger than one record, such as a property; then the count of that
is told.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import reduce
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from manifests.manifest import BuildManifest, StageManifest, Table, is_rejects
from manifests.storage import Storage
from pipelines.datasets import Dataset
from pipelines.gaps import RECORDS
from pipelines.lineage import Tables, Trail
from stages.core.shards import read_shard
from stages.facts.statements import FACTS

QUESTION, QUERY, ENTITY, STATEMENT, RECORD = "question", "query", "entity", "statement", "record"
_TYPED_ID = re.compile(r"(?<![^\s:&~+|])[pq]\d+(?![^\s:&~+|])")
_ENTITY = re.compile(r"Q[1-9]\d*")
_STATEMENT = re.compile(r"(Q[1-9]\d*) (P[1-9]\d*) (\S.*)")
_QUERY = re.compile(r"(P[1-9]\d*):(Q[1-9]\d*)(?::Q[1-9]\d*)?")
_TEXT, _TEXTS = "string", "list<string>"
# Long texts, in which nothing is looked for.
_PROSE = {"record", "payload", "wrong_payload", "text", "premise", "sentence", "sentences", "texts"}
# What the released files are written from.
_RELEASED = (RECORDS, "sidecar", "compositions", "explanations", "contexts")
_OWN = "#own"
_MOST_DROPS = 1000


@dataclass(frozen=True)
class Wanted:
    """What is looked for in the rows of tables.

    ids: values that some column has, or some item of a list. statement: (subject, property, object); query: the same
    without a subject, of the statements that answer a query. parts: the columns of a key that has several.
    is_entity: which is named by much that is not about it.
    """

    ids: frozenset[str]
    statement: tuple[str, str, str] | None = None
    query: tuple[str, str, str] | None = None
    parts: tuple[str, ...] = ()
    is_entity: bool = False


@dataclass(frozen=True)
class Holding:
    """A table that holds it: in how many rows, and the numbers of the row where it is one.

    own: it is the thing itself, not only a statement that answers it or names it.
    """

    stage: str
    table: str
    rows: int
    numbers: Mapping[str, float]
    own: bool = True


@dataclass(frozen=True)
class Drop:
    """A reject that names it. own: it is the thing itself that was dropped, not something of it."""

    stage: str
    key: str
    reason: str
    detail: str
    count: int
    own: bool


@dataclass(frozen=True)
class Story:
    """What became of one thing.

    what: a question, query, entity, statement or other record; called: its names, as asked first.
    events: the tables that hold it and the rejects that name it, in the order of the stages.
    lost: the stage that dropped it, "" where none did or it is not known which; verdict: the same in a sentence.
    parts: what it is made of, where it is not released itself.
    """

    what: str
    called: tuple[str, ...]
    events: tuple[Holding | Drop, ...]
    lost: str
    verdict: str
    trail: Trail | None = None
    parts: tuple[Story, ...] = ()

    @property
    def found(self) -> bool:
        """Whether the build knows anything of it."""
        return bool(self.events or any(part.found for part in self.parts))

    def as_dict(self) -> dict[str, Any]:
        """In plain JSON types."""
        return asdict(self)


def why(root: Storage, manifest: BuildManifest, dataset: Dataset, asked: str) -> Story:
    """What became of what has this id, key, title or label in a build.

    Raises:
        ManifestError, DamagedShard: a table of the build cannot be read.
    """
    # Ids of Wikidata are written in capitals, and typed as one likes.
    return _Why(root, manifest, dataset).story(_TYPED_ID.sub(lambda match: match[0].upper(), asked.strip()))


class _Why:
    """One build, asked about several things."""

    def __init__(self, root: Storage, manifest: BuildManifest, dataset: Dataset) -> None:
        self.root = root
        self.manifest = manifest
        self.dataset = dataset
        self.tables = Tables(root, manifest)

    def story(self, asked: str) -> Story:
        trail = self._trail(asked)
        what, called, wanted = self._known(asked, trail)
        events = tuple(event for stage in self.manifest.stages for event in self._events(stage, wanted))
        made_of = self.dataset.parts(asked) if self.dataset.parts and trail is None else ()
        parts = tuple(self.story(part) for part in made_of if part != asked)
        lost, verdict = self._verdict(called[0], events, wanted, trail)
        gone = next((part for part in parts if part.lost or not part.found), None)
        if gone is not None and not any(event.own for event in events):
            lost, verdict = gone.lost, f"{asked} was not made, for want of a part of it: {gone.verdict}"
        return Story(what, called, events, lost, verdict, trail, parts)

    def _trail(self, asked: str) -> Trail | None:
        if self.dataset.lineage is None or RECORDS not in self.tables.names:
            return None
        return next(iter(self.dataset.lineage.trails(self.root, self.manifest, {asked})), None)

    def _known(self, asked: str, trail: Trail | None) -> tuple[str, tuple[str, ...], Wanted]:
        """What kind of thing is meant, all its names, and how rows show it."""
        if trail is not None:
            names = tuple(dict.fromkeys((trail.key, trail.record)))
            return QUESTION, names, self._asking(trail.key, names)
        if stated := _STATEMENT.fullmatch(asked):
            subject, prop, value = stated.groups()
            return STATEMENT, (asked,), Wanted(frozenset({asked}), (subject, prop, value))
        if _QUERY.match(asked):
            return QUERY, (asked,), self._asking(asked, (asked,))
        if entity := self._entity(asked):
            return ENTITY, entity, Wanted(frozenset(entity), is_entity=True)
        if _ENTITY.fullmatch(asked):
            return ENTITY, (asked,), Wanted(frozenset({asked}), is_entity=True)
        return RECORD, (asked,), Wanted(frozenset({asked}), parts=tuple(asked.split(" ")))

    def _asking(self, key: str, names: Iterable[str]) -> Wanted:
        """A query of one relation is seen in the statements that answer it, too."""
        simple = _QUERY.fullmatch(key)
        return Wanted(frozenset(names), query=("", simple[1], simple[2]) if simple else None)

    def _entity(self, asked: str) -> tuple[str, ...]:
        """The qid, title and label of an entity that has one of them."""
        for column in ("qid", "title", "label") if "entities" in self.tables.names else ():
            for row in self.tables.by("entities", column, [asked]).get(asked, ()):
                page = row["title"] or row["label"]
                return tuple(dict.fromkeys((row["qid"], *((page,) if page else ()))))
        return ()

    def _events(self, stage: StageManifest, wanted: Wanted) -> Iterator[Holding | Drop]:
        for name, table in stage.tables.items():
            if is_rejects(name) or not table.rows:
                continue
            found = [row for rows in self._rows(table, wanted) for row in rows.to_pylist()]
            if found:
                own = any(row[_OWN] for row in found)
                if wanted.is_entity:
                    own = len(table.key) == 1 and any(row[table.key[0]] in wanted.ids for row in found)
                yield Holding(stage.stage, name, len(found), _numbers(found[0]) if len(found) == 1 else {}, own)
        yield from _few(self._rejected(stage, wanted))

    def _rows(self, table: Table, wanted: Wanted) -> Iterator[pa.Table]:
        columns = [name for name in table.schema if name not in _PROSE]
        for shard in table.shards:
            rows = read_shard(self.root, shard, columns)
            own, stated = _called(rows, table, wanted), _stated(rows, wanted.statement or wanted.query)
            yield rows.append_column(_OWN, own).filter(pc.or_(own, stated))

    def _rejected(self, stage: StageManifest, wanted: Wanted) -> Iterator[Drop]:
        for row in self._rejects(stage):
            own = row["key"] in wanted.ids
            if own or any(row["key"].startswith(f"{name} ") for name in wanted.ids):
                yield Drop(stage.stage, row["key"], row["reason"], row["detail"], row["count"], own)

    def _rejects(self, stage: StageManifest) -> Iterator[Mapping[str, Any]]:
        for name, table in stage.tables.items():
            for shard in table.shards if is_rejects(name) and table.rows else ():
                yield from read_shard(self.root, shard).to_pylist()

    def _verdict(
        self, name: str, events: Sequence[Holding | Drop], wanted: Wanted, trail: Trail | None
    ) -> tuple[str, str]:
        """The stage that dropped it, and in a sentence what became of it."""
        if trail is not None:
            return "", f"{trail.record} is in the release: {trail.split}, {trail.kind}, {_counted(trail)}."
        own = [event for event in events if event.own]
        ways = events if wanted.is_entity else own
        released = next((one for one in ways if isinstance(one, Holding) and one.table in _RELEASED), None)
        if released is not None:
            rows = _rows_of(released.rows)
            return "", f"{name} is in the release: {rows} of {released.table}, by {self._step(released.stage)}."
        drop, last = _end(events, wanted)
        if drop is not None:
            told = f"{drop.reason}: {drop.detail}" if drop.detail else drop.reason
            still = f"; it is still in {_place(last)}" if last is not None else ""
            return drop.stage, f"{name} was dropped in {self._step(drop.stage)}: {told}{still}."
        if last is not None:
            return self._vanished(name, last, wanted)
        return "", f"No table of this build holds {name}, and no stage names it among what it dropped."

    def _vanished(self, name: str, last: Holding, wanted: Wanted) -> tuple[str, str]:
        """No reject names it: the first stage that reads the last table of it, and does not give it."""
        reader = next((stage for stage in self._after(last.stage) if last.table in stage.inputs), None)
        there = _place(last)
        if reader is None:
            return "", f"{name} is in {there}, which no later stage reads."
        stated = wanted.statement or wanted.query
        group = stated[1] if stated else ""
        counts = Counter[str]()
        for row in self._rejects(reader):
            if row["key"] == group:
                counts[row["reason"]] += row["count"]
        whose = f"of all of {group} it dropped" if counts else "of all that it read it dropped"
        counts = counts or Counter({reason.rpartition(".")[2]: count for reason, count in reader.rejects.items()})
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in counts.most_common())
        return reader.stage, (
            f"{name} came as far as {there}, and is not in what {self._step(reader.stage)} made of it; "
            + (f"{whose}: {reasons}" if reasons else "it names nothing that it dropped")
            + f"{_limits(reader)}."
        )

    def _after(self, name: str) -> Iterator[StageManifest]:
        names = [stage.stage for stage in self.manifest.stages]
        yield from self.manifest.stages[names.index(name) + 1 :]

    def _step(self, stage: str) -> str:
        """A stage with the paper's name of the step."""
        step = next((step.name for step in self.dataset.paper if stage in step.stages), "")
        return f"{stage} ({step})" if step else stage


def _end(events: Sequence[Holding | Drop], wanted: Wanted) -> tuple[Drop | None, Holding | None]:
    """Where its way ended: the last reject of it, and the last table that holds it, if that comes after the reject.

    A table may be made without asking what was dropped, or of something else of the same name.
    """
    own = [event for event in events if event.own]
    kept = [event for event in own if isinstance(event, Holding)]
    drop = next((event for event in reversed(own) if isinstance(event, Drop)), None)
    if wanted.is_entity and kept:
        # One that is there goes on by what names it; what was dropped of it is not the whole.
        return None, [event for event in events if isinstance(event, Holding)][-1]
    if drop is not None:
        return drop, kept[-1] if kept and own.index(kept[-1]) > own.index(drop) else None
    if kept:
        return None, kept[-1]
    # A query that was never made has only its statements, which may serve others.
    seen = [event for event in events if isinstance(event, Holding)]
    return None, next((event for event in seen if event.table == FACTS.name), seen[-1] if seen else None)


def _limits(stage: StageManifest) -> str:
    """The numbers that a stage was given, by which it may have dropped something."""
    found = {name: value for name, value in _leaves(stage.parameters) if "seed" not in name}
    return f" (with {', '.join(f'{name} {value:,}' for name, value in found.items())})" if found else ""


def _leaves(values: Mapping[str, Any], name: str = "") -> Iterator[tuple[str, float]]:
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, key)
        elif _is_number(value):
            yield key.rpartition(".")[2], value


def _called(rows: pa.Table, table: Table, wanted: Wanted) -> pa.Array:
    """Which rows have one of the names in a column, or in a list, or are of the statement."""
    ids = pa.array(sorted(wanted.ids), pa.string())
    masks = [pa.array([False] * rows.num_rows, pa.bool_())]
    for name, kind in table.schema.items():
        if name in rows.column_names and kind == _TEXT:
            masks.append(pc.fill_null(pc.is_in(rows[name], ids), False))
        elif name in rows.column_names and kind == _TEXTS:
            masks.append(_any_item(rows[name].combine_chunks(), ids))
    masks.append(_stated(rows, wanted.statement))
    if 1 < len(wanted.parts) == len(table.key):
        masks.append(_equal(rows, dict(zip(table.key, wanted.parts, strict=True))))
    return reduce(pc.or_, masks)


def _any_item(lists: pa.Array, ids: pa.Array) -> pa.Array:
    """Whether a list has one of the ids."""
    parents = pc.list_parent_indices(lists).filter(pc.fill_null(pc.is_in(lists.flatten(), ids), False))
    return pc.is_in(pa.array(range(len(lists)), pa.int64()), parents.cast(pa.int64()))


def _stated(rows: pa.Table, statement: tuple[str, str, str] | None) -> pa.Array:
    """Which rows are of a statement, or of any that has this property and object."""
    names = set(rows.column_names)
    values = next((name for name in ("object", "value") if name in names), None)
    if statement is None or values is None or not {"subject", "property"} <= names:
        return pa.array([False] * rows.num_rows, pa.bool_())
    subject, prop, value = statement
    return _equal(rows, {"property": prop, values: value, **({"subject": subject} if subject else {})})


def _equal(rows: pa.Table, values: Mapping[str, str]) -> pa.Array:
    """Which rows have all of these values."""
    masks = (pc.equal(rows[name].cast(pa.string()), value) for name, value in values.items())
    return pc.fill_null(reduce(pc.and_, masks), False)


def _numbers(row: Mapping[str, Any]) -> dict[str, float]:
    return {name: value for name, value in row.items() if _is_number(value)}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _few(drops: Iterable[Drop]) -> list[Drop]:
    """Those of the thing itself, and some of the others."""
    every = list(drops)
    return [drop for drop in every if drop.own] + [drop for drop in every if not drop.own][:_MOST_DROPS]


def _place(seen: Holding) -> str:
    return f"{seen.table} ({seen.stage}, {_rows_of(seen.rows)})"


def _rows_of(count: int) -> str:
    return f"{count:,} row" if count == 1 else f"{count:,} rows"


def _counted(trail: Trail) -> str:
    return f"{len(trail.answers):,} answer{'' if len(trail.answers) == 1 else 's'}"
