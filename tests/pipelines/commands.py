"""Runs the command line inside the test's own process."""

from __future__ import annotations

from pathlib import Path

import click
from click.testing import CliRunner, Result

from pipelines.cli import main


def commands() -> dict[str, click.Command]:
    """Every command by name."""
    context = click.Context(main, **main.context_settings)
    found = {name: main.get_command(context, name) for name in main.list_commands(context)}
    return {name: command for name, command in found.items() if command is not None}


def call(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def run(*arguments: str) -> str:
    """What a command prints that must succeed."""
    result = call(*arguments)
    assert result.exit_code == 0, result.stderr or result.exception
    return result.stdout


def refused(*arguments: str) -> str:
    """The message of a command that must end with exit code 2, without a traceback."""
    result = call(*arguments)
    assert result.exit_code == 2, result.stdout
    assert "Traceback" not in result.stderr
    return result.stderr


def build_wiqa(root: Path, folder: Path) -> tuple[str, ...]:
    """The command that builds WIQA from a folder, in few shards."""
    return ("build", "wiqa", "--source", str(folder), "--root", str(root), "--workers", "1", "--set", "build.buckets=2")
