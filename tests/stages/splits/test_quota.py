"""Dividing numbers and lists."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.splits.quota import allocate, divide, part, spread

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
