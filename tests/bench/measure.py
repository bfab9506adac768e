"""Measures work in a process of its own, from the stored input to the result: CPU seconds and peak memory."""

from __future__ import annotations

import multiprocessing
import os
import resource
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# pyarrow loads pandas when it makes its first array; in a build it has been loaded long before.
import pandas  # noqa: F401 -- for its effect


@dataclass(frozen=True)
class Measured:
    """cpu: seconds of reading and working; peak: MB of the whole process; result: what `digest` made of it."""

    cpu: float
    peak: float
    result: Any


def multiples(*usual: int) -> tuple[int, ...]:
    """How many times the released size an input is; BENCH_TIMES=1,100 in the environment takes the place of `usual`."""
    given = os.environ.get("BENCH_TIMES", "")
    return tuple(int(number) for number in given.split(",")) if given else usual


def measure(load: Callable[..., Any], work: Callable[..., Any], digest: Callable[[Any], Any], *where: Any) -> Measured:
    """work(*load(*where)) in a fresh process; each is a function of a module, so that the process can import it."""
    # A forked child would start with its parent's memory on its own account.
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(_measured, load, work, digest, where).result()


def _measured(
    load: Callable[..., Any], work: Callable[..., Any], digest: Callable[[Any], Any], where: tuple[Any, ...]
) -> Measured:
    before = time.process_time()
    found = work(*load(*where))
    cpu = time.process_time() - before
    return Measured(cpu, _peak(), digest(found))


def _peak() -> float:
    # Unlike ru_maxrss, the kernel's own mark starts anew when a process is spawned.
    status = Path("/proc/self/status")
    if status.exists():
        [line] = [line for line in status.read_text().splitlines() if line.startswith("VmHWM:")]
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def report(title: str, rows: list[tuple[int, int, Measured, Measured]]) -> str:
    """rows: input multiple, input rows, the kernels' and plain Python's measurement."""
    lines = [
        title,
        f"{'input':>6} {'rows':>9} {'kernels s':>10} {'python s':>9} {'ratio':>6} {'MB':>7} {'MB python':>10}",
    ]
    lines += [
        f"{f'{times}x':>6} {n:>9,} {ours.cpu:>10.2f} {plain.cpu:>9.2f} {plain.cpu / ours.cpu:>6.2f}"
        f" {ours.peak:>7.0f} {plain.peak:>10.0f}"
        for times, n, ours, plain in rows
    ]
    return "\n".join(lines)
