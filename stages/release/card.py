"""The dataset card of a release: counts and licences filled into the card template."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template

import pyarrow as pa

import templates
from stages.release.format import ReleaseError
from stages.splits.relations import SPLITS

TEMPLATES = ("cards/release.md",)


@dataclass(frozen=True)
class CardText:
    """name, description: of the dataset; version: of the program; licences: per source, as the manifest has them."""

    name: str
    description: str
    version: str
    licences: Mapping[str, str]


def render_card(text: CardText, records: pa.Table, sidecar: pa.Table, template: Path | None = None) -> str:
    """The card in Markdown, with the metadata block that dataset hubs read.

    records, sidecar: the released tables; template: default is the installed one.
    Raises ReleaseError where the template asks for a field that is not there.
    """
    path = template or Path(templates.__file__).resolve().parent / "cards" / "release.md"
    splits = _splits(records, sidecar)
    fields = {
        "name": text.name.replace('"', "'"),
        "description": text.description,
        "version": text.version,
        "configs": split_configs([name for name in SPLITS if name in splits]),
        "splits": "\n".join(_row(name, *splits[name]) for name in SPLITS if name in splits),
        "absent": absent_splits(list(splits)),
        "kinds": card_rows(sorted(Counter(records["kind"].to_pylist()).items())),
        "licences": card_rows(sorted(text.licences.items())),
    }
    return fill_card(path, fields)


def fill_card(template: Path, fields: Mapping[str, str]) -> str:
    """A card's template with its fields filled in; ReleaseError where it asks for one that is not there."""
    try:
        return Template(template.read_text(encoding="utf-8")).substitute(fields)
    except (KeyError, ValueError) as error:
        raise ReleaseError(
            f"{template}: cannot be filled in ({error}); the fields are {', '.join(sorted(fields))}"
        ) from error


def _splits(records: pa.Table, sidecar: pa.Table) -> dict[str, tuple[int, int]]:
    """Questions and answers per split."""
    questions = Counter(records["split"].to_pylist())
    aids = dict(zip(sidecar["aid"].to_pylist(), sidecar["split"].to_pylist(), strict=True))
    answers = Counter(aids.values())
    return {split: (questions[split], answers[split]) for split in questions}


def split_configs(splits: Sequence[str]) -> str:
    """Where dataset hubs find each split."""
    return _config("default", "parquet", splits)


def benchmark_config(config: str, splits: Sequence[str]) -> str:
    """The same for one of several benchmarks, whose files have a folder of their own."""
    return _config(config, f"parquet/{config}", splits)


def _config(name: str, folder: str, splits: Sequence[str]) -> str:
    files = "\n".join(f"  - split: {split}\n    path: {folder}/{split}.parquet" for split in splits)
    return f"- config_name: {name}\n  data_files:\n{files}"


def absent_splits(present: Sequence[str], name: str = "This release") -> str:
    """A paragraph of Markdown that says which splits are not there, "" where all are. name: of what lacks them."""
    missing = [split for split in SPLITS if split not in present]
    return f"\n{name} has no {' and no '.join(missing)} set.\n" if missing else ""


def _row(split: str, questions: int, answers: int) -> str:
    return f"| {split} | {questions:,} | {answers:,} | {answers / questions:.2f} |"


def card_rows(pairs: list[tuple[str, int]] | list[tuple[str, str]]) -> str:
    """Rows of a table of names and values; texts may come from the sources themselves, so none can leave its cell."""
    return "\n".join(
        f"| {_cell(name)} | {value:,} |" if isinstance(value, int) else f"| {_cell(name)} | {_cell(value)} |"
        for name, value in pairs
    )


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
