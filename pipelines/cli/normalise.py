"""`benchwright normalise`: answers in canonical form, one or many."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from stages.normalise import Passage, Result
from stages.normalise import normalise as read


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("text")
@click.option(
    "--passage",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A text file that the answer was drawn from; it settles what the answer leaves open.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one object an answer.")
def normalise(text: str, passage: Path | None, as_json: bool) -> None:
    """Print the kind and the canonical forms of the answer TEXT, or why it has none.

    With - for TEXT every line of standard input is an answer. Nothing is invented: what
    neither the answer nor the passage says is refused, with the reason.

    \b
    benchwright normalise "20 July 1969"
    benchwright normalise "3/4/2015" --passage page.txt
    benchwright normalise - --json < answers.txt
    """
    around = Passage(_text(passage)) if passage is not None else None
    for answer in _answers(text):
        result = read(answer, around)
        click.echo(json.dumps(as_record(result), ensure_ascii=False) if as_json else as_line(result))


def as_record(result: Result) -> dict[str, Any]:
    """text, kind, value, forms with their rules, refusal."""
    return {
        "text": result.text,
        "kind": str(result.kind),
        "value": result.value,
        "forms": [form._asdict() for form in result.forms],
        "refusal": result.refusal,
    }


def as_line(result: Result) -> str:
    """Kind, canonical form and rule, then the other forms; tabs between them."""
    if result.refusal is not None:
        return f"{result.kind}\t-\trefused: {result.refusal}"
    first, *others = result.forms
    return "\t".join([str(result.kind), first.text, first.rule, *(form.text for form in others)])


def _answers(text: str) -> Iterator[str]:
    if text != "-":
        yield text
        return
    for number, line in enumerate(sys.stdin.buffer, 1):
        try:
            yield line.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise ValueError(f"standard input, line {number}: expected UTF-8: {error}") from error


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{file}: expected a text file in UTF-8: {error}") from error
