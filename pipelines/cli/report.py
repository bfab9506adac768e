"""`benchwright report`: a build as a site to look at."""

from __future__ import annotations

from pathlib import Path

import click

from pipelines.cli.options import dataset_argument, root_option
from pipelines.datasets import dataset as find_dataset
from pipelines.published import load_build, need_build, open_root
from pipelines.report.site import Build, write_report
from stages.core.contract import StageError


@click.command()
@dataset_argument
@root_option
@click.option("--out", required=True, metavar="FOLDER", help="Where to write it: new, empty, or an earlier report.")
@click.option(
    "--against",
    metavar="BUILD",
    help="An earlier build, a root, ROOT#NAME (tag or version), or a manifest file in one: also tell what changed "
    "since, and which step decided.",
)
def report(dataset: str, root: str, out: str, against: str | None) -> None:
    """Write the latest build of DATASET as a site: funnel, plots, every record with its way back, stages.

    Open index.html in a browser, from the disk: nothing is served, and nothing is loaded from elsewhere.

    \b
    benchwright report qampari --out report
    benchwright report qampari --root tomorrow --against out --out report
    """
    if not out.strip() or "://" in out:
        raise StageError(f"--out {out!r}: expected a local folder; copy it elsewhere once it is written")
    storage = open_root(root)
    build = storage, need_build(storage, dataset)
    for path in write_report(find_dataset(dataset), build, Path(out), _other(against, dataset)):
        click.echo(str(path))


def _other(against: str | None, dataset: str) -> Build | None:
    if against is None:
        return None
    manifest, root = load_build(against, dataset)
    if manifest.dataset != dataset:
        raise StageError(f"--against {against}: a build of {manifest.dataset}; expected one of {dataset}")
    if root is None:
        raise StageError(f"--against {against}: a manifest without its tables has no records; name a root instead")
    return root, manifest
