"""Dividing whole numbers and lists fairly, without chance where none is needed."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from stages.core.seeds import shuffled

K = TypeVar("K", bound=Hashable)


def allocate(total: int, weights: Mapping[str, int], capacities: Mapping[str, int]) -> dict[str, int]:
    """Up to `total` places over names in proportion to their weights, none over its capacity.

    What one name cannot fill goes to the others (Webster's method: the next place goes
    where weight / (2 * given + 1) is largest). A weight of 0 gets nothing.
    """
    given = dict.fromkeys(weights, 0)
    for _ in range(total):
        open_names = [name for name in weights if weights[name] > 0 and given[name] < capacities.get(name, 0)]
        if not open_names:
            break
        given[max(open_names, key=lambda name: weights[name] / (2 * given[name] + 1))] += 1
    return given


def spread(groups: Mapping[str, Sequence[str]], total: int, seed: int, purpose: str) -> dict[str, list[str]]:
    """Up to `total` keys taken in turns, one from each group that has any left.

    Groups take their turns in random order and give their keys in random order. Group
    sizes thus differ by at most one, save where a group ran out.
    """
    order = shuffled(groups, seed, f"{purpose} groups")
    queues = {name: shuffled(groups[name], seed, purpose) for name in order}
    taken: dict[str, list[str]] = {name: [] for name in order}
    left, turn = total, 0
    while left > 0 and any(len(queue) > turn for queue in queues.values()):
        for name in [name for name in order if len(queues[name]) > turn][:left]:
            taken[name].append(queues[name][turn])
            left -= 1
        turn += 1
    return taken


def divide(keys: Sequence[str], share: int) -> tuple[list[str], list[str]]:
    """`share` of the keys, spaced evenly over the sequence, and the others."""
    total = len(keys)
    first: list[str] = []
    second: list[str] = []
    for place, key in enumerate(keys):
        chosen = (place + 1) * share // total > place * share // total
        (first if chosen else second).append(key)
    return first, second


def part(total: int, first: int, second: int) -> int:
    """How many of `total` go to the first of two that want `first` and `second`: never all of two or more."""
    if total >= first + second:
        return first
    if not first or not second or total < 2:
        return total if first >= second else 0
    return min(max(round(total * first / (first + second)), 1), total - 1)


def share_out(total: int, weights: Mapping[K, float], capacities: Mapping[K, int]) -> dict[K, int]:
    """Up to `total` places over names in proportion to their weights, none over its capacity.

    As `allocate`, for totals too large to hand out one by one: names that their capacity
    stops are filled and left out, and the rest is divided by the largest remainder. Names
    are taken in the order of the weights where remainders are equal.
    """
    given = dict.fromkeys(weights, 0)
    open_names = [name for name in weights if weights[name] > 0 and capacities.get(name, 0) > 0]
    left = min(total, sum(capacities[name] for name in open_names))
    while open_names and left > 0:
        whole = sum(weights[name] for name in open_names)
        full = [name for name in open_names if left * weights[name] / whole >= capacities[name]]
        if not full:
            shares = [left * weights[name] / whole for name in open_names]
            return given | dict(zip(open_names, _rounded(left, shares, range(len(shares))), strict=True))
        for name in full:
            given[name] = capacities[name]
        left -= sum(capacities[name] for name in full)
        open_names = [name for name in open_names if name not in full]
    return given


def apportion(total: int, sizes: Sequence[int], order: Sequence[bytes]) -> list[int]:
    """`total` places over groups in proportion to their sizes, never more than a group's size.

    Largest remainder; equal remainders by `order`. total: at most the sum of the sizes.
    """
    whole = sum(sizes)
    if not whole:
        return [0] * len(sizes)
    floors = [total * size // whole for size in sizes]
    # Whole numbers, so that equal remainders are equal.
    remainders = [total * size % whole for size in sizes]
    return _with_rest(total, floors, sorted(range(len(sizes)), key=lambda at: (-remainders[at], order[at])))


def _rounded(total: int, shares: Sequence[float], order: Sequence[int]) -> list[int]:
    floors = [int(share) for share in shares]
    return _with_rest(total, floors, sorted(order, key=lambda at: (floors[at] - shares[at], at)))


def _with_rest(total: int, floors: list[int], order: Sequence[int]) -> list[int]:
    for at in order[: total - sum(floors)]:
        floors[at] += 1
    return floors
