import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.annotation.tables import WORKERS
from stages.annotation.workers import MARKS, WorkerParams, WorkerRecord, refusal, to_check
from stages.core.contract import StageError
from tests.stages.annotation.desk import Desk

PARAMS = WorkerParams(min_known=5, max_passed=0.3, min_right=0.7, min_pace=0.1)


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (WorkerRecord(), ""),
        # Three of ten is just allowed, and four are not.
        (WorkerRecord(checks_seen=10, checks_failed=3), ""),
        (WorkerRecord(checks_seen=10, checks_failed=4), "passed_wrong_answers"),
        # Too few attention checks to look at, and too few known answers of any sort.
        (WorkerRecord(checks_seen=4, checks_failed=4), ""),
        # Enough together: 4 of 8 are right.
        (WorkerRecord(checks_seen=4, checks_failed=4, gold_seen=4, gold_right=4), "low_agreement"),
        (WorkerRecord(gold_seen=10, gold_right=7), ""),
        (WorkerRecord(gold_seen=10, gold_right=6), "low_agreement"),
        (WorkerRecord(median_pace=0.1), ""),
        (WorkerRecord(median_pace=0.099), "too_fast"),
        # The first reason in order is given.
        (WorkerRecord(checks_seen=5, checks_failed=5, median_pace=0.0), "passed_wrong_answers"),
    ],
)
def test_who_is_refused(record: WorkerRecord, why: str) -> None:
    assert refusal(record, PARAMS) == why


def test_whoever_was_never_tested_can_be_left_out() -> None:
    strict = WorkerParams(accept_unproven=False)
    assert refusal(WorkerRecord(gold_seen=4, gold_right=4), strict) == "unproven"
    assert refusal(WorkerRecord(gold_seen=5, gold_right=5), strict) == ""


@pytest.mark.parametrize(
    ("wrong", "name"),
    [({"max_passed": 1.1}, "max_passed"), ({"min_known": 0}, "min_known"), ({"min_pace": -1}, "min_")],
)
def test_impossible_parameters_are_named(wrong: dict[str, float], name: str) -> None:
    with pytest.raises(StageError, match=name):
        WorkerParams(**wrong)


def _desk(params: WorkerParams | None = None) -> Desk:
    """Ten tasks: t0 to t4 attention checks, t5 to t7 gold, t8 and t9 plain."""
    desk = Desk(workers=params or WorkerParams())
    for number in range(10):
        gold = {"verdict": ["no" if number < 5 else "yes"]} if number < 8 else None
        desk.task(f"t{number}", redundancy=2, gold=gold, attention_check=number < 5)
    return desk


def test_workers_in_full() -> None:
    desk = _desk()
    for number in range(10):
        # Careful finds all attention checks; yea-sayer lets all of them pass, in a hurry.
        desk.says("careful", f"t{number}", 30.0 + number, verdict="no" if number < 5 else "yes")
        desk.says("yea-sayer", f"t{number}", 3.0, verdict="yes")
    assert desk.run().rows(WORKERS) == [
        {
            "worker": "careful",
            "tasks": 10,
            "gold_seen": 3,
            "gold_right": 3,
            "checks_seen": 5,
            "checks_failed": 0,
            "agreement": 0.5,
            "median_seconds": 34.5,
            "accepted": True,
            "why": "",
        },
        {
            "worker": "yea-sayer",
            "tasks": 10,
            "gold_seen": 3,
            "gold_right": 3,
            "checks_seen": 5,
            "checks_failed": 5,
            "agreement": 0.5,
            "median_seconds": 3.0,
            "accepted": False,
            "why": "passed_wrong_answers",
        },
    ]


def test_experts_are_not_judged() -> None:
    desk = _desk(WorkerParams(experts=("boss",)))
    for number in range(10):
        desk.says("boss", f"t{number}", 0.1, verdict="yes")
    row = desk.run().worker("boss")
    assert (row["checks_failed"], row["accepted"], row["why"]) == (5, True, "")


