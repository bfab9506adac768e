"""Dividing numbers and lists."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.quota import allocate, apportion, divide, part, share_out, spread

RELEASED = {"simple": 415, "intersection": 200, "composition": 200}


@pytest.mark.parametrize(
    ("total", "capacities", "expected"),
    [
        (815, (9999, 9999, 9999), (415, 200, 200)),
        (1630, (9999, 9999, 9999), (830, 400, 400)),
        (1000, (9999, 9999, 9999), (509, 246, 245)),
        (815, (9999, 10, 9999), (543, 10, 262)),
        (815, (3, 0, 2), (3, 0, 2)),
        (0, (5, 5, 5), (0, 0, 0)),
    ],
)
def test_allocation_by_hand(total: int, capacities: tuple[int, ...], expected: tuple[int, ...]) -> None:
    assert tuple(allocate(total, RELEASED, dict(zip(RELEASED, capacities, strict=True))).values()) == expected


def test_no_weight_no_place() -> None:
    assert allocate(3, {"simple": 1, "composition": 0}, {"simple": 1, "composition": 9}) == {
        "simple": 1,
        "composition": 0,
    }


@given(st.integers(0, 60), st.lists(st.integers(0, 40), min_size=3, max_size=3))
def test_allocation_fills_what_it_can(total: int, sizes: list[int]) -> None:
    capacities = dict(zip(RELEASED, sizes, strict=True))
    given_places = allocate(total, RELEASED, capacities)
    assert sum(given_places.values()) == min(total, sum(sizes))
    assert all(given_places[name] <= capacities[name] for name in RELEASED)


@given(st.dictionaries(st.text("abc", min_size=1), st.integers(1, 9), max_size=5), st.integers(0, 30))
def test_groups_get_equal_shares(sizes: dict[str, int], total: int) -> None:
    groups = {name: [f"{name}{number}" for number in range(size)] for name, size in sizes.items()}
    taken = {name: len(keys) for name, keys in spread(groups, total, 1, "x").items()}
    assert sum(taken.values()) == min(total, sum(sizes.values()))
    most = max(taken.values(), default=0)
    assert all(count >= most - 1 or count == sizes[name] for name, count in taken.items())


@given(st.integers(0, 40), st.integers(0, 40))
def test_division_is_exact_and_even(total: int, share: int) -> None:
    share = min(share, total)
    keys = [str(number) for number in range(total)]
    first, second = divide(keys, share)
    assert len(first) == share
    assert sorted([*first, *second]) == sorted(keys)
    for start in range(0, total, 5):
        window = keys[start : start + 5]
        assert abs(sum(key in first for key in window) - len(window) * share / total) <= 1


@pytest.mark.parametrize(
    ("total", "first", "second", "expected"),
    [
        (2000, 1000, 1000, 1000),
        (3000, 1000, 1000, 1000),
        (10, 1000, 1000, 5),
        (2, 10, 1000, 1),
        (2, 1000, 10, 1),
        (1, 10, 10, 1),
        (0, 10, 10, 0),
        (7, 0, 10, 0),
        (7, 10, 0, 7),
        (7, 0, 0, 0),
    ],
)
def test_parts(total: int, first: int, second: int, expected: int) -> None:
    assert part(total, first, second) == expected


@given(
    st.integers(0, 300),
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 60)), min_size=1, max_size=6),
)
def test_share_out_fills_what_it_can_and_overfills_nothing(total: int, names: list[tuple[int, int]]) -> None:
    weights = {str(n): float(weight) for n, (weight, _) in enumerate(names)}
    capacities = {str(n): capacity for n, (_, capacity) in enumerate(names)}
    given_places = share_out(total, weights, capacities)
    assert all(0 <= given_places[name] <= capacities[name] for name in weights)
    usable = sum(capacities[name] for name in weights if weights[name])
    assert sum(given_places.values()) == min(total, usable)


def test_share_out_follows_the_weights_and_passes_on_what_does_not_fit() -> None:
    assert share_out(10, {"a": 3, "b": 2}, {"a": 100, "b": 100}) == {"a": 6, "b": 4}
    assert share_out(10, {"a": 3, "b": 2}, {"a": 1, "b": 100}) == {"a": 1, "b": 9}
    assert share_out(4, {"a": 1, "b": 1, "c": 1}, {"a": 9, "b": 9, "c": 9}) == {"a": 2, "b": 1, "c": 1}
    assert share_out(4, {"a": 0}, {"a": 9}) == {"a": 0}


@given(st.lists(st.integers(0, 40), min_size=1, max_size=8), st.data())
def test_apportion_keeps_to_the_sizes_and_to_the_shares(sizes: list[int], data: st.DataObject) -> None:
    total = data.draw(st.integers(0, sum(sizes)))
    found = apportion(total, sizes, [bytes([n]) for n in range(len(sizes))])
    assert sum(found) == (total if sum(sizes) else 0)
    for given_places, size in zip(found, sizes, strict=True):
        assert given_places <= size
        if sum(sizes):
            assert abs(given_places - total * size / sum(sizes)) < 1


def test_equal_remainders_go_by_the_order_given() -> None:
    assert apportion(1, [5, 5], [b"b", b"a"]) == [0, 1]
