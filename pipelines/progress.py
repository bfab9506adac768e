"""Progress of a stage: a bar on a terminal, plain lines where output is piped, nothing when quiet.

A stage runs on workers that may be elsewhere, so progress is read from the small files
that they leave in the attempt's folder.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from tqdm import tqdm

from manifests.storage import Storage
from stages.beam.job import Job
from stages.core.contract import Stage

if TYPE_CHECKING:
    from pipelines.runner import PlannedStage

_LOCAL_SECONDS = 0.25
_REMOTE_SECONDS = 5.0
_LINE_SECONDS = 30.0
Show = Callable[[Counter[str]], None]


class Progress:
    """Shows what the runner does. mode: "bar", "lines" or "quiet"."""

    def __init__(self, stream: TextIO | None = None, mode: str | None = None) -> None:
        self.stream = stream or sys.stderr
        self.mode = mode or ("bar" if self.stream.isatty() else "lines")

    @contextmanager
    def watch(self, stage: Stage, job: Job) -> Iterator[None]:
        """Follows one stage while it runs."""
        if self.mode == "quiet":
            yield
            return
        done = threading.Event()
        total = sum(len(step.outputs) + 1 for step in stage.steps or (stage,)) * job.buckets
        piped = self.mode == "lines"
        with tqdm(total=total, desc=stage.name, unit="shard", file=self.stream, leave=False, disable=piped) as bar:
            show = self._lines(stage, total) if piped else _bar(bar)
            thread = threading.Thread(target=_follow, args=(job, show, done), daemon=True)
            thread.start()
            try:
                yield
            finally:
                done.set()
                thread.join()

    def _lines(self, stage: Stage, total: int) -> Show:
        """A line every half minute, so that a log of a long stage shows that it moves."""
        last = time.monotonic()

        def show(counts: Counter[str]) -> None:
            nonlocal last
            if time.monotonic() - last >= _LINE_SECONDS:
                last = time.monotonic()
                said = f"{counts['shards']}/{total} shards, rows {counts['rows']:,}, rejected {counts['rejects']:,}"
                self._say(f"{stage.name:<28} {'...':>8}  {said}")

        return show

    def step(self, step: PlannedStage) -> None:
        """One line per stage: what was done, rows, rejects, seconds."""
        if self.mode == "quiet" or step.manifest is None:
            return
        tables = [step.manifest.tables[spec.name] for spec in step.stage.outputs]
        rows = ", ".join(f"{table.name} {table.rows:,}" for table in tables)
        rejects = sum(step.manifest.rejects.values())
        took = f"{step.manifest.run.get('seconds', 0):.1f} s" if step.state == "built" else "cached"
        self._say(f"{step.stage.name:<28} {took:>8}  {rows}" + (f"; rejected {rejects:,}" if rejects else ""))

    def _say(self, line: str) -> None:
        tqdm.write(line, file=self.stream) if self.mode == "bar" else print(line, file=self.stream, flush=True)


def _bar(bar: tqdm) -> Show:
    def show(counts: Counter[str]) -> None:
        bar.update(counts["shards"] - bar.n)
        bar.set_postfix(rows=f"{counts['rows']:,}", rejected=f"{counts['rejects']:,}")

    return show


def _follow(job: Job, show: Show, done: threading.Event) -> None:
    seen: set[str] = set()
    counts: Counter[str] = Counter()
    while not done.wait(_LOCAL_SECONDS if job.root.is_local else _REMOTE_SECONDS):
        for path in job.root.files(job.progress_folder):
            if path not in seen and not path.rsplit("/", 1)[-1].startswith("."):
                seen.add(path)
                counts.update(_read(job.root, path))
        show(counts)


def _read(root: Storage, path: str) -> dict[str, int]:
    return json.loads(root.read_bytes(path).to_pybytes())
