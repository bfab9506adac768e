"""What work takes: seconds of CPU and memory of this process, and bytes that it spills.

The threads of a process share its CPU time, and libraries start threads of their own; so the time is the whole
process's, and what passes between two readings is counted once, for whoever reads first.
What a worker does once, such as its start and the loading of a model, is counted for nobody.
"""

from __future__ import annotations

import resource
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from stages.core.spill import Spill

CPU, PEAK, GROWN, SPILLED = "cpu_seconds", "peak_bytes", "grown_bytes", "spilled_bytes"
_STATUS, _RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


class Meter:
    """Reads the process for several threads at once."""

    def __init__(self) -> None:
        self._last = 0.0
        self._held = 0
        self._at_work = 0
        self._lock = threading.Lock()

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """For as long as something is worked on: `taken` counts what passes within it."""
        with self._lock:
            if not self._at_work:
                self._begin()
            self._at_work += 1
        try:
            yield
        finally:
            with self._lock:
                self._at_work -= 1

    def taken(self) -> dict[str, float]:
        """CPU seconds since the last call, or since work began; the most memory in bytes since work began, and how
        much of it was not held before.
        """
        with self._lock:
            now = time.process_time()
            seconds, self._last = now - self._last, now
            peak = peak_bytes()
            return {CPU: round(seconds, 4), PEAK: peak, GROWN: max(0, peak - self._held)}

    def pass_over(self) -> None:
        """Counts for nobody what has passed since the last call: what a worker does once, however much it works on."""
        with self._lock:
            self._begin()

    def _begin(self) -> None:
        self._last = time.process_time()
        _forget_peak()
        self._held = _told("VmRSS:") or 0


METER = Meter()


def spilled(value: Any) -> int:
    """Bytes of the spill that an element refers to; 0 for what refers to none."""
    found = value[-1] if isinstance(value, tuple) and value else value
    return found.length if isinstance(found, Spill) else 0


def peak_bytes() -> int:
    """The most memory in bytes that this process has held since work began, or on some systems since it started."""
    unit = 1 if sys.platform == "darwin" else 1024
    return _told("VmHWM:") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _told(name: str) -> int | None:
    """Bytes of memory by the name that Linux gives them; None elsewhere."""
    try:
        lines = _STATUS.read_text("utf-8").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(name)), None)


def _forget_peak() -> None:
    # Linux alone has this, and not everywhere lets it be written: then the peak is that of the process's life.
    with suppress(OSError):
        _RESET.write_text("5", "utf-8")
