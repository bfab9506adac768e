"""Signs of life: time is counted from the last one, and only while something is worked on."""

from __future__ import annotations

import threading

import pytest

from stages.core import alive
from stages.core.alive import Life


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(alive.time, "monotonic", lambda: now[0])
    return now


def test_silence_is_counted_from_the_last_sign_while_there_is_work(clock: list[float]) -> None:
    life = Life()
    clock[0] = 150.0
    assert life.silent() == 0
    with life.at_work("a"):
        assert life.silent() == 0
        clock[0] = 157.0
        assert (life.silent(), life.where) == (7, "a")
        life.doing("b")
        assert (life.silent(), life.where) == (0, "b")
        clock[0] = 160.0
        with life.at_work("c"):
            clock[0] = 161.0
        # The end of a piece of work is a sign, too.
        assert life.silent() == 0
        clock[0] = 165.0
        assert life.silent() == 4
    assert life.silent() == 0


def test_a_sign_of_a_kernel_is_one_of_the_process(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alive, "LIFE", Life())
    with alive.LIFE.at_work("a"):
        clock[0] = 110.0
        assert alive.LIFE.silent() == 10
        alive.alive()
        assert alive.LIFE.silent() == 0


def test_what_is_worked_on_is_told_to_whoever_listens() -> None:
    life, told = Life(), []
    life.told = told.append
    with life.at_work("a"):
        life.doing("b")
    assert told == ["a", "b"]


def test_bytes_of_sources_are_counted_by_thread_and_asked_for_once() -> None:
    alive.taken_in()
    alive.took_in(5)
    elsewhere = threading.Thread(target=alive.took_in, args=(100,))
    elsewhere.start()
    elsewhere.join()
    alive.took_in(2)
    assert (alive.taken_in(), alive.taken_in()) == (7, 0)
