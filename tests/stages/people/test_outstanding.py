"""What is to be sent now."""

from __future__ import annotations

import pyarrow as pa
import pytest

from stages.contract import StageError
from stages.people.outstanding import AGAIN, NEW, OPEN, outstanding
from stages.people.redo import EXPERT, REDO, WORKER
from stages.people.tables import ANNOTATIONS, TASK_KEYS, TASKS


def tasks(*names: str) -> pa.Table:
    return TASKS.table(
        [{"task": name, "dataset": "toy", "kind": "k", "payload": "{}", "redundancy": 3} for name in names]
    )


def keys(*names: str, planted: str = "") -> pa.Table:
    return TASK_KEYS.table(
        [{"task": name, "origin": name, "gold": None, "injected": name in planted} for name in names]
    )


def answered(*names: str) -> pa.Table:
    blank = dict.fromkeys(ANNOTATIONS.schema.names, "") | {"seconds": None}
    return ANNOTATIONS.table([blank | {"task": name, "worker": "ann"} for name in names])


def redo(*rows: tuple[str, str, int]) -> pa.Table:
    return REDO.table(
        [
            {"task": task, "who": who, "kind": "k", "votes": votes, "why": "tie", "not_by": []}
            for task, who, votes in rows
        ]
    )


def found(which: str, who: str = WORKER) -> list[tuple[str, int]]:
    """a, b and c are answered, d is not; a wants one vote more, b two, c an expert's; c and d are planted."""
    wanted = redo(("a", WORKER, 1), ("b", WORKER, 2), ("c", EXPERT, 1))
    table = outstanding(
        tasks("d", "a", "b", "c"),
        keys("a", "b", "c", "d", planted="cd"),
        answered("a", "b", "c"),
        wanted,
        which=which,
        who=who,
        planted=0.5,
    )
    return [(row["task"], row["redundancy"]) for row in table.to_pylist()]


def test_new_tasks_want_all_their_votes() -> None:
    assert found(NEW) == [("d", 3)]


def test_again_wants_the_missing_votes_with_planted_tasks_among_them() -> None:
    rows = found(AGAIN)
    assert rows[:2] == [("a", 1), ("b", 2)]
    # Half as many planted ones as others: one of c and d.
    assert [count for _, count in rows[2:]] == [3] and rows[2][0] in "cd"


def test_open_is_both_and_each_task_once() -> None:
    rows = found(OPEN)
    assert {("a", 1), ("b", 2), ("d", 3)} <= set(rows)
    assert len(dict(rows)) == len(rows)


def test_an_expert_gets_what_waits_for_one() -> None:
    assert found(OPEN, EXPERT) == found(AGAIN, EXPERT) == [("c", 1)]


def test_other_words_are_refused() -> None:
    with pytest.raises(StageError, match="experts see what workers have answered"):
        found(NEW, EXPERT)
    with pytest.raises(StageError, match="expected new, again or open, got 'all'"):
        found("all")
