"""Stage `people.workers`: whose work is used, and which of their texts an expert reads.

A worker is judged by planted wrong answers (how many were let pass), by tasks with known
answers, and by pace. Nobody is refused by chance figures: each share needs a least number
of known answers behind it. Who is refused is refused whole; `people.verdicts` leaves the
work out and asks for it again.

In a later round everything that earlier ones showed counts as well: whoever was refused
does not start anew as unproven. An earlier round is never judged by a later one, since its
verdicts decide what the later one asks.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

import pyarrow as pa

from stages.contract import Join, Output, Stage, StageError, TableSpec
from stages.people.marks import MARKS
from stages.people.reading import REVISE
from stages.people.tables import WORKERS
from stages.queries.tables import text
from stages.questions.order import shuffled

PASSED_WRONG, LOW_AGREEMENT, TOO_FAST, UNPROVEN = "passed_wrong_answers", "low_agreement", "too_fast", "unproven"

CHECKS = TableSpec(
    name="people_checks",
    schema=pa.schema([text("task"), text("worker")]),
    key=("task", "worker"),
)
"""The contributed texts that an expert is to read: a seeded share of each accepted worker's."""


@dataclass(frozen=True)
class WorkerParams:
    """experts: workers whose word is final, and who are not judged.
    min_known: no share is looked at with fewer known answers behind it.
    max_passed: the largest share of planted wrong answers that an accepted worker let pass.
    min_right: the least share of right answers over all tasks with known ones, planted ones among them.
    min_pace: the least median of seconds taken / seconds expected; 0 for no bound.
    accept_unproven: whether work counts before min_known known answers were seen.
    check_share: of each worker's contributed texts, how many an expert reads.
    seed: of that choice.
    """

    experts: tuple[str, ...] = ()
    min_known: int = 5
    max_passed: float = 0.3
    min_right: float = 0.7
    min_pace: float = 0.1
    accept_unproven: bool = True
    check_share: float = 0.5
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("max_passed", "min_right", "check_share"):
            if not 0 <= getattr(self, name) <= 1:
                raise StageError(f"{name}: expected a share from 0 to 1, got {getattr(self, name)}")
        if self.min_known < 1 or self.min_pace < 0:
            raise StageError(
                f"min_known {self.min_known}, min_pace {self.min_pace}: expected at least 1, and at least 0"
            )


@dataclass(frozen=True)
class Record:
    """What is known of one worker; see WORKERS. median_pace: of seconds / seconds expected."""

    tasks: int = 0
    gold_seen: int = 0
    gold_right: int = 0
    injected_seen: int = 0
    injected_passed: int = 0
    median_pace: float | None = None

    @property
    def known(self) -> int:
        return self.gold_seen + self.injected_seen

    @property
    def right(self) -> int:
        return self.gold_right + self.injected_seen - self.injected_passed


def refusal(record: Record, params: WorkerParams) -> str:
    """Why a worker's work is not used; "" where it is.

    passed_wrong_answers, low_agreement, too_fast, unproven: the first that holds, in this order.
    """
    enough = params.min_known
    if record.injected_seen >= enough and record.injected_passed > params.max_passed * record.injected_seen:
        return PASSED_WRONG
    if record.known >= enough and record.right < params.min_right * record.known:
        return LOW_AGREEMENT
    if record.median_pace is not None and record.median_pace < params.min_pace:
        return TOO_FAST
    if record.known < enough and not params.accept_unproven:
        return UNPROVEN
    return ""


def judge(marks: pa.Table, *earlier: pa.Table, params: WorkerParams) -> Output:
    """WORKERS and CHECKS from one bucket of MARKS by worker, and of the MARKS of each earlier round.

    Rejects: none; refused workers stay in WORKERS, which holds those who answered in this round.
    Metrics: workers, refused_workers, text_checks; known_before: workers whose earlier rounds were looked at.
    """
    by_worker, before = _by_worker(marks), _by_worker(*earlier)
    workers = [_worker(name, rows, before.get(name, []), params) for name, rows in by_worker.items()]
    checks = [
        {"task": task, "worker": row["worker"]}
        for row in workers
        if row["accepted"] and row["worker"] not in params.experts
        for task in to_check(
            (mark["task"] for mark in by_worker[row["worker"]] if _is_text(mark)), row["worker"], params
        )
    ]
    refused = sum(not row["accepted"] for row in workers)
    metrics = {
        "workers": len(workers),
        "refused_workers": refused,
        "text_checks": len(checks),
        "known_before": len(by_worker.keys() & before.keys()),
    }
    return Output(
        {WORKERS.name: WORKERS.table(workers), CHECKS.name: CHECKS.table(checks)},
        metrics={name: float(count) for name, count in metrics.items()},
    )


def _by_worker(*marks: pa.Table) -> dict[str, list[dict[str, Any]]]:
    found: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in (row for table in marks for row in table.to_pylist()):
        found[row["worker"]].append(row)
    return dict(found)


def to_check(tasks: Iterable[str], worker: str, params: WorkerParams) -> list[str]:
    """The tasks of one worker whose texts an expert reads: the share rounded up, at random."""
    order = shuffled(tasks, params.seed, f"check {worker}")
    return order[: math.ceil(round(params.check_share * len(order), 9))]


def _is_text(mark: Mapping[str, Any]) -> bool:
    # Planted tasks never become data, so nobody need read them.
    return mark["writing"] and mark["vote"] in (None, REVISE) and not mark["injected"]


def _worker(
    name: str, rows: list[dict[str, Any]], before: list[dict[str, Any]], params: WorkerParams
) -> dict[str, Any]:
    every = [*before, *rows]
    planted = [row["right"] for row in every if row["injected"] and row["right"] is not None]
    gold = [row["right"] for row in every if not row["injected"] and row["right"] is not None]
    peers = [row["with_others"] for row in rows if row["with_others"] is not None]
    record = Record(
        tasks=len(rows),
        gold_seen=len(gold),
        gold_right=sum(gold),
        injected_seen=len(planted),
        injected_passed=len(planted) - sum(planted),
        median_pace=_median(row["pace"] for row in every),
    )
    why = "" if name in params.experts else refusal(record, params)
    return {
        "worker": name,
        "tasks": record.tasks,
        "gold_seen": record.gold_seen,
        "gold_right": record.gold_right,
        "injected_seen": record.injected_seen,
        "injected_passed": record.injected_passed,
        "agreement": sum(peers) / len(peers) if peers else None,
        "median_seconds": _median(row["seconds"] for row in rows),
        "accepted": not why,
        "why": why,
    }


def _median(values: Iterable[float | None]) -> float | None:
    given = [value for value in values if value is not None]
    return float(median(given)) if given else None


def stage(params: WorkerParams | None = None, earlier: tuple[str, ...] = ()) -> Stage:
    """earlier: the names of the tables of MARKS of the rounds before this one."""
    params = params or WorkerParams()
    inputs = (MARKS.name, *earlier)
    return Stage(
        name="people.workers",
        shape=Join(on=(("worker",),) * len(inputs)),
        kernel=partial(judge, params=params),
        inputs=inputs,
        outputs=(WORKERS, CHECKS),
        about="People: whose work is used, by planted wrong answers, known answers and pace.",
    )
