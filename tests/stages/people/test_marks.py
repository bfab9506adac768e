import pytest

from stages.contract import StageError
from stages.people.marks import MARKS, marks
from stages.people.tables import ANNOTATIONS, TASK_KEYS, TASKS
from tests.stages.people.desk import KINDS, Desk


def test_marks_in_full() -> None:
    desk = Desk().task("t1", gold={"verdict": ["no"]}, injected=True).task("t2", "fill")
    desk.says("ann", "t1", 5.0, verdict="yes").says("ann", "t2", None, first="a")
    assert desk.run().rows(MARKS) == [
        {
            "worker": "ann",
            "task": "t1",
            "kind": "check",
            "vote": "confirm",
            "right": False,
            "injected": True,
            "with_others": None,
            "writing": False,
            "seconds": 5.0,
            "pace": 0.25,
        },
        {
            "worker": "ann",
            "task": "t2",
            "kind": "fill",
            "vote": None,
            "right": None,
            "injected": False,
            "with_others": None,
            "writing": True,
            "seconds": None,
            "pace": None,
        },
    ]


@pytest.mark.parametrize(
    ("votes", "expected"),
    [
        ({"a": "more"}, {"a": None}),
        ({"a": "more", "b": "more"}, {"a": True, "b": True}),
        ({"a": "more", "b": "less"}, {"a": False, "b": False}),
        # Of the others of a and b one says more and one less: no commonest. The others of c agree.
        ({"a": "more", "b": "more", "c": "less"}, {"a": None, "b": None, "c": False}),
        ({"a": "more", "b": "more", "c": "more", "d": "less"}, {"a": True, "b": True, "c": True, "d": False}),
    ],
)
def test_agreement_with_the_others(votes: dict[str, str], expected: dict[str, bool | None]) -> None:
    desk = Desk().task("t", "opinion", 5)
    for worker, vote in votes.items():
        desk.says(worker, "t", answer=vote)
    assert {row["worker"]: row["with_others"] for row in desk.run().rows(MARKS)} == expected


def test_an_annotation_of_no_task_is_rejected() -> None:
    done = Desk().task("t").says("a", "gone", verdict="yes").run()
    assert done.reasons() == [("gone a", "unknown_task", "")]
    assert done.rows(MARKS) == []


def test_a_kind_that_was_not_loaded_is_an_error() -> None:
    desk = Desk().task("t", "check").says("a", "t", verdict="yes")
    tables = ANNOTATIONS.table(desk.annotations), TASKS.table(desk.tasks), TASK_KEYS.table(desk.keys)
    with pytest.raises(StageError, match="kind 'check'"):
        marks(*tables, kinds={name: kind for name, kind in KINDS.items() if name != "check"})
