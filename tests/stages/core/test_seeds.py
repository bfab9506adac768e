"""Seeded orders."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stages.core.seeds import rank, shuffled


def test_ranks_are_fixed() -> None:
    # First bytes of sha256("7", separator, "cap", separator, "P57:Q1"), computed with coreutils' sha256sum.
    assert rank(7, "P57:Q1", "cap").hex()[:16] == "8a48e8d1c9016f9f"


def test_seed_and_purpose_change_the_order() -> None:
    keys = [f"k{number}" for number in range(50)]
    orders = {tuple(shuffled(keys, seed, purpose)) for seed in (0, 1) for purpose in ("", "cap")}
    assert len(orders) == 4


@given(st.lists(st.text(), unique=True), st.randoms())
def test_order_of_input_makes_no_difference(keys: list[str], random) -> None:
    expected = shuffled(keys, 3)
    random.shuffle(keys)
    assert shuffled(keys, 3) == expected
    assert sorted(expected) == sorted(keys)
