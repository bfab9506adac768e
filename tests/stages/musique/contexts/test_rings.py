"""Rings, against lists from which the same names are taken."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from stages.musique.contexts.rings import Ring

TIMES = st.dictionaries(st.text("abcdefgh", min_size=1, max_size=2), st.integers(1, 3), max_size=8)


@given(TIMES, st.integers(0, 50), st.lists(st.text("abcdefgh", min_size=1, max_size=2)), st.integers(0, 3))
def test_a_walk_meets_what_is_left_in_one_order(times: dict[str, int], start: int, gone: list[str], seed: int) -> None:
    ring = Ring(times, seed, "test")
    order = list(ring.walk(0))
    assert Counter(order) == Counter(times)
    turned = order[start % len(order) :] + order[: start % len(order)] if order else []
    assert list(ring.walk(start)) == turned
    for name in gone:
        ring.drop(name)
    assert list(ring.walk(start)) == [name for name in turned if name not in gone]


def test_names_may_go_while_the_ring_is_walked() -> None:
    ring = Ring(dict.fromkeys("abcdef", 2), 0, "test")
    met = []
    for name in ring.walk(3):
        met.append(name)
        ring.drop(name)
    assert sorted(met) == list("abcdef")


def test_orders_depend_on_seed_and_purpose() -> None:
    times = dict.fromkeys("abcdefghijklm", 1)
    orders = {tuple(Ring(times, seed, purpose).walk(0)) for seed in (0, 1) for purpose in ("x", "y")}
    assert len(orders) == 4
