"""What the steps of a job said, checked against what was planned, and made into the manifest's tables.

A runner may repeat work, and a repeated result that is equal is no harm. All else is: an
item without a result, two different results of one item, a shard that is missing or not
there in full, a row that was put out and did not arrive or arrived twice. Then nothing is
published.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from manifests.digest import combine, schema_text
from manifests.manifest import Shard, Table
from manifests.storage import StorageError
from stages.beam.job import Job
from stages.beam.meter import CPU, GROWN, PEAK, SPILLED
from stages.beam.plan import Plan
from stages.beam.steps import USED, Key
from stages.core.contract import FAMILY, StageError, TableSpec

# Of a family of metrics, whose names come from the input.
MOST_OF_FAMILY = 50


@dataclass(frozen=True)
class StageResult:
    """What a stage published: its tables, rejects per reason, metrics; `run` counts enter no digest."""

    tables: dict[str, Table]
    rejects: dict[str, int]
    metrics: dict[str, float]
    run: dict[str, float] = field(default_factory=dict)


def collect(job: Job, plan: Plan) -> StageResult:
    """The result of a job that has ended.

    Raises:
        StageError: the job left no result file, or results that do not add up.
    """
    found = _read(job, plan)
    _check_balance(job, found.values())
    tables = {name: _table(job, spec, found) for name, spec in job.specs.items()}
    return StageResult(
        tables=tables,
        rejects=dict(sorted(_summed(found, "reasons").items())),
        metrics=dict(sorted(_largest(_summed(found, "metrics")).items())),
        run={**_summed(found, "run"), **_used(found)},
    )


def _largest(metrics: dict[str, float]) -> dict[str, float]:
    """The metrics, of each family the largest, equal ones by name, and the sum of the rest as "family:"."""
    kept = {name: value for name, value in metrics.items() if FAMILY not in name}
    families: defaultdict[str, list[tuple[float, str]]] = defaultdict(list)
    for name, value in metrics.items():
        if FAMILY in name:
            families[name.partition(FAMILY)[0]].append((-value, name))
    for family, members in families.items():
        members.sort()
        kept |= {name: -value for value, name in members[:MOST_OF_FAMILY]}
        if rest := members[MOST_OF_FAMILY:]:
            kept[f"{family}{FAMILY}"] = -sum(value for value, _ in rest)
    return kept


def _read(job: Job, plan: Plan) -> dict[Key, dict[str, Any]]:
    """One result per item, in the order of the items."""
    stage = job.stage.name
    try:
        results: list[dict[str, Any]] = json.loads(job.root.read_bytes(job.result_path).to_pybytes())
    except (StorageError, OSError, ValueError) as error:
        raise StageError(f"stage {stage}: the job ended without its result file ({error})") from error
    found: dict[Key, dict[str, Any]] = {}
    for result in results:
        key = (result["of"][0], result["of"][1])
        if _without_use(found.setdefault(key, result)) != _without_use(result):
            raise StageError(f"stage {stage}: two different results of {_said(key)}; nothing was published")
    planned = {*plan.keys, *((name, number) for result in results for name, number in result.get("planned", []))}
    missing, unplanned = sorted(planned - found.keys()), sorted(found.keys() - planned)
    if missing or unplanned:
        raise StageError(
            f"stage {stage}: {len(planned) - len(missing)} of {len(planned)} planned items have a result "
            f"({', '.join(map(_said, [*missing, *unplanned][:3]))} {'has none' if missing else 'was not planned'}); "
            "nothing was published"
        )
    return dict(sorted(found.items()))


def _without_use(result: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in result.items() if name != USED}


def _used(found: dict[Key, dict[str, Any]]) -> dict[str, float]:
    """What the work took: CPU and spills of all items, and the memory of the process that held the most."""
    used = _summed(found, USED)
    most = {name: max(one[USED][name] for one in found.values()) for name in (PEAK, GROWN)}
    return {CPU: round(used[CPU], 2), SPILLED: used[SPILLED], **most}


def _check_balance(job: Job, results: Iterable[dict[str, Any]]) -> None:
    """Raises StageError where one step did not take all that an earlier one put out, or took it twice."""
    out: Counter[str] = Counter()
    taken: Counter[str] = Counter()
    for result in results:
        out.update(result["out"])
        taken.update(result["in"])
    for name in sorted({*out, *taken}):
        if out[name] != taken[name]:
            raise StageError(
                f"stage {job.stage.name}, {name}: {out[name]:,} rows were put out and {taken[name]:,} arrived at the "
                "next step; the runner lost or repeated some, and nothing was published"
            )


def _summed(found: dict[Key, dict[str, Any]], name: str) -> dict[str, Any]:
    """Sums of a kind of counts over all items, always in one order: sums of fractions depend on it."""
    sums: Counter[str] = Counter()
    for result in found.values():
        sums.update(result.get(name, {}))
    return dict(sums)


def _table(job: Job, spec: TableSpec, found: dict[Key, dict[str, Any]]) -> Table:
    shards = [Shard(**found[(spec.name, bucket)]["shard"]) for bucket in range(job.buckets_of(spec.name))]
    for shard in shards:
        if job.root.size(shard.path) != shard.bytes:
            raise StageError(f"{job.root.full(shard.path)}: is not there in full; nothing was published")
    return Table(
        name=spec.name,
        schema=schema_text(spec.schema),
        key=list(spec.key),
        bucket_by=list(spec.bucket_columns),
        rows=sum(shard.rows for shard in shards),
        digest=combine([shard.rows_digest for shard in shards]),
        stable_digest=combine([shard.stable_digest for shard in shards]),
        shards=shards,
        inexact=list(spec.inexact),
    )


def _said(key: Key) -> str:
    return f"{key[0]} {key[1]}"
