"""The majority rule: when votes decide, when one more is asked for, and when it is of no use.

A task with `redundancy` workers is decided by more than half of them. An even number may
end in a tie (two workers who differ), and then one more is asked; so the majority is that
of the next odd number. Whether a task is decided, open or hopeless depends on the counts
of its labels alone, never on the order of votes or on what the labels are called.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Majority:
    """label: what the majority says, None without one; agreeing: the votes for it, or for the commonest label.
    missing: votes to ask for before more can be said; 0 where it is decided or no further vote could decide it.
    """

    label: str | None
    votes: int
    agreeing: int
    missing: int


def full(redundancy: int) -> int:
    """The votes that are always enough for a majority between two labels."""
    return redundancy | 1


def needed(redundancy: int) -> int:
    """The votes that one label needs."""
    return full(redundancy) // 2 + 1


def majority(labels: Iterable[str], redundancy: int) -> Majority:
    """What the votes given so far decide. redundancy: at least 1."""
    counts = Counter(labels)
    votes = sum(counts.values())
    agreeing = max(counts.values(), default=0)
    # Where more votes than planned were given, half of these still decides.
    short = max(needed(redundancy), votes // 2 + 1) - agreeing
    if short <= 0:
        (label,) = (label for label, count in counts.items() if count == agreeing)
        return Majority(label, votes, agreeing, 0)
    left = full(redundancy) - votes
    if short > left:
        return Majority(None, votes, agreeing, 0)
    # Of an even number the last vote is asked for only when a tie has come about.
    return Majority(None, votes, agreeing, max(redundancy - votes, 1))
