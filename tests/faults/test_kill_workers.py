"""A worker is gone: the build ends at once and says which worker and why, and the next build ends as if unhurt.

The sweep kills workers at random times, drawn once and always the same: before they have
connected, at work, between two steps, and while the job ends.
"""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from manifests.storage import Storage
from manifests.verify import verify
from tests import toy
from tests.faults import builder, endless

SECONDS = 300
NOTICED = 30.0
"""Seconds from a kill to the end of the build: 10 on a machine that has nothing else to do."""
KILLS = 100
BUILD = """
import sys
from pipelines.cli import build, main
from tests import toy
root, source = sys.argv[1:]
build.make_pipeline = lambda *_, **__: toy.pipeline([source], buckets=2)
main(["build", "qampari", "--root", root, "--workers", "2", "--until", "toy.counts", "--quiet"])
"""
LOST = re.compile(
    r"benchwright: stage toy\.\w+: worker \d+ \(process \d+\)(, at [^;]+,)? was killed \(SIGKILL\)[^;]*; nothing of "
    r"the stage was published, and the same command goes on from what is\n"
)


@pytest.mark.parametrize(
    ("kernel", "how"),
    [
        ("dies", "was killed (SIGKILL)"),
        ("leaves", "ended with code 7 (libwords: cannot go on)"),
    ],
)
def test_a_kernel_that_ends_its_worker_ends_the_build(kernel: str, how: str, tmp_path: Path) -> None:
    (source,) = toy.write_lines(tmp_path / "in", [toy.LINES])
    root = str(tmp_path / "root")
    builder.build(root, [source], until="toy.words", make=endless.pipeline)
    before = Storage.at(root).files()
    command = [sys.executable, "-c", "from tests.faults import endless; endless.run()", kernel, root, source]
    done = subprocess.run([*command, "--workers", "2", "--quiet"], capture_output=True, text=True, timeout=SECONDS)
    said = f"benchwright: stage toy.last: worker 1 (process 0), at shard 0 of words, {how}"
    assert re.sub(r"worker \d \(process \d+\)", "worker 1 (process 0)", done.stderr).startswith(said), done.stderr
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert Storage.at(root).files() == before


def children(pid: int) -> list[int]:
    found: list[int] = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):
            found += [int(child) for child in path.read_text().split()]
    return found


def build(root: Path, source: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", BUILD, str(root), source]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_workers(process: subprocess.Popen[str]) -> None:
    while process.poll() is None and not children(process.pid):
        time.sleep(0.005)


def kill_one(process: subprocess.Popen[str], delay: float, drawn: random.Random) -> float:
    """Kills a worker of a build some time after its first one is there; when that was, 0 where the build had ended."""
    wait_for_workers(process)
    time.sleep(delay)
    while process.poll() is None:
        workers = children(process.pid)
        if workers:
            with suppress(ProcessLookupError):
                os.kill(drawn.choice(workers), signal.SIGKILL)
                return time.monotonic()
        time.sleep(0.005)
    return 0.0


@pytest.mark.slow
def test_workers_killed_at_random_times_hang_nothing_and_change_nothing(tmp_path: Path) -> None:
    if not Path("/proc/self/task").exists():
        pytest.skip("this system does not list a process's children")
    (source,) = toy.write_lines(tmp_path / "in", [toy.LINES])
    undisturbed = build(tmp_path / "whole", source)
    wait_for_workers(undisturbed)
    began = time.monotonic()
    assert undisturbed.wait(SECONDS) == 0
    took = time.monotonic() - began
    whole = builder.latest(tmp_path / "whole")
    drawn = random.Random(7)
    ends: Counter[int] = Counter()
    kill = 0
    while ends.total() < KILLS:
        kill += 1
        root = tmp_path / str(kill)
        process = build(root, source)
        killed = kill_one(process, drawn.uniform(0, took), drawn)
        said = process.communicate(timeout=SECONDS)[1]
        where = f"kill {kill}: {said}"
        if not killed:
            # The build was faster than the one that was measured.
            assert process.returncode == 0, where
            continue
        assert time.monotonic() - killed < NOTICED, where
        assert process.returncode in (0, 2) and bool(said) == (process.returncode == 2), where
        assert not said or LOST.fullmatch(said), where
        ends[process.returncode] += 1
        assert verify(Storage.at(root)) == [], where
        again = builder.build(str(root), [source], until="toy.counts", buckets=2)
        assert again.version == whole.version and builder.digests(again) == builder.digests(whole), where
    # A worker that is killed after its last answer is missed by nobody.
    print(f"{KILLS} kills: {ends[2]} ended the build, {ends[0]} did not")
    assert ends[2] > KILLS // 4
