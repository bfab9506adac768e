"""What is to be sent to people now: tasks that nobody has answered, and what verdicts ask for again."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from stages.annotation.tables import TASKS
from stages.core.chance import chance
from stages.core.columns import number, text, texts
from stages.core.contract import StageError, TableSpec
from stages.core.sql import sql

WORKER, EXPERT = "worker", "expert"
NEW, AGAIN, OPEN = "new", "again", "open"

REDO = TableSpec(
    name="redo",
    schema=pa.schema([text("task"), text("who"), text("kind"), number("votes"), text("why"), texts("not_by")]),
    key=("task", "who"),
)
"""One row per task and group of people who are still needed.

who: worker or expert; votes: how many more; not_by: who has answered it already, sorted.
why: of workers: rejected_work (answers that do not count were left out), too_few_votes, tie, unusable_text;
    of experts: sampled, refused, revisions_differ, experts_differ, text_check.
Tasks that nobody has answered yet are not here: they are in `tasks`, with the verdict `unconfirmed`.
"""


def outstanding(
    tasks: pa.Table,
    task_keys: pa.Table,
    annotations: pa.Table,
    redo: pa.Table,
    *,
    which: str = OPEN,
    who: str = WORKER,
    attention_checks: float = 0.1,
    seed: int = 0,
) -> pa.Table:
    """Rows of TASKS, each task once, with the number of votes that are wanted.

    which: new (without any answer, attention checks among them), again (what `redo` lists), or open, which is both.
    who: worker or expert; experts are only asked again.
    attention_checks: tasks with a known wrong answer that go along with what workers are asked again, as a share of
        that, so that those who answer are judged as well. seed: of their choice.

    Raises StageError: new tasks for experts.
    """
    if which == NEW and who == EXPERT:
        raise StageError("experts see what workers have answered; they get no new tasks")
    fresh = tasks.slice(0, 0)
    if which != AGAIN and who == WORKER:
        fresh = tasks.filter(pc.invert(_among(tasks, annotations)))
    if which == NEW:
        return fresh.sort_by("task")
    again = _wanted(tasks, redo.filter(pc.equal(redo["who"], who)))
    if who == WORKER:
        again = pa.concat_tables([again, _checks(tasks, task_keys, again, attention_checks, seed)])
    return pa.concat_tables([fresh, again.filter(pc.invert(_among(again, fresh)))]).sort_by("task")


def _among(table: pa.Table, others: pa.Table) -> pa.ChunkedArray:
    return pc.is_in(table["task"], others["task"].combine_chunks())


def _wanted(tasks: pa.Table, needed: pa.Table) -> pa.Table:
    rows = sql(
        """
        SELECT t.task, t.dataset, t.kind, t.payload, r.votes AS redundancy
        FROM tasks t JOIN needed r ON r.task = t.task ORDER BY t.task
        """,
        tasks=tasks,
        needed=needed,
    )
    return rows.cast(TASKS.schema)


def _checks(tasks: pa.Table, task_keys: pa.Table, wanted: pa.Table, share: float, seed: int) -> pa.Table:
    """Planted tasks of the kinds that are wanted, as many per kind as the share comes to."""
    there = tasks.filter(_among(tasks, task_keys.filter(task_keys["attention_check"])))
    counts = {row["values"]: row["counts"] for row in wanted["kind"].value_counts().to_pylist()}
    chosen: list[str] = []
    for kind, count in sorted(counts.items()):
        names = there.filter(pc.equal(there["kind"], kind))["task"].to_pylist()
        chosen += sorted(names, key=lambda name: (chance(seed, name, "redo"), name))[: round(share * count)]
    return there.filter(pc.is_in(there["task"], pa.array(chosen, pa.string()))).sort_by("task").cast(TASKS.schema)
