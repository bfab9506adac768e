import pyarrow as pa
import pytest

from stages.contract import StageError
from stages.people.decisions import VerdictParams
from stages.people.redo import EXPERT, REDO, next_round
from stages.people.tables import TASK_KEYS, TASKS
from tests.stages.people.desk import Desk, Done


def _done() -> Done:
    """Twenty tasks of two votes with one vote each, a tie-free refusal for an expert, and ten planted tasks."""
    desk = Desk(verdicts=VerdictParams(expert_right=0.0))
    for number in range(20):
        desk.task(f"t{number:02}", redundancy=2).says("a", f"t{number:02}", verdict="yes")
    desk.task("refused").says("a", "refused", verdict="no")
    for number in range(10):
        desk.task(f"planted{number}", redundancy=2, gold={"verdict": ["no"]}, injected=True)
    desk.task("other", "fill", gold={"first": ["x"]}, injected=True)
    return desk.run()


def test_the_next_round_has_the_missing_votes_and_planted_tasks_among_them() -> None:
    done = _done()
    rows = next_round(done.tables["tasks"], done.tables["task_keys"], done.tables["redo"], seed=3)
    assert rows.schema == TASKS.schema
    found = {row["task"]: row["redundancy"] for row in rows.to_pylist()}
    assert {task: votes for task, votes in found.items() if task.startswith("t")} == {f"t{n:02}": 1 for n in range(20)}
    # A tenth of twenty, of the kind that is asked.
    planted = {task for task in found if not task.startswith("t")}
    assert len(planted) == 2
    assert all(task.startswith("planted") for task in planted)


def test_the_choice_of_planted_tasks_is_seeded_and_not_by_position() -> None:
    done = _done()
    tables = [done.tables[name] for name in ("tasks", "task_keys", "redo")]
    turned = [table.take(pa.array(range(table.num_rows - 1, -1, -1))) for table in tables]
    one, same = (next_round(*those, planted=0.25).to_pylist() for those in (tables, turned))
    assert sorted(one, key=str) == sorted(same, key=str)
    assert len(one) == 25


def test_experts_get_what_waits_for_them_and_nothing_planted() -> None:
    done = _done()
    rows = next_round(done.tables["tasks"], done.tables["task_keys"], done.tables["redo"], who=EXPERT)
    assert rows["task"].to_pylist() == ["refused"]


def test_nothing_to_do() -> None:
    assert next_round(TASKS.empty(), TASK_KEYS.empty(), REDO.empty()).num_rows == 0


@pytest.mark.parametrize(("wrong", "message"), [({"who": "anyone"}, "who: expected"), ({"planted": -0.1}, "planted")])
def test_impossible_requests_are_named(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(StageError, match=message):
        next_round(TASKS.empty(), TASK_KEYS.empty(), REDO.empty(), **wrong)
