"""Ctrl-C in the middle of a build, with worker processes: a quick end in one line, and the rest can be built."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from pipelines.cli.interrupt import SAID, SAID_ELSEWHERE, children, interruptible
from tests.pipelines.commands import run

COMMAND = str(Path(sys.executable).with_name("benchwright"))
LINE = f"{SAID}\n"
SECONDS = 120
DEAF = """
import time
from pipelines.cli import interrupt
interrupt.GRACE = 0.5
with interrupt.interruptible(lambda: print("given up", flush=True)):
    try:
        print("ready", flush=True)
        time.sleep(60)
    except KeyboardInterrupt:
        time.sleep(60)
"""
EARLY = """
import sys
class Interrupted:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupted())
from pipelines.cli import main
main(["probe", "--help"])
"""
RESTLESS = """
import threading
from pipelines.cli.interrupt import children
ended = threading.Event()
def start_and_end():
    while not ended.is_set():
        threading.Thread(target=int).start()
threading.Thread(target=start_and_end).start()
print({pid for _ in range(300) for pid in children()})
ended.set()
"""


@pytest.mark.parametrize(
    ("everyone", "seconds", "number"),
    [
        pytest.param(True, 1.0, signal.SIGINT, id="all on the terminal"),
        pytest.param(False, 0.0, signal.SIGINT, id="the builder, at once", marks=pytest.mark.slow),
        pytest.param(False, 1.0, signal.SIGINT, id="the builder", marks=pytest.mark.slow),
        pytest.param(False, 1.0, signal.SIGTERM, id="the builder, by who runs jobs"),
    ],
)
def test_an_interrupted_build_ends_and_goes_on_later(
    everyone: bool, seconds: float, number: int, tmp_path: Path
) -> None:
    root, temporary = tmp_path / "root", tmp_path / "temporary"
    temporary.mkdir()
    build = ("build", "qampari", "--root", str(root), "--until", "wikidata.classes")
    process = subprocess.Popen(
        [COMMAND, *build, "--workers", "2"],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "TMPDIR": str(temporary)},
    )
    while not (root / "stages").exists() and process.poll() is None:
        time.sleep(0.02)
    time.sleep(seconds)
    (os.killpg if everyone else os.kill)(process.pid, number)
    said = process.communicate(timeout=SECONDS)[1]
    assert process.returncode == 130
    assert said.endswith(LINE) and "Traceback" not in said
    assert not list(root.rglob("_spill")) and not list(temporary.glob("benchwright-*"))
    run(*build, "--workers", "1", "--quiet")
    assert run("verify", "--root", str(root)) == "all is whole\n"


def test_a_build_that_does_not_hear_of_the_interrupt_is_ended() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", DEAF], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=SECONDS) == ("given up\n", LINE)
    assert process.returncode == 130


def test_children_are_the_processes_started_here() -> None:
    if not Path("/proc/self/task").exists():
        pytest.skip("this system does not list a process's children")
    with subprocess.Popen(["sleep", "60"]) as child:
        assert child.pid in children()
        child.kill()


def test_threads_that_end_meanwhile_do_not_matter() -> None:
    done = subprocess.run([sys.executable, "-c", RESTLESS], capture_output=True, text=True, timeout=SECONDS)
    assert (done.stdout, done.stderr) == ("set()\n", "")


def test_what_handled_the_signal_before_handles_it_afterwards() -> None:
    before = signal.getsignal(signal.SIGINT)
    with interruptible(int):
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


def test_outside_the_main_thread_nothing_is_handled() -> None:
    seen = []

    def work() -> None:
        with interruptible(int):
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGINT)]


def test_workers_end_with_a_builder_that_was_killed(tmp_path: Path) -> None:
    build = ("build", "qampari", "--root", str(tmp_path), "--until", "wikidata.classes", "--workers", "2")
    process = subprocess.Popen([COMMAND, *build], stdout=subprocess.PIPE, text=True, start_new_session=True)
    while not (tmp_path / "stages").exists() and process.poll() is None:
        time.sleep(0.02)
    time.sleep(1.0)
    process.kill()
    # The pipe stays open for as long as a worker lives.
    process.communicate(timeout=SECONDS)
    assert process.returncode == -signal.SIGKILL


@pytest.mark.parametrize("module", ["pipelines.cli.main", "pipelines.cli.probe"])
def test_an_interrupt_while_a_command_is_loaded_is_one_line(module: str) -> None:
    early = [sys.executable, "-c", EARLY, module]
    ended = subprocess.run(early, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", f"{SAID_ELSEWHERE}\n")
