"""`benchwright build` and `benchwright plan`."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click

from manifests.storage import Storage
from pipelines.cli.options import dataset_argument, input_options, root_option
from pipelines.cli.tables import table
from pipelines.datasets import Dataset
from pipelines.datasets import dataset as find_dataset
from pipelines.model import Pipeline
from pipelines.params import Values, load
from pipelines.progress import Progress
from pipelines.runner import Runner, Step
from stages.beam.options import BeamOptions
from stages.sources.detect import UNKNOWN, Inputs, SourceError, detect

_BEAM = {"ignore_unknown_options": True, "allow_extra_args": True}
_STATES = {"cached": "cached", "run": "would run", "waits": "would run after", "damaged": "would run again"}


@click.command(context_settings=_BEAM)
@dataset_argument
@input_options
@root_option
@click.option("--from", "start", metavar="STAGE", help="Take every stage before this one from the root; never run it.")
@click.option("--until", metavar="STAGE", help="Stop after this stage.")
@click.option("--workers", default=0, metavar="N", help="Processes on this machine; 0 takes one per core.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
@click.pass_context
def build(
    ctx: click.Context,
    dataset: str,
    sources: tuple[str, ...],
    params_file: str | None,
    settings: tuple[str, ...],
    root: str,
    start: str | None,
    until: str | None,
    workers: int,
    quiet: bool,
) -> None:
    """Build DATASET: run every stage whose result is not published yet.

    Options that are not listed here go to Beam as they are, such as
    --runner=FlinkRunner --flink_master=host:8081.

    \b
    benchwright build qampari
    benchwright build qampari --source wikidata.json.bz2 --source pages.xml.bz2 --root s3://bucket/qampari
    benchwright build qampari --set queries.min_answers=4 --until queries.simple
    """
    described = find_dataset(dataset)
    values = load(described.defaults, params_file, settings)
    pipeline = make_pipeline(described, values, sources, quiet)
    progress = Progress(mode="quiet" if quiet else None)
    runner = Runner(
        Storage.at(root),
        BeamOptions(workers=workers, arguments=tuple(ctx.args)),
        progress.watch,
        reject_limit=values["build"]["bad_records"],
    )
    manifest = runner.build(pipeline, progress.step, start=start, until=until)
    if not quiet:
        click.echo(f"{dataset} {manifest.version} in {root} ({manifest.run['seconds']:.1f} s)")
        for note in manifest.notes:
            click.echo(f"note: {note}")
        click.echo(f"look at it with `benchwright show {dataset} --root {root}`")


@click.command()
@dataset_argument
@input_options
@root_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def plan(
    dataset: str,
    sources: tuple[str, ...],
    params_file: str | None,
    settings: tuple[str, ...],
    root: str,
    as_json: bool,
) -> None:
    """Show what `build` would do: which stages are cached, which would run, and why.

    \b
    benchwright plan qampari --set evidence.window=0
    """
    described = find_dataset(dataset)
    pipeline = make_pipeline(described, load(described.defaults, params_file, settings), sources, quiet=True)
    runner = Runner(Storage.at(root), BeamOptions(), Progress(mode="quiet").watch)
    steps = list(runner.plan(pipeline))
    click.echo(json.dumps([_plain(step) for step in steps], indent=1) if as_json else _text(steps))


def make_pipeline(described: Dataset, values: Values, sources: Sequence[str], quiet: bool) -> Pipeline:
    """The pipeline over the user's sources; says which files it leaves aside."""
    inputs = read_sources(described, sources)
    if not quiet:
        for path in inputs.of(UNKNOWN):
            click.echo(f"left aside: {path} (neither a Wikidata nor a Wikipedia file)", err=True)
    return described.pipeline(values, inputs)


def read_sources(described: Dataset, sources: Sequence[str]) -> Inputs:
    if "sample" in sources and len(sources) > 1:
        raise SourceError("--source sample stands alone; leave it out to build from other files")
    return detect(list(described.sample()) if "sample" in sources else list(sources))


def _plain(step: Step) -> dict[str, str]:
    return {"stage": step.stage.name, "state": step.state, "why": step.why}


def _text(steps: Sequence[Step]) -> str:
    return table(["stage", "would", "why"], [[s.stage.name, _STATES[s.state], s.why] for s in steps])
