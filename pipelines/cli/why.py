"""`benchwright why`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import click

from pipelines.cli import tables
from pipelines.cli.options import dataset_argument, root_option
from pipelines.datasets import dataset as find_dataset
from pipelines.lineage import Trail
from pipelines.published import need_build, open_root
from pipelines.why import Drop, Holding, Story
from pipelines.why import why as find_out

_MOST = 12


@click.command()
@dataset_argument
@click.argument("asked", metavar="ID")
@root_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with nothing cut.")
@click.pass_context
def why(ctx: click.Context, dataset: str, asked: str, root: str, as_json: bool) -> None:
    """Tell where in the latest build of DATASET something was made or dropped, and why.

    ID is a question's id, a key of any table (a query, a hop, a graph, a passage), an entity's id, title or label, or
    a statement: "SUBJECT PROPERTY OBJECT".

    Exit code 1: the build knows nothing of it.

    \b
    benchwright why qampari P57:Q8877:Q11424
    benchwright why qampari "Steven Spielberg"
    benchwright why qampari "Q11621 P57 Q8877"
    """
    storage = open_root(root)
    story = find_out(storage, need_build(storage, dataset), find_dataset(dataset), asked)
    if as_json:
        click.echo(json.dumps(story.as_dict(), indent=1, ensure_ascii=False))
    else:
        click.echo("\n".join(_lines(story)))
    ctx.exit(0 if story.found else 1)


def _lines(story: Story) -> Iterator[str]:
    yield story.verdict
    yield f"{story.what} {', '.join(story.called)}"
    if story.trail is not None:
        yield from _way(story.trail)
    if story.events:
        yield ""
        yield _table(story)
    for part in story.parts:
        yield ""
        yield f"{part.what} {part.called[0]}, a part of it: {part.verdict}"


def _way(trail: Trail) -> Iterator[str]:
    yield trail.question
    yield f"answers: {_cut(trail.answers)}"
    for step in trail.steps:
        told = "; ".join(f"{name}: {value}" for name, value in step.facts)
        yield f"  {step.name}{': ' if told else ''}{told}"
        for quote in step.quotes[:_MOST]:
            about = " ".join(filter(None, (quote.of, f"({quote.says})" if quote.says else "")))
            numbers = ", ".join(f"{name} {value}" for name, value in quote.facts)
            yield f"    {about or quote.title}: {quote.text}{f' [{numbers}]' if numbers else ''}"
        if len(step.quotes) > _MOST:
            yield f"    ... and {len(step.quotes) - _MOST:,} more"


def _table(story: Story) -> str:
    """Tables that hold it and stages that dropped it, or something of it, in the order of the stages."""
    others = [event for event in story.events if isinstance(event, Drop) and not event.own]
    cut = others[_MOST:]
    rows = [_row(event) for event in story.events if event not in cut]
    if cut:
        rows.append(["", "dropped", sum(drop.count for drop in cut), "more of it, which --json names"])
    return tables.table(["stage", "table", "rows", ""], rows)


def _row(event: Holding | Drop) -> list[object]:
    if isinstance(event, Holding):
        return [event.stage, event.table, event.rows, _numbers(event.numbers)]
    said = event.detail if event.own else f"{event.key} {event.detail}"
    return [event.stage, f"dropped: {event.reason}", event.count, said.strip()]


def _numbers(numbers: Mapping[str, float]) -> str:
    shown = (f"{value:.3f}" if isinstance(value, float) else f"{value:,}" for value in numbers.values())
    return ", ".join(f"{name} {value}" for name, value in zip(numbers, shown, strict=True))


def _cut(texts: tuple[str, ...]) -> str:
    more = f" and {len(texts) - _MOST:,} more" if len(texts) > _MOST else ""
    return "; ".join(texts[:_MOST]) + more
