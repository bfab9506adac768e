import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.annotation.cost import Batch, Estimate, Throughput, estimate, throughput, workers_needed
from stages.core.contract import StageError


def test_throughput_by_the_median() -> None:
    # Median of 10, 20, 3600 is 20: 180 an hour, and four annotations of 20 s are 80 s.
    assert throughput([3600.0, None, 10.0, 20.0]) == Throughput(4, 3, 20.0, 180.0, 80 / 3600)


@pytest.mark.parametrize(("seconds", "count"), [([], 0), ([None, None], 2)])
def test_without_times_there_is_no_pace(seconds: list[None], count: int) -> None:
    assert throughput(seconds) == Throughput(count, 0, None, None, None)


def test_no_time_at_all_has_no_rate() -> None:
    assert throughput([0.0]).tasks_per_hour is None


def test_an_estimate_by_hand() -> None:
    # 100 tasks and 10 attention_checks, two votes each: 220; a fifth thrown away: 275 paid, 55 of them redone.
    # 275 * 36 s = 2.75 h; 8 checks are 0.08 h; 2.75 * 20 + 0.08 * 50 = 59; with a fee of a fifth 70.80.
    batch = Batch(100, 2, 36.0, 20.0, fee=0.2, attention_checks=0.1, redo=0.2, checked=0.08, expert_pay_per_hour=50.0)
    found = estimate(batch)
    assert (found.annotations, found.redone, found.checks) == (275, 55, 8)
    assert (found.hours, found.pay, found.total) == pytest.approx((2.83, 59.0, 70.8))


def test_pay_per_task_overrides_the_hourly_pay() -> None:
    assert estimate(Batch(10, 1, pay_per_task=0.5, attention_checks=0, redo=0)).pay == pytest.approx(5.0)


def test_no_tasks_cost_nothing() -> None:
    assert estimate(Batch(0)) == Estimate(0, 0, 0, 0.0, 0.0, 0.0)


def test_whole_numbers_are_not_rounded_up() -> None:
    # 100 * 1.1 is 110.00000000000001 in binary fractions.
    assert estimate(Batch(100, attention_checks=0.1, redo=0)).annotations == 110


@pytest.mark.parametrize(
    ("wrong", "name"), [({"redo": 1.0}, "redo"), ({"tasks": -1}, "tasks"), ({"seconds": -1.0}, "seconds")]
)
def test_impossible_batches_are_named(wrong: dict[str, float], name: str) -> None:
    with pytest.raises(StageError, match=f"^{name}: expected"):
        Batch(**({"tasks": 1} | wrong))


def test_workers_needed() -> None:
    # 1,000 annotations of 36 s are 10 h.
    assert workers_needed(1000, 36.0, 4.0) == 3
    assert workers_needed(1000, 36.0, 5.0) == 2
    assert workers_needed(1000, 36.0, 5.0, votes=5) == 5
    with pytest.raises(StageError, match="hours_per_worker"):
        workers_needed(1, 1.0, 0.0)


@given(st.integers(0, 500), st.integers(1, 7), st.floats(0, 0.5), st.floats(0, 0.5))
def test_more_of_anything_never_costs_less(tasks: int, votes: int, attention_checks: float, redo: float) -> None:
    base = Batch(tasks, votes, attention_checks=attention_checks, redo=redo)
    for more in (
        Batch(tasks + 1, votes, attention_checks=attention_checks, redo=redo),
        Batch(tasks, votes + 1, attention_checks=attention_checks, redo=redo),
        Batch(tasks, votes, attention_checks=attention_checks + 0.1, redo=redo),
        Batch(tasks, votes, attention_checks=attention_checks, redo=redo + 0.1),
        Batch(tasks, votes, attention_checks=attention_checks, redo=redo, fee=0.2),
    ):
        assert estimate(more).total >= estimate(base).total
