"""Faults of the project itself: exit code 70, one line, and a report without the values of options."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from pipelines.cli import fault
from tests.pipelines.commands import call

BROKEN = """
from pipelines.cli import inspect, main
def fail(root):
    raise KeyError("no such thing\\nin two lines")
inspect.open_root = fail
main(["status", "--root", "s3://key:word@bucket", "--json"])
"""


def fails(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr("pipelines.cli.inspect.open_root", lambda root: 1 / 0)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))


def test_a_fault_is_one_line_that_says_where_the_report_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fails(monkeypatch, tmp_path)
    result = call("status")
    (path,) = tmp_path.iterdir()
    assert (result.exit_code, result.stdout) == (70, "")
    assert result.stderr == (
        f"benchwright: a fault of this program (ZeroDivisionError: division by zero); the report is in {path}: "
        "read it through and please open an issue with it\n"
    )
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    said = path.read_text()
    assert said.startswith("benchwright 0.1.0, Python 3.11.") and "\ncommand: benchwright status\n" in said
    assert said.endswith("ZeroDivisionError: division by zero\n") and "test_fault.py" in said


def test_a_process_ends_with_the_code_and_its_report_has_no_value_of_an_option(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BROKEN],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        check=False,
    )
    assert (done.returncode, done.stdout) == (70, "")
    found = re.fullmatch(
        r"benchwright: a fault of this program \(KeyError: .*\); the report is in (.*): .*\n", done.stderr
    )
    assert found is not None, done.stderr
    said = Path(found[1]).read_text()
    assert "\ncommand: benchwright status --root --json\n" in said and "word@bucket" not in said


def test_without_a_place_for_the_report_it_is_printed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fails(monkeypatch, tmp_path / "absent")
    result = call("status")
    assert result.exit_code == 70
    assert result.stderr.splitlines()[1] == "command: benchwright status"
    assert re.search(
        r"no report was written \(.*absent.*\): please open an issue with the lines above\n$", result.stderr
    )


def test_on_demand_the_stack_is_printed_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fails(monkeypatch, tmp_path)
    monkeypatch.setenv("BENCHWRIGHT_TRACEBACK", "1")
    result = call("status")
    assert result.exit_code == 70 and result.stderr.startswith("Traceback (most recent call last):\n")


def test_options_are_named_without_their_values() -> None:
    words = ["build", "qampari", "--source=s3://a:b@c", "--set", "nli.model=x", "-h"]
    assert fault._without_values(words) == ["build", "--source", "--set", "-h"]
