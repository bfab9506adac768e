"""Whether work grows with its input as the input does: CPU times of one process, compared with each other alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

Input = TypeVar("Input")
# Between sizes of which each is four times the one before: 4 for linear time, 16 for quadratic.
_STEP = 4
_MOST_GROWTH = 9.0
# Shorter times say more of the machine than of the work.
_LEAST_SECONDS = 0.02
_TRIES = 4


def too_steep(work: Callable[[Input], object], make: Callable[[int], Input], sizes: Sequence[int]) -> str:
    """Where the time of `work` on `make(size)` grows faster than linearly, in words; empty where it nowhere does."""
    before = 0.0
    for size in sizes:
        given = make(size)
        spent = _seconds(work, given)
        if spent > _LEAST_SECONDS and before and spent / before > _MOST_GROWTH:
            # A pause of the machine is no growth: the best of several times of both sizes.
            less = make(size // _STEP)
            best = min(_seconds(work, given) for _ in range(_TRIES))
            least = min(before, *(_seconds(work, less) for _ in range(_TRIES)))
            if best > _LEAST_SECONDS and best / least > _MOST_GROWTH:
                return f"{best:.3f} s at {size}, {best / least:.1f} times as long as at {size // _STEP}"
        before = spent
    return ""


def sizes(most: int, count: int) -> list[int]:
    """`count` sizes up to `most`."""
    return [most // _STEP**place for place in reversed(range(count))]


def _seconds(work: Callable[[Input], object], given: Input) -> float:
    began = time.process_time()
    work(given)
    return time.process_time() - began
