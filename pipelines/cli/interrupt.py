"""Ctrl-C, or SIGTERM from whoever runs jobs: an end within seconds, in one line, that leaves nothing behind.

Beam waits for its workers when it is interrupted, and a worker in the middle of its work
may wait for Beam. So the workers are ended first. What still waits after that (a thread of
Beam's that never hears of its worker's end, an interrupt that was lost in a callback) is
not waited for: the attempt is taken back and the process ends.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn

EXIT_CODE = 130
SAID = "benchwright: interrupted; the same command goes on from what is published"
SAID_ASKING = "benchwright: interrupted; the same command goes on from the answers kept in {folder}"
SAID_ELSEWHERE = "benchwright: interrupted; nothing is left half written"
GRACE = 15.0
"""Seconds in which an interrupted build may end in its own way."""
_SECONDS = 0.2
_told = threading.Lock()


def say(line: str = SAID) -> None:
    """Prints the one line, once."""
    if _told.acquire(blocking=False):
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


@contextmanager
def interruptible(give_up: Callable[[], None]) -> Iterator[None]:
    """Within it, the first Ctrl-C or SIGTERM ends this process's children and raises KeyboardInterrupt; a second one
    ends all.

    give_up: removes what is half done; called where KeyboardInterrupt has not ended the process after GRACE seconds.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def first(number: int, frame: FrameType | None) -> NoReturn:
        for one in before:
            signal.signal(one, _second)
        # Threads that looked after the workers would each print that theirs is gone, until the process ends.
        threading.excepthook = lambda arguments: None
        threading.Thread(target=_end, args=(give_up,), daemon=True).start()
        raise KeyboardInterrupt

    before = {one: signal.signal(one, first) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


@contextmanager
def terminable() -> Iterator[None]:
    """Within it, SIGTERM is a Ctrl-C: by itself it ends a process without removing its temporary folders."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def children() -> list[int]:
    """Processes that this one started, where the system lists them; elsewhere the terminal's Ctrl-C reaches them."""
    found: set[int] = set()
    for path in Path("/proc/self/task").glob("*/children"):
        # A thread that has just ended takes its list with it.
        with suppress(FileNotFoundError, ProcessLookupError):
            found.update(int(pid) for pid in path.read_text().split())
    return sorted(found)


def _end(give_up: Callable[[], None]) -> NoReturn:
    """Ends the children again and again, since a thread may be about to start one; then the process itself."""
    last = time.monotonic() + GRACE
    while time.monotonic() < last:
        _end_children()
        time.sleep(_SECONDS)
    try:
        give_up()
    finally:
        _end_children()
        say()
        os._exit(EXIT_CODE)


def _end_children() -> None:
    for pid in children():
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _second(number: int, frame: FrameType | None) -> NoReturn:
    os._exit(EXIT_CODE)
