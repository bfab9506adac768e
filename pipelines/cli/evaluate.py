"""`benchwright evaluate` and `benchwright calibrate`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from pipelines.cli.options import Finite, dataset_argument, file_limits
from pipelines.evaluation import evaluate as score
from pipelines.evaluation import unasked
from stages.facts.calibration.labelled import read_labelled
from stages.facts.calibration.report import markdown
from stages.facts.calibration.thresholds import LEAST, LOST, write_thresholds
from stages.facts.calibration.thresholds import calibrate as choose_thresholds
from stages.facts.relations.templates import load_relations
from stages.models.scoring.resolve import SHIPPED, scorer


@click.command()
@dataset_argument
@click.argument("gold", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("predictions", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@file_limits
def evaluate(dataset: str, gold: Path, predictions: Path, as_json: bool) -> None:
    """Score PREDICTIONS against GOLD with the metrics of DATASET.

    GOLD is a file in the release format, as `export` writes it. PREDICTIONS is JSONL with a
    question a line, or one JSON object from its id to what was predicted:

    \b
    qampari   {"qid": "646749667689523__wikidata_simple__dev", "predictions": ["an answer", ...]}
    wiqa      {"ques_id": "influence_graph:...", "label": "more"}   (or less, no_effect)
    ifqa      {"idx": 7, "answer": "1936"}
    musique   {"id": "2hop__...", "predicted_answer": "1936", "predicted_support_idxs": [3, 8],
               "predicted_answerable": true}   (the last two may be left out where all can be answered)

    \b
    benchwright evaluate qampari release/dev.jsonl predictions.jsonl

    Scores of ifqa: EM and F1 by SQuAD's rules, as in the paper, which drop punctuation, so that
    15 passes for 1.5; and value, the share of predictions whose canonical form (`benchwright
    normalise`) is that of an answer, so that 15 does not, and "4.2 billion" is 4,200,000,000.
    """
    report = score(dataset, gold, predictions)
    if said := unasked(report, gold, predictions):
        click.echo(said, err=True)
    click.echo(json.dumps(report.as_dict(), indent=1, ensure_ascii=False) if as_json else report.as_text())


@click.command()
@click.argument("rows", type=click.Path(exists=True, dir_okay=False))
@click.option("--model", default=SHIPPED, show_default=True, help="As for --set nli.model.")
@click.option(
    "--lost",
    default=LOST,
    type=Finite(0, 1, min_open=True, max_open=True),
    show_default=True,
    metavar="SHARE",
    help="Share of right rows that may be lost.",
)
@click.option(
    "--least",
    default=LEAST,
    type=click.IntRange(min=1),
    show_default=True,
    metavar="N",
    help="Rows of each label that a family needs.",
)
@click.option("--no-role-check", is_flag=True, help="Judge by the model alone.")
@click.option("--out", metavar="FILE", help="Write the thresholds here, for --set nli.thresholds=FILE.")
@file_limits
def calibrate(rows: str, model: str, lost: float, least: int, no_role_check: bool, out: str | None) -> None:
    """Choose the NLI thresholds from labelled ROWS, and report how well they do on rows held out.

    ROWS is JSONL: subject, object, property, premise and stated (1 or 0) a line, with the
    names beside them where there are more; see stages/facts/calibration/labelled.py.

    \b
    benchwright calibrate rows.jsonl --model path/to/model --out thresholds.yaml
    """
    labelled = read_labelled(rows)
    chosen, relations = scorer(model), load_relations()
    alone = choose_thresholds(labelled, chosen, relations, lost=lost, least=least, roles=False)
    reports = {"model alone": alone}
    if not no_role_check:
        reports["with check"] = choose_thresholds(labelled, chosen, relations, lost=lost, least=least)
    click.echo(markdown(reports), nl=False)
    if alone.skipped:
        click.echo(f"{alone.skipped:,} of {len(labelled):,} rows have a property without a template")
    if out:
        write_thresholds(list(reports.values())[-1], chosen, out)
        click.echo(f"wrote {out}")
