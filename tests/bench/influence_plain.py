"""The questions of influence graphs in straightforward Python: one graph, one path, one pair of texts at a time."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from typing import Any

from stages.core.texts import form
from stages.wiqa.graph import EDGES, NODES, InfluenceGraph, edge_sign

Row = dict[str, Any]


def questions(graphs: list[Row]) -> list[Row]:
    """As `stages.wiqa.path_questions.questions`, without its ids."""
    groups: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in sorted(graphs, key=lambda row: (row["para_id"], row["graph_id"])):
        for asked in _of_graph(row):
            groups[row["para_id"], form(asked["change"]), form(asked["effect"])].append(asked)
    kept = []
    for (_, change, effect), same in groups.items():
        if change != effect and len({asked["label"] for asked in same}) == 1:
            kept.append(min(same, key=lambda asked: asked["hops"]))
    return kept


def _of_graph(row: Row) -> list[Row]:
    graph = InfluenceGraph({node: row[node] for node in NODES}, row["y_affects"])
    found: dict[tuple[str, str, str, str], Row] = {}
    paths = [((source, target), _sign(graph, source, target)) for source, target in EDGES]
    while paths := [(path, sign) for path, sign in paths if sign]:
        for path, sign in paths:
            for change, effect in product(row[path[0]], row[path[-1]]):
                asked = {
                    "para_id": row["para_id"],
                    "change": change,
                    "effect": effect,
                    "label": "more" if sign > 0 else "less",
                    "hops": len(path) - 1,
                    "stem": f"suppose {change} happens, how will it affect {effect}.",
                }
                found.setdefault((path[0], path[-1], change, effect), asked)
        paths = [
            ((*path, target), sign * _sign(graph, source, target))
            for path, sign in paths
            for source, target in EDGES
            if source == path[-1]
        ]
    return list(found.values())


def _sign(graph: InfluenceGraph, source: str, target: str) -> int:
    if not graph.has(source) or not graph.has(target):
        return 0
    return edge_sign(source, target, graph.y_affects) or 0
