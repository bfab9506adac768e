"""Local workers that do not start, end or stay silent: the job is broken off and says which and why.

See tests/faults/test_kill_workers.py for whole builds, and tests/faults/test_stall.py for steps that stand still.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from manifests.storage import Storage
from stages.beam import workers
from stages.beam.options import BeamOptions
from stages.core.contract import StageError
from tests import toy
from tests.stages.beam.jobs import job, run

TWO = BeamOptions(workers=2)


@pytest.fixture(autouse=True)
def hook(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a loss the hook for failed threads stays, but not beyond a test."""
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)


def start(monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    monkeypatch.setattr(workers, "_COMMAND", (sys.executable, "-c", script))


def first_stage(folder: Path) -> None:
    words = toy.stages(toy.write_lines(folder / "in", [toy.LINES]))[0]
    run(job(Storage.at(folder / "out"), words), TWO)


@pytest.mark.parametrize(
    ("script", "how"),
    [
        (
            "raise ImportError('libwords.so: no such file')",
            r"ended with code 1 \(ImportError: libwords.so: no such file\)",
        ),
        ("pass", "ended with code 0;"),
        ("import os; os.kill(os.getpid(), 9)", r"was killed \(SIGKILL\)"),
        ("import os; os.kill(os.getpid(), 11)", "was ended by SIGSEGV;"),
    ],
)
def test_a_worker_that_cannot_start_ends_the_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, how: str
) -> None:
    start(monkeypatch, script)
    with pytest.raises(StageError, match=rf"^stage toy.words: worker [12] \(process \d+\) {how}"):
        first_stage(tmp_path)


def test_a_worker_that_is_not_heard_of_ends_the_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start(monkeypatch, "import sys, time; print('waits for a disk', file=sys.stderr, flush=True); time.sleep(600)")
    monkeypatch.setattr(workers, "CONNECT_SECONDS", 3.0)
    said = r"worker 1 \(process \d+\) did not connect within 3 seconds \(waits for a disk\); nothing of the stage"
    with pytest.raises(StageError, match=said):
        first_stage(tmp_path)


def test_workers_are_watched_outside_the_main_thread_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start(monkeypatch, "import os; os.kill(os.getpid(), 9)")
    said: list[str] = []

    def work() -> None:
        try:
            first_stage(tmp_path)
        except StageError as error:
            said.append(str(error))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert len(said) == 1 and "was killed (SIGKILL)" in said[0]


def test_only_what_threads_of_beam_say_is_kept_back(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = workers.Workers(0, int)
    seen: list[str] = []
    monkeypatch.setattr(threading, "excepthook", lambda arguments: seen.append(str(arguments.exc_value)))
    with watch._quiet():
        for name in ("apache_beam.utils.threads", "stages.beam.workers"):
            space: dict[str, Any] = {"__name__": name}
            exec(f"def fail(): raise ValueError({name!r})", space)  # noqa: S102
            thread = threading.Thread(target=space["fail"])
            thread.start()
            thread.join()
    assert seen == ["stages.beam.workers"] and watch._unseen == ["ValueError: apache_beam.utils.threads"]


def test_a_channel_that_has_failed_keeps_no_other_worker_from_being_hung_up(tmp_path: Path) -> None:
    told: list[str] = []

    class Channel:
        def __init__(self, name: str) -> None:
            self.name = name

        def abort(self, error: Exception) -> None:
            told.append(f"{self.name}: {error}")
            raise RuntimeError("dictionary changed size during iteration")

        def close(self) -> None:
            told.append(f"{self.name} closed")
            raise OSError("the stream was removed")

    watch = workers.Workers(0, int)
    for name in ("first", "second"):
        handler: Any = SimpleNamespace(control_conn=Channel(name), data_conn=Channel(name))
        process = subprocess.Popen(["sleep", "60"])
        watch._workers.append(workers._Worker(1, handler, process, tmp_path, 0.0))
    watch._lost = "gone"
    watch._ended.set()
    watch._break_off()
    assert told == ["first: gone", "first closed", "second: gone", "second closed"]
    assert [worker.process.returncode for worker in watch._workers] == [-9, -9]


def test_a_system_that_ran_out_of_memory_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = iter([3, 4, 4, 4])
    monkeypatch.setattr(workers, "_out_of_memory", lambda: next(counts))
    start(monkeypatch, "import os; os.kill(os.getpid(), 9)")
    with pytest.raises(StageError, match="when the system ran out of memory; take fewer with --workers;"):
        first_stage(tmp_path)
