"""Tasks and earlier answers in the order in which they are sent out, whatever the platform."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import pyarrow as pa

from stages.annotation.forms.kinds import TaskKind
from stages.core.contract import StageError

BATCH = 1000
"""The most tasks that are sent at once where nothing else is said."""


@dataclass(frozen=True)
class Task:
    task: str
    redundancy: int
    payload: Mapping[str, str]


def by_kind(tasks: pa.Table, kinds: Mapping[str, TaskKind]) -> dict[str, list[Task]]:
    """The tasks of each kind, by their number of votes and then their ids, which say nothing about them.

    tasks: rows of TASKS, in any order.

    Raises StageError: a kind is not among `kinds`.
    """
    found: dict[str, list[Task]] = {}
    for row in tasks.sort_by([("kind", "ascending"), ("redundancy", "ascending"), ("task", "ascending")]).to_pylist():
        if row["kind"] not in kinds:
            raise StageError(f"task {row['task']}: no kind {row['kind']!r} among {', '.join(sorted(kinds))}")
        found.setdefault(row["kind"], []).append(Task(row["task"], row["redundancy"], json.loads(row["payload"])))
    return found


def by_votes(tasks: Sequence[Task]) -> Iterator[tuple[int, list[Task]]]:
    """(votes, tasks): platforms set the number of votes per project or batch, not per task."""
    for redundancy, group in groupby(tasks, key=lambda one: one.redundancy):
        yield redundancy, list(group)


def in_batches(tasks: Sequence[Task], batch: int) -> Iterator[list[Task]]:
    """Raises StageError: a batch below 1."""
    if batch < 1:
        raise StageError(f"batch: expected at least 1 task at once, got {batch}")
    for start in range(0, len(tasks), batch):
        yield list(tasks[start : start + batch])


def by_task(answers: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """JSON of the answers to each task, by what they say, so that their order does not tell who is who.

    answers: rows of ANNOTATIONS.
    """
    found: dict[str, list[str]] = {}
    for task, said in sorted((row["task"], row["answers"]) for row in answers):
        found.setdefault(task, []).append(said)
    return found
