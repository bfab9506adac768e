"""Stage `wiqa.no_effect`: questions whose change has nothing to do with their effect (WIQA, section 3.2).

Each graph gives a number of places; each place takes one of the graph's effects in turn
and draws a change from the pool of its split. A draw that the paragraph or its topic
knows is drawn again, so the work grows with the number of questions, not with the
number of pairs of graphs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from stages.core.contract import Map, Output, Stage
from stages.core.limits import at_least
from stages.core.rejects import Rejects
from stages.core.splits import SPLITS
from stages.wiqa.changes import CHANGE_POOL
from stages.wiqa.graph import DISTRACTOR, NO_EFFECT
from stages.wiqa.influence_graphs import GRAPHS
from stages.wiqa.phrases import Phrases, codes, lay_out
from stages.wiqa.splits import TOPIC_SPLITS
from stages.wiqa.tables import NO_EFFECT_QUESTIONS, NO_EFFECT_STRATA, strata

EFFECTS = ("X", "Y", "W", "A", "D")
_MIX = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


@dataclass(frozen=True)
class NoEffectParams:
    """seed: of the draws; per_graph: the most questions of one graph (balancing takes a part of them);
    draws: how often a place may draw before it is given up."""

    seed: int = 0
    per_graph: int = 21
    draws: int = 32

    def __post_init__(self) -> None:
        at_least(self, 1, "per_graph", "draws")


def no_effect(graphs: pa.Table, topic_splits: pa.Table, pool: pa.Table, *, params: NoEffectParams) -> Output:
    """NO_EFFECT_QUESTIONS and NO_EFFECT_STRATA of all graphs of some paragraphs.

    A change is of another topic, and no graph of the paragraph knows its text in any node. Rejects, keyed
    "para_id graph_id" with a count: no_foreign_change (no draw of a place was allowed), duplicate_text
    (the paragraph has the pair already).
    """
    graphs = graphs.sort_by([(name, "ascending") for name in GRAPHS.key]).combine_chunks()
    pool = pool.sort_by([("split", "ascending"), ("rank", "ascending")]).combine_chunks()
    places = _places(graphs, lay_out(graphs), params)
    of_topic = dict(zip(topic_splits["topic"].to_pylist(), topic_splits["split"].to_pylist(), strict=True))
    split = np.array([SPLITS.index(of_topic[topic]) for topic in graphs["topic"].to_pylist()], dtype=np.int64)
    drawn = _draw(graphs, pool, split, places, params)
    taken = drawn >= 0
    repeated = _repeated(graphs, pool, places, drawn)
    rejects = Rejects()
    _count(rejects, graphs, places.graph[~taken], "no_foreign_change")
    _count(rejects, graphs, places.graph[repeated], "duplicate_text")
    table = _table(graphs, pool, places, drawn, np.flatnonzero(taken & ~repeated))
    return Output(
        {NO_EFFECT_QUESTIONS.name: table, NO_EFFECT_STRATA.name: strata(table, NO_EFFECT_STRATA)},
        rejects.table(),
        {"no_effect_questions": float(table.num_rows)},
    )


@dataclass(frozen=True)
class _Places:
    """One entry per question wanted: row of its graph, number within it, its effect's phrase and node (of EFFECTS)."""

    graph: np.ndarray
    number: np.ndarray
    effect: np.ndarray
    node: np.ndarray
    phrases: Phrases


