"""Questions about many things, in batches that shrink where an answer is cut; and how far they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from stages.live.addresses import LiveError
from stages.live.service import Cut

Answer = TypeVar("Answer")
Ask = Callable[[Sequence[str]], Answer]


class Tell(Protocol):
    """Hears how far a phase is. done, total: things, such as entities."""

    def __call__(self, phase: str, done: int, total: int) -> None: ...


def silent(phase: str, done: int, total: int) -> None:
    """Tells nobody."""


def in_batches(things: Sequence[str], size: int, ask: Ask[Answer]) -> Iterator[tuple[Sequence[str], Answer]]:
    """The answers about all things, `size` at a time.

    A batch whose answer is cut is halved; where one thing alone is too much, its service cannot give it.

    Raises:
        LiveError: one thing's answer is cut.
    """
    waiting = [things[start : start + size] for start in range(0, len(things), size)][::-1]
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
