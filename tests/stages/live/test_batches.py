from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.live.addresses import LiveError
from stages.live.batches import in_batches, some
from stages.live.service import Cut


@given(st.lists(st.text(max_size=3), max_size=40), st.integers(1, 10), st.integers(1, 10))
def test_everything_is_asked_once_and_in_order_whatever_the_service_can_take(
    things: list[str], size: int, most: int
) -> None:
    def ask(batch: Sequence[str]) -> int:
        if len(batch) > most:
            raise Cut("too much")
        return len(batch)

    told: list[tuple[str, int, int]] = []
    found = list(in_batches(things, size, ask, lambda *said: told.append(said), "phase"))
    done = list(accumulate(count for _, count in found))
    assert told == [("phase", count, len(things)) for count in done]
    assert [thing for batch, _ in found for thing in batch] == things
    assert all(len(batch) == count <= min(size, most) for batch, count in found)


def test_one_thing_that_is_too_much_is_named() -> None:
    def ask(batch: Sequence[str]) -> None:
        if "Q7" in batch:
            raise Cut("status 500")

    with pytest.raises(LiveError, match="Q7: .*status 500"):
        list(in_batches(["Q1", "Q7", "Q9"], 3, ask))


def test_names_are_never_cut_in_silence() -> None:
    assert some(["P6", "P57", "P58"]) == "P6, P57, P58"
    assert some(["P6", "P57", "P58", "P161"]) == "P6, P57, P58, ... (4 in all)"
    assert some(["x" * 61]) == f"{'x' * 60}..."
