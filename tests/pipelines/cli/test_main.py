"""The command as a whole: its help, its exit codes, and how it behaves in a shell."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from pipelines.cli.main import SECTIONS
from tests.pipelines.commands import call, commands, refused, run

COMMAND = str(Path(sys.executable).with_name("benchwright"))
SHELL = {**os.environ, "PYTHONUNBUFFERED": "1"}
COMMANDS = commands()


def test_every_command_stands_in_one_section_of_the_help() -> None:
    listed = [name for entries in SECTIONS.values() for name in entries]
    assert sorted(listed) == sorted(COMMANDS)
    text = run("--help")
    for title, entries in SECTIONS.items():
        assert f"\n{title}:\n" in text
        for name in entries:
            assert re.search(rf"\n  {name} +[A-Z]", text)
    assert "..." not in text.partition("\nBuild:")[2]


def test_the_help_says_of_every_command_what_its_own_help_begins_with() -> None:
    said = {name: entry.about for entries in SECTIONS.values() for name, entry in entries.items()}
    assert said == {name: command.get_short_help_str(200) for name, command in COMMANDS.items()}


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_an_example_and_every_option_a_text(name: str) -> None:
    text = run(name, "--help")
    assert re.search(rf"^  benchwright {name}\b", text, re.MULTILINE), "no example"
    for option in COMMANDS[name].params:
        if isinstance(option, click.Option):
            assert option.help and option.help[-1] in ".)]", option.name
    assert max(map(len, text.splitlines())) <= 120


def test_a_command_that_is_meant_is_named() -> None:
    assert "Did you mean 'build'" in refused("buidl", "qampari")
    assert "Did you mean" in refused("status", "--rot", "x")


def test_errors_of_the_project_are_one_line() -> None:
    assert refused("build", "qampari", "--root", "") == (
        "benchwright: --root is empty; name a folder, s3://bucket/path or gs://bucket/path\n"
    )


def test_the_stack_of_an_error_on_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHWRIGHT_TRACEBACK", "1")
    result = call("status", "--root", "")
    assert result.exit_code == 2
    assert result.stderr.startswith("Traceback (most recent call last):\n")
    assert result.stderr.splitlines()[-1].startswith("benchwright: --root is empty;")


def test_an_interrupt_says_that_nothing_is_left_half_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(root: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pipelines.cli.inspect.open_root", interrupt)
    result = call("status")
    assert (result.exit_code, result.stdout) == (130, "")
    assert result.stderr == "benchwright: interrupted; nothing is left half written\n"


def test_a_reader_that_leaves_early_ends_the_command_quietly(small_root: Path) -> None:
    line = f'"{COMMAND}" show qampari entities --rows 700 --root "{small_root}" | head -1; echo "${{PIPESTATUS[0]}}"'
    said = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=120, env=SHELL, check=True)
    assert said.stderr == ""
    assert said.stdout.splitlines()[0].startswith("qid") and said.stdout.splitlines()[-1] == "0"


def test_the_installed_command_ends_with_the_same_codes(small_root: Path, tmp_path: Path) -> None:
    wrong = subprocess.run(
        [COMMAND, "show", "qampari", "--root", str(tmp_path)], capture_output=True, text=True, timeout=120, check=False
    )
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("benchwright: ") and len(wrong.stderr.splitlines()) == 1
    right = subprocess.run(
        [COMMAND, "verify", "--root", str(small_root)], capture_output=True, text=True, timeout=120, check=False
    )
    assert (right.returncode, right.stdout, right.stderr) == (0, "all is whole\n", "")


def test_a_full_disk_behind_standard_output_is_an_error() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full on this system")
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [COMMAND, "params", "qampari"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert ended.returncode == 2 and "No space left on device" in ended.stderr
