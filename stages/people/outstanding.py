"""What is to be sent to people now: tasks that nobody has answered, and what verdicts ask for again."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from stages.contract import StageError
from stages.people.redo import EXPERT, WORKER, next_round

NEW, AGAIN, OPEN = "new", "again", "open"


def outstanding(
    tasks: pa.Table,
    task_keys: pa.Table,
    annotations: pa.Table,
    redo: pa.Table,
    *,
    which: str = OPEN,
    who: str = WORKER,
    planted: float = 0.1,
    seed: int = 0,
) -> pa.Table:
    """Rows of TASKS, each task once, with the number of votes that are wanted.

    which: new (without any answer, planted ones among them), again (what `redo` lists), or open, which is both.
    who: worker or expert; experts are only asked again.
    planted, seed: see `stages.people.redo.next_round`.

    Raises StageError: another word than these, or new tasks for experts.
    """
    if which not in (NEW, AGAIN, OPEN):
        raise StageError(f"expected {NEW}, {AGAIN} or {OPEN}, got {which!r}")
    if which == NEW and who == EXPERT:
        raise StageError("experts see what workers have answered; they get no new tasks")
    parts = [tasks.slice(0, 0)]
    if which != AGAIN and who == WORKER:
        answered = pc.is_in(tasks["task"], annotations["task"].combine_chunks())
        parts.append(tasks.filter(pc.invert(answered)))
    if which != NEW:
        again = next_round(tasks, task_keys, redo, who=who, planted=planted, seed=seed)
        parts.append(again.filter(pc.invert(pc.is_in(again["task"], parts[-1]["task"].combine_chunks()))))
    return pa.concat_tables(parts).sort_by("task")
