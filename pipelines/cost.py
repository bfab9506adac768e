"""What a build of a given size would cost, by what a build under the same root has taken.

A stage takes as much as it reads, so every figure of a stage follows one number: by how much its input grows, and of
several inputs the one that grows most. How steeply (a power) is told by two builds of different size, stage by stage.
With one build it is taken as in proportion, which holds for a part of the world that is whole in itself: all of some
topics. Of a sample that takes every n-th record, joins keep the square or the cube of that share, and only a second
size, or the real tables of the larger build, can tell.

What is published of the larger build already is taken from there as it is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from manifests.manifest import BuildManifest, StageManifest, Table
from pipelines.model import Pipeline
from pipelines.runner import READ
from stages.beam.meter import CPU, GROWN, PEAK, SPILLED
from stages.core.chain import short
from stages.core.contract import Stage, StageError, Whole
from stages.core.shards import buckets_for

# Two builds of nearly one size tell nothing of how figures grow.
_LEAST_RATIO = 1.5
# Seconds of CPU that a stage takes for no rows at all, seen from 0.01 to 0.3 (to load libraries, to read templates).
_FIXED_SECONDS = 0.3
# Seconds are known to about a hundredth.
_SECONDS_UNIT = 0.01
_STEEPEST = 6.0
# Rows in memory are at most so many times what they are as stored; the rest that came with the work is libraries.
_UNPACKED = 30
# Spread of a stage's rate between runs on one machine, which had other work and as many processes as cores or one.
_RATE = 0.25
# How far from proportion a stage grows in a part of the world that is whole in itself, in powers.
_UNKNOWN_POWER = 0.1
# A power that is not 1 does not stay what it was: by which share of what is above or below 1.
_BEND = 0.25


@dataclass(frozen=True)
class Price:
    """In any currency: for an hour of one core, and for a GB (10^9 bytes) that is written."""

    core_hour: float = 0.0
    gigabyte: float = 0.0


@dataclass(frozen=True)
class StageCost:
    """core_seconds: expected; spread: the factor by which it may be larger or smaller. Sizes in bytes.

    disk: what stays. shuffle: what is written besides and removed when the stage is done. memory: of one worker.
    built: these figures were measured, as the stage is published.
    """

    stage: str
    core_seconds: float
    spread: float
    disk: float
    shuffle: float
    memory: float
    built: bool = False

    def price(self, price: Price) -> float:
        return self.core_seconds / 3600 * price.core_hour + (self.disk + self.shuffle) / 1e9 * price.gigabyte


@dataclass(frozen=True)
class _Amount:
    """Rows and stored bytes of a table or source. doubt: the logarithm of the factor by which they may be wrong."""

    rows: float
    bytes: float
    doubt: float = 0.0


@dataclass(frozen=True)
class _Seen:
    """A stage as one build ran it: what it read and gave by name, and what it took."""

    manifest: StageManifest
    read: Mapping[str, _Amount]
    gave: Mapping[str, _Amount]

    def taken(self, what: str) -> float:
        """Of all steps of a chain: the sum, of memory the most."""
        found = [value for name, value in self.manifest.run.items() if name.rpartition(".")[2] == what]
        return float(max(found, default=0) if what in (PEAK, GROWN) else sum(found))


@dataclass
class Forecast:
    """Costs of the stages of a larger build, one after another.

    base: the build that the rates are taken from; smaller: another one that shows with it how figures grow.
    pipeline: of the larger build. records: those of the sources, by stage; else the sources' bytes tell.
    published: stages of the larger build that are there already, by name.
    """

    base: BuildManifest
    smaller: BuildManifest | None
    pipeline: Pipeline
    records: Mapping[str, float] = field(default_factory=dict)
    source_bytes: Mapping[str, float] = field(default_factory=dict)
    published: Mapping[str, StageManifest] = field(default_factory=dict)

    def stages(self) -> list[StageCost]:
        """Raises StageError: the base was built before figures were kept, or has not the sources that are asked for."""
        seen = _seen(self.base)
        before = _seen(self.smaller) if self.smaller else {}
        if unknown := sorted(self.records.keys() - seen.keys()):
            raise StageError(f"the build of {self.base.dataset} has no stage {unknown[0]}, of which records are given")
        tables: dict[str, _Amount] = {}
        costs = []
        for name, stage in seen.items():
            if not any(key.rpartition(".")[2] == CPU for key in stage.manifest.run):
                raise StageError(
                    f"stage {name} was built before its cost was kept; build {self.base.dataset} anew into another "
                    "--root, and name that one"
                )
            cost, gave = self._stage(stage, before.get(name), tables)
            costs.append(cost)
            tables.update(gave)
        return costs

    def _stage(
        self, stage: _Seen, before: _Seen | None, tables: Mapping[str, _Amount]
    ) -> tuple[StageCost, dict[str, _Amount]]:
        name = stage.manifest.stage
        if there := self.published.get(name):
            return _as_built(_Seen(there, {}, _amounts(there)))
        read = {of: tables.get(of) or self._source(stage, amount) for of, amount in stage.read.items()}
        of_source = set(stage.read) == {name}
        growth, doubt = _growth(read, stage.read)
        known = _growth(stage.read, before.read)[0] if before else 1.0

        def grown(now: float, then: float | None, unit: float = 1.0) -> tuple[float, float]:
            """(factor, doubt) of one figure."""
            power, unsure = _power(now, then, known, unit)
            if unsure is None:
                unsure = 0.0 if of_source else _UNKNOWN_POWER
            log = math.log(growth) if growth > 0 else 0.0
            return growth**power, math.hypot(power * doubt, log * unsure)

        gave = {}
        for of, amount in stage.gave.items():
            then = before.gave[of].rows if before and of in before.gave else None
            factor, unsure = grown(amount.rows, then)
            gave[of] = _Amount(amount.rows * factor, amount.bytes * factor, unsure)
        seconds = stage.taken(CPU)
        # A model's seconds are of its pairs alone: those of loading it were passed over.
        fixed = 0.0 if stage.manifest.shape == "score" else min(seconds, _FIXED_SECONDS)
        earlier = max(0.0, before.taken(CPU) - fixed) if before else None
        factor, unsure = grown(seconds - fixed, earlier, _SECONDS_UNIT)
        expected = fixed + (seconds - fixed) * factor
        # What is taken as fixed may grow as well.
        unclear = math.log(seconds * factor / expected) if expected and factor > 1 else 0.0
        moved, was = _bytes(read) + _bytes(gave), _bytes(stage.read) + _bytes(stage.gave)
        cost = StageCost(
            stage=name,
            core_seconds=expected,
            spread=math.exp(math.hypot(unsure, _RATE, unclear)),
            disk=_bytes(gave),
            shuffle=stage.taken(SPILLED) * moved / was if was else 0.0,
            memory=self._memory(stage, read),
        )
        return cost, gave

    def _source(self, stage: _Seen, amount: _Amount) -> _Amount:
        """What the larger build reads of a source."""
        name = stage.manifest.stage
        if name in self.records:
            factor = self.records[name] / amount.rows if amount.rows else 1.0
        else:
            factor = self.source_bytes.get(name, amount.bytes) / amount.bytes if amount.bytes else 1.0
        return _Amount(amount.rows * factor, amount.bytes * factor)

    def _memory(self, stage: _Seen, read: Mapping[str, _Amount]) -> float:
        """Of the step that takes most: what was there before it, and what came with it, in proportion to what a worker
        holds at once: one bucket of the inputs, or all where the step is not shared, and what every worker reads.
        """
        spec = next((one for one in self.pipeline.stages if one.name == stage.manifest.stage), None)
        if spec is None or spec.source is not None:
            return stage.taken(PEAK)
        run = stage.manifest.run
        found = [0.0]
        for step in spec.steps or (spec,):
            prefix = f"{short(step)}." if spec.steps else ""
            whole = isinstance(step.shape, Whole)
            now, then = (_held(spec, amounts, self.pipeline.buckets, whole) for amounts in (read, stage.read))
            of_rows = min(run.get(prefix + GROWN, 0.0), _UNPACKED * then)
            found.append(run.get(prefix + PEAK, 0.0) + (of_rows * max(0.0, now / then - 1) if then else 0.0))
        return max(found)


def records_of(stage: StageManifest) -> float:
    """Records of the source that a stage read; 0 where it counted none."""
    return sum(value for name, value in stage.metrics.items() if name.rpartition(".")[2] == "records")


def smaller_than(base: BuildManifest, others: Sequence[BuildManifest]) -> BuildManifest | None:
    """The largest of the builds with the same parameters and stages that are clearly smaller than the base."""
    names = [stage.stage for stage in base.stages]
    fitting = [
        (_records(one), one)
        for one in others
        if one.complete and one.parameters == base.parameters and [stage.stage for stage in one.stages] == names
        if 0 < _records(one) * _LEAST_RATIO <= _records(base) and all(CPU in _kinds(stage) for stage in one.stages)
    ]
    return max(fitting, key=lambda item: item[0])[1] if fitting else None


def _records(build: BuildManifest) -> float:
    return sum(map(records_of, build.stages))


def _kinds(stage: StageManifest) -> set[str]:
    return {name.rpartition(".")[2] for name in stage.run}


def _seen(build: BuildManifest) -> dict[str, _Seen]:
    """The stages of a build by name; a source stands among what is read under the stage's own name."""
    tables: dict[str, _Amount] = {}
    found = {}
    for stage in build.stages:
        read = {name: tables[name] for name in stage.inputs if name in tables}
        if stage.inputs.keys() - tables.keys():
            stored = float(stage.run.get(READ, 0))
            read[stage.stage] = _Amount(records_of(stage) or stored, stored)
        found[stage.stage] = _Seen(stage, read, _amounts(stage))
        tables.update(found[stage.stage].gave)
    return found


