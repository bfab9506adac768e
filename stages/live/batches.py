"""Questions about many things: in batches that shrink where an answer is cut, and in words for messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from stages.live.addresses import LiveError
from stages.live.service import Cut, silent

Answer = TypeVar("Answer")
Ask = Callable[[Sequence[str]], Answer]
Tell = Callable[[str, int, int], None]
"""Hears how far a phase is: its name, and how many things, such as entities, are done of how many."""
_FEW = 3
_MOST_LETTERS = 60


def in_batches(
    things: Sequence[str], size: int, ask: Ask[Answer], tell: Tell = silent, phase: str = ""
) -> Iterator[tuple[Sequence[str], Answer]]:
    """The answers about all things, `size` at a time.

    A batch whose answer is cut is halved; where one thing alone is too much, its service cannot give it.

    Raises:
        LiveError: one thing's answer is cut.
    """
    waiting = [things[start : start + size] for start in range(0, len(things), size)][::-1]
    done = 0
    while waiting:
        batch = waiting.pop()
        try:
            answer = ask(batch)
        except Cut as cut:
            if len(batch) == 1:
                raise LiveError(f"{batch[0]}: the service gives no whole answer, even alone: {cut}") from cut
            half = len(batch) // 2
            waiting += [batch[half:], batch[:half]]
            continue
        yield batch, answer
        done += len(batch)
        tell(phase, done, len(things))


def some(names: Sequence[str]) -> str:
    """The first of some names, and how many there are where that is not all."""
    first = ", ".join(map(short, names[:_FEW]))
    return first if len(names) <= _FEW else f"{first}, ... ({len(names):,} in all)"


def short(name: str) -> str:
    return name if len(name) <= _MOST_LETTERS else f"{name[:_MOST_LETTERS]}..."