def test_a_later_round_judges_by_what_earlier_ones_showed() -> None:
    first, second = _desk(), Desk(workers=PARAMS)
    for number in range(10):
        first.says("spammer", f"t{number}", verdict="yes")
        first.says("careful", f"t{number}", verdict="no" if number < 5 else "yes")
        first.says("gone", f"t{number}", verdict="yes")
    second.task("u0", redundancy=3).task("u1", redundancy=3, gold={"verdict": ["no"]}, attention_check=True)
    for worker in ("spammer", "careful", "new"):
        second.says(worker, "u0", verdict="yes").says(worker, "u1", verdict="yes")
    alone = second.run()
    assert {row["worker"]: row["accepted"] for row in alone.rows(WORKERS)} == dict.fromkeys(
        ("spammer", "careful", "new"), True
    )
    done = second.run(first.run())
    rows = {row["worker"]: row for row in done.rows(WORKERS)}
    # One attention check here on top of five there; whoever left has no row.
    assert {name: (row["tasks"], row["checks_seen"], row["checks_failed"]) for name, row in rows.items()} == {
        "spammer": (2, 6, 6),
        "careful": (2, 6, 1),
        "new": (2, 1, 1),
    }
    assert {name: row["why"] for name, row in rows.items()} == {
        "spammer": "passed_wrong_answers",
        "careful": "",
        "new": "",
    }
    assert done.metrics["known_before"] == 2
    # The spammer's vote is left out.
    assert (alone.verdict("u0")["votes"], done.verdict("u0")["votes"]) == (3, 2)


def test_haste_in_an_earlier_round_counts_on() -> None:
    first, second = Desk(workers=PARAMS), Desk(workers=PARAMS)
    for number in range(3):
        first.task(f"t{number}").says("hasty", f"t{number}", 0.2, verdict="yes")
    second.task("u0").says("hasty", "u0", 30.0, verdict="yes")
    row = second.run(first.run()).worker("hasty")
    assert (row["why"], row["median_seconds"]) == ("too_fast", 30.0)
    assert second.run().worker("hasty")["accepted"]


def test_half_of_each_workers_texts_are_drawn() -> None:
    desk = Desk(workers=WorkerParams(experts=("boss",)))
    for number in range(7):
        desk.task(f"t{number}", "rewrite", 3)
        desk.says("ann", f"t{number}", meaning="clear", paraphrase=f"ann {number}")
        desk.says("boss", f"t{number}", meaning="clear", paraphrase=f"boss {number}")
        if number < 5:
            desk.says("bob", f"t{number}", meaning="clear" if number < 4 else "unclear", paraphrase=f"bob {number}")
    drawn = [worker for _, worker in desk.drawn()]
    # Of seven four, of four two; what found no text is not counted; experts are not checked.
    assert (drawn.count("ann"), drawn.count("bob"), drawn.count("boss")) == (4, 2, 0)


def test_texts_of_attention_checks_and_those_of_refused_workers_are_not_drawn() -> None:
    desk = Desk(workers=WorkerParams(check_share=1.0))
    desk.task("attention_checks", "rewrite", gold={"meaning": ["unclear"]}, attention_check=True).task(
        "real", "rewrite"
    )
    desk.says("ann", "attention_checks", meaning="clear", paraphrase="x").says(
        "ann", "real", meaning="clear", paraphrase="y"
    )
    desk.says("hasty", "real", 0.5, meaning="clear", paraphrase="z")
    assert desk.drawn() == [("real", "ann")]


@given(st.sets(st.text(max_size=4), max_size=20), st.sampled_from([0.0, 0.3, 0.5, 1.0]), st.integers(0, 3))
def test_the_draw_depends_on_the_tasks_alone(tasks: set[str], share: float, seed: int) -> None:
    params = WorkerParams(check_share=share, seed=seed)
    drawn = to_check(sorted(tasks), "ann", params)
    assert drawn == to_check(sorted(tasks, reverse=True), "ann", params)
    assert share * len(tasks) <= len(drawn) + 1e-9 < share * len(tasks) + 1
    assert set(drawn) <= tasks


def test_marks_in_full() -> None:
    desk = Desk().task("t1", gold={"verdict": ["no"]}, attention_check=True).task("t2", "fill")
    desk.says("ann", "t1", 5.0, verdict="yes").says("ann", "t2", None, first="a")
    assert desk.run().rows(MARKS) == [
        {
            "worker": "ann",
            "task": "t1",
            "kind": "check",
            "vote": "confirm",
            "right": False,
            "attention_check": True,
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
            "attention_check": False,
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
