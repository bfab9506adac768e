"""Stage `wiqa.influence_graphs`: graphs with their paragraphs, checked (WIQA, section 3.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa

from stages.core.columns import flag, text, texts
from stages.core.contract import Join, Output, Stage, TableSpec
from stages.core.rejects import Rejects
from stages.core.texts import Refused, form
from stages.wiqa.graph import NODES, InfluenceGraph, check
from stages.wiqa.graph_files import RAW_GRAPHS
from stages.wiqa.paragraphs import PARAGRAPHS, topic_name

GRAPHS = TableSpec(
    name="graphs",
    schema=pa.schema(
        [
            text("para_id"),
            text("graph_id"),
            text("topic"),
            text("prompt"),
            texts("sentences"),
            *(texts(node) for node in NODES),
            text("y_affects"),
            flag("confirmed"),
            text("source"),
        ]
    ),
    key=("para_id", "graph_id"),
)
"""One row per sound graph. topic, prompt, sentences: of its paragraph; V ... D: the texts of each node, [] if missing;
y_affects: more, less or neither; confirmed: whether people have confirmed the graph; source: file or annotation."""


def graphs(*tables: pa.Table) -> Output:
    """GRAPHS from one bucket by para_id: one or more tables of RAW_GRAPHS, and last PARAGRAPHS.

    A paragraph that is not among the paragraphs is taken from its first graph that holds it, and then its
    prompt is its topic unless the graph states one. Rejects, keyed "para_id graph_id": unknown_paragraph,
    no_topic, no_x, no_path, repeated_in_opposite, duplicate (the graph came from an earlier table too).
    """
    *raw, paragraphs = tables
    known = {row["para_id"]: row for row in paragraphs.to_pylist()}
    rejects, metrics = Rejects(), Counter(graphs=0, own_paragraphs=0, other_paragraph_texts=0)
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for row in (row for table in raw for row in table.sort_by("graph_id").to_pylist()):
        place = (row["para_id"], row["graph_id"])
        try:
            if place in found:
                raise Refused("duplicate", f"{RAW_GRAPHS.name}: also from {found[place]['source']}")
            check(graph_of(row))
            paragraph = known.setdefault(row["para_id"], _own_paragraph(row, known, metrics))
            metrics["other_paragraph_texts"] += _differ(row["sentences"], paragraph["sentences"])
            carried = {name: paragraph[name] for name in ("topic", "sentences")}
            found[place] = row | carried | {"prompt": paragraph["prompt"] or row["prompt"] or ""}
        except Refused as fault:
            rejects.add(" ".join(place), fault.reason, str(fault))
    metrics["graphs"] = len(found)
    return Output(
        {GRAPHS.name: GRAPHS.table(list(found.values()))},
        rejects.table(),
        {name: float(count) for name, count in metrics.items()},
    )


def graph_of(row: Mapping[str, Any]) -> InfluenceGraph:
    """The graph of a row of RAW_GRAPHS or GRAPHS."""
    return InfluenceGraph({node: row[node] for node in NODES}, row["y_affects"])


def _own_paragraph(
    row: Mapping[str, Any], known: Mapping[str, Mapping[str, Any]], metrics: Counter[str]
) -> Mapping[str, Any]:
    """The paragraph of a graph: as known, else as the graph itself tells it."""
    if row["para_id"] in known:
        return known[row["para_id"]]
    if not row["sentences"]:
        raise Refused("unknown_paragraph", "neither the paragraphs nor the graph itself hold its text")
    topic = row["topic"] or row["prompt"]
    if not topic:
        raise Refused("no_topic", row["sentences"][0])
    metrics["own_paragraphs"] += 1
    return {"topic": topic_name(topic), "prompt": row["prompt"] or "", "sentences": row["sentences"]}


def _differ(own: Iterable[str], known: Iterable[str]) -> bool:
    """Whether a graph gives a paragraph of its own that is not the known one."""
    text = form(" ".join(own))
    return bool(text) and text != form(" ".join(known))


def stage(raw: tuple[str, ...] = (RAW_GRAPHS.name,)) -> Stage:
    """raw: names of tables of RAW_GRAPHS, such as graphs from files and graphs from annotations; the first wins."""
    on = ("para_id",)
    return Stage(
        name="wiqa.influence_graphs",
        shape=Join(on=(on,) * (len(raw) + 1)),
        kernel=graphs,
        inputs=(*raw, PARAGRAPHS.name),
        outputs=(GRAPHS,),
        about="Section 3.1: influence graphs with their paragraphs, checked.",
    )
