import json

import pytest

from stages.annotation.agreement import Agreement
from stages.annotation.reports.report import Costs, PeopleReport, WorkerReport, first_votes, people_report
from stages.annotation.workers import WorkerParams
from tests.stages.annotation.desk import CHECK, KINDS, Desk

FREE = Costs(fee=0.0, redo=0.0, checked=0.0)


def _report(desk: Desk, costs: Costs | None = None, experts: tuple[str, ...] = ()) -> PeopleReport:
    tables = desk.run().tables
    names = ("annotations", "tasks", "task_keys", "workers", "verdicts")
    return people_report(*(tables[name] for name in names), kinds=KINDS, experts=experts, costs=costs)


def _desk() -> Desk:
    """Four tasks of two votes, one of them unanswered, one attention check, and a hasty worker."""
    desk = Desk(workers=WorkerParams(experts=("boss",)))
    for task, first, second in (("t1", "yes", "yes"), ("t2", "no", "no"), ("t3", "yes", "no")):
        desk.task(task, redundancy=2).says("a", task, 36.0, verdict=first).says("b", task, 36.0, verdict=second)
    desk.task("t4", redundancy=2).task("p", redundancy=2, gold={"verdict": ["no"]}, attention_check=True)
    desk.says("a", "p", 36.0, verdict="yes").says("hasty", "t1", 0.1, verdict="no").says("boss", "t3", verdict="yes")
    return desk.task("w", "fill").says("a", "w", first="some text")


def test_a_report_by_hand() -> None:
    report = _report(_desk(), FREE, ("boss",))
    check, fill = report.kinds
    assert (check.kind, check.tasks, check.attention_checks, check.annotated, check.workers) == ("check", 4, 1, 3, 4)
    # Of the votes of a and b: two pairs agree, one does not; 3 yes and 3 no. Observed 1/3, expected 18/30.
    assert check.agreement == Agreement(6, 6, 3, pytest.approx(2 / 3), pytest.approx(1 - (1 / 3) / 0.6), True)
    # Nine annotations with a median of 36 s; the kind pays 0.10.
    assert (check.pace.annotations, check.pace.median_seconds, check.paid) == (9, 36.0, 0.9)
    assert check.pay_per_hour == pytest.approx(10.0)
    assert check.statuses == {"confirmed": 2, "refused": 1, "unconfirmed": 1}
    # Ten votes in all, of which two on t4 are left.
    assert (check.whole.annotations, check.left.annotations) == (10, 2)
    assert (check.whole.total, check.left.total) == pytest.approx((1.0, 0.2))
    assert (fill.agreement, fill.statuses) == (None, {"needs_expert": 1})
    assert (report.accepted, report.refused) == (3, {"too_fast": 1})


def test_a_report_as_text_and_as_data() -> None:
    report = _report(_desk(), FREE, ("boss",))
    text = report.as_text()
    assert "66.7 %" in text
    assert "2 confirmed, 1 refused, 1 unconfirmed" in text
    assert text.endswith("workers: 3 accepted; refused: 1 too_fast\n")
    assert json.loads(json.dumps(report.as_dict()))["kinds"][0]["agreement"]["tasks"] == 3


def test_each_worker_has_a_row() -> None:
    report = _report(_desk(), FREE, ("boss",))
    # Evenly split others have no majority: those of a and boss on t3, those of a and b on t1. b is outvoted on t3.
    assert report.workers == (
        WorkerReport("a", 5, 0, 0, 1, 1, 1.0, 36.0, 0.5, False, ""),
        WorkerReport("b", 3, 0, 0, 0, 0, 0.5, 36.0, 0.3, False, ""),
        WorkerReport("boss", 1, 0, 0, 0, 0, None, 20.0, 0.1, True, ""),
        WorkerReport("hasty", 1, 0, 0, 0, 0, 0.0, 0.1, 0.1, False, "too_fast"),
    )
    lines = [line.split() for line in report.as_text().split("\n\n")[1].splitlines()]
    assert lines[0] == ["worker", "tasks", "known", "right", "let", "pass", "agree", "seconds", "paid", "work"]
    assert lines[2] == ["a", "5", "-", "1", "of", "1", "100.0", "%", "36.0", "0.50", "accepted"]
    assert lines[4] == ["boss", "1", "-", "-", "-", "20.0", "0.10", "expert"]
    assert lines[5] == ["hasty", "1", "-", "-", "0.0", "%", "0.1", "0.10", "too_fast"]


def test_before_anything_was_answered_the_kinds_own_figures_are_used() -> None:
    desk = Desk().task("t1", redundancy=3).task("t2", redundancy=1)
    (check,) = _report(desk).kinds
    # Four votes at 0.10, of which a tenth is done in vain: 4 / 0.9, rounded up to 5; one check at 30 an hour for 20 s.
    assert check.whole == check.left
    assert (check.whole.annotations, check.whole.checks) == (5, 1)
    assert check.whole.total == pytest.approx((0.5 + 30 * 20 / 3600) * 1.2)
    assert (check.pace.tasks_per_hour, check.pay_per_hour, check.agreement.alpha) == (None, None, None)
    assert "-" in _report(desk).as_text()


def test_one_label_only_is_said_beside_alpha() -> None:
    desk = Desk().task("t", redundancy=2).says("a", "t", verdict="yes").says("b", "t", verdict="yes")
    assert "1.00 (one label)" in _report(desk).as_text()


def test_a_majority_on_an_open_question_decides_and_confirms_nothing() -> None:
    desk = Desk().task("t", "opinion").says("a", "t", answer="more").task("u").says("a", "u", verdict="yes")
    report = _report(desk)
    assert [(one.kind, one.open_answers) for one in report.kinds] == [("check", False), ("opinion", True)]
    text = report.as_text()
    assert "1 confirmed\n" in text and "1 decided\n" in text
    assert text.endswith("\ndecided: most people gave one answer, whether or not it is the one that the record has\n")
    assert report.kinds[1].statuses == {"confirmed": 1}


def test_nothing_at_all() -> None:
    assert _report(Desk()) == PeopleReport((), 0, {})


def test_the_vote_that_broke_a_tie_is_not_compared() -> None:
    desk = Desk()
    for worker, time, vote in (("c", "2024-01-01", "yes"), ("a", "2024-01-03", "yes"), ("b", "2024-01-02", "no")):
        desk.says(worker, "t", verdict=vote).annotations[-1]["submitted"] = f"{time}T00:00:00.000000Z"
    votes = first_votes(desk.annotations, 2, {"a", "b", "c"}, CHECK)
    assert [(vote.worker, vote.label) for vote in votes] == [("c", "confirm"), ("b", "refuse")]
    assert [vote.worker for vote in first_votes(desk.annotations, 2, {"a", "c"}, CHECK)] == ["c", "a"]
