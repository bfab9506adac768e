"""What a reader of the release finds changed between two builds: questions and answers, and the step that decided."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from manifests.manifest import BuildManifest, is_rejects
from manifests.storage import Storage
from pipelines.funnel import rejects_of
from pipelines.lineage import Trail
from stages.core.shards import read_shard

ADDED, LOST, CHANGED = "added", "lost", "changed"
STATEMENT = "statement"


@dataclass(frozen=True)
class Told:
    """What is compared of a record. statements: by answer, those that proved it."""

    question: str
    split: str
    kind: str
    answers: tuple[str, ...]
    confirmed: bool
    statements: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class DroppedAt:
    """The stage that dropped a key, its reason and detail; reason "" where the key is only not in its tables."""

    stage: str
    reason: str = ""
    detail: str = ""


@dataclass(frozen=True)
class ChangedRecord:
    """A record that only one build has, or that differs. changes: name, before, after; decided: by what was lost or
    gained, the question itself or one of its answers."""

    key: str
    status: str
    question: str
    kind: str
    split: str
    changes: tuple[tuple[str, str, str], ...] = ()
    gained: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    decided: tuple[tuple[str, DroppedAt], ...] = ()


def told(trail: Trail) -> Told:
    """What is kept of a record until both builds have been read."""
    statements: defaultdict[str, list[str]] = defaultdict(list)
    for step in trail.steps:
        for quote in step.quotes:
            if statement := dict(quote.facts).get(STATEMENT):
                statements[quote.of].append(statement)
    proved = {answer: tuple(found) for answer, found in statements.items()}
    return Told(trail.question, trail.split, trail.kind, trail.answers, trail.confirmed, proved)


def differences(before: Mapping[str, Told], after: Mapping[str, Told]) -> Iterator[ChangedRecord]:
    """Records added, lost and changed, by key; what decided is still to be found."""
    for key in sorted(before.keys() | after.keys()):
        old, new = before.get(key), after.get(key)
        if old is None and new is not None:
            yield ChangedRecord(key, ADDED, new.question, new.kind, new.split, gained=new.answers)
        elif new is None and old is not None:
            yield ChangedRecord(key, LOST, old.question, old.kind, old.split, lost=old.answers)
        elif old is not None and new is not None and (changed := _changed(key, old, new)):
            yield changed


def _changed(key: str, old: Told, new: Told) -> ChangedRecord | None:
    pairs = (
        ("question", old.question, new.question),
        ("split", old.split, new.split),
        ("kind", old.kind, new.kind),
        ("confirmed", *("yes" if one.confirmed else "no" for one in (old, new))),
    )
    changes = tuple((name, was, now) for name, was, now in pairs if was != now)
    gained = tuple(answer for answer in new.answers if answer not in set(old.answers))
    lost = tuple(answer for answer in old.answers if answer not in set(new.answers))
    if not (changes or gained or lost):
        return None
    return ChangedRecord(key, CHANGED, new.question, new.kind, new.split, changes, gained, lost)


_Ways = Mapping[str, tuple[str, ...]]
"""What was decided about a record, and the keys under which a build drops it."""
_Side = tuple[Storage, BuildManifest, Mapping[str, Told]]


def with_decisions(changed: Iterable[ChangedRecord], before: _Side, after: _Side) -> list[ChangedRecord]:
    """The same with what decided: of what was lost the step of the later build that dropped it, of what was gained
    that of the earlier one.

    before, after: a build and its records.
    """
    every = list(changed)
    lost = [_keys(record, record.status == LOST, record.lost, before[2]) for record in every]
    gained = [_keys(record, record.status == ADDED, record.gained, after[2]) for record in every]
    now, once = _Decisions(*after[:2], _all(lost)), _Decisions(*before[:2], _all(gained))
    return [
        replace(record, decided=(*now.of(of_lost), *once.of(of_gained)))
        for record, of_lost, of_gained in zip(every, lost, gained, strict=True)
    ]


def _keys(record: ChangedRecord, whole: bool, answers: Iterable[str], told_of: Mapping[str, Told]) -> _Ways:
    """The question where all of it is lost or gained, or else each of its answers."""
    if whole:
        return {"the question": (record.key, record.key.partition(" ")[0])}
    found = told_of.get(record.key)
    return {answer: found.statements.get(answer, ()) for answer in answers} if found else {}


def _all(ways: Iterable[_Ways]) -> set[str]:
    return {key for of_record in ways for keys in of_record.values() for key in keys}


class _Decisions:
    """Where a build dropped some keys, or which of its stages was the last to have them."""

    def __init__(self, root: Storage, manifest: BuildManifest, keys: Collection[str]) -> None:
        self._stages = [stage.stage for stage in manifest.stages]
        self._found: dict[str, DroppedAt] = {}
        self._last: dict[str, int] = {}
        if not keys:
            return
        wanted = pa.array(sorted(keys), pa.string())
        for number, stage in enumerate(manifest.stages):
            for table in rejects_of(stage):
                for shard in table.shards:
                    self._take(stage.stage, read_shard(root, shard), wanted)
            for table in stage.tables.values():
                column = table.key[0]
                if table.schema.get(column) == "string" and not is_rejects(table.name):
                    for shard in table.shards:
                        names = read_shard(root, shard, [column])[column]
                        kept = names.filter(pc.is_in(names, wanted))
                        self._last.update(dict.fromkeys(kept.to_pylist(), number))

    def _take(self, stage: str, rejects: pa.Table, wanted: pa.Array) -> None:
        for row in rejects.filter(pc.is_in(rejects["key"], wanted)).to_pylist():
            self._found[row["key"]] = DroppedAt(stage, row["reason"], row["detail"])

    def of(self, keys: Mapping[str, Collection[str]]) -> Iterator[tuple[str, DroppedAt]]:
        for what, ways in keys.items():
            if decision := self._one(ways):
                yield what, decision

    def _one(self, keys: Collection[str]) -> DroppedAt | None:
        for key in keys:
            if key in self._found:
                return self._found[key]
        last = max((self._last[key] for key in keys if key in self._last), default=None)
        if last is None:
            return DroppedAt("", "", "it is in no table: its inputs are not there") if keys else None
        return DroppedAt(self._stages[last], "", "the last stage that has it")


def counted(changed: Iterable[ChangedRecord]) -> Mapping[str, Any]:
    """How many questions were added, lost and changed, and answers gained and lost by questions that both have."""
    found = {ADDED: 0, LOST: 0, CHANGED: 0, "answers gained": 0, "answers lost": 0}
    for record in changed:
        found[record.status] += 1
        if record.status == CHANGED:
            found["answers gained"] += len(record.gained)
            found["answers lost"] += len(record.lost)
    return found
