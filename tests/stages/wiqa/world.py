"""Graphs and tables for tests of the influence stages."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from manifests.digest import rows_digest
from stages.core.contract import Output
from stages.wiqa.balancing import BalanceParams, balance, chosen
from stages.wiqa.changes import PoolParams, changes, pool
from stages.wiqa.graph import EDGES, NEITHER, NODES, InfluenceGraph, edge_sign
from stages.wiqa.influence_graphs import GRAPHS
from stages.wiqa.no_effect import NoEffectParams, no_effect
from stages.wiqa.path_questions import questions
from stages.wiqa.sizes import sizes
from stages.wiqa.splits import TopicSplitParams, topic_splits

Row = dict[str, Any]


def full(name: str = "", groundings: int = 2) -> dict[str, list[str]]:
    """A full graph: `groundings` texts in V, Z, U and W, one in the others; all texts differ."""
    count = dict.fromkeys(NODES, 1) | dict.fromkeys("VZUW", groundings)
    return {node: [f"{node.lower()} {n} {name}".strip() for n in range(count[node])] for node in NODES}


def graph_row(para: str = "1", graph: str = "1", topic: str = "rain", y_affects: str = "more", **nodes: Any) -> Row:
    """A row of GRAPHS; `nodes` replaces those of a full graph."""
    return {
        "para_id": para,
        "graph_id": graph,
        "topic": topic,
        "prompt": f"How does {topic} form?",
        "sentences": [f"Something about {topic} happens in {para}.", "It ends."],
        "y_affects": y_affects,
        "confirmed": False,
        "source": "file",
    } | (full(f"{para} {graph}") | nodes)


def table(rows: Iterable[Row]) -> pa.Table:
    return GRAPHS.table(list(rows))


def many(topics: int = 6, paragraphs: int = 2, graphs: int = 2) -> list[Row]:
    """Full graphs over several topics, alternating in what Y does to the outcome."""
    rows = []
    for number in range(topics * paragraphs * graphs):
        para = number // graphs
        affects = ("more", "less", NEITHER)[number % 3]
        rows.append(graph_row(f"p{para}", str(number), f"topic {para // paragraphs}", affects))
    return rows


def brute_questions(row: Mapping[str, Any]) -> set[tuple[str, str, int, str]]:
    """(change, effect, hops, label) by walking a graph's edges one by one."""
    graph = InfluenceGraph({node: row[node] for node in NODES}, row["y_affects"])
    signs = {edge: sign for edge in EDGES if (sign := edge_sign(*edge, graph.y_affects)) is not None}
    signs = {edge: sign for edge, sign in signs.items() if all(map(graph.has, edge))}
    found = set()
    frontier = [((source, target), sign) for (source, target), sign in signs.items()]
    while frontier:
        for path, sign in frontier:
            for change, effect in itertools.product(row[path[0]], row[path[-1]]):
                found.add((change, effect, len(path) - 1, "more" if sign > 0 else "less"))
        frontier = [
            ((*path, target), sign * further)
            for path, sign in frontier
            for (source, target), further in signs.items()
            if source == path[-1]
        ]
    return found


def run(
    rows: Sequence[Row], shards: int = 1, targets: BalanceParams | None = None, seed: int = 0
) -> dict[str, pa.Table]:
    """Every table from graphs to chosen questions, with the graphs in some shards by paragraph."""
    targets = targets or BalanceParams(seed=seed)
    paras = sorted({row["para_id"] for row in rows})
    parts = [table([row for row in rows if row["para_id"] in set(paras[n::shards])]) for n in range(shards)]
    asked = [questions(part) for part in parts]
    measured = joined([sizes(p, a.tables["path_strata"]) for p, a in zip(parts, asked, strict=True)], "topic_sizes")
    splits = topic_splits(measured, params=TopicSplitParams(seed=seed)).tables["topic_splits"]
    candidates = joined([changes(part, splits, params=PoolParams(seed=seed)) for part in parts], "change_candidates")
    borrowed = pool(candidates, params=PoolParams(seed=seed)).tables["change_pool"]
    foreign = [no_effect(part, splits, borrowed, params=NoEffectParams(seed=seed)) for part in parts]
    tables = {name: joined(asked, name) for name in ("path_questions", "path_strata")}
    tables |= {name: joined(foreign, name) for name in ("no_effect_questions", "no_effect_strata")}
    tables |= {"topic_splits": splits, "change_pool": borrowed, "graphs": pa.concat_tables(parts)}
    strata = (tables["path_strata"], tables["no_effect_strata"])
    tables["question_quotas"] = balance(*strata, splits, params=targets).tables["question_quotas"]
    both = (tables["path_questions"], tables["no_effect_questions"])
    tables |= chosen(*both, tables["question_quotas"], params=targets).tables
    return tables


def joined(outputs: Sequence[Output], name: str) -> pa.Table:
    return pa.concat_tables([output.tables[name] for output in outputs])


def digest(found: pa.Table, *key: str) -> str:
    """Of the rows in the order of their key."""
    return rows_digest(found.sort_by([(name, "ascending") for name in key]).combine_chunks())
