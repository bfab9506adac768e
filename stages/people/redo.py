"""What is to be sent again: votes that are missing, and verdicts and texts that wait for an expert."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from stages.contract import StageError, TableSpec
from stages.people.chance import chance
from stages.people.tables import TASKS
from stages.queries.tables import number, text, texts
from stages.sql import sql

WORKER, EXPERT = "worker", "expert"

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


def next_round(
    tasks: pa.Table, task_keys: pa.Table, redo: pa.Table, *, who: str = WORKER, planted: float = 0.1, seed: int = 0
) -> pa.Table:
    """The tasks to send next, as rows of TASKS whose redundancy is the number of missing votes.

    planted: tasks with a known wrong answer that go along, as a share of the others, so that those who
        answer are judged as well. Experts get none. seed: of their choice.

    Raises:
        StageError: neither worker nor expert; a share below 0.
    """
    if who not in (WORKER, EXPERT):
        raise StageError(f"who: expected {WORKER} or {EXPERT}, got {who!r}")
    if planted < 0:
        raise StageError(f"planted: expected a share of at least 0, got {planted}")
    wanted = _wanted(tasks, redo, who)
    if who == EXPERT:
        return wanted
    return pa.concat_tables([wanted, _planted(tasks, task_keys, wanted, planted, seed)])


def _wanted(tasks: pa.Table, redo: pa.Table, who: str) -> pa.Table:
    needed = redo.filter(pc.equal(redo["who"], who))
    rows = sql(
        """
        SELECT t.task, t.dataset, t.kind, t.payload, r.votes AS redundancy
        FROM tasks t JOIN needed r ON r.task = t.task ORDER BY t.task
        """,
        tasks=tasks,
        needed=needed,
    )
    return rows.cast(TASKS.schema)


def _planted(tasks: pa.Table, task_keys: pa.Table, wanted: pa.Table, share: float, seed: int) -> pa.Table:
    """Planted tasks of the kinds that are wanted, as many per kind as the share comes to."""
    injected = task_keys.filter(task_keys["injected"])["task"].to_pylist()
    there = tasks.filter(pc.is_in(tasks["task"], pa.array(injected, pa.string())))
    counts = {row["values"]: row["counts"] for row in wanted["kind"].value_counts().to_pylist()}
    chosen: list[str] = []
    for kind, count in sorted(counts.items()):
        names = there.filter(pc.equal(there["kind"], kind))["task"].to_pylist()
        chosen += sorted(names, key=lambda name: (chance(seed, name, "redo"), name))[: round(share * count)]
    return there.filter(pc.is_in(there["task"], pa.array(chosen, pa.string()))).sort_by("task").cast(TASKS.schema)
