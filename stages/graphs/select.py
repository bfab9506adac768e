"""Stage `graphs.select`: which graphs become questions (section 5.1, composition).

No bridge entity is in more than `max_per_entity` questions and no single hop in more
than `max_per_hop`; no question's hops are all part of a larger question; and no two
have the same hops.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from stages.contract import Output, Stage, Whole
from stages.graphs.greedy import Graph, take
from stages.graphs.params import GraphParams
from stages.graphs.shapes import SHAPES
from stages.graphs.tables import CANDIDATE_GRAPHS, COMPOSED_HOPS
from stages.hops.tables import SINGLE_HOPS
from stages.questions.order import rank
from stages.rejects import Rejects


def select(candidate_graphs: pa.Table, single_hops: pa.Table, *, params: GraphParams) -> Output:
    """COMPOSED_HOPS from CANDIDATE_GRAPHS and SINGLE_HOPS.

    Metrics: graphs, and {shape}_taken. Rejects, keyed by shape with counts: over_entity_cap, over_hop_cap,
    part_of_larger, same_hops, over_target.
    """
    queues = _queues(candidate_graphs, params.seed)
    taken, left = take(queues, params.targets, params.max_per_entity, params.max_per_hop)
    rejects = Rejects()
    for (shape, reason), count in sorted(left.items()):
        rejects.add(shape, reason, count=count)
    names = pa.array(sorted(graph.name for graph in taken), pa.string())
    chosen = candidate_graphs.filter(pc.is_in(candidate_graphs["graph"], names)).to_pylist()
    hops = _hops(single_hops, chosen)
    rows = [row | _described(row, [hops[hop] for hop in row["hops"]]) for row in chosen]
    counts = Counter(graph.shape for graph in taken)
    metrics = {f"{shape.name}_taken": float(counts[shape.name]) for shape in SHAPES}
    return Output(
        {COMPOSED_HOPS.name: COMPOSED_HOPS.table(rows)}, rejects.table(), metrics | {"graphs": float(len(taken))}
    )


def steps(questions: Sequence[str], edges: Sequence[Mapping[str, int]]) -> list[str]:
    """The hops' questions, with the number of another hop where its answer is mentioned."""
    written = list(questions)
    # From the back, so that earlier places still hold.
    for edge in sorted(edges, key=lambda edge: edge["start"], reverse=True):
        text = written[edge["to"] - 1]
        written[edge["to"] - 1] = f"{text[: edge['start']]}#{edge['from']}{text[edge['end'] :]}"
    return written


def _queues(candidate_graphs: pa.Table, seed: int) -> dict[str, list[Graph]]:
    """Per shape the graphs in random order."""
    hops, entities = _numbers(candidate_graphs["hops"]), _numbers(candidate_graphs["entities"])
    names, shapes = candidate_graphs["graph"].to_pylist(), candidate_graphs["shape"].to_pylist()
    queues: defaultdict[str, list[tuple[bytes, Graph]]] = defaultdict(list)
    for graph in map(Graph, names, shapes, hops, entities):
        queues[graph.shape].append((rank(seed, graph.name, "graphs"), graph))
    ordered = {shape.name: sorted(queues[shape.name], key=lambda ranked: ranked[0]) for shape in SHAPES}
    return {shape: [graph for _, graph in ranked] for shape, ranked in ordered.items()}


def _numbers(lists: pa.ChunkedArray) -> list[tuple[int, ...]]:
    """Each list as sorted numbers of its distinct values."""
    known: dict[str, int] = {}
    return [tuple(sorted({known.setdefault(value, len(known)) for value in values})) for values in lists.to_pylist()]


def _hops(single_hops: pa.Table, chosen: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    used = pa.array(sorted({hop for row in chosen for hop in row["hops"]}), pa.string())
    columns = ["hop", "question", "answer", "answer_aliases", "paragraph", "source"]
    rows = single_hops.select(columns).filter(pc.is_in(single_hops["hop"], used))
    return {row["hop"]: row for row in rows.to_pylist()}


def _described(row: Mapping[str, Any], hops: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "question_steps": steps([hop["question"] for hop in hops], row["edges"]),
        "hop_answers": [hop["answer"] for hop in hops],
        "hop_aliases": [hop["answer_aliases"] for hop in hops],
        "paragraphs": [hop["paragraph"] for hop in hops],
        "sources": [hop["source"] for hop in hops],
        "answer": hops[-1]["answer"],
        "answer_aliases": hops[-1]["answer_aliases"],
    }


def stage(params: GraphParams | None = None, hops: str = SINGLE_HOPS.name) -> Stage:
    params = params or GraphParams()
    return Stage(
        name="graphs.select",
        version=1,
        shape=Whole(),
        kernel=partial(select, params=params),
        inputs=(CANDIDATE_GRAPHS.name, hops),
        outputs=(COMPOSED_HOPS,),
        params=params,
        about="Section 5.1: questions within the caps, none of which is part of another.",
    )
