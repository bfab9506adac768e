"""Stage `people.marks`: each annotation beside what is known of its task.

Known are the right answers of planted and gold tasks, and what the others said of the same
task. Bucketed by worker, so that the next stage judges a worker from one bucket.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import partial
from typing import Any

import pyarrow as pa

from stages.contract import Join, Output, Stage, TableSpec
from stages.people.kinds import TaskKind
from stages.people.reading import is_right, is_writing, kind_of, vote_of
from stages.people.tables import ANNOTATIONS, TASK_KEYS, TASKS
from stages.queries.tables import flag, text
from stages.rejects import Rejects

MARKS = TableSpec(
    name="people_marks",
    schema=pa.schema(
        [
            text("worker"),
            text("task"),
            text("kind"),
            pa.field("vote", pa.string()),
            pa.field("right", pa.bool_()),
            flag("injected"),
            pa.field("with_others", pa.bool_()),
            flag("writing"),
            pa.field("seconds", pa.float64()),
            pa.field("pace", pa.float64()),
        ]
    ),
    key=("worker", "task"),
)
"""One row per annotation.

vote: confirm, refuse, revise, or the choice of a kind without these; null for a kind without a verdict.
right: whether it is the known answer; null where none is known.
injected: the task shows an answer known to be wrong.
with_others: whether it is the commonest vote of the other workers; null without others, or where they are split evenly.
writing: the kind asks for text that becomes data.
seconds: as annotated; pace: seconds / the seconds that the kind expects.
"""


def marks(annotations: pa.Table, tasks: pa.Table, task_keys: pa.Table, *, kinds: Mapping[str, TaskKind]) -> Output:
    """MARKS of one bucket of all inputs by task.

    Rejects: unknown_task (an annotation without its task), keyed by task and worker.
    Raises StageError: a task of a kind that was not loaded.
    """
    known = {row["task"]: row for row in tasks.select(["task", "kind"]).to_pylist()}
    keys = {row["task"]: row for row in task_keys.to_pylist()}
    by_task: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    rejects = Rejects()
    for row in annotations.select(["task", "worker", "answers", "seconds"]).to_pylist():
        if row["task"] in known and row["task"] in keys:
            by_task[row["task"]].append(row)
        else:
            rejects.add(f"{row['task']} {row['worker']}", "unknown_task")
    rows = [
        mark
        for task, group in by_task.items()
        for mark in _of_task(group, keys[task], kind_of(kinds, known[task]["kind"], "people.marks"))
    ]
    return Output({MARKS.name: MARKS.table(rows)}, rejects.table(), {"annotations": float(len(rows))})


def _of_task(group: list[dict[str, Any]], key: Mapping[str, Any], kind: TaskKind) -> list[dict[str, Any]]:
    gold = json.loads(key["gold"]) if key["gold"] is not None else None
    answers = [json.loads(row["answers"]) for row in group]
    votes = [vote_of(found, kind) for found in answers]
    counts = Counter(vote for vote in votes if vote is not None)
    return [
        {
            "worker": row["worker"],
            "task": row["task"],
            "kind": kind.name,
            "vote": vote,
            "right": None if gold is None else is_right(found, gold, kind),
            "injected": key["injected"],
            "with_others": None if vote is None else _with_others(vote, counts),
            "writing": is_writing(kind),
            "seconds": row["seconds"],
            "pace": None if row["seconds"] is None else row["seconds"] / kind.settings.seconds,
        }
        for row, found, vote in zip(group, answers, votes, strict=True)
    ]


def _with_others(vote: str, counts: Counter[str]) -> bool | None:
    others = counts - Counter([vote])
    most = max(others.values(), default=0)
    leaders = [label for label, count in others.items() if count == most]
    return vote == leaders[0] if len(leaders) == 1 else None


def stage(kinds: Mapping[str, TaskKind]) -> Stage:
    return Stage(
        name="people.marks",
        shape=Join(on=(("task",), ("task",), ("task",))),
        kernel=partial(marks, kinds=kinds),
        inputs=(ANNOTATIONS.name, TASKS.name, TASK_KEYS.name),
        outputs=(MARKS,),
        templates={name: digest for kind in kinds.values() for name, digest in kind.digests.items()},
        about="People: each answer beside what is known of its task.",
    )
