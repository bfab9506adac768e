"""How far workers agree: raw agreement and Krippendorff's alpha for nominal labels.

Alpha is nltk's (`AnnotationTask.alpha`): it leaves out what nobody voted on and tasks
with a single vote, as Krippendorff's coincidence matrix does. Two cases in which the
formula has no value are settled here: without any task of two votes there is no alpha
(None), and where all votes that can be compared are equal alpha is 1. The latter is
0/0: the data hold no disagreement, but show no workers telling labels apart either,
so `varied` is False and a reader should not take that 1 for proof of care.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from nltk.metrics.agreement import AnnotationTask


class Vote(NamedTuple):
    """One worker's label for one task."""

    task: str
    worker: str
    label: str


@dataclass(frozen=True)
class Agreement:
    """votes: all of them; compared: those on tasks with two votes or more; tasks: such tasks.
    raw: share of the pairs of votes on one task that are equal; None without a pair.
    alpha: Krippendorff's, 1 for perfect agreement and about 0 for guessing; None without a pair.
    varied: whether the votes compared hold more than one label.
    """

    votes: int
    compared: int
    tasks: int
    raw: float | None
    alpha: float | None
    varied: bool


def agreement(votes: Iterable[Vote]) -> Agreement:
    """Agreement of votes in any order; a vote given twice counts once."""
    distinct = sorted(set(votes))
    by_task: defaultdict[str, list[Vote]] = defaultdict(list)
    for vote in distinct:
        by_task[vote.task].append(vote)
    groups = [group for group in by_task.values() if len(group) > 1]
    compared = [vote for group in groups for vote in group]
    return Agreement(
        votes=len(distinct),
        compared=len(compared),
        tasks=len(groups),
        raw=_raw(groups),
        alpha=_alpha(compared),
        varied=len({vote.label for vote in compared}) > 1,
    )


def _raw(groups: list[list[Vote]]) -> float | None:
    pairs = equal = 0
    for group in groups:
        counts = Counter(vote.label for vote in group)
        pairs += len(group) * (len(group) - 1)
        equal += sum(count * (count - 1) for count in counts.values())
    return equal / pairs if pairs else None


def _alpha(compared: list[Vote]) -> float | None:
    if not compared:
        return None
    # nltk raises on empty data and divides by zero where no task has two votes: both are excluded by now.
    return float(AnnotationTask([(vote.worker, vote.task, vote.label) for vote in compared]).alpha())
