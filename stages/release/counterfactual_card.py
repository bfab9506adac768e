"""The dataset card of a release of counterfactual questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

import templates
from stages.release.card import CardText, absent_splits, benchmark_config, card_rows, fill_card
from stages.splits.grouped import CONFIGS
from stages.splits.relations import SPLITS

TEMPLATES = ("cards/counterfactuals.md",)

TEMPLATE = Path(templates.__file__).resolve().parent / "cards" / "counterfactuals.md"


def render_counterfactual_card(text: CardText, records: pa.Table, template: Path = TEMPLATE, repeated: int = 0) -> str:
    """The card in Markdown, with the metadata block that dataset hubs read.

    records: rows of COUNTERFACTUAL_RECORDS, at least one. repeated: passages of the corpus with another one's text.
    Raises ReleaseError where the template asks for a field that is not there.
    """
    names = ["question", "answers", "written", "kinds", "context", *CONFIGS, "confirmed"]
    rows = records.select(names).to_pylist()
    present = {config: [split for split in SPLITS if any(row[config] == split for row in rows)] for config in CONFIGS}
    kinds = Counter(kind for row in rows for kind in row["kinds"])
    fields = {
        "name": text.name.replace('"', "'"),
        "description": text.description,
        "version": text.version,
        "configs": "\n".join(benchmark_config(config, present[config]) for config in CONFIGS),
        "splits": "\n".join(
            _split_row(config, split, [row for row in rows if row[config] == split])
            for config in CONFIGS
            for split in present[config]
        ),
        "absent": "".join(absent_splits(present[config], f"`{config}`") for config in CONFIGS),
        "kinds": card_rows(sorted(kinds.items(), key=lambda item: (-item[1], item[0]))),
        "questions": f"{len(rows):,}",
        "confirmed": f"{sum(row['confirmed'] for row in rows):,}",
        "repeated": f"{repeated:,}",
        "licences": card_rows(sorted(text.licences.items())),
    }
    return fill_card(template, fields)


def _split_row(config: str, split: str, rows: Sequence[Mapping[str, Any]]) -> str:
    written = [answer for row in rows for answer in row["written"]]
    cells = [
        f"{len(rows):,}",
        f"{sum(len(row['question'].split()) for row in rows) / len(rows):.1f}",
        f"{len(written) / len(rows):.2f}",
        f"{sum(len(row['answers']) for row in rows) / len(rows):.2f}",
        f"{sum(len(answer.split()) for answer in written) / len(written):.2f}",
        f"{sum(row['confirmed'] for row in rows):,}",
    ]
    return f"| {config} | {split} | {' | '.join(cells)} |"
