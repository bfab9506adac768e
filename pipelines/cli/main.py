"""The `benchwright` command: its groups, and how errors become exit codes.

Exit codes: 0 done (or equal, or whole); 1 no question came of it (`build`), different (`diff`),
damaged (`verify`), no such rows (`show`) or out of reach (`simulate-crowd`); 2 an error, which is
printed on standard error without a traceback; 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from manifests.manifest import ManifestError
from manifests.storage import StorageError
from pipelines.cli.analyse import analyse
from pipelines.cli.baseline import baseline
from pipelines.cli.build import build, plan
from pipelines.cli.crowd import simulate_crowd
from pipelines.cli.evaluate import calibrate, evaluate
from pipelines.cli.inspect import clean, diff, export, show, status, verify
from pipelines.cli.interrupt import EXIT_CODE, SAID, SAID_ELSEWHERE, say
from pipelines.cli.normalise import normalise
from pipelines.cli.params import params
from pipelines.cli.people import people, tasks
from pipelines.cli.pictures import picture
from pipelines.cli.probe import probe
from pipelines.params import ParameterError
from stages.contract import StageError
from stages.sources.detect import SourceError

SECTIONS = {
    "Build": (build, plan, params, calibrate),
    "Look": (status, show, diff, picture, analyse),
    "People": (tasks, people, simulate_crowd),
    "Release": (export, evaluate, baseline, probe),
    "Answers": (normalise,),
    "Keep in order": (verify, clean),
}
ERRORS = (StageError, ManifestError, StorageError, ParameterError, SourceError, OSError, ValueError)


class Group(click.Group):
    """Turns the project's own errors into one line and exit code 2; anything else is a bug and shows its traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # The reader of a pipe left early, as `head` does; nothing more can be said to it.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)
        except ERRORS as error:
            if os.environ.get("BENCHWRIGHT_TRACEBACK"):
                raise
            click.echo(f"benchwright: {error}", err=True)
            ctx.exit(2)
        except KeyboardInterrupt:
            say(SAID if ctx.invoked_subcommand == build.name else SAID_ELSEWHERE)
            ctx.exit(EXIT_CODE)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands by what they are for, each with the whole first sentence of its help."""
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(command.name or "", command.get_short_help_str(200)) for command in commands])


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


for command in (command for commands in SECTIONS.values() for command in commands):
    main.add_command(command)
