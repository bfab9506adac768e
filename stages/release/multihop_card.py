"""The dataset card of a release of composed questions."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pyarrow as pa

import templates
from stages.graphs.shapes import SHAPES
from stages.release.card import CardText, absent_splits, benchmark_config, card_rows, fill_card
from stages.release.multihop import CONFIGS
from stages.splits.relations import SPLITS, TRAIN

TEMPLATES = ("cards/multihop.md",)

TEMPLATE = Path(templates.__file__).resolve().parent / "cards" / "multihop.md"
_HOPS = (2, 3, 4)
_SEPARATE = " Train shares no single\nhop, no answer of one, and no paragraph with the other splits."


def render_multihop_card(text: CardText, compositions: pa.Table, template: Path = TEMPLATE) -> str:
    """The card in Markdown, with the metadata block that dataset hubs read.

    compositions: rows of COMPOSITIONS, at least one.
    Raises ReleaseError where the template asks for a field that is not there.
    """
    rows = compositions.select(
        ["split", "shape", "hop_count", "sources", "mechanical", "form", "confirmed", "contrast"]
    ).to_pylist()
    by_split = {split: [row for row in rows if row["split"] == split] for split in SPLITS}
    present = [split for split in SPLITS if by_split[split]]
    used = {row["shape"] for row in rows}
    written = sum(not row["mechanical"] for row in rows)
    fields = {
        "name": text.name.replace('"', "'"),
        "description": text.description,
        "version": text.version,
        "configs": "\n".join(benchmark_config(config, present) for config in CONFIGS),
        "splits": "\n".join(_split_row(split, by_split[split]) for split in present),
        "absent": absent_splits(present),
        "present": " | ".join(present),
        "rule": "---:|" * len(present),
        "shapes": "\n".join(
            _shape_row(shape.name, [by_split[split] for split in present]) for shape in SHAPES if shape.name in used
        ),
        "separate": _SEPARATE if TRAIN in present and len(present) > 1 else "",
        "sources": card_rows(sorted(Counter(source for row in rows for source in row["sources"]).items())),
        "forms": card_rows(sorted(Counter(row["form"] for row in rows if row["mechanical"]).items())),
        "questions": f"{len(rows):,}",
        "written": f"{written:,}",
        "mechanical": f"{len(rows) - written:,}",
        "confirmed": f"{sum(row['confirmed'] for row in rows):,}",
        "licences": card_rows(sorted(text.licences.items())),
    }
    return fill_card(template, fields)


def _split_row(split: str, rows: list[dict]) -> str:
    hops = Counter(row["hop_count"] for row in rows)
    contrasts = sum(row["contrast"] for row in rows)
    cells = [len(rows), *(hops[count] for count in _HOPS), contrasts, sum(not row["mechanical"] for row in rows)]
    return f"| {split} | {' | '.join(f'{cell:,}' for cell in cells)} |"


def _shape_row(shape: str, splits: list[list[dict]]) -> str:
    counts = [sum(row["shape"] == shape for row in rows) for rows in splits]
    return f"| {shape} | {' | '.join(f'{count:,}' for count in counts)} |"
