"""`benchwright picture`: a record of a build as SVG."""

from __future__ import annotations

from pathlib import Path

import click

from pipelines.cli.options import dataset_argument, root_option
from pipelines.datasets import dataset as find_dataset
from pipelines.datasets import having
from pipelines.published import need_build, open_root
from stages.core.contract import StageError
from stages.io.folders import write_file


@click.command()
@dataset_argument
@click.argument("key")
@root_option
@click.option("--out", required=True, metavar="FILE", help="The SVG file to write.")
def picture(dataset: str, key: str, root: str, out: str) -> None:
    """Draw a record of the latest build of DATASET, such as an influence graph, as an SVG file.

    KEY is the id of a question, of which the graph is drawn; or "para_id graph_id" of WIQA.
    `benchwright show musique compositions` and `benchwright show wiqa questions` list ids.

    \b
    benchwright picture wiqa "honey-hive 1" --out hive.svg
    benchwright picture wiqa influence_graph:honey-hive:1:0#0 --out hive.svg
    benchwright picture musique "$ID" --out steps.svg
    """
    draw = find_dataset(dataset).picture
    if draw is None:
        raise StageError(f"{dataset} has no pictures; there are some of {having('picture')}")
    storage = open_root(root)
    svg = draw(storage, need_build(storage, dataset), key)
    write_file(Path(out), svg)
    click.echo(out)
