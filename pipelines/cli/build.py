"""`benchwright build` and `benchwright plan`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from manifests.manifest import BuildManifest
from manifests.secrets import masked
from manifests.storage import Storage
from pipelines.cli.cost import CostOptions, cost_options, shown
from pipelines.cli.hints import command
from pipelines.cli.interrupt import interruptible
from pipelines.cli.live import LiveOptions, live_options
from pipelines.cli.options import BeamCommand, beam_arguments, build_file, dataset_argument, input_options, root_option
from pipelines.cli.tables import table
from pipelines.datasets import Dataset
from pipelines.datasets import dataset as find_dataset
from pipelines.gaps import waits_for_people, why_nothing
from pipelines.inputs import left_aside, make_pipeline, mapped_columns, read_inputs, slow_to_read
from pipelines.params import load
from pipelines.progress import Progress
from pipelines.published import open_root
from pipelines.runner import PlannedStage, runner_for
from stages.io.detect import Inputs
from stages.live.service import NotAsked

if TYPE_CHECKING:
    from stages.beam.options import BeamOptions

_STATES = {"cached": "cached", "run": "would run", "waits": "would run after", "damaged": "would run again"}


@click.command(cls=BeamCommand)
@dataset_argument
@input_options
@root_option
@click.option("--from", "start", metavar="STAGE", help="Take every stage before this one from the root; never run it.")
@click.option("--until", metavar="STAGE", help="Stop after this stage.")
@click.option(
    "--workers",
    default=0,
    type=click.IntRange(min=0),
    metavar="N",
    help="Processes on this machine; 0 takes one per core.",
)
@click.option("--quiet", is_flag=True, help="Print nothing but errors, and which sources are left aside.")
@live_options
@click.pass_context
def build(
    ctx: click.Context,
    dataset: str,
    sources: tuple[str, ...],
    answers: tuple[str, ...],
    templates: tuple[str, ...],
    columns: tuple[str, ...],
    params_file: str | None,
    settings: tuple[str, ...],
    root: str,
    start: str | None,
    until: str | None,
    workers: int,
    quiet: bool,
    live: LiveOptions,
) -> None:
    """Build DATASET: run every stage whose result is not published yet.

    `benchwright params DATASET` lists all that --set and --params can set.

    Exit code 1: the build is there, but no question came of it, and nobody is asked for one.

    Beam's own options may stand beside those below, such as --runner=FlinkRunner
    --flink_master=host:8081; what follows a bare -- goes to Beam unchecked.

    \b
    benchwright build qampari
    benchwright build qampari --source wikidata.json.bz2 --source pages.xml.bz2 --root s3://bucket/qampari
    benchwright build qampari --set queries.min_answers=4 --until qampari.simple_queries
    benchwright build qampari --recipe films --source sparql:http://my.org/sparql --source mediawiki:http://my.org/api.php
    benchwright build musique --source hops.jsonl --source mediawiki:https://en.wikipedia.org/w/api.php
    benchwright build qampari --source clubs.csv --source pages.csv --map about=text --templates my-relations
    benchwright build wiqa --source paragraphs.jsonl --annotations answers.json
    benchwright build --config build.yaml
    """
    beam = _beam_options(ctx, workers)
    described = find_dataset(dataset)
    config = build_file(ctx)
    values = load(described.defaults, params_file, settings, config.params, config.where)
    found = read_inputs(described, sources, answers, templates, mapped_columns(columns))
    inputs, notes = live.fetch(described, values, found, sources, root, quiet)
    _tell_of_files(described, inputs, quiet)
    pipeline = make_pipeline(described, values, inputs, notes, config.about)
    progress = Progress(mode="quiet" if quiet else None)
    runner = runner_for(open_root(root), beam, progress.watch, values)
    with interruptible(runner.give_up):
        manifest = runner.build(pipeline, progress.step, start=start, until=until)
    nothing = why_nothing(manifest)
    if not quiet:
        click.echo(f"{dataset} {manifest.version} in {masked(root)} ({manifest.run['seconds']:.1f} s)")
        for note in manifest.notes:
            if note != nothing:
                click.echo(f"note: {note}")
        click.echo(f"look at it with {command('show', dataset, root=root)}")
    if config.export and manifest.complete and not nothing:
        _export(described, runner.root, manifest, config.export, quiet)
    if nothing:
        click.echo(f"note: {nothing}", err=True)
        ctx.exit(0 if waits_for_people(manifest) else 1)


def _export(described: Dataset, root: Storage, manifest: BuildManifest, folder: str, quiet: bool) -> None:
    """The release that a build file asks for."""
    for path in described.export(root, manifest, Path(folder), False):
        if not quiet:
            click.echo(str(path))


@click.command()
@dataset_argument
@input_options
@root_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@cost_options
@live_options
@click.pass_context
def plan(
    ctx: click.Context,
    dataset: str,
    sources: tuple[str, ...],
    answers: tuple[str, ...],
    templates: tuple[str, ...],
    columns: tuple[str, ...],
    params_file: str | None,
    settings: tuple[str, ...],
    root: str,
    as_json: bool,
    costs: CostOptions,
    live: LiveOptions,
) -> None:
    """Show what `build` would do: which stages are cached, which would run, and why.

    With --cost: what each stage would take and cost, forecast from the last build under the root, for the sources
    given, or with --entities and --pages for so many records instead. A second, smaller build there with the same
    parameters tells how figures grow.

    Live sources are not asked; what an earlier build asked them is in its request cache. Where that lacks something,
    only what `build` would ask for is shown.

    \b
    benchwright plan qampari --set evidence.window=0
    benchwright plan qampari --cost --source latest-all.json.bz2 --source enwiki.xml.bz2 --core-price 0.04
    benchwright plan qampari --cost --entities 1000000 --pages 200000
    """
    described = find_dataset(dataset)
    config = build_file(ctx)
    values = load(described.defaults, params_file, settings, config.params, config.where)
    found = read_inputs(described, sources, answers, templates, mapped_columns(columns))
    try:
        inputs, notes = live.only_cached().fetch(described, values, found, sources, root, quiet=True)
    except NotAsked as missing:
        _say_asks(live.would_ask(described, found, sources), missing, as_json)
        return
    for line in slow_to_read(inputs):
        click.echo(line, err=True)
    pipeline = make_pipeline(described, values, inputs, notes, config.about)
    runner = runner_for(open_root(root), None, Progress(mode="quiet").watch, values)
    if costs.cost:
        click.echo(shown(costs.forecast(runner, pipeline), costs.price, as_json))
        return
    steps = list(runner.plan(pipeline))
    click.echo(json.dumps([_plain(step) for step in steps], indent=1) if as_json else _text(steps))


def _say_asks(asks: Sequence[tuple[str, str]], missing: NotAsked, as_json: bool) -> None:
    """Which live sources `build` would ask first: what the stages read depends on what comes."""
    if as_json:
        click.echo(json.dumps([{"stage": name, "state": "asks", "why": why} for name, why in asks], indent=1))
        return
    click.echo(table(["live source", "would be asked for"], [list(row) for row in asks]))
    click.echo(f"\nNot all of it is there yet, and `plan` never asks: {missing}")
    click.echo("What the stages would do can be told once `build` has asked.")


def _beam_options(ctx: click.Context, workers: int) -> BeamOptions | None:
    """None where nothing was said of Beam, so that a build that is all there need not load it."""
    arguments = beam_arguments(ctx)
    if not workers and not arguments:
        return None
    from stages.beam.options import BeamOptions, check_arguments

    own = [name for option in ctx.command.params for name in option.opts if name.startswith("--")]
    check_arguments(ctx.args, own)
    return BeamOptions(workers=workers, arguments=arguments)


def _tell_of_files(described: Dataset, inputs: Inputs, quiet: bool = False) -> None:
    """quiet: only what is not as whoever named the files meant it."""
    for line in (*left_aside(described, inputs), *(() if quiet else slow_to_read(inputs))):
        click.echo(line, err=True)


def _plain(step: PlannedStage) -> dict[str, str]:
    return {"stage": step.stage.name, "state": step.state, "why": step.why}


def _text(steps: Sequence[PlannedStage]) -> str:
    return table(["stage", "would", "why"], [[s.stage.name, _STATES[s.state], s.why] for s in steps])
