"""Options that commands share."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from manifests.storage import StorageError
from pipelines.cli.options import SHARE, BeamCommand, Finite, beam_arguments
from pipelines.published import open_root
from tests.pipelines.commands import commands


@click.command(cls=BeamCommand)
@click.argument("name")
@click.option("--own", default="")
@click.pass_context
def some(ctx: click.Context, name: str, own: str) -> None:
    click.echo(repr((name, own, beam_arguments(ctx))))


@pytest.mark.parametrize(
    ("arguments", "taken"),
    [
        (["n", "--own", "x"], ("n", "x", ())),
        (
            ["n", "--flag", "--own=x", "--of", "value", "--of=value"],
            ("n", "x", ("--flag", "--of", "value", "--of=value")),
        ),
        (["n", "--", "--own", "y", "z"], ("n", "", ("--own", "y", "z"))),
        (["--own", "x", "n", "--flag", "--", "--", "--own"], ("n", "x", ("--flag", "--", "--own"))),
    ],
)
def test_what_is_not_the_commands_own_goes_to_beam(
    arguments: list[str], taken: tuple[str, str, tuple[str, ...]]
) -> None:
    assert CliRunner().invoke(some, arguments).stdout == f"{taken!r}\n"


def test_a_root_is_a_folder_that_may_be_missing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert open_root(str(tmp_path)).base == open_root(f"{tmp_path}/").base == str(tmp_path)
    assert open_root(str(tmp_path / "missing")).folders() == []
    for root, message in [("", "is empty"), ("  ", "is empty"), (str(tmp_path / "file"), "a file; name a folder")]:
        with pytest.raises(StorageError, match=message):
            open_root(root)


@pytest.mark.parametrize("value", ["nan", "-nan", "inf", "1e400"])
def test_numbers_are_finite(value: str) -> None:
    for number in (SHARE, Finite(0), Finite()):
        with pytest.raises(click.BadParameter):
            number.convert(value, None, None)
    assert (SHARE.convert("0.5", None, None), Finite(0).convert("7", None, None)) == (0.5, 7.0)


def test_every_command_asks_for_finite_numbers() -> None:
    options = [option for command in commands().values() for option in command.params]
    assert [option.name for option in options if type(option.type) in (click.FloatRange, type(click.FLOAT))] == []
