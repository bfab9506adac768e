"""`benchwright baseline`: answerers of the paper, trained and scored on a release."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import yaml

from pipelines.cli.options import dataset_argument, file_limits
from pipelines.datasets import Dataset, having
from pipelines.datasets import dataset as find_dataset
from stages.core.contract import StageError
from stages.io.folders import write_file

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@dataset_argument
@click.argument("name")
@click.argument("train", type=_FILE)
@click.argument("dev", type=_FILE)
@click.option("--seed", default=0, show_default=True, type=int, help="Of everything random.")
@click.option("--model", metavar="FOLDER|ID", help="For the encoders: a model's folder, or its id on a hub.")
@click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE", help="A setting of the baseline, such as epochs=1."
)
@click.option("--out", metavar="FILE", help="Where the predictions go, as JSON lines.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@file_limits
def baseline(
    dataset: str,
    name: str,
    train: Path,
    dev: Path,
    seed: int,
    model: str | None,
    settings: tuple[str, ...],
    out: str | None,
    as_json: bool,
) -> None:
    """Train the baseline NAME of DATASET on TRAIN and score it on DEV, both files of a release.

    \b
    wiqa: majority, polarity, adaboost (needs `pip install benchwright[baselines]`),
          encoder, encoder-no-paragraph (need `pip install benchwright[models]`)
    ifqa, qampari: bm25, which needs no training: give the corpus to search in place of TRAIN

    \b
    benchwright baseline wiqa majority release/train.jsonl release/dev.jsonl
    benchwright baseline wiqa encoder release/train.jsonl release/dev.jsonl --model bert-base-uncased --set epochs=3
    benchwright baseline ifqa bm25 release/corpus.jsonl release/full/dev.json --set k=[5,20]
    benchwright baseline qampari bm25 release/corpus.jsonl release/dev.jsonl
    """
    described = find_dataset(dataset)
    run = described.baseline
    if run is None or name not in described.baselines:
        raise StageError(_unknown(described, name))
    outcome = run(name, train, dev, seed=seed, model=model, **_options(settings))
    if out is not None:
        write_file(Path(out), outcome.lines())
    click.echo(json.dumps(outcome.as_dict(), indent=1) if as_json else outcome.report.as_text())


def _unknown(described: Dataset, name: str) -> str:
    if not described.baselines:
        return f"{described.name} has no baselines; there are some of {having('baselines')}"
    listed = "\n".join(f"  {known}: {about}" for known, about in described.baselines.items())
    return f"{described.name} has no baseline {name!r}; there are\n{listed}"


def _options(settings: tuple[str, ...]) -> dict[str, Any]:
    found = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            raise StageError(f"--set {setting}: expected name=value")
        try:
            found[key.strip()] = yaml.safe_load(value)
        except yaml.YAMLError as error:
            raise StageError(f"--set {setting}: the value is not YAML ({error})") from error
    return found
