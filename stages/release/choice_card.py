"""The dataset card of a release of multiple-choice questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

import templates
from stages.influence.annotated import ANNOTATION
from stages.influence.graph import DISTRACTOR, EXOGENOUS, IN_PARAGRAPH, LESS, MORE, NO_EFFECT
from stages.release.card import CardText, absent_splits, card_rows, fill_card, split_configs
from stages.splits.topics import SPLITS

TEMPLATES = ("cards/choices.md",)

TEMPLATE = Path(templates.__file__).resolve().parent / "cards" / "choices.md"
_OF_GRAPHS = ("graph_source", "graph_confirmed")
_LABELS = (MORE, LESS, NO_EFFECT)
_TYPES = {
    EXOGENOUS: "the change comes from outside the paragraph",
    IN_PARAGRAPH: "the change comes from within it",
    DISTRACTOR: "the change has no effect",
}
_GRAPHS = {
    "file": "from files",
    "drawn": "drawn by people in this build",
    "confirmed": "of these confirmed: an expert let them stand, or was not to see them",
}
# What is true only where there are questions without an effect.
_UNAFFECTED = "\nQuestions without an effect join a change of another topic to an effect of this one."
_UNAFFECTED_LIMIT = (
    "- A change from another topic is taken to have no effect; where nobody has confirmed it, it may have one "
    "after all.\n"
)


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
    labels = [label for label in _LABELS if any(row["label"] == label for row in rows)]
    fields = {
        "name": text.name.replace('"', "'"),
        "description": text.description,
        "version": text.version,
        "configs": split_configs(present),
        "splits": "\n".join(_split_row(split, by_split[split], labels) for split in present),
        "absent": absent_splits(present),
        **_of_labels(labels),
        "types": " or ".join(f"{name} ({why})" for name, why in _TYPES.items() if name in {kind for kind, _ in kinds}),
        "kinds": "\n".join(f"| {kind} | {hops or '-'} | {count:,} |" for (kind, hops), count in sorted(kinds.items())),
        "graphs": _graphs(rows),
        "confirmed": f"{sum(row['confirmed'] for row in rows):,}",
        "questions": f"{len(rows):,}",
        "licences": card_rows(sorted(text.licences.items())),
    }
    return fill_card(template, fields)


def _of_labels(labels: Sequence[str]) -> dict[str, str]:
    """The fields that depend on which answers there are."""
    absent = [label for label in _LABELS if label not in labels]
    return {
        "labels": " | ".join(label.replace("_", " ") for label in labels),
        "rule": "---:|" * len(labels),
        "never": f"; no answer here is {' or '.join(absent)}" if absent else "",
        "unaffected": _UNAFFECTED if NO_EFFECT in labels else "",
        "limits": _UNAFFECTED_LIMIT if NO_EFFECT in labels else "",
    }


def _graphs(rows: list[dict]) -> str:
    """Rows of the graphs that the questions come from, and how many questions that is: from files, drawn, confirmed."""
    drawn = [row for row in rows if row["graph_source"] == ANNOTATION]
    groups = {
        "file": [row for row in rows if row["graph_source"] != ANNOTATION],
        "drawn": drawn,
        "confirmed": [row for row in drawn if row["graph_confirmed"]],
    }
    # Where people have drawn graphs, it is worth a row that none of them stands.
    told = [name for name, group in groups.items() if group or (name == "confirmed" and drawn)]
    return "\n".join(
        f"| {_GRAPHS[name]} | {len({(row['para_id'], row['graph_id']) for row in groups[name]}):,} "
        f"| {len(groups[name]):,} |"
        for name in told
    )


def _split_row(split: str, rows: list[dict], labels: Sequence[str]) -> str:
    found = Counter(row["label"] for row in rows)
    cells = [
        len(rows),
        *(found[label] for label in labels),
        len({row["topic"] for row in rows}),
        len({row["para_id"] for row in rows}),
        sum(row["confirmed"] for row in rows),
    ]
    return f"| {split} | {' | '.join(f'{cell:,}' for cell in cells)} |"
