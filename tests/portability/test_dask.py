"""A build on a Dask scheduler and two workers in processes of their own, one of which is killed within a stage."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from manifests.storage import Storage
from manifests.verify import verify
from tests import toy
from tests.faults import builder

pytestmark = [pytest.mark.slow, pytest.mark.network]
pytest.importorskip("distributed", reason="Dask is not installed; pip install 'benchwright[cluster]'")
SECONDS = 600


@contextmanager
def serving(folder: Path, name: str, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of Dask in a session of its own, which ends with all that it has started."""
    folder.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "TMPDIR": str(folder), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with (folder / f"{name}.log").open("wb") as log:
        command = [sys.executable, "-m", "distributed.cli.dask_" + name, *arguments]
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log, start_new_session=True)
        try:
            yield process
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(timeout=30)


def build(root: Path, source: str, address: str, repo: Path) -> subprocess.Popen[str]:
    driver = repo / "tests" / "portability" / "driver.py"
    command = [sys.executable, str(driver), str(root), source, "--runner=dask", f"--dask_client_address={address}"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)


def test_a_build_on_dask_outlives_a_killed_worker(repo: Path, tmp_path: Path) -> None:
    (source,) = toy.write_lines(tmp_path / "in", [toy.LINES])
    here = builder.build(str(tmp_path / "here"), [source], buckets=2)
    root, found = tmp_path / "there", tmp_path / "scheduler.json"
    with ExitStack() as stack:
        scheduler = ("--scheduler-file", str(found), "--no-dashboard", "--host", "127.0.0.1", "--port", "0")
        stack.enter_context(serving(tmp_path / "scheduler", "scheduler", *scheduler))
        wait_for(found.exists)
        options = ("--scheduler-file", str(found), "--nthreads", "1", "--no-nanny", "--no-dashboard")
        workers = [stack.enter_context(serving(tmp_path / f"w{n}", "worker", *options)) for n in range(2)]
        address = next(part for part in found.read_text().split('"') if part.startswith("tcp://"))
        process = build(root, source, address, repo)
        # The second stage works: its attempt is there, its manifest is not.
        stage = root / "stages" / "toy.counts"
        wait_for(lambda: process.poll() is not None or stage.exists())
        assert process.poll() is None and not list(stage.glob("*/manifest.json"))
        workers[0].kill()
        told, said = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, said[-3000:]
    assert f"version: {here.version}" in told
    assert builder.digests(builder.latest(root)) == builder.digests(here)
    assert verify(Storage.at(root)) == []


def wait_for(reached: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not reached():
        assert time.monotonic() < end, "nothing came of it in time"
        time.sleep(0.02)
