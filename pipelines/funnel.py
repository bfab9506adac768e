"""The funnel of a build by the paper's steps: what came into each, what came out, what it dropped and why."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import pyarrow.compute as pc

from manifests.manifest import BuildManifest, StageManifest, Table, is_rejects
from manifests.storage import Storage
from pipelines.datasets import PaperStep
from stages.core.shards import read_shard

MOST_EXAMPLES = 3
# Of a stage that drops millions no more is read for the sake of a rare reason.
_MOST_SHARDS = 32


@dataclass(frozen=True)
class Counted:
    """A table and its rows."""

    table: str
    rows: int


@dataclass(frozen=True)
class Reject:
    """A record that a stage dropped; count: how many it stands for."""

    key: str
    detail: str
    count: int


@dataclass(frozen=True)
class FunnelStep:
    """A step of the paper as a build took it. stages: those that did it; dropped: records by their reason."""

    name: str
    stages: tuple[StageManifest, ...]
    takes: Counted | None
    gives: Counted | None
    dropped: Mapping[str, int]
    paper: str


def funnel_steps(manifest: BuildManifest, paper: Sequence[PaperStep]) -> list[FunnelStep]:
    """The steps that the build has any stage of, in the paper's order; reasons by count, then by name."""
    stages = {stage.stage: stage for stage in manifest.stages}
    rows = {name: item.rows for stage in manifest.stages for name, item in stage.tables.items()}
    found = []
    for step in paper:
        own = tuple(stages[name] for name in step.stages if name in stages)
        if own:
            takes, gives = _first(step.takes, rows), _first(step.gives, rows)
            found.append(FunnelStep(step.name, own, takes, gives, _dropped(own), step.count))
    return found


def _first(names: str, rows: Mapping[str, int]) -> Counted | None:
    """The first of some tables that the build has."""
    return next((Counted(name, rows[name]) for name in names.split("|") if name in rows), None)


def _dropped(stages: Sequence[StageManifest]) -> Mapping[str, int]:
    counts: Counter[str] = Counter()
    for stage in stages:
        for reason, count in stage.rejects.items():
            counts[reason.rpartition(".")[2]] += count
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def reject_examples(root: Storage, stages: Sequence[StageManifest]) -> Mapping[str, list[Reject]]:
    """A few of the records that some stages dropped, by reason; a rare one may have none where the shards are many."""
    found: defaultdict[str, list[Reject]] = defaultdict(list)
    for stage in stages:
        wanted = {reason.rpartition(".")[2] for reason in stage.rejects}
        for table in rejects_of(stage):
            _take_examples(root, table, wanted, found)
    return found


def rejects_of(stage: StageManifest) -> Iterator[Table]:
    """The tables of what a stage dropped, one for each step of a chain."""
    return (table for name, table in stage.tables.items() if is_rejects(name))


def _take_examples(root: Storage, table: Table, wanted: set[str], found: defaultdict[str, list[Reject]]) -> None:
    for shard in table.shards[:_MOST_SHARDS]:
        lacking = {reason for reason in wanted if len(found[reason]) < MOST_EXAMPLES}
        if not lacking:
            return
        rows = read_shard(root, shard)
        for reason in sorted(lacking):
            some = rows.filter(pc.equal(rows["reason"], reason)).slice(0, MOST_EXAMPLES - len(found[reason]))
            found[reason] += [Reject(row["key"], row["detail"], row["count"]) for row in some.to_pylist()]
