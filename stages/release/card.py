"""The dataset card of a release: one frame for all, into which go a dataset's own parts, its facts and its fields.

The frame is templates/cards/frame.md. A dataset's own template holds its parts by the names under which the frame
asks for them ("## QUESTIONS", "## RECORD", ...).
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import Template
from typing import Any

import templates
from stages.core.splits import SPLITS
from stages.core.texts import visible
from stages.release.format import Record, ReleaseError, described_fields
from stages.release.front_matter import front_matter
from stages.release.loading import loading

TEMPLATES = ("cards/*.md",)
CARDS = Path(templates.__file__).resolve().parent / "cards"
# Within a word "_" marks nothing: wikidata_comp.
_MARKS = re.compile(r"[\\`*\[\]|~$]|(?<![^\W_])_|_(?![^\W_])")
_PARTS = dict.fromkeys(("QUESTIONS", "RECORD", "MADE", "LIMITS"), "") | {"SOURCES": "\n$licences"}
_SEARCHED = """
`corpus.jsonl` is the collection to search, `queries.jsonl` has the questions, `qrels` says which passages belong to
which, in BEIR's form. Each text stands there once: {} passages have the text of another one, and their ids stand with
it under `also`, one a line.
"""
Facts = Mapping[str, str]
"""What a dataset's own template asks for, by field."""


@dataclass(frozen=True)
class CardText:
    """name, description: of the dataset; version: of the program; licences: per source, as the manifest has them.

    own: what its maker calls the dataset: name, version, licence, citation, those that are said.
    """

    name: str
    description: str
    version: str
    licences: Mapping[str, str]
    own: Mapping[str, str] = field(default_factory=dict)

    @property
    def stated(self) -> list[str]:
        """The licences that the release is under: the maker's own, or else those of its sources."""
        return [self.own["licence"]] if "licence" in self.own else list(self.licences.values())


@dataclass(frozen=True)
class Holdings:
    """What a release holds. present: the splits of each benchmark; rows: of all of them; judged: the splits with judged
    passages of each benchmark that has any; repeated: passages of the collection with another one's text; tasks: of the
    evaluation harness; categories: the Hub's, of questions."""

    present: Mapping[str, Sequence[str]]
    rows: int
    judged: Mapping[str, Sequence[str]] = field(default_factory=dict)
    repeated: int = 0
    tasks: Sequence[str] = ()
    categories: Sequence[str] = ("question-answering",)


def render_card(text: CardText, template: str, facts: Facts, held: Holdings, record: type[Record]) -> str:
    """The card in Markdown, with the metadata block that dataset hubs read.

    template: name of the dataset's own one in templates/cards, or a path.
    Raises ReleaseError where a template asks for a field that is not there.
    """
    path = CARDS / template
    parts = _PARTS | dict(_own_parts(path.read_text(encoding="utf-8")))
    frame = (CARDS / "frame.md").read_text(encoding="utf-8")
    fields = {
        "front": front_matter(text.own.get("name", text.name), text.stated, held.categories, held.rows, held.present),
        "loading": loading(held.present, held.judged, held.tasks),
        "searched": _SEARCHED.format(f"{held.repeated:,}") if held.judged else "",
        "name": text.name,
        "description": text.description,
        "version": text.version,
        "absent": _absent(held.present),
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
