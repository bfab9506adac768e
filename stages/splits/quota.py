"""Dividing whole numbers and lists fairly, without chance where none is needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stages.questions.order import shuffled


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
