"""A job as a plan: a list of steps, through which keyed elements go one after another.

    keys -> group -> step -> group -> step -> ... -> one file of results

Every step takes each group of equal keys once. A group whose key is of a later step goes on
as it is, so all that a runner has to know is how to create, group and call; whichever runs
the plan runs these same steps. Nothing is left to bundles, tags or timers, in which runners
differ. Elements are small: a reference to spilled rows, or a few counts.

What is worked on together (an item) is decided here, by bytes, before the job starts: one
item per shard would make the shuffle grow with the square of the number of buckets.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from manifests.storage import size
from stages.beam.job import REJECTS, Job
from stages.beam.meter import METER, SPILLED, spilled
from stages.beam.same_code import Code
from stages.beam.scoring import PlanBatches, ScoreBatches, check_buckets
from stages.beam.steps import (
    MOVE,
    RESULT_KEY,
    USED,
    WORK,
    Element,
    Groups,
    Key,
    LeaveResults,
    Repartition,
    Work,
    Write,
)
from stages.core.alive import LIFE
from stages.core.contract import Join, Map, Score, Stage

# Items of a job are of one size: this many of them, as far as they are neither tiny nor larger than a spill file.
_ITEMS = 16
_LEAST_BYTES = 64 << 10


class Step(Protocol):
    """One function over the groups whose key begins with one of the names that it takes."""

    @property
    def takes(self) -> Collection[str]: ...

    def process(self, key: Key, values: Iterable[Any]) -> Iterator[Element]: ...


@dataclass(frozen=True)
class Plan:
    """keys: of the elements that the job starts with, whose value is None; each has a result in the end.

    code: see `stages.beam.job`. read_bytes: that the steps read of sources and tables until rows go to the tables or
    to a model; what is moved first counts twice.
    """

    stage: str
    keys: tuple[Key, ...]
    steps: tuple[Step, ...]
    code: Code | None = None
    read_bytes: int = 0


def turn(step: Step, key: Key, values: Iterable[Any]) -> Iterator[Element]:
    """What comes of one group at one step; its result says what it took."""
    if key[0] in step.takes:
        moved = 0
        with LIFE.at_work(f"{type(step).__name__} of {key[0]} {key[1]}"), METER.at_work():
            for place, value in step.process(key, values):
                moved += spilled(value)
                yield place, {**value, USED: {**METER.taken(), SPILLED: moved}} if place == RESULT_KEY else value
    else:
        yield from ((key, value) for value in values)


def plan(job: Job) -> Plan:
    """The plan of one stage.

    Raises StageError where an input is not published, or where scores are not bucketed by their pair.
    """
    stage = job.stage
    names = [spec.name for spec in stage.outputs]
    keys, steps, read = _work(job)
    keys += [(name, bucket) for name in (*names, REJECTS) for bucket in range(job.buckets_of(name))]
    if any(spec.on_duplicate == "reject" for spec in stage.outputs):
        steps += [Write(job, names), Write(job, [REJECTS])]
    else:
        steps += [Write(job, [*names, REJECTS])]
    return Plan(stage.name, tuple(keys), (*steps, LeaveResults(job)), job.code, read)


def input_bytes(job: Job) -> int:
    """Bytes that the stage will read, as stored."""
    if job.stage.source is not None:
        return sum(size(path) for path in job.stage.source.paths)
    return sum(shard.bytes for name in job.stage.inputs for shard in job.shards(name))


def grouped(weights: Sequence[int], most: int) -> list[tuple[int, ...]]:
    """Positions 0, 1, ... in groups of neighbours of about one weight, at most `most` where there is more than one."""
    limit = min(most, max(_LEAST_BYTES, sum(weights) // _ITEMS))
    groups: list[list[int]] = []
    held = 0
    for position, weight in enumerate(weights):
        if not groups or held + weight > limit:
            groups.append([])
            held = 0
        groups[-1].append(position)
        held += weight
    return [tuple(group) for group in groups]


def _work(job: Job) -> tuple[list[Key], list[Step], int]:
    """The keys and steps up to rows that are spilled by table and bucket, and the bytes that they read."""
    stage, read = job.stage, input_bytes(job)
    if isinstance(stage.shape, Join | Score):
        moved = _moved(job)
        moved_bytes = sum(job.shards(stage.inputs[number])[shard].bytes for group in moved for number, shard in group)
        buckets = grouped([read // job.buckets] * job.buckets, job.flush_bytes)
        keys = [*_numbered(MOVE, moved), *_numbered(WORK, buckets)]
        after: list[Step] = [Work(job, buckets, read)]
        if isinstance(stage.shape, Score):
            check_buckets(stage)
            after, read = [PlanBatches(job, buckets), ScoreBatches(job)], 0
        return keys, [Repartition(job, moved, buckets), *after] if moved else after, read + moved_bytes
    items = _items(job, stage)
    return _numbered(WORK, items), [Work(job, items, read)], read


def _items(job: Job, stage: Stage) -> Groups:
    if stage.source is not None:
        parts = stage.source.parts()
        weights = [input_bytes(job) // max(1, len(parts))] * len(parts)
        return [tuple(parts[at] for at in group) for group in grouped(weights, job.flush_bytes)]
    if isinstance(stage.shape, Map):
        return grouped([shard.bytes for shard in job.shards(stage.inputs[0])], job.flush_bytes)
    return [(None,)]


def _moved(job: Job) -> Groups:
    """The shards, as (input, shard), that do not lie as the step after them wants its rows."""
    stage = job.stage
    shards = [
        (number, shard)
        for number, name in enumerate(stage.inputs)
        if not (stage.on and job.is_bucketed_on(name, stage.on[number]))
        for shard in range(len(job.shards(name)))
    ]
    weights = [job.shards(stage.inputs[number])[shard].bytes for number, shard in shards]
    return [tuple(shards[at] for at in group) for group in grouped(weights, job.flush_bytes)]


def _numbered(name: str, groups: Groups) -> list[Key]:
    return [(name, number) for number in range(len(groups))]
