"""Ctrl-C during a build: an end within a second or two, in one line.

Beam waits for its workers when it is interrupted, and a worker in the middle of its work
may wait for Beam. So the workers are ended first.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn

EXIT_CODE = 130
_SECONDS = 0.2


@contextmanager
def interruptible() -> Iterator[None]:
    """Within it, the first Ctrl-C ends this process's children and raises KeyboardInterrupt; a second one ends all."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, _first)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def children() -> list[int]:
    """Processes that this one started, where the system lists them; elsewhere the terminal's Ctrl-C reaches them."""
    listed = Path("/proc/self/task").glob("*/children")
    return sorted({int(pid) for path in listed for pid in path.read_text().split()})


def _first(number: int, frame: FrameType | None) -> NoReturn:
    signal.signal(signal.SIGINT, _second)
    # Threads that looked after the workers would each print that theirs is gone, until the process ends.
    threading.excepthook = lambda arguments: None
    threading.Thread(target=_end_children, daemon=True).start()
    raise KeyboardInterrupt


def _end_children() -> NoReturn:
    """Again and again until the process ends: one of its threads may be about to start a worker."""
    while True:
        for pid in children():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(_SECONDS)


def _second(number: int, frame: FrameType | None) -> NoReturn:
    os._exit(EXIT_CODE)
