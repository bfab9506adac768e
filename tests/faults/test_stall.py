"""A kernel without a sign of life ends the build and says where it stands; one that lives does not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from manifests.storage import Storage
from manifests.verify import verify
from tests import toy
from tests.faults import builder, endless

SECONDS = 300
MINUTES = 0.05


@pytest.fixture
def started(tmp_path: Path) -> tuple[str, str]:
    """A root in which all but the last stage is built, and its source."""
    (source,) = toy.write_lines(tmp_path / "in", [toy.LINES])
    builder.build(str(tmp_path / "root"), [source], until="toy.words", make=endless.pipeline)
    return str(tmp_path / "root"), source


def ended(kernel: str, started: tuple[str, str], *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from tests.faults import endless; endless.run()", kernel, *started, *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)


@pytest.mark.parametrize("kernel", ["turns", "matches"])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_kernel_that_never_ends_is_ended(started: tuple[str, str], kernel: str, workers: str) -> None:
    before = Storage.at(started[0]).files()
    done = ended(kernel, started, "--workers", workers, "--set", f"build.stall_minutes={MINUTES}")
    said = done.stderr.splitlines()[-1]
    assert said.startswith(
        "benchwright: stage toy.last: shard 0 of words gave no sign of life for 0.05 minutes and stands in "
        "tests/faults/endless.py:"
    ), done.stderr
    assert f"({kernel})" in said and said.endswith(
        "take out what it reads, or wait longer with --set build.stall_minutes=MINUTES (0: for ever)"
    )
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert Storage.at(started[0]).files() == before and verify(Storage.at(started[0])) == []


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_kernel_that_takes_long_and_lives_is_let_alone(started: tuple[str, str], workers: str) -> None:
    done = ended("lasts", started, "--workers", workers, "--set", f"build.stall_minutes={MINUTES}", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")


def test_without_a_bound_a_silent_kernel_is_let_alone(tmp_path: Path) -> None:
    (source,) = toy.write_lines(tmp_path / "in", [toy.LINES])
    done = ended("lasts", (str(tmp_path / "root"), source), "--set", "build.stall_minutes=0", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    # How long a build was let alone is no part of what it made.
    assert builder.latest(tmp_path / "root").parameters == {"build": {}}
