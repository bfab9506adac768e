"""`benchwright probe`: how far a benchmark can be cheated."""

from __future__ import annotations

import json
from pathlib import Path

import click

from pipelines.cli.options import file_limits
from stages.models.readers.resolve import LEXICAL, trainer
from stages.musique.probes.files import read_file
from stages.musique.probes.probes import PROBES
from stages.musique.probes.run import run

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("file", type=_FILE)
@click.option(
    "--reader",
    default=LEXICAL,
    show_default=True,
    metavar="NAME",
    help="lexical; a folder with an extractive model; or train:ENCODER, a folder or hub id to fine-tune on --train.",
)
@click.option("--train", type=_FILE, help="Solved questions that the reader learns from, in any of the formats.")
@click.option(
    "--probe", "names", multiple=True, type=click.Choice(list(PROBES)), help="One probe; repeatable. Default: all."
)
@click.option(
    "--supports",
    default=2,
    show_default=True,
    type=click.IntRange(min=1),
    metavar="N",
    help="How many paragraphs a reader names as those it used.",
)
@click.option("--seed", default=0, show_default=True, type=int, help="Of the fine-tuning.")
@click.option("--device", default="cpu", show_default=True, help="Where a model runs: cpu, cuda, cuda:1, ...")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@file_limits
def probe(
    file: Path,
    reader: str,
    train: Path | None,
    names: tuple[str, ...],
    supports: int,
    seed: int,
    device: str,
    as_json: bool,
) -> None:
    """Measure how far the multi-hop questions of FILE are answered without taking their steps.

    FILE is in MuSiQue's or HotpotQA's format, JSON or JSONL; --train may also hold single
    hops ({"id", "question", "answer", "paragraph"} a line).

    \b
    whole          the question with all its paragraphs, to compare with
    question_only  the question without a paragraph
    context_only   the paragraphs without a question
    one_paragraph  each paragraph by itself, the surest reading counts
    dire           the supporting paragraphs in two parts that are read apart (disconnected reasoning);
                   the best division counts

    \b
    benchwright export musique --out release
    benchwright probe release/ans/dev.jsonl
    benchwright probe release/ans/dev.jsonl --train release/ans/train.jsonl --probe one_paragraph --probe dire
    benchwright probe release/ans/dev.jsonl --train release/ans/train.jsonl --reader train:bert-base-uncased
    """
    solved = read_file(train).examples if train is not None else ()
    report = run(
        read_file(file),
        trainer(reader, device=device),
        train=solved,
        names=names or tuple(PROBES),
        supports=supports,
        seed=seed,
    )
    click.echo(json.dumps(report.as_dict(), indent=1) if as_json else report.as_text())
