from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.live.addresses import LiveError
from stages.live.manners import Budget, Manners, pause, retry_after
from tests.stages.live.made import StoppedClock

NOON = datetime(2024, 5, 1, 12, 0, 0, tzinfo=UTC)


def test_the_user_agent_says_who_asks() -> None:
    assert Manners(contact="me@example.org").agent.startswith("benchwright/")
    assert Manners(contact="me@example.org").agent.endswith("(me@example.org)")


@pytest.mark.parametrize("values", [{"contact": "a\r\nX: y"}, {"per_minute": 0}, {"deadline": 0.0}])
def test_manners_that_make_no_sense(values: dict) -> None:  # type: ignore[type-arg]
    with pytest.raises(LiveError):
        Manners(**values)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("7", 7.0),
        ("Wed, 01 May 2024 12:00:30 GMT", 30.0),
        ("Wed, 01 May 2024 11:00:00 GMT", 0.0),
        ("soon", None),
        ("-3", None),
        ("Wed, 99 May 2024 12:00:30 GMT", None),
    ],
)
def test_retry_after(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, NOON) == seconds


@given(st.text(max_size=40))
def test_no_retry_after_is_an_error(value: str) -> None:
    found = retry_after(value, NOON)
    assert found is None or found >= 0


def test_pauses_grow_and_never_pass_a_bound() -> None:
    clock = StoppedClock()
    assert [pause(attempt, clock) for attempt in (0, 1, 2, 3)] == [1, 2, 4, 8]
    assert pause(500, clock) == 1024


def test_a_budget_keeps_requests_below_its_number_per_minute() -> None:
    clock = StoppedClock()
    budget = Budget(3, clock)
    times = []
    for _ in range(7):
        budget.wait()
        times.append(clock.now())
        clock.sleep(1)
    assert times == [0, 1, 2, 60, 61, 62, 120]
