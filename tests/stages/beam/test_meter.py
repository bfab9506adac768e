"""What work takes: CPU counted once whichever thread reads it, memory since work began, spills by their bytes."""

from __future__ import annotations

import pytest

from stages.beam import meter
from stages.beam.meter import CPU, GROWN, PEAK, Meter, peak_bytes, spilled
from stages.core.spill import Spill


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [10.0]
    monkeypatch.setattr(meter.time, "process_time", lambda: now[0])
    return now


def test_what_passes_is_counted_once_and_only_within_work(clock: list[float]) -> None:
    one = Meter()
    clock[0] = 15.0
    with one.at_work():
        clock[0] = 17.0
        with one.at_work():
            clock[0] = 18.0
            assert one.taken()[CPU] == 3
        assert one.taken()[CPU] == 0
        clock[0] = 18.5
        assert one.taken()[CPU] == 0.5
    clock[0] = 30.0
    with one.at_work():
        clock[0] = 32.0
        one.pass_over()
        clock[0] = 33.0
        assert one.taken()[CPU] == 1


@pytest.mark.skipif(not meter._RESET.exists(), reason="this system does not forget a peak")
def test_memory_is_that_of_the_work_and_not_of_what_was_before() -> None:
    before = bytearray(200_000_000)
    before[::4096] = b"x" * len(before[::4096])
    del before
    earlier = peak_bytes()
    one = Meter()
    with one.at_work():
        found = one.taken()
        assert found[PEAK] < earlier - 100_000_000 and found[GROWN] < 20_000_000
        held = bytearray(100_000_000)
        held[::4096] = b"x" * len(held[::4096])
        assert 95_000_000 < one.taken()[GROWN] < 120_000_000
        # What a worker loads once is not of what it works on.
        one.pass_over()
        assert one.taken()[GROWN] < 20_000_000


def test_memory_is_told_where_the_system_has_no_such_file(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setattr(meter, "_STATUS", tmp_path / "status")
    assert peak_bytes() > 10_000_000


def test_a_spill_is_found_in_what_the_steps_put_out() -> None:
    one = Spill("a", 5, 70, 1)
    found = [spilled(value) for value in (one, (3, one), (3, 1, one), None, {"of": 1}, (), (1, 2))]
    assert found == [70, 70, 70, 0, 0, 0, 0]
