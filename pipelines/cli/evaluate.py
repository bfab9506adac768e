"""`benchwright evaluate` and `benchwright calibrate`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from pipelines.cli.options import dataset_argument
from pipelines.datasets import dataset as find_dataset


@click.command()
@dataset_argument
@click.argument("gold", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("predictions", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def evaluate(dataset: str, gold: Path, predictions: Path, as_json: bool) -> None:
    """Score PREDICTIONS against GOLD with the metrics of DATASET.

    GOLD is a file in the release format, as `export` writes it. PREDICTIONS is JSONL with
    {"qid": ..., "predictions": [...]} a line, or one JSON object from qid to answers.

    \b
    benchwright evaluate qampari release/dev.jsonl predictions.jsonl
    """
    report = find_dataset(dataset).evaluate(gold, predictions)
    click.echo(json.dumps(report.as_dict(), indent=1, ensure_ascii=False) if as_json else report.as_text())
