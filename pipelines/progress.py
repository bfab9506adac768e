"""Progress of a stage: a bar on a terminal, plain lines where output is piped, nothing when quiet.

A stage runs on workers that may be elsewhere, so progress is read from the small files
that they leave in the attempt's folder (`stages.beam.ticks`). It is told by work: bytes of
input that kernels are done with, or pairs that the model has judged.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from tqdm import tqdm

from manifests.storage import size
from stages.beam.job import Job
from stages.beam.ticks import read_tick
from stages.core.chain import short
from stages.core.contract import Stage

if TYPE_CHECKING:
    from pipelines.runner import PlannedStage

_LOCAL_SECONDS = 0.25
_REMOTE_SECONDS = 5.0
_LINE_SECONDS = 30.0
_BYTES, _PAIRS = "B", " pairs"
Counts = Mapping[str, Counter[str]]
"""By step of a stage what its ticks add up to."""


@dataclass(frozen=True)
class Far:
    """How far a stage is.

    step: which of its steps runs, "" where it has only one. unit: of `done` and `total`, bytes or pairs; total is 0
    where it is not known yet. rows, rejects: of all steps so far. writing: "3/8 shards" once rows are written, or "".
    """

    step: str
    unit: str
    done: int
    total: int
    rows: int
    rejects: int
    writing: str = ""


Show = Callable[[Far], None]


class Progress:
    """Shows what the runner does. mode: "bar", "lines" or "quiet"."""

    def __init__(self, stream: TextIO | None = None, mode: str | None = None) -> None:
        self.stream = stream or sys.stderr
        self.mode = mode or ("bar" if self.stream.isatty() else "lines")
        self._place = ""

    @contextmanager
    def watch(self, stage: Stage, job: Job) -> Iterator[None]:
        """Follows one stage while it runs."""
        if self.mode == "quiet":
            yield
            return
        done = threading.Event()
        piped = self.mode == "lines"
        first = far(stage, job, {})
        with tqdm(
            total=_input_bytes(stage, job) or None,
            desc=stage.name,
            unit=first.unit,
            unit_scale=True,
            file=self.stream,
            leave=False,
            disable=piped,
            dynamic_ncols=True,
            postfix=self._place,
        ) as bar:
            show = self._lines(stage) if piped else self._bar(bar)
            thread = threading.Thread(target=_follow, args=(stage, job, show, done), daemon=True)
            thread.start()
            try:
                yield
            finally:
                done.set()
                thread.join()

    def _lines(self, stage: Stage) -> Show:
        """A line every half minute, so that a log of a long stage shows that it moves."""
        last = time.monotonic()
        pace = Pace(last)

        def show(now: Far) -> None:
            nonlocal last
            rate = pace.rate(now, time.monotonic())
            if time.monotonic() - last >= _LINE_SECONDS:
                last = time.monotonic()
                self._say(f"{stage.name:<28} {'...':>8}  {self._place:>5}  {said(now, rate)}")

        return show

    def _bar(self, bar: tqdm) -> Show:
        shown = "", ""

        def show(now: Far) -> None:
            nonlocal shown
            if now.total and (now.step, now.unit) != shown:
                shown = now.step, now.unit
                bar.reset(now.total)
                bar.unit, bar.unit_scale = now.unit, now.unit == _BYTES
            bar.total = now.total or bar.total
            bar.set_postfix_str(", ".join(filter(None, (self._place, now.step, *_counted(now)))), refresh=False)
            bar.update(now.done - bar.n)
            bar.refresh()

        return show

    def step(self, step: PlannedStage) -> None:
        """One line per stage: what was done, rows, rejects, seconds."""
        self._place = f"{step.number}/{step.of}"
        if self.mode == "quiet" or step.manifest is None:
            return
        tables = [step.manifest.tables[spec.name] for spec in step.stage.outputs]
        rows = ", ".join(f"{table.name} {table.rows:,}" for table in tables)
        rejects = sum(step.manifest.rejects.values())
        took = f"{step.manifest.run.get('seconds', 0):.1f} s" if step.state == "built" else "cached"
        dropped = f"; rejected {rejects:,}" if rejects else ""
        self._say(f"{step.stage.name:<28} {took:>8}  {rows}{dropped}")

    def _say(self, line: str) -> None:
        tqdm.write(line, file=self.stream) if self.mode == "bar" else print(line, file=self.stream, flush=True)


class Pace:
    """The rate of one kind of work since it began. now: seconds of a clock."""

    def __init__(self, now: float) -> None:
        self._of: tuple[str, str] | None = None
        self._began, self._first = now, 0

    def rate(self, state: Far, now: float) -> float:
        """Bytes or pairs a second; 0 where nothing was done yet."""
        if (state.step, state.unit) != self._of:
            self._of, self._began, self._first = (state.step, state.unit), now, state.done
        took = now - self._began
        return (state.done - self._first) / took if took > 0 else 0.0


def far(stage: Stage, job: Job, counts: Counts) -> Far:
    """How far a stage is, by what its steps have told."""
    steps = stage.steps or (stage,)
    begun = [step for step in steps if step.name in counts]
    running = begun[-1] if begun else steps[0]
    own = counts.get(running.name, Counter())
    shards = sum(spec.buckets or job.buckets for spec in running.outputs) + job.buckets
    asked = own["asked"]
    total, done = (asked, own["scored"]) if asked else (own["work"], own["read"])
    return Far(
        step=f"step {len(begun) or 1} of {len(steps)}, {short(running)}" if stage.steps else "",
        unit=_PAIRS if asked else _BYTES,
        done=min(done, total),
        total=total,
        rows=sum(count["rows"] for count in counts.values()),
        rejects=sum(count["rejects"] for count in counts.values()),
        writing=f"{min(own['shards'], shards)}/{shards} shards" if own["shards"] else "",
    )


def said(now: Far, rate: float) -> str:
    """One line: the share of the work that is done, the pace, and how long the rest will take at this pace."""
    parts = [now.step] if now.step else []
    if now.total:
        parts.append(f"{now.done / now.total:.0%} of {_amount(now.total, now.unit)}")
        if rate > 0:
            parts.append(f"{_amount(rate, now.unit)}/s")
            parts.append(f"{tqdm.format_interval((now.total - now.done) / rate)} left")
    return ", ".join((*parts, *_counted(now)))


def _counted(now: Far) -> list[str]:
    counts = [f"rows {now.rows:,}", f"rejected {now.rejects:,}"]
    return [*counts, f"written {now.writing}"] if now.writing else counts


def _amount(count: float, unit: str) -> str:
    return f"{tqdm.format_sizeof(count)}B" if unit == _BYTES else f"{count:,.0f}{unit}"


def _input_bytes(stage: Stage, job: Job) -> int:
    """What the first of its steps has to read, for as long as nothing else is known."""
    first = (stage.steps or (stage,))[0]
    if first.source is not None:
        return sum(size(path) for path in first.source.paths)
    return sum(shard.bytes for name in first.inputs for shard in job.shards(name))


def _follow(stage: Stage, job: Job, show: Show, done: threading.Event) -> None:
    seen: set[str] = set()
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    while not done.wait(_LOCAL_SECONDS if job.root.is_local else _REMOTE_SECONDS):
        for path in job.root.files(job.progress_folder):
            if path not in seen and not path.rsplit("/", 1)[-1].startswith("."):
                seen.add(path)
                step, told = read_tick(job.root.read_bytes(path).to_pybytes())
                counts[step].update(told)
        show(far(stage, job, counts))
