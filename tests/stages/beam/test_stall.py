"""The watch over a job in this process, and what it says; see tests/faults/test_stall.py for whole builds."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

import pytest

from stages.beam import stall
from stages.beam.stall import describe, watched
from stages.core.alive import LIFE
from stages.core.contract import StageError

REPO = Path(__file__).resolve().parents[3]
# As Python's watchdog writes it: the thread that it was set from last, innermost frames first.
REPORT = f"""Timeout (0:00:03)!
Thread 0x00007f1 (most recent call first):
  File "{REPO}/stages/beam/stall.py", line 200 in put_off
  File "/usr/lib/python3.11/threading.py", line 982 in run

Thread 0x00007f2 (most recent call first):
  File "/usr/lib/python3.11/re/__init__.py", line 166 in match
  File "{REPO}/stages/facts/roles/check.py", line 120 in _title_left
  File "{REPO}/stages/core/contract.py", line 214 in call
  File "{REPO}/stages/beam/steps.py", line 160 in _outputs
  File "{REPO}/stages/beam/pipeline.py", line 30 in process
"""


def endless() -> None:
    while True:
        try:
            sum(range(100))
        except Exception:  # noqa: S112
            continue


def test_an_endless_loop_ends_with_where_it_stood() -> None:
    before = signal.getsignal(signal.SIGALRM)
    said = r"^shard 7 gave no sign of life for 0.005 minutes and stands in .*endless"
    with pytest.raises(StageError, match=said), watched(0.3), LIFE.at_work("shard 7"):
        endless()
    assert signal.getsignal(signal.SIGALRM) is before and LIFE.silent() == 0


def test_what_is_not_work_may_take_as_long_as_it_likes() -> None:
    with watched(0.05):
        assert not threading.Event().wait(0.3)


def test_an_alarm_that_was_set_before_still_comes() -> None:
    came = threading.Event()
    before = signal.signal(signal.SIGALRM, lambda number, frame: came.set())
    left = signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with watched(60):
            assert not came.wait(0.4)
        assert came.wait(60)
    finally:
        signal.signal(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, *left)


@pytest.mark.parametrize("seconds", [0.0, 0.01])
def test_without_a_bound_and_outside_the_main_thread_nothing_is_watched(seconds: float) -> None:
    seen = []

    def work() -> None:
        with watched(seconds):
            seen.append(signal.getsignal(signal.SIGALRM))

    before = signal.getsignal(signal.SIGALRM)
    if seconds:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    else:
        work()
    assert seen == [before]


def test_the_report_of_a_worker_tells_the_innermost_lines_of_the_kernel(tmp_path: Path) -> None:
    assert stall.stalled(tmp_path, 3.0) == ""
    header = b"bucket 5".ljust(stall._HEADER)
    (tmp_path / "12").write_bytes(header)
    assert stall.stalled(tmp_path, 3.0) == ""
    (tmp_path / "13").write_bytes(header + REPORT.encode())
    said = stall.stalled(tmp_path, 3.0)
    assert said.startswith("bucket 5 gave no sign of life for 0.05 minutes and stands in ")
    assert "stages/facts/roles/check.py:120 (_title_left); take out" in said


def test_code_of_a_library_is_told_where_there_is_no_other() -> None:
    library = str(Path(threading.__file__))
    said = describe("all rows", 90, [(library, 5, "wait"), (stall._CONTRACT, 1, "call")])
    assert f"for 1.5 minutes and stands in {library}:5 (wait);" in said
    own = [(library, 5, "wait"), (f"{REPO}/stages/core/sql.py", 30, "sql"), (stall._CONTRACT, 1, "call")]
    assert "stands in stages/core/sql.py:30 (sql);" in describe("all rows", 90, own)
    assert "stands in code outside Python;" in describe("all rows", 90, [])
