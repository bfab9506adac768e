"""`benchwright templates`: relation templates of one's own, put into words before a build."""

from __future__ import annotations

import json

import click

from pipelines.cli.tables import table
from pipelines.datasets import dataset as find_dataset
from pipelines.inputs import mapped_columns, read_inputs
from pipelines.template_check import MOST_RECORDS, check
from stages.io.detect import ENTITIES, RELATIONS


@click.command()
@click.argument("action", type=click.Choice(["check"]))
@click.argument("folders", nargs=-1, required=True, metavar="FOLDER...")
@click.option(
    "--source",
    "sources",
    multiple=True,
    default=("sample",),
    metavar="sample|PATH",
    help="Where examples are taken from; repeatable.",
)
@click.option("--map", "columns", multiple=True, metavar="COLUMN=FIELD", help="What a column holds; repeatable.")
@click.option(
    "--records",
    default=MOST_RECORDS,
    show_default=True,
    type=click.IntRange(min=1),
    metavar="N",
    help="Records that are read for examples.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@click.pass_context
def templates(
    ctx: click.Context,
    action: str,
    folders: tuple[str, ...],
    sources: tuple[str, ...],
    columns: tuple[str, ...],
    records: int,
    as_json: bool,
) -> None:
    """Check the relation templates in each FOLDER, and word them with examples from a source.

    The folders are read as `build --templates` reads them: over the built-in templates, each over those before it. What
    is wrong in them is an error that names file, entry and key.

    Exit code 1: a relation has no example in the source.

    \b
    benchwright templates check relations --source facts.csv
    """
    # What reads and words templates is loaded only here.
    from pipelines.corpus import entities
    from stages.facts.relations.templates import load_relations
    from stages.wikidata.parse import ParseParams

    inputs = read_inputs(find_dataset("qampari"), sources, (), folders, mapped_columns(columns))
    inputs.need("Wikidata dump or statements", *ENTITIES)
    own = load_relations(inputs.of(RELATIONS))
    found = check(own, load_relations(), entities(inputs, ParseParams(), own), records)
    if as_json:
        told = {
            "wordings": [{"property": pid, "what": what, "text": text} for pid, what, text in found.wordings],
            "without": list(found.without),
            "unasked": {pid: count for pid, (count, _) in found.unasked.items()},
        }
        click.echo(json.dumps(told, indent=1, ensure_ascii=False))
    else:
        rows = [[pid, own.properties[pid].label, what, text] for pid, what, text in found.wordings]
        click.echo(table(["property", "label", "wording", "with an example"], rows))
        for pid in found.without:
            click.echo(f"no example of {pid} ({own.properties[pid].label}) in the source")
        for pid, (count, example) in found.unasked.items():
            click.echo(f"no template for {pid}: {count:,} statements, such as {example.subject!r}, {example.object!r}")
    ctx.exit(1 if found.without else 0)
