"""What people's work takes: throughput from measured seconds, and the cost of a batch before it is sent."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from stages.core.contract import StageError
from stages.core.limits import at_least

SECONDS_PER_HOUR = 3600.0


@dataclass(frozen=True)
class Throughput:
    """median_seconds: of one annotation; tasks_per_hour: annotations of one worker in an hour.
    hours: the whole time worked. All None where no time was recorded.
    annotations, timed: all of them, and those with their seconds recorded.
    """

    annotations: int
    timed: int
    median_seconds: float | None
    tasks_per_hour: float | None
    hours: float | None


def throughput(seconds: Iterable[float | None]) -> Throughput:
    """The pace of annotations, by the median: a worker who left the page open must not weigh."""
    given = list(seconds)
    timed = sorted(value for value in given if value is not None)
    if not timed:
        return Throughput(len(given), 0, None, None, None)
    middle = float(median(timed))
    return Throughput(
        annotations=len(given),
        timed=len(timed),
        median_seconds=middle,
        tasks_per_hour=SECONDS_PER_HOUR / middle if middle > 0 else None,
        # The median times the count, since one forgotten page would dominate the sum.
        hours=middle * len(given) / SECONDS_PER_HOUR,
    )


@dataclass(frozen=True)
class Batch:
    """A batch of tasks of one kind, as planned.

    tasks: those that are to become data.
    votes: workers per task, extra votes after a tie included (so it may be a fraction).
    seconds: that one annotation takes.
    pay_per_hour: in any currency; pay_per_task overrides it where a kind has a fixed pay.
    fee: the platform's share on top of the pay.
    attention_checks: tasks with a wrong answer put in besides, as a share of `tasks`.
    redo: annotations of rejected workers, as a share of all that are paid; they are paid and done again.
    checked: tasks that an expert sees, as a share of `tasks`; expert_pay_per_hour: an expert's pay.
    """

    tasks: int
    votes: float = 1.0
    seconds: float = 30.0
    pay_per_hour: float = 15.0
    pay_per_task: float | None = None
    fee: float = 0.0
    attention_checks: float = 0.1
    redo: float = 0.1
    checked: float = 0.0
    expert_pay_per_hour: float | None = None

    def __post_init__(self) -> None:
        at_least(self, 0, "tasks", "votes", "seconds", "pay_per_hour", "fee", "attention_checks", "checked")
        if not 0 <= self.redo < 1:
            raise StageError(f"redo: expected a share from 0 to below 1, got {self.redo}")


@dataclass(frozen=True)
class Estimate:
    """annotations: to be paid; redone: those of them that are thrown away; checks: by experts.
    hours: of workers and experts together; pay: what they get; total: with the platform's fee.
    """

    annotations: int
    redone: int
    checks: int
    hours: float
    pay: float
    total: float


def estimate(batch: Batch) -> Estimate:
    """What a batch costs. Where a share `redo` of the work is thrown away, 1 / (1 - redo) as much is paid."""
    # Rounded before rounding up: 100 * 1.1 is a hair above 110 in binary fractions.
    needed = round(batch.tasks * batch.votes * (1 + batch.attention_checks), 6)
    annotations = math.ceil(round(needed / (1 - batch.redo), 6))
    checks = math.ceil(round(batch.tasks * batch.checked, 6))
    hours = annotations * batch.seconds / SECONDS_PER_HOUR
    expert_hours = checks * batch.seconds / SECONDS_PER_HOUR
    pay = hours * batch.pay_per_hour if batch.pay_per_task is None else annotations * batch.pay_per_task
    expert_rate = batch.pay_per_hour if batch.expert_pay_per_hour is None else batch.expert_pay_per_hour
    pay += expert_hours * expert_rate
    return Estimate(
        annotations=annotations,
        redone=annotations - math.ceil(needed),
        checks=checks,
        hours=hours + expert_hours,
        pay=pay,
        total=pay * (1 + batch.fee),
    )


def workers_needed(annotations: int, seconds: float, hours_per_worker: float, votes: int = 1) -> int:
    """The least number of workers for some annotations within some hours each; never fewer than votes on one task.

    Raises:
        StageError: no time per worker.
    """
    if hours_per_worker <= 0:
        raise StageError(f"hours_per_worker: expected above 0, got {hours_per_worker}")
    return max(votes, math.ceil(round(annotations * seconds / SECONDS_PER_HOUR / hours_per_worker, 6)))
