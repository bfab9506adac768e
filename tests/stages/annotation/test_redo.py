"""What is to be sent now."""

from __future__ import annotations

import pyarrow as pa
import pytest

from stages.annotation.redo import AGAIN, EXPERT, NEW, OPEN, REDO, WORKER, outstanding
from stages.annotation.tables import ANNOTATIONS, TASK_KEYS, TASKS
from stages.core.contract import StageError


def tasks(*names: str) -> pa.Table:
    return TASKS.table(
        [{"task": name, "dataset": "toy", "kind": "k", "payload": "{}", "redundancy": 3} for name in names]
    )


def keys(*names: str, attention_checks: str = "") -> pa.Table:
    return TASK_KEYS.table(
        [{"task": name, "origin": name, "gold": None, "attention_check": name in attention_checks} for name in names]
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
    """a, b and c are answered, d is not; a wants one vote more, b two, c an expert's; c and d are attention checks."""
    wanted = redo(("a", WORKER, 1), ("b", WORKER, 2), ("c", EXPERT, 1))
    table = outstanding(
        tasks("d", "a", "b", "c"),
        keys("a", "b", "c", "d", attention_checks="cd"),
        answered("a", "b", "c"),
        wanted,
        which=which,
        who=who,
        attention_checks=0.5,
    )
    return [(row["task"], row["redundancy"]) for row in table.to_pylist()]


def test_new_tasks_want_all_their_votes() -> None:
    assert found(NEW) == [("d", 3)]


def test_again_wants_the_missing_votes_with_attention_checks_among_them() -> None:
    rows = found(AGAIN)
    assert rows[:2] == [("a", 1), ("b", 2)]
    # Half as many attention checks as others: one of c and d.
    assert [count for _, count in rows[2:]] == [3] and rows[2][0] in "cd"


def test_open_is_both_and_each_task_once() -> None:
    rows = found(OPEN)
    assert {("a", 1), ("b", 2), ("d", 3)} <= set(rows)
    assert len(dict(rows)) == len(rows)


def test_an_expert_gets_what_waits_for_one() -> None:
    assert found(OPEN, EXPERT) == found(AGAIN, EXPERT) == [("c", 1)]


def test_experts_get_no_new_tasks() -> None:
    with pytest.raises(StageError, match="experts see what workers have answered"):
        found(NEW, EXPERT)


def test_nothing_to_do() -> None:
    assert outstanding(TASKS.empty(), TASK_KEYS.empty(), ANNOTATIONS.empty(), REDO.empty()).num_rows == 0


def _many(seed: int, turned: bool = False) -> list[tuple[str, int]]:
    """Twenty tasks that want a vote, ten attention checks of their kind and one of another, all of them answered."""
    real, wrong = [f"t{number:02}" for number in range(20)], [f"p{number}" for number in range(10)]
    other = TASKS.table([{"task": "o", "dataset": "toy", "kind": "other", "payload": "{}", "redundancy": 3}])
    tables = [
        pa.concat_tables([tasks(*real, *wrong), other]),
        keys(*real, *wrong, "o", attention_checks=" ".join([*wrong, "o"])),
        answered(*real, *wrong, "o"),
        redo(*((task, WORKER, 1) for task in real)),
    ]
    if turned:
        tables = [table.take(pa.array(range(table.num_rows - 1, -1, -1))) for table in tables]
    return [
        (row["task"], row["redundancy"]) for row in outstanding(*tables, attention_checks=0.25, seed=seed).to_pylist()
    ]


def test_the_choice_of_attention_checks_is_seeded_and_not_by_position() -> None:
    rows = _many(0)
    assert [row for row in rows if row[0].startswith("t")] == [(f"t{number:02}", 1) for number in range(20)]
    # A quarter of twenty, of the kind that is asked.
    assert len(rows) == 25 and all(name.startswith("p") for name, _ in rows if not name.startswith("t"))
    assert rows == _many(0, turned=True) != _many(1)
