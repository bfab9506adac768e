"""`benchwright analyse`: what the questions of a release or of a build are like."""

from __future__ import annotations

import json
from pathlib import Path

import click

from pipelines.cli.options import dataset_argument, file_limits, root_option
from pipelines.datasets import Analysis, Dataset, having
from pipelines.datasets import dataset as find_dataset
from pipelines.published import need_build, open_root
from stages.core.contract import StageError
from stages.io.folders import write_file


@click.command()
@dataset_argument
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@root_option
@click.option("--out", metavar="FOLDER", help="Write plots there as SVG files (needs the extra `plots`).")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with the distributions, instead of a table.")
@file_limits
def analyse(dataset: str, files: tuple[Path, ...], root: str, out: str | None, as_json: bool) -> None:
    """Describe the questions of DATASET as its paper does: kinds of answers, lengths, spans and the words that ask.

    FILES are released files, each a column of the table. Without them the latest build is
    described, a column per split.

    Shares are of questions, and a question counts for the kind of its first answer; the card of
    a release counts all answers. The kinds are those of `benchwright normalise`: an entity is a
    name whose page the build has found. Here named_span is told from span: a span with capitals.

    \b
    benchwright analyse ifqa --out plots
    benchwright analyse ifqa full_train.json full_dev.json
    """
    found = _analysis(find_dataset(dataset), files, root)
    click.echo(json.dumps(found.as_dict(), indent=1, ensure_ascii=False) if as_json else found.as_text())
    if out is not None:
        folder = Path(out)
        for name, svg in found.plots().items():
            write_file(folder / name, svg)
            click.echo(str(folder / name), err=True)


def _analysis(described: Dataset, files: tuple[Path, ...], root: str) -> Analysis:
    of_files, of_build = described.analyse, described.analyse_build
    if of_files is None or of_build is None:
        raise StageError(f"{described.name} has no analysis; there is one of {having('analyse')}")
    if files:
        return of_files(files)
    storage = open_root(root)
    return of_build(storage, need_build(storage, described.name))
