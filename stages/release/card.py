"""The dataset card of a release: one frame for all, into which go a dataset's own parts, its facts and its fields.

The frame is templates/cards/frame.md. A dataset's own template holds its parts by the names under which the frame
asks for them ("## QUESTIONS", "## RECORD", ...).
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any

import templates
from stages.core.splits import SPLITS
from stages.core.texts import visible
from stages.release.format import Record, ReleaseError, described_fields

TEMPLATES = ("cards/*.md",)
CARDS = Path(templates.__file__).resolve().parent / "cards"
# Within a word "_" marks nothing: wikidata_comp.
_MARKS = re.compile(r"[\\`*\[\]|~$]|(?<![^\W_])_|_(?![^\W_])")
_PARTS = dict.fromkeys(("TASKS", "QUESTIONS", "RECORD", "MADE", "LIMITS"), "") | {"SOURCES": "\n$licences"}
Facts = Mapping[str, str]
"""What a dataset's own template asks for, by field."""


@dataclass(frozen=True)
class CardText:
    """name, description: of the dataset; version: of the program; licences: per source, as the manifest has them."""

    name: str
    description: str
    version: str
    licences: Mapping[str, str]


def render_card(
    text: CardText, template: str, facts: Facts, present: Mapping[str, Sequence[str]], record: type[Record]
) -> str:
    """The card in Markdown, with the metadata block that dataset hubs read.

    template: name of the dataset's own one in templates/cards, or a path; present: the splits that each benchmark has.
    Raises ReleaseError where a template asks for a field that is not there.
    """
    path = CARDS / template
    parts = _PARTS | dict(_own_parts(path.read_text(encoding="utf-8")))
    frame = (CARDS / "frame.md").read_text(encoding="utf-8")
    fields = {
        "name": text.name.replace('"', "'"),
        "description": text.description,
        "version": text.version,
        "configs": "\n".join(_config(config, splits) for config, splits in present.items()),
        "absent": _absent(present),
        "fields": described_fields(record),
        "licences": card_rows(sorted(text.licences.items())),
        **facts,
    }
    try:
        return Template(Template(frame).safe_substitute(parts)).substitute(fields)
    except (KeyError, ValueError) as error:
        raise ReleaseError(
            f"{path}: cannot be filled in ({error}); the fields are {', '.join(sorted(fields))}"
        ) from error


def _own_parts(text: str) -> Iterable[tuple[str, str]]:
    """The named parts of a template, each with the line's end before it and none after it."""
    _, *found = re.split(r"^## ([A-Z]+)\n", text, flags=re.MULTILINE)
    return zip(found[::2], map(str.rstrip, found[1::2]), strict=True)


def _config(config: str, splits: Sequence[str]) -> str:
    """Where dataset hubs find each split of a benchmark."""
    folder = f"parquet/{config}" if config else "parquet"
    files = "\n".join(f"  - split: {split}\n    path: {folder}/{split}.parquet" for split in splits)
    return f"- config_name: {config or 'default'}\n  data_files:\n{files}"


def _absent(present: Mapping[str, Sequence[str]]) -> str:
    """Paragraphs that say which splits are not there, "" where all are; one for all benchmarks that lack the same."""
    missing = {config: [split for split in SPLITS if split not in splits] for config, splits in present.items()}
    if len({tuple(splits) for splits in missing.values()}) == 1:
        missing = {"": next(iter(missing.values()))}
    return "".join(
        f"\n{f'`{config}`' if config else 'This release'} has no {' and no '.join(splits)} set.\n"
        for config, splits in missing.items()
        if splits
    )


def by_split(rows: Iterable[Mapping[str, Any]], column: str = "split") -> dict[str, list[Mapping[str, Any]]]:
    """The rows of each split that has any."""
    listed = list(rows)
    found = {split: [row for row in listed if row[column] == split] for split in SPLITS}
    return {split: own for split, own in found.items() if own}


def totals(rows: Sequence[Mapping[str, Any]]) -> Facts:
    """How many questions there are, and how many of them people have confirmed."""
    return {"questions": f"{len(rows):,}", "confirmed": f"{sum(row['confirmed'] for row in rows):,}"}


def card_row(name: str, cells: Iterable[int | str]) -> str:
    """A row of a table; numbers with commas. Texts may come from sources, so none can leave its cell."""
    shown = (f"{cell:,}" if isinstance(cell, int) else _cell(cell) for cell in cells)
    return f"| {_cell(name)} | {' | '.join(shown)} |"


def card_rows(pairs: Iterable[tuple[str, int]] | Iterable[tuple[str, str]]) -> str:
    """Rows of a table of names and values."""
    return "\n".join(card_row(name, [value]) for name, value in pairs)


def _cell(text: str) -> str:
    """A text as it reads: what Markdown or HTML would take for a mark stands as a character."""
    return _MARKS.sub(r"\\\g<0>", html.escape(" ".join(visible(text).split()), quote=False))
