"""Signs of life of what runs in this process, by which a build tells a long piece of work from an endless one.

A kernel call gives one when it starts and when it returns; kernels whose calls may take long
say `alive()` once a record, batch or epoch. It costs some hundredths of a microsecond and
does nothing by itself: `stages.beam.stall` looks at the time of the last one.

Readers of sources say how many bytes they have read, which tells how far through a file they are.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Life:
    """When the last sign of life was, and what is worked on. Threads of one process share it."""

    def __init__(self) -> None:
        self.last = time.monotonic()
        self.where = ""
        self.told: Callable[[str], None] | None = None
        """Called with what is worked on, whenever that changes."""
        self._at_work = 0
        self._lock = threading.Lock()

    @contextmanager
    def at_work(self, where: str) -> Iterator[None]:
        """For as long as something is worked on; without it no sign is waited for."""
        self.doing(where)
        with self._lock:
            self._at_work += 1
        try:
            yield
        finally:
            with self._lock:
                self._at_work -= 1
            self.last = time.monotonic()

    def doing(self, where: str) -> None:
        self.last = time.monotonic()
        self.where = where
        if self.told is not None:
            self.told(where)

    def silent(self) -> float:
        """Seconds since the last sign of life; 0 where nothing is worked on."""
        return time.monotonic() - self.last if self._at_work else 0.0


LIFE = Life()
_here = threading.local()


def alive() -> None:
    """A sign of life."""
    LIFE.last = time.monotonic()


def took_in(count: int) -> None:
    """Says that so many bytes of a source were read."""
    _here.bytes = getattr(_here, "bytes", 0) + count


def taken_in() -> int:
    """Bytes that this thread has read of sources since it was last asked."""
    count: int = getattr(_here, "bytes", 0)
    _here.bytes = 0
    return count
