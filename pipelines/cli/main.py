"""The `benchwright` command: its groups, and how errors become exit codes.

Exit codes: 0 done (or equal, or whole); 1 no question came of it (`build`), different (`diff`),
damaged (`verify`), no such rows (`show`) or out of reach (`simulate-crowd`); 2 an error, which is
printed on standard error without a traceback; 70 a fault of the project itself (see
`pipelines.cli.fault`); 130 interrupted.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

import click

from pipelines.cli import fault
from pipelines.cli.interrupt import EXIT_CODE, SAID, SAID_ELSEWHERE, say, terminable

_WORDS = f"{__name__}.words"


class Listed(NamedTuple):
    """module: of pipelines.cli, which is loaded when its command is called; about: the first sentence of its help."""

    module: str
    about: str


SECTIONS: Mapping[str, Mapping[str, Listed]] = {
    "Build": {
        "build": Listed("build", "Build DATASET: run every stage whose result is not published yet."),
        "plan": Listed("build", "Show what `build` would do: which stages are cached, which would run, and why."),
        "init": Listed("config", "Write a build file for DATASET, with comments: all that a build needs in one place."),
        "templates": Listed(
            "templates",
            "Check the relation templates in each FOLDER, and word them with examples from a source.",
        ),
        "params": Listed("params", "List every parameter of DATASET, with its default and what it means."),
        "recompress": Listed(
            "recompress", "Write the content of FILE to OUT in a form that many workers read at once."
        ),
        "calibrate": Listed(
            "evaluate", "Choose the NLI thresholds from labelled ROWS, and report how well they do on rows held out."
        ),
    },
    "Look": {
        "status": Listed(
            "inspect",
            "List the builds under a root, unfinished ones too: version, stages, rows, size, when, and their tags.",
        ),
        "show": Listed(
            "inspect", "Show a build of DATASET, the latest one by default: the funnel, or records of TABLE."
        ),
        "report": Listed(
            "report",
            "Write the latest build of DATASET as a site: funnel, plots, every record with its way back, stages.",
        ),
        "why": Listed("why", "Tell where in the latest build of DATASET something was made or dropped, and why."),
        "diff": Listed(
            "inspect", "Compare two builds; A and B are roots, ROOT#NAME by tag or version, or manifest files."
        ),
        "picture": Listed(
            "pictures", "Draw a record of the latest build of DATASET, such as an influence graph, as an SVG file."
        ),
        "analyse": Listed(
            "analyse",
            "Describe the questions of DATASET as its paper does: kinds of answers, lengths, spans and the words that "
            "ask.",
        ),
    },
    "People": {
        "tasks": Listed("people", "Write what the latest build of DATASET asks people, ready to send out."),
        "people": Listed(
            "people",
            "Show what people have done for the latest build of DATASET: agreement, alpha, pace, cost, verdicts.",
        ),
        "simulate-crowd": Listed(
            "crowd",
            "Simulate a crowd: how many votes and workers for so many right labels, or answers to a build's tasks.",
        ),
    },
    "Release": {
        "export": Listed(
            "inspect", "Write the latest build of DATASET in its release format: JSONL per split, and Parquet."
        ),
        "trace": Listed(
            "config", "Find the build that the RELEASE in a folder came from, or make it again from its sources."
        ),
        "evaluate": Listed("evaluate", "Score PREDICTIONS against GOLD with the metrics of DATASET."),
        "baseline": Listed(
            "baseline", "Train the baseline NAME of DATASET on TRAIN and score it on DEV, both files of a release."
        ),
        "probe": Listed(
            "probe", "Measure how far the multi-hop questions of FILE are answered without taking their steps."
        ),
    },
    "Answers": {
        "normalise": Listed(
            "normalise", "Print the kind and the canonical forms of the answer TEXT, or why it has none."
        ),
    },
    "Keep in order": {
        "verify": Listed("inspect", "Hash every shard again and compare it with its manifest."),
        "tag": Listed("inspect", "Give a build of DATASET the NAME, which `status` shows and `clean --keep` respects."),
        "clean": Listed("inspect", "Remove what broken-off builds left behind: files that no manifest names."),
    },
}
COMMANDS = {name: entry for commands in SECTIONS.values() for name, entry in commands.items()}


def errors() -> tuple[type[Exception], ...]:
    """The project's own errors; loaded once there is one."""
    from manifests.manifest import ManifestError
    from manifests.storage import StorageError
    from stages.core.contract import StageError

    return StageError, ManifestError, StorageError, OSError, ValueError


def _show_stack(error: Exception) -> None:
    if os.environ.get("BENCHWRIGHT_TRACEBACK"):
        traceback.print_exception(error)


class Group(click.Group):
    """Turns the project's own errors into one line and exit code 2, and anything else into a report and 70."""

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command, from its module; what is registered knows only its name, so that the help loads none of them."""
        if name not in COMMANDS:
            return None
        found = getattr(import_module(f"pipelines.cli.{COMMANDS[name].module}"), name.replace("-", "_"))
        return found if isinstance(found, click.Command) else None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_WORDS] = tuple(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with terminable():
                return super().invoke(ctx)
        except BrokenPipeError:
            # The reader of a pipe left early, as `head` does; nothing more can be said to it.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)
        except click.UsageError as error:
            from manifests.secrets import masked

            raise click.UsageError(masked(error.format_message()), error.ctx) from error
        except errors() as error:
            _show_stack(error)
            from manifests.secrets import masked

            click.echo(f"benchwright: {masked(str(error))}", err=True)
            ctx.exit(2)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            _show_stack(error)
            fault.tell(error, ctx.meta[_WORDS])
            ctx.exit(fault.EXIT_CODE)
        except KeyboardInterrupt:
            say(SAID if ctx.invoked_subcommand == "build" else SAID_ELSEWHERE)
            ctx.exit(EXIT_CODE)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands by what they are for, each with the whole first sentence of its help."""
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, entry.about) for name, entry in commands.items()])


@click.group(
    cls=Group,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Set BENCHWRIGHT_TRACEBACK=1 to see where an error came from.",
)
@click.version_option(package_name="benchwright", prog_name="benchwright")
def main() -> None:
    """Constructs hard question-answering benchmarks, with a manifest of every step.

    \b
    benchwright build qampari                  build from the built-in sample
    benchwright show qampari                   what each step kept and dropped, and why
    benchwright export qampari --out release   the dataset as JSONL and Parquet
    benchwright diff out other-root            what changed between two builds
    """


for command, entry in COMMANDS.items():
    main.add_command(click.Command(command, help=entry.about))
