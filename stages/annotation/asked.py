"""The tasks of a round with what their makers know of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import pyarrow as pa

from stages.annotation.forms.answers import Answers
from stages.annotation.forms.kinds import TaskKind
from stages.annotation.platforms.replies import marks


@dataclass(frozen=True)
class Asked:
    """One task. payload, origin, redundancy, attention_check: see TASKS and TASK_KEYS; gold: None where unknown."""

    task: str
    kind: TaskKind
    payload: str
    redundancy: int
    origin: str
    gold: Answers | None
    attention_check: bool

    @cached_property
    def texts(self) -> dict[str, str]:
        """What a worker sees, by variable."""
        return dict(json.loads(self.payload))

    @cached_property
    def shown(self) -> dict[str, str]:
        """The marks of what a worker sees, for comparing with what a platform says it showed."""
        return marks(self.texts)


def read_asked(tasks: pa.Table, task_keys: pa.Table, kinds: Mapping[str, TaskKind]) -> dict[str, Asked]:
    """The tasks by their ids, from all rows of TASKS and of TASK_KEYS."""
    keys = {row.pop("task"): row for row in task_keys.to_pylist()}
    return {
        row["task"]: Asked(
            task=row["task"],
            kind=kinds[row["kind"]],
            payload=row["payload"],
            redundancy=row["redundancy"],
            origin=key["origin"],
            gold=None if key["gold"] is None else json.loads(key["gold"]),
            attention_check=key["attention_check"],
        )
        for row in tasks.to_pylist()
        if (key := keys.get(row["task"])) is not None
    }
