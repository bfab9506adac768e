"""Graphs by hand, as the graph stages leave them."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from stages.musique.contexts.tables import CONTEXTS, NO_HOP
from stages.musique.graphs.shapes import BY_NAME
from stages.musique.graphs.tables import COMPOSED_HOPS

ADA = ["Where was Ada born?", "#1 >> country"]
ADA_ANSWERS = ["Brig", "Norland"]


def graph(shape: str, steps: list[str], answers: list[str], prefix: str = "h", **more: Any) -> dict[str, Any]:
    """A row of COMPOSED_HOPS; spans of mentions are not told, as nothing here reads them."""
    hops = [f"{prefix}:{number}" for number in range(1, len(steps) + 1)]
    edges = [{"from": head, "to": tail, "start": 0, "end": 1} for head, tail in BY_NAME[shape].edges]
    row = {
        "graph": f"{shape}__{'_'.join(hops)}",
        "shape": shape,
        "hops": hops,
        "edges": edges,
        "entities": [answers[edge["from"] - 1].lower() for edge in edges],
        "tokens": sum(len(step.split()) for step in steps),
        "question_steps": steps,
        "hop_answers": answers,
        "hop_aliases": [[] for _ in steps],
        "paragraphs": [f"p{hop}" for hop in hops],
        "sources": ["squad" for _ in steps],
        "answer": answers[-1],
        "answer_aliases": [],
    }
    return row | more


def hops_table(*rows: dict[str, Any]) -> pa.Table:
    return COMPOSED_HOPS.table(list(rows))


def shown(number: int, supports: int = NO_HOP) -> dict[str, Any]:
    return {"paragraph": f"p{number}", "title": f"Title {number}", "text": f"Text {number}.", "supports": supports}


def contexts_table(row: dict[str, Any], split: str = "dev", missing: int = 0) -> pa.Table:
    """A context of a graph with one paragraph that supports nothing, then those of its hops; with its contrast."""
    supports = range(1, len(row["hops"]) + 1)
    whole = [shown(0), *(shown(hop, hop) for hop in supports)]
    contrast = [shown(0), *(shown(hop, hop) for hop in supports if hop != missing), shown(9)]
    rows = [{"question": row["graph"], "answerable": True, "split": split, "missing": 0, "paragraphs": whole}]
    if missing:
        rows.append(
            {
                "question": row["graph"],
                "answerable": False,
                "split": split,
                "missing": missing,
                "paragraphs": contrast,
            }
        )
    return CONTEXTS.table(rows)
