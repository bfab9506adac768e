"""Stage `musique.graph_selection`: which graphs become questions (section 5.1, composition).

No bridge entity is in more than `max_per_entity` questions and no single hop in more
than `max_per_hop`; no question's hops are all part of a larger question; and no two
have the same hops. Of one shape no more than `max_share` have the same last hop, the
same template, a common entity or page or the same answer (see `stages.musique.graphs.diversity`); where
there are too few templates for that, as in hops made for one purpose, templates are free.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from stages.core.contract import Output, Stage, Whole
from stages.core.rejects import Rejects
from stages.core.seeds import rank
from stages.musique.graphs.diversity import TEMPLATE, Trait, diversity, traits
from stages.musique.graphs.greedy import OVER_SHARE, Caps, NumberedGraph, take
from stages.musique.graphs.params import ReasoningGraphParams
from stages.musique.graphs.shapes import SHAPES
from stages.musique.graphs.tables import CANDIDATE_GRAPHS, COMPOSED_HOPS
from stages.musique.single_hops.tables import SINGLE_HOPS
from stages.musique.spellings.answer_forms import digests

_OWN_NUMBER = re.compile(r"#(?=\d)")
# Stands for the sign of a hop while there are others; no text holds it.
_HOP = "\0"


def select(candidate_graphs: pa.Table, single_hops: pa.Table, *, params: ReasoningGraphParams) -> Output:
    """COMPOSED_HOPS from CANDIDATE_GRAPHS and SINGLE_HOPS.

    Metrics: graphs, {shape}_taken, and those of `diversity`. Rejects, keyed by shape with counts: over_entity_cap,
    over_hop_cap, over_share_of_shape, part_of_larger, same_hops, over_target.
    """
    hops = _hops(single_hops, candidate_graphs["hops"])
    rows = {row["graph"]: row for row in candidate_graphs.to_pylist()}
    told = {name: traits(row, [hops[hop] for hop in row["hops"]]) for name, row in rows.items()}
    caps = Caps(params.max_per_entity, params.max_per_hop, params.max_share, params.share_floor)
    taken, left = take(_queues(rows, _capped(rows, told, params.max_share), params.seed), params.targets, caps)
    rejects = Rejects()
    limits = {OVER_SHARE: f"max_share {params.max_share}, share_floor {params.share_floor}"}
    for (shape, reason), count in sorted(left.items()):
        rejects.add(shape, reason, limits.get(reason, ""), count)
    chosen = [rows[name] for name in sorted(graph.name for graph in taken)]
    table = COMPOSED_HOPS.table([row | _described(row, [hops[hop] for hop in row["hops"]]) for row in chosen])
    counts = Counter(graph.shape for graph in taken)
    metrics = {f"{shape.name}_taken": float(counts[shape.name]) for shape in SHAPES} | {"graphs": float(len(taken))}
    metrics |= diversity((graph.shape, told[graph.name]) for graph in taken)
    return Output({COMPOSED_HOPS.name: table}, rejects.table(), metrics)


def steps(questions: Sequence[str], edges: Sequence[Mapping[str, int]]) -> list[str]:
    """The hops' questions, with the number of another hop where its answer is mentioned: "when was #1 born".

    What a question numbers in its own words ("the #1 hit") is written otherwise ("the No. 1 hit").
    """
    written = list(questions)
    # From the back, so that earlier places still hold.
    for edge in sorted(edges, key=lambda edge: edge["start"], reverse=True):
        text = written[edge["to"] - 1]
        written[edge["to"] - 1] = f"{text[: edge['start']]}{_HOP}{edge['from']}{text[edge['end'] :]}"
    return [_OWN_NUMBER.sub("No. ", text).replace(_HOP, "#") for text in written]


def _capped(
    rows: Mapping[str, Mapping[str, Any]], told: Mapping[str, set[Trait]], share: float
) -> dict[str, set[Trait]]:
    """The traits whose share is bounded: without templates in shapes that have too few of them to keep it."""
    templates: defaultdict[str, set[Trait]] = defaultdict(set)
    for name, found in told.items():
        templates[rows[name]["shape"]] |= {trait for trait in found if trait[0] == TEMPLATE}
    free = {shape for shape, found in templates.items() if len(found) * share < 1}
    return {
        name: {trait for trait in found if trait[0] != TEMPLATE} if share and rows[name]["shape"] in free else found
        for name, found in told.items()
    }


def _queues(
    rows: Mapping[str, Mapping[str, Any]], told: Mapping[str, Iterable[Trait]], seed: int
) -> dict[str, list[NumberedGraph]]:
    """Per shape the graphs in random order, the last hops taking turns, so that none comes first many times."""
    queues: dict[str, list[NumberedGraph]] = {shape.name: [] for shape in SHAPES}
    hops, entities, alike = Numbers(), Numbers(), Numbers()
    for name in sorted(rows, key=lambda name: rank(seed, name, "graphs")):
        row = rows[name]
        graph = NumberedGraph(
            name, row["shape"], hops.of(row["hops"]), entities.of(row["entities"]), alike.of(told[name])
        )
        queues[row["shape"]].append(graph)
    return {
        shape: _in_turns(queue, [rows[graph.name]["hops"][-1] for graph in queue]) for shape, queue in queues.items()
    }


def _in_turns(graphs: Sequence[NumberedGraph], keys: Sequence[str]) -> list[NumberedGraph]:
    """The first graph of each key, then the second of each, ..."""
    seen: Counter[str] = Counter()
    turns = []
    for at, key in enumerate(keys):
        turns.append((seen[key], at))
        seen[key] += 1
    return [graphs[at] for _, at in sorted(turns)]


class Numbers:
    """Numbers for values, as they come."""

    def __init__(self) -> None:
        self._known: dict[object, int] = {}

    def of(self, values: Iterable[object]) -> tuple[int, ...]:
        """Sorted, of the distinct values."""
        return tuple(sorted({self._known.setdefault(value, len(self._known)) for value in values}))


def _hops(single_hops: pa.Table, graphs: pa.ChunkedArray) -> dict[str, dict[str, Any]]:
    columns = ["hop", "question", "relation", "answer", "answer_aliases", "title", "paragraph", "source"]
    used = pc.unique(pc.list_flatten(graphs))
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


def stage(params: ReasoningGraphParams | None = None, hops: str = SINGLE_HOPS.name) -> Stage:
    params = params or ReasoningGraphParams()
    return Stage(
        name="musique.graph_selection",
        shape=Whole(),
        kernel=partial(select, params=params),
        inputs=(CANDIDATE_GRAPHS.name, hops),
        outputs=(COMPOSED_HOPS,),
        templates=digests(),
        about="Section 5.1: questions within the caps, none of which is part of another.",
    )
