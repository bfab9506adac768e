"""Tasks in the order in which they are sent."""

from __future__ import annotations

import pytest

from stages.annotation.sending import Task, by_kind, by_task, by_votes, in_batches
from stages.core.contract import StageError
from tests.people_samples import ANSWER, GRAPH, KINDS, task_row, task_table

ROWS = [task_row(question=f"Which {number}?", redundancy=1 + number % 2) for number in range(5)]


def test_tasks_lie_by_kind_votes_and_id() -> None:
    found = by_kind(task_table(*reversed(ROWS), task_row(GRAPH)), KINDS)
    assert list(found) == [ANSWER, GRAPH]
    expected = sorted((row["redundancy"], row["task"]) for row in ROWS)
    assert [(one.redundancy, one.task) for one in found[ANSWER]] == expected
    assert [(votes, len(tasks)) for votes, tasks in by_votes(found[ANSWER])] == [(1, 3), (2, 2)]


def test_a_kind_that_is_not_there_is_named() -> None:
    with pytest.raises(StageError, match=f"task {ROWS[0]['task']}: no kind 'qampari_answer' among wiqa_graph"):
        by_kind(task_table(ROWS[0]), {GRAPH: KINDS[GRAPH]})


def test_batches_hold_all_tasks_once() -> None:
    tasks = [Task(str(number), 1, {}) for number in range(5)]
    assert [[one.task for one in part] for part in in_batches(tasks, 2)] == [["0", "1"], ["2", "3"], ["4"]]
    assert list(in_batches([], 2)) == []
    with pytest.raises(StageError, match="batch: expected at least 1 task at once, got 0"):
        list(in_batches(tasks, 0))


def test_answers_lie_by_what_they_say() -> None:
    rows = [{"task": "t", "answers": "b", "worker": "1"}, {"task": "t", "answers": "a", "worker": "2"}]
    assert by_task(rows) == {"t": ["a", "b"]}
