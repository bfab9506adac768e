"""`benchwright normalise`: answers in canonical form, one or many."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from stages.normalise import AnswerPassage, NormalisedAnswer, TitleTable
from stages.normalise import normalise as read


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("text")
@click.option(
    "--passage",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A text file that the answer was drawn from; it settles what the answer leaves open.",
)
@click.option(
    "--titles",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Page titles that names are looked up in: one a line, or prepared pages and redirects as JSON lines.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one object an answer.")
def normalise(text: str, passage: Path | None, titles: Path | None, as_json: bool) -> None:
    """Print the kind and the canonical forms of the answer TEXT, or why it has none.

    With - for TEXT every line of standard input is an answer. Nothing is invented: what
    neither the answer nor the passage says is refused, with the reason. Without --titles no
    page is known, and a name is a plain span.

    \b
    benchwright normalise "20 July 1969"
    benchwright normalise "3/4/2015" --passage page.txt
    benchwright normalise "the Beatles" --titles titles.txt
    benchwright normalise - --json < answers.txt
    """
    around = AnswerPassage(_text(passage)) if passage is not None else None
    wiki = _titles(titles) if titles is not None else None
    for answer in _answers(text):
        result = read(answer, around, wiki)
        click.echo(json.dumps(as_record(result), ensure_ascii=False) if as_json else as_line(result))


def as_record(result: NormalisedAnswer) -> dict[str, Any]:
    """text, kind, value, forms with their rules, refusal."""
    return {
        "text": result.text,
        "kind": str(result.kind),
        "value": result.value,
        "forms": [form._asdict() for form in result.forms],
        "refusal": result.refusal,
    }


def as_line(result: NormalisedAnswer) -> str:
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


def _titles(file: Path) -> TitleTable:
    # What reads files of pages takes a second to import, which an answer without titles should not wait for.
    from stages.normalise.title_files import read_titles

    found = read_titles(str(file))
    if found.rejects.num_rows:
        first = found.rejects.slice(0, 1).to_pylist()[0]
        count = sum(found.rejects["count"].to_pylist())
        click.echo(f"{file}: {count:,} entries left aside, such as {first['key']}: {first['reason']}", err=True)
    if not found.titles.pages:
        raise ValueError(f"{file}: holds no page title; expected one a line, or prepared pages as JSON lines")
    return found.titles


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{file}: expected a text file in UTF-8: {error}") from error
