"""Options that several commands share."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import click

from pipelines.build_file import BuildFile, read_build_file
from pipelines.datasets import names
from pipelines.published import DEFAULT_ROOT
from stages.io.whole_file import FileLimits, limited

F = TypeVar("F", bound=Callable[..., Any])

_UNCHECKED = f"{__name__}.unchecked"
_CONFIG = f"{__name__}.config"

root_option = click.option(
    "--root",
    default=DEFAULT_ROOT,
    show_default=True,
    metavar="FOLDER|URI",
    help="Where builds live: a folder, s3://bucket/path or gs://bucket/path.",
)


class Finite(click.FloatRange):
    """A number within bounds, which click's own type lets "nan" pass, and "inf" where an end is open."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


SHARE = Finite(0, 1)


def file_limits(function: Callable[..., Any]) -> Callable[..., Any]:
    """--record-bytes and --file-bytes, which hold for all files that the command reads whole."""

    @click.option(
        "--record-bytes",
        type=click.IntRange(min=1),
        default=FileLimits.record_bytes,
        show_default=True,
        metavar="N",
        help="Refuse a file with a longer line.",
    )
    @click.option(
        "--file-bytes",
        type=click.IntRange(min=1),
        default=FileLimits.file_bytes,
        show_default=True,
        metavar="N",
        help="Refuse a longer file.",
    )
    @wraps(function)
    def command(*arguments: Any, record_bytes: int, file_bytes: int, **options: Any) -> Any:
        with limited(FileLimits(record_bytes, file_bytes)):
            return function(*arguments, **options)

    return command


def dataset_argument(function: F) -> F:
    return click.argument("dataset", type=click.Choice(names()))(function)


def _read_config(ctx: click.Context, _: click.Parameter, path: str | None) -> None:
    """Lets what a build file says stand in for the options that are not given."""
    if path is not None:
        found = read_build_file(path)
        ctx.meta[_CONFIG] = found
        ctx.default_map = {**(ctx.default_map or {}), **found.options()}


def build_file(ctx: click.Context) -> BuildFile:
    """The build file of --config, or one that says nothing."""
    return ctx.meta.get(_CONFIG) or BuildFile("")


def input_options(function: F) -> F:
    """--config, --source, --annotations, --templates, --map, --params and --set, as `build` and `plan` take them."""
    for option in reversed(
        (
            click.option(
                "--config",
                metavar="FILE",
                is_eager=True,
                expose_value=False,
                callback=_read_config,
                help="A build file, as `benchwright init` writes it; options given besides win over it.",
            ),
            click.option(
                "--source",
                "sources",
                multiple=True,
                default=("sample",),
                metavar="sample|PATH|sparql:URL|mediawiki:URL",
                help="Input: 'sample' (the built-in files, the default), files, folders, live services; repeatable.",
            ),
            click.option(
                "--annotations",
                "answers",
                multiple=True,
                metavar="sample|PATH",
                help="Answers of people to the tasks that `tasks` wrote: files or folders, or 'sample'; repeatable.",
            ),
            click.option(
                "--templates",
                multiple=True,
                metavar="FOLDER|FILE",
                help="Templates and lexicons of your own, read over the built-in ones; repeatable.",
            ),
            click.option(
                "--map",
                "columns",
                multiple=True,
                metavar="COLUMN=FIELD",
                help="What a column of a simple file holds, such as contents=text; repeatable.",
            ),
            click.option("--params", "params_file", metavar="FILE", help="A YAML file of parameters, by section."),
            click.option(
                "--set",
                "settings",
                multiple=True,
                metavar="KEY=VALUE",
                help="One parameter, such as nli.threshold=0.3; repeatable; wins over --params.",
            ),
        )
    ):
        function = option(function)
    return function


class BeamCommand(click.Command):
    """A command that hands options which are not its own to Beam; see `beam_arguments`."""

    ignore_unknown_options = True
    allow_extra_args = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keeps aside what follows a bare --, which click would take for this command's own arguments."""
        end = args.index("--") if "--" in args else len(args)
        ctx.meta[_UNCHECKED] = tuple(args[end + 1 :])
        return super().parse_args(ctx, args[:end])


def beam_arguments(ctx: click.Context) -> tuple[str, ...]:
    """All that goes to Beam: the options that are not the command's own, then those after a bare --."""
    return (*ctx.args, *ctx.meta[_UNCHECKED])