def _places(graphs: pa.Table, phrases: Phrases, params: NoEffectParams) -> _Places:
    """`per_graph` places per graph over its effects in turn, beginning with one that the seed chooses."""
    counts = np.stack([phrases.counts[node] for node in EFFECTS], axis=1)
    ends = np.cumsum(counts, axis=1)
    total = ends[:, -1]
    sizes = np.where(total > 0, params.per_graph, 0)
    graph = np.repeat(np.arange(graphs.num_rows), sizes)
    number = np.arange(len(graph)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    first = _hashes(graphs, f"{params.seed}\x1feffects") % np.maximum(total, 1).astype(np.uint64)
    turn = (first.astype(np.int64)[graph] + number) % np.maximum(total, 1)[graph]
    node = (turn[:, None] >= ends[graph]).sum(axis=1)
    within = turn - np.where(node > 0, ends[graph, np.maximum(node - 1, 0)], 0)
    starts = np.stack([phrases.starts[name] for name in EFFECTS], axis=1)
    return _Places(graph, number, starts[graph, node] + within, node, phrases)


def _draw(graphs: pa.Table, pool: pa.Table, split: np.ndarray, places: _Places, params: NoEffectParams) -> np.ndarray:
    """Per place the row of the pool that it draws; -1 where no draw was allowed."""
    order = np.array([SPLITS.index(name) for name in pool["split"].to_pylist()], dtype=np.int64)
    sizes = np.bincount(order, minlength=len(SPLITS))
    starts = np.array([int(np.argmax(order == number)) if size else 0 for number, size in enumerate(sizes)])
    allowed = _Allowed(graphs, pool, places.phrases)
    base = _hashes(graphs, f"{params.seed}\x1fchanges")[places.graph]
    drawn = np.full(len(places.graph), -1)
    size, start = sizes[split[places.graph]], starts[split[places.graph]]
    waiting = np.flatnonzero(size > 0)
    for attempt in range(params.draws):
        if not len(waiting):
            break
        step = places.number[waiting].astype(np.uint64) * np.uint64(params.draws) + np.uint64(attempt)
        chosen = start[waiting] + (_mix(base[waiting] + step * _MIX[0]) % size[waiting].astype(np.uint64)).astype(
            np.int64
        )
        good = allowed(places.graph[waiting], chosen)
        drawn[waiting[good]] = chosen[good]
        waiting = waiting[~good]
    return drawn


class _Allowed:
    """Whether graphs may borrow changes: of another topic, and in no node of any graph of their paragraph."""

    def __init__(self, graphs: pa.Table, pool: pa.Table, phrases: Phrases) -> None:
        topics = {topic: number for number, topic in enumerate(sorted(set(graphs["topic"].to_pylist())))}
        self._topic = np.array([topics[topic] for topic in graphs["topic"].to_pylist()], dtype=np.int64)
        self._pool_topic = np.array([topics.get(topic, -1) for topic in pool["topic"].to_pylist()], dtype=np.int64)
        forms = {form: number for number, form in enumerate(phrases.forms)}
        self._pool_code = np.array([forms.get(form, -1) for form in pool["form"].to_pylist()], dtype=np.int64)
        self._paragraph = codes(graphs["para_id"])
        self._width = len(forms) + 1
        graph = np.concatenate([np.repeat(np.arange(graphs.num_rows), n) for n in phrases.counts.values()])
        self._known = np.unique(self._paragraph[graph] * self._width + phrases.code)

    def __call__(self, graph: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        code = self._pool_code[chosen]
        known = np.isin(self._paragraph[graph] * self._width + code, self._known) & (code >= 0)
        return (self._topic[graph] != self._pool_topic[chosen]) & ~known


def _repeated(graphs: pa.Table, pool: pa.Table, places: _Places, drawn: np.ndarray) -> np.ndarray:
    """Places whose paragraph has their change and effect at an earlier place."""
    paragraph = codes(graphs["para_id"])[places.graph]
    keys = np.stack([paragraph, places.phrases.code[places.effect], drawn])
    order = np.lexsort((places.number, places.graph, *keys[::-1]))
    repeated = np.zeros(len(order), bool)
    repeated[order[1:]] = (keys[:, order[1:]] == keys[:, order[:-1]]).all(axis=0)
    return repeated & (drawn >= 0)


def _table(graphs: pa.Table, pool: pa.Table, places: _Places, drawn: np.ndarray, kept: np.ndarray) -> pa.Table:
    own = graphs.select(["para_id", "graph_id", "topic"]).take(pa.array(places.graph[kept]))
    borrowed = pool.take(pa.array(drawn[kept]))
    number = pa.array(places.number[kept]).cast(pa.string())
    n = len(kept)
    return pa.table(
        {
            "question": pc.binary_join_element_wise("out_of_para", own["para_id"], own["graph_id"], number, ":"),
            **{name: own[name] for name in own.schema.names},
            "source_node": borrowed["node"],
            "target_node": pa.array(EFFECTS).take(pa.array(places.node[kept])),
            "change": borrowed["change"],
            "effect": places.phrases.texts.take(pa.array(places.effect[kept])),
            "label": pa.repeat(NO_EFFECT, n),
            "hops": pa.repeat(pa.scalar(0, pa.int32()), n),
            "path": pa.array([[]] * n, pa.list_(pa.string())),
            "question_type": pa.repeat(DISTRACTOR, n),
            "from_para": borrowed["para_id"],
            "from_graph": borrowed["graph_id"],
            "confirmed": pa.repeat(False, n),
        },
        schema=NO_EFFECT_QUESTIONS.schema,
    )


def _count(rejects: Rejects, graphs: pa.Table, rows: np.ndarray, reason: str) -> None:
    numbers, counts = np.unique(rows, return_counts=True)
    named = graphs.select(["para_id", "graph_id"]).take(pa.array(numbers)).to_pylist()
    for row, count in zip(named, counts.tolist(), strict=True):
        rejects.add(f"{row['para_id']} {row['graph_id']}", reason, count=count)


def _hashes(graphs: pa.Table, purpose: str) -> np.ndarray:
    """64 random bits per graph that depend on its ids alone."""
    places: Iterable[tuple[str, str]] = zip(graphs["para_id"].to_pylist(), graphs["graph_id"].to_pylist(), strict=True)
    texts = (f"{purpose}\x1f{para_id}\x1f{graph_id}".encode() for para_id, graph_id in places)
    data = b"".join(hashlib.blake2b(text, digest_size=8).digest() for text in texts)
    return np.frombuffer(data, dtype="<u8").astype(np.uint64)


def _mix(values: np.ndarray) -> np.ndarray:
    """Spreads each number over all 64 bits (the finaliser of SplitMix64)."""
    values = (values ^ (values >> np.uint64(30))) * _MIX[1]
    values = (values ^ (values >> np.uint64(27))) * _MIX[2]
    return values ^ (values >> np.uint64(31))


def stage(params: NoEffectParams | None = None) -> Stage:
    params = params or NoEffectParams()
    return Stage(
        name="wiqa.no_effect",
        shape=Map(),
        kernel=partial(no_effect, params=params),
        inputs=(GRAPHS.name,),
        side=(TOPIC_SPLITS.name, CHANGE_POOL.name),
        outputs=(NO_EFFECT_QUESTIONS, NO_EFFECT_STRATA),
        about="Section 3.2: questions whose change comes from another topic and has no effect.",
    )
