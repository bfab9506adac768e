"""What changed in a release from one build to another: questions and answers gained, lost and changed, and why.

A question is the same in two builds where its key is, whatever words it is asked in. Why one is missing is read from
the rejects of the build that lacks it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from manifests.manifest import BuildManifest, is_rejects
from manifests.storage import Storage
from pipelines.datasets import dataset as find_dataset
from pipelines.gaps import RECORDS
from stages.core.shards import read_shard

NOT_MADE = "does not make it"


@dataclass(frozen=True)
class ReleasedQuestion:
    """A released question, as far as it is compared."""

    key: str
    kind: str
    split: str
    question: str
    answers: frozenset[str]


@dataclass(frozen=True)
class OneSided:
    """A question that only one build has. why: the stage and reason that keep it out of the other."""

    asked: ReleasedQuestion
    why: str


@dataclass(frozen=True)
class ChangedQuestion:
    """A question of both builds that differs. what: words, split, answers."""

    before: ReleasedQuestion
    after: ReleasedQuestion

    @property
    def what(self) -> tuple[str, ...]:
        pairs = (
            ("words", self.before.question, self.after.question),
            ("split", self.before.split, self.after.split),
            ("kind", self.before.kind, self.after.kind),
            ("answers", self.before.answers, self.after.answers),
        )
        return tuple(name for name, old, new in pairs if old != new)

    @property
    def gained(self) -> list[str]:
        return sorted(self.after.answers - self.before.answers)

    @property
    def lost(self) -> list[str]:
        return sorted(self.before.answers - self.after.answers)


@dataclass(frozen=True)
class KindCounts:
    """Of one kind of questions: how many before and after, and what differs; answers only of questions of both."""

    kind: str
    before: int
    after: int
    gained: int
    lost: int
    changed: int
    answers_gained: int
    answers_lost: int


@dataclass(frozen=True)
class ReleaseChanges:
    """All by key. kinds: in the order of their names, and their sum as "all" where there are several."""

    kinds: tuple[KindCounts, ...]
    gained: tuple[OneSided, ...] = ()
    lost: tuple[OneSided, ...] = ()
    changed: tuple[ChangedQuestion, ...] = ()
    reasons: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @property
    def equal(self) -> bool:
        return not (self.gained or self.lost or self.changed)


def release_changes(
    first_root: Storage, first: BuildManifest, second_root: Storage, second: BuildManifest
) -> ReleaseChanges | None:
    """What changed in what is released; None where a build has no records, or its dataset does not tell of them."""
    if first.dataset != second.dataset or not (_has_records(first) and _has_records(second)):
        return None
    before, after = _asked(first_root, first), _asked(second_root, second)
    if before is None or after is None:
        return None
    lost_keys, gained_keys = before.keys() - after.keys(), after.keys() - before.keys()
    lost_by = {**_first_made(first_root, first, lost_keys), **_reasons(second_root, second, lost_keys)}
    gained_by = {**_first_made(second_root, second, gained_keys), **_reasons(first_root, first, gained_keys)}
    lost = _one_sided((before[key] for key in lost_keys), lost_by)
    gained = _one_sided((after[key] for key in gained_keys), gained_by)
    both = (ChangedQuestion(before[key], after[key]) for key in sorted(before.keys() & after.keys()))
    changed = tuple(pair for pair in both if pair.what)
    return ReleaseChanges(
        kinds=tuple(_kinds(before, after, changed)),
        gained=gained,
        lost=lost,
        changed=changed,
        reasons={"lost": _counted(lost), "gained": _counted(gained)},
    )


def _has_records(build: BuildManifest) -> bool:
    return any(RECORDS in stage.tables for stage in build.stages)


def _asked(root: Storage, build: BuildManifest) -> dict[str, ReleasedQuestion] | None:
    lineage = find_dataset(build.dataset).lineage
    if lineage is None:
        return None
    trails = lineage.trails(root, build, None)
    return {
        one.key: ReleasedQuestion(one.key, one.kind, one.split, one.question, frozenset(one.answers)) for one in trails
    }


def _one_sided(asked: Iterable[ReleasedQuestion], reasons: Mapping[str, str]) -> tuple[OneSided, ...]:
    ordered = sorted(asked, key=lambda one: one.key)
    return tuple(OneSided(one, reasons[one.key]) for one in ordered)


def _reasons(root: Storage, build: BuildManifest, keys: Iterable[str]) -> dict[str, str]:
    """By key the last reject that names it."""
    wanted = pa.array(sorted(keys), pa.string())
    found: dict[str, str] = {}
    if not len(wanted):
        return found
    for stage in build.stages:
        for name, table in stage.tables.items():
            for shard in table.shards if is_rejects(name) and table.rows else ():
                rows = read_shard(root, shard)
                for row in rows.filter(pc.is_in(rows["key"], wanted)).to_pylist():
                    found[row["key"]] = f"{stage.stage}: {row['reason']}"
    return found


def _first_made(root: Storage, build: BuildManifest, keys: Iterable[str]) -> dict[str, str]:
    """By key the stage that makes it first where it is made: if no stage names it in the other build, this did not."""
    found: dict[str, str] = {}
    wanted = set(keys)
    for stage in build.stages:
        for name, table in stage.tables.items():
            column = table.key[0]
            if is_rejects(name) or table.schema[column] != "string" or not wanted:
                continue
            for shard in table.shards:
                values = read_shard(root, shard, [column])[column]
                here = values.filter(pc.is_in(values, pa.array(sorted(wanted), pa.string()))).to_pylist()
                found.update(dict.fromkeys(here, f"{stage.stage}: {NOT_MADE}"))
                wanted -= set(here)
    return {**dict.fromkeys(wanted, f"{RECORDS}: {NOT_MADE}"), **found}


def _counted(found: Iterable[OneSided]) -> dict[str, int]:
    return dict(Counter(one.why for one in found).most_common())


def _kinds(
    before: Mapping[str, ReleasedQuestion], after: Mapping[str, ReleasedQuestion], changed: Iterable[ChangedQuestion]
) -> Iterable[KindCounts]:
    old, new = Counter(one.kind for one in before.values()), Counter(one.kind for one in after.values())
    gained = Counter(one.kind for key, one in after.items() if key not in before)
    lost = Counter(one.kind for key, one in before.items() if key not in after)
    differ, more, fewer = Counter[str](), Counter[str](), Counter[str]()
    for pair in changed:
        differ[pair.after.kind] += 1
        more[pair.after.kind] += len(pair.gained)
        fewer[pair.after.kind] += len(pair.lost)
    columns = (old, new, gained, lost, differ, more, fewer)
    kinds = sorted({*old, *new})
    yield from (KindCounts(kind, *(column[kind] for column in columns)) for kind in kinds)
    if len(kinds) > 1:
        yield KindCounts("all", *(column.total() for column in columns))
