"""Which annotations of a task count, and why the others do not."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from stages.contract import StageError
from stages.people.answers import Answers
from stages.people.kinds import TaskKind
from stages.people.reading import REVISE, contributions, is_writing, vote_of
from stages.rejects import Rejects


@dataclass(frozen=True)
class Ballot:
    """The answers of one accepted worker to one task."""

    worker: str
    answers: Answers
    expert: bool = False


@dataclass(frozen=True)
class Answered:
    """What came in for one task. ballots: by worker; dropped: annotations that do not count; by: all who answered."""

    ballots: tuple[Ballot, ...] = ()
    dropped: int = 0
    by: tuple[str, ...] = ()

    @property
    def has_expert(self) -> bool:
        return any(ballot.expert for ballot in self.ballots)


def read_ballots(
    annotations: pa.Table,
    workers: pa.Table,
    kind_by_task: Mapping[str, TaskKind],
    experts: Collection[str],
    rejects: Rejects,
) -> dict[str, Answered]:
    """What came in, by task; annotations of other tasks than those given are passed over.

    Rejects, keyed by task and worker: rejected_worker (the detail says why), no_verdict and no_text (answers
    that leave out what they are about).
    Raises StageError: an annotation by a worker without a row in `workers`.
    """
    judged = {row["worker"]: row for row in workers.select(["worker", "accepted", "why"]).to_pylist()}
    by_task: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in annotations.select(["task", "worker", "answers"]).to_pylist():
        if row["task"] not in kind_by_task:
            continue
        if row["worker"] not in judged:
            raise StageError(f"worker {row['worker']!r} is not in the table of workers; build people.workers anew")
        by_task[row["task"]].append(row)
    return {task: _answered(rows, kind_by_task[task], judged, experts, rejects) for task, rows in by_task.items()}


def _answered(
    rows: Iterable[Mapping[str, Any]],
    kind: TaskKind,
    judged: Mapping[str, Mapping[str, Any]],
    experts: Collection[str],
    rejects: Rejects,
) -> Answered:
    ballots, by = [], []
    for row in sorted(rows, key=lambda row: row["worker"]):
        worker, answers = row["worker"], json.loads(row["answers"])
        by.append(worker)
        problem, detail = _problem(answers, kind), ""
        if not judged[worker]["accepted"]:
            problem, detail = "rejected_worker", judged[worker]["why"]
        if problem:
            rejects.add(f"{row['task']} {worker}", problem, detail)
        else:
            ballots.append(Ballot(worker, answers, worker in experts))
    return Answered(tuple(ballots), len(by) - len(ballots), tuple(by))


def _problem(answers: Mapping[str, list[str]], kind: TaskKind) -> str:
    vote = vote_of(answers, kind)
    if kind.verdict is not None and vote is None:
        return "no_verdict"
    writes = is_writing(kind) and vote in (None, REVISE)
    return "no_text" if writes and not contributions(answers, kind) else ""