def _amounts(stage: StageManifest) -> dict[str, _Amount]:
    return {name: _Amount(table.rows, _stored(table)) for name, table in stage.tables.items()}


def _stored(table: Table) -> int:
    return sum(shard.bytes for shard in table.shards)


def _as_built(stage: _Seen) -> tuple[StageCost, dict[str, _Amount]]:
    cost = StageCost(
        stage=stage.manifest.stage,
        core_seconds=stage.taken(CPU),
        spread=1.0,
        disk=_bytes(stage.gave),
        shuffle=stage.taken(SPILLED),
        memory=stage.taken(PEAK),
        built=True,
    )
    return cost, dict(stage.gave)


def _bytes(amounts: Mapping[str, _Amount]) -> float:
    return sum(amount.bytes for amount in amounts.values())


def _growth(read: Mapping[str, _Amount], was: Mapping[str, _Amount]) -> tuple[float, float]:
    """(factor, doubt) of the input that grows most; of no rows nothing grows."""
    found = [
        (read[name].rows / amount.rows, read[name].doubt)
        for name, amount in was.items()
        if amount.rows and name in read
    ]
    return max(found, default=(1.0, 0.0))


def _power(now: float, then: float | None, known: float, unit: float) -> tuple[float, float | None]:
    """(power, its doubt) by which a figure grew between two builds, while the input grew by `known`; 1 and None where
    they do not tell.

    The doubt is that of two counts that are as large by chance, in units of their own, and of a power
    that goes on changing.
    """
    if then is None or known < _LEAST_RATIO or min(now, then) <= 0:
        return 1.0, None
    power = min(_STEEPEST, max(0.0, math.log(now / then) / math.log(known)))
    chance = math.sqrt(sum(unit / one for one in (now, then))) / math.log(known)
    return power, math.hypot(chance, _BEND * (power - 1))


def _held(stage: Stage, read: Mapping[str, _Amount], buckets: int | None, whole: bool) -> float:
    inputs = sum(read[name].bytes for name in stage.inputs if name in read)
    side = sum(read[name].bytes for name in stage.side if name in read)
    return side + (inputs if whole else inputs / (buckets or buckets_for(int(inputs))))
