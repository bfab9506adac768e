"""The dataset card of a release of multiple-choice questions."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pyarrow as pa

import templates
from stages.influence.annotated import ANNOTATION
from stages.influence.graph import LESS, MORE, NO_EFFECT
from stages.release.card import CardText, card_rows, fill_card, split_configs
from stages.splits.topics import SPLITS

TEMPLATE = Path(templates.__file__).resolve().parent / "cards" / "choices.md"
_OF_GRAPHS = ("graph_source", "graph_confirmed")
_LABELS = (MORE, LESS, NO_EFFECT)


def render_choice_card(text: CardText, questions: pa.Table, template: Path = TEMPLATE) -> str:
    """The card in Markdown, with the metadata block that dataset hubs read.

    questions: rows of CHOICE_QUESTIONS, at least one.
    Raises ReleaseError where the template asks for a field that is not there.
    """
    rows = questions.select(
        ["split", "label", "question_type", "hops", "topic", "para_id", "graph_id", "confirmed", *_OF_GRAPHS]
    ).to_pylist()
    by_split = {split: [row for row in rows if row["split"] == split] for split in SPLITS}
    present = [split for split in SPLITS if by_split[split]]
    kinds = Counter((row["question_type"], row["hops"]) for row in rows)
    fields = {
        "name": text.name.replace('"', "'"),
        "description": text.description,
        "version": text.version,
        "configs": split_configs(present),
        "splits": "\n".join(_split_row(split, by_split[split]) for split in present),
        "kinds": "\n".join(f"| {kind} | {hops or '-'} | {count:,} |" for (kind, hops), count in sorted(kinds.items())),
        **_graphs(rows),
        "confirmed": f"{sum(row['confirmed'] for row in rows):,}",
        "questions": f"{len(rows):,}",
        "licences": card_rows(sorted(text.licences.items())),
    }
    return fill_card(template, fields)


def _graphs(rows: list[dict]) -> dict[str, str]:
    """How many graphs the questions come from, and how many questions that is: from files, drawn here, confirmed."""
    drawn = [row for row in rows if row["graph_source"] == ANNOTATION]
    groups = {
        "file": [row for row in rows if row["graph_source"] != ANNOTATION],
        "drawn": drawn,
        "confirmed": [row for row in drawn if row["graph_confirmed"]],
    }
    found = {}
    for name, group in groups.items():
        found[f"{name}_graphs"] = f"{len({(row['para_id'], row['graph_id']) for row in group}):,}"
        found[f"{name}_questions"] = f"{len(group):,}"
    return found


def _split_row(split: str, rows: list[dict]) -> str:
    labels = Counter(row["label"] for row in rows)
    cells = [
        len(rows),
        *(labels[label] for label in _LABELS),
        len({row["topic"] for row in rows}),
        len({row["para_id"] for row in rows}),
        sum(row["confirmed"] for row in rows),
    ]
    return f"| {split} | {' | '.join(f'{cell:,}' for cell in cells)} |"
