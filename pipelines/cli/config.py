"""`benchwright init` and `benchwright trace`: from a build file to a release, and back."""

from __future__ import annotations

import os
from pathlib import Path

import click

from manifests.manifest import BuildManifest
from manifests.registry import read_build
from pipelines.build_file import written
from pipelines.cli.hints import command
from pipelines.cli.options import dataset_argument, input_options, root_option
from pipelines.datasets import dataset as find_dataset
from pipelines.inputs import make_pipeline, mapped_columns, read_inputs
from pipelines.params import load
from pipelines.progress import Progress
from pipelines.provenance import BUILD, PROGRAM, SOURCES, differing, read_release
from pipelines.published import open_root
from pipelines.runner import runner_for
from stages.core.contract import StageError
from stages.io.detect import RELATIONS, UNKNOWN
from stages.io.folders import write_file


@click.command()
@dataset_argument
@click.option("--out", default="build.yaml", show_default=True, metavar="FILE", help="A new file.")
@click.option("--source", "sources", multiple=True, metavar="PATH", help="Input; repeatable.")
@click.option("--templates", multiple=True, metavar="FOLDER", help="Templates of your own; repeatable.")
@click.option("--map", "columns", multiple=True, metavar="COLUMN=FIELD", help="What a column holds; repeatable.")
@click.option("--export", "release", default="release", show_default=True, metavar="DIR", help="For the release.")
def init(
    dataset: str,
    out: str,
    sources: tuple[str, ...],
    templates: tuple[str, ...],
    columns: tuple[str, ...],
    release: str,
) -> None:
    """Write a build file for DATASET, with comments: all that a build needs in one place.

    Paths are relative to the file.

    \b
    benchwright init qampari --source facts.csv --source pages.csv --templates relations
    benchwright build --config build.yaml
    """
    described, path = find_dataset(dataset), Path(out)
    if path.exists():
        raise StageError(f"--out {out}: there is such a file already; name another one, or take it away")
    defaults = described.defaults.read_text(encoding="utf-8")
    mapped = mapped_columns(columns).mapped
    beside = [_seen_from(path.parent, source) for source in sources]
    own = [_seen_from(path.parent, folder) for folder in templates]
    write_file(path, written(dataset, defaults, path.name, beside, own, mapped, export=release))
    click.echo(f"build with `benchwright build --config {out}`")


@click.command()
@click.argument("release", metavar="RELEASE")
@input_options
@root_option
@click.option("--rebuild", is_flag=True, help="Make the build again where the root does not hold it.")
@click.pass_context
def trace(
    ctx: click.Context,
    release: str,
    sources: tuple[str, ...],
    answers: tuple[str, ...],
    templates: tuple[str, ...],
    columns: tuple[str, ...],
    params_file: str | None,
    settings: tuple[str, ...],
    root: str,
    rebuild: bool,
) -> None:
    """Find the build that the RELEASE in a folder came from, or make it again from its sources.

    With --rebuild the sources, answers and templates are named as `build` takes them; the parameters are those of the
    release. Files that the build was not made from are refused.

    Exit code 0: the root holds the build; 1: it does not, or another one came of the sources.

    \b
    benchwright trace release --root out
    benchwright trace release --root again --rebuild --source facts.csv --source pages.csv
    """
    if params_file or settings:
        raise StageError("trace takes the parameters from the release; leave --params and --set out")
    wanted = _read(Path(release))
    click.echo(
        f"{wanted.dataset} {wanted.version}, made by benchwright {wanted.run.get(PROGRAM, 'of unknown version')}"
    )
    for found in wanted.run.get(SOURCES, ()):
        click.echo(f"from {found['name']}: {found['bytes']:,} bytes of {found['modified']}, sha256 {found['sha256']}")
    storage = open_root(root)
    path = f"builds/{wanted.dataset}/{wanted.version}.json"
    if storage.exists(path):
        read_build(storage, path)
        click.echo(f"found: {storage.full(path)}")
        return
    if not rebuild:
        click.echo(f"not in {root}; name its sources with --rebuild, or another --root", err=True)
        ctx.exit(1)
    described = find_dataset(wanted.dataset)
    inputs = read_inputs(described, sources, answers, templates, mapped_columns(columns))
    read = [path for kind, paths in inputs.paths.items() if kind not in (RELATIONS, UNKNOWN) for path in paths]
    if others := differing(wanted, read):
        raise StageError(f"{release}: not built from these sources: {'; '.join(others)}")
    values = load(described.defaults, given=wanted.parameters, where=f"{release}/{BUILD}")
    pipeline = make_pipeline(described, values, inputs, about=wanted.about)
    progress = Progress()
    made = runner_for(storage, None, progress.watch, values).build(pipeline, progress.step)
    if made.version != wanted.version:
        compare = command("diff", str(Path(release) / BUILD), root)
        click.echo(f"another build came of them: {made.version}; compare with {compare}", err=True)
        ctx.exit(1)
    click.echo(f"made again: {storage.full(path)}")


def _seen_from(folder: Path, path: str) -> str:
    """A path as a file in a folder has to name it."""
    if "://" in path or path == "sample" or Path(path).is_absolute():
        return path
    return os.path.relpath(path, folder)


def _read(folder: Path) -> BuildManifest:
    path = folder / BUILD
    try:
        data = path.read_bytes()
    except OSError as error:
        raise StageError(
            f"{path}: cannot be read ({error.strerror}); expected a release's folder, with its build's manifest"
        ) from error
    return read_release(data, str(path))
