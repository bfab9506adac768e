"""`benchwright params`: what can be set, and what it means."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from textwrap import fill
from typing import Any

import click
import yaml

from pipelines.cli.options import dataset_argument
from pipelines.datasets import dataset as find_dataset

_COMMENT = re.compile(r"(?:^|\s)#\s*(.*)$")
_WIDTH = 100


@dataclass(frozen=True)
class Parameter:
    """One entry of a params.yaml. about: the comments above it and on its line."""

    key: str
    default: Any
    about: str


@click.command()
@dataset_argument
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def params(dataset: str, as_json: bool) -> None:
    """List every parameter of DATASET, with its default and what it means.

    \b
    benchwright params qampari
    benchwright build qampari --set queries.min_answers=4   sets one of them
    """
    found = list(parameters(find_dataset(dataset).defaults))
    if as_json:
        click.echo(json.dumps([asdict(item) for item in found], indent=1, ensure_ascii=False))
    else:
        click.echo("\n".join(map(_text, found)))


def parameters(path: Path) -> Iterator[Parameter]:
    """The parameters of a params.yaml, in its order."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    for section, entries in yaml.compose(text).value:
        for name, value in entries.value:
            default = yaml.safe_load(text)[section.value][name.value]
            yield Parameter(f"{section.value}.{name.value}", default, _about(lines, name.start_mark.line, value))


def _about(lines: list[str], first: int, value: yaml.Node) -> str:
    start = first
    while start > 0 and lines[start - 1].lstrip().startswith("#"):
        start -= 1
    # A list of several lines ends where its last entry does; what follows an entry belongs to it.
    last = value.end_mark.line if value.end_mark.column else value.end_mark.line - 1
    beside = lines[last][value.end_mark.column :] if value.end_mark.column else ""
    found = [_COMMENT.search(line) for line in (*lines[start:first], beside)]
    return " ".join(match.group(1).strip() for match in found if match)


def _text(item: Parameter) -> str:
    head = f"{item.key}={json.dumps(item.default, ensure_ascii=False)}"
    about = fill(item.about, _WIDTH, initial_indent="    ", subsequent_indent="    ")
    return f"{head}\n{about}" if about else head
