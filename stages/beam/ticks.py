"""How far a job is, told by whatever runs it to the builder that watches: small files in the attempt's folder.

Counts, all of which add up over the files of a step:

    work     bytes that the step has to read, told once before it starts
    read     bytes of these that are read and worked on
    asked    pairs that wait for the model; scored: those that it has judged
    rows, rejects    what the kernels gave
    shards   files of tables that are written

A runner may repeat work, so `read` and `scored` may come to more than there is.
"""

from __future__ import annotations

import json
import time
import uuid
from collections import Counter
from collections.abc import Mapping
from typing import Any

from stages.beam.job import Job

STEP, COUNTS = "step", "counts"
_SECONDS = 0.5


class Ticks:
    """Collects counts of one piece of work, and writes them at most twice a second."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._held: Counter[str] = Counter()
        self._last = time.monotonic()

    def add(self, counts: Mapping[str, int] | None = None, **more: int) -> None:
        self._held.update(counts or {})
        self._held.update(more)
        if time.monotonic() - self._last >= _SECONDS:
            self.flush()

    def flush(self) -> None:
        """Writes what is held; nothing where nobody watches."""
        told = {name: count for name, count in self._held.items() if count}
        self._held.clear()
        self._last = time.monotonic()
        if self._job.progress and told:
            path = f"{self._job.progress_folder}/{uuid.uuid4().hex}.json"
            self._job.root.write_bytes(path, json.dumps({STEP: self._job.stage.name, COUNTS: told}).encode())


def tick(job: Job, **counts: int) -> None:
    """The same of what is known at once."""
    ticks = Ticks(job)
    ticks.add(counts)
    ticks.flush()


def read_tick(data: bytes) -> tuple[str, dict[str, int]]:
    """The step, and what was counted."""
    told: dict[str, Any] = json.loads(data)
    return told[STEP], told[COUNTS]
