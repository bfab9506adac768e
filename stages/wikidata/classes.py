"""Stage `wikidata.classes`: which classes lie below the classes that templates name.

Section 3.1 of the QAMPARI paper types answers by P31/P279*. Only ancestors among the
target classes matter, so the graph is walked downwards from each target: the cost is
the number of edges below the targets, not the closure of the whole graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from stages.core.contract import Output, Stage, StageError, TableSpec, Whole
from stages.core.rejects import Rejects
from stages.wikidata.rows import SUBCLASSES
from stages.wikidata.values import is_qid

CLASS_ANCESTORS = TableSpec(
    name="class_ancestors",
    schema=pa.schema(
        [pa.field("class", pa.string(), nullable=False), pa.field("ancestor", pa.string(), nullable=False)]
    ),
    key=("class", "ancestor"),
)


@dataclass(frozen=True)
class ClassParams:
    """targets: QIDs of the classes whose descendants are wanted."""

    targets: tuple[str, ...]

    def __post_init__(self) -> None:
        wrong = [target for target in self.targets if not is_qid(target)]
        if wrong:
            raise StageError(f"wikidata.classes: targets {wrong} are not item ids such as Q5")


def stage(targets: tuple[str, ...]) -> Stage:
    """The stage for some target classes, in any order."""
    params = ClassParams(tuple(sorted(set(targets))))
    return Stage(
        name="wikidata.classes",
        shape=Whole(),
        kernel=partial(classes, params=params),
        outputs=(CLASS_ANCESTORS,),
        inputs=(SUBCLASSES.name,),
        about="Step 2: the closure P279* that typed relations ask for",
    )


def classes(subclasses: pa.Table, *, params: ClassParams) -> Output:
    """Pairs (class, ancestor) for every ancestor among the targets, each target its own ancestor.

    subclasses: child, parent (strings).
    Rejects: `cycle`, one per edge that closes a cycle, with the key of its child; the
    edge still counts, because every class of a cycle lies below every other.
    """
    graph = _Graph(subclasses)
    parts = [_below(graph, target) for target in sorted(set(params.targets))]
    rejects = Rejects()
    for child, parent in graph.closing_edges():
        rejects.add(f"Q{child}", "cycle", f"below Q{parent}, which lies below it")
    return Output(
        {CLASS_ANCESTORS.name: pa.concat_tables([CLASS_ANCESTORS.empty(), *parts]).combine_chunks()},
        rejects.table(),
        {"edges": graph.edges, "classes": graph.classes},
    )


def _below(graph: _Graph, target: str) -> pa.Table:
    found = graph.descendants(int(target[1:]))
    columns = [_qids(found), pa.repeat(pa.scalar(target, pa.string()), len(found))]
    return pa.Table.from_arrays(columns, schema=CLASS_ANCESTORS.schema)


def _numbers(qids: pa.ChunkedArray) -> np.ndarray:
    return pc.utf8_slice_codeunits(qids, 1).cast(pa.int64()).to_numpy()


def _qids(numbers: np.ndarray) -> pa.Array:
    return pc.binary_join_element_wise("Q", pa.array(numbers, pa.int64()).cast(pa.string()), "")


class _Adjacency:
    """Neighbours of nodes 0 to `nodes` - 1 in one direction, as two flat arrays."""

    def __init__(self, tails: np.ndarray, heads: np.ndarray, nodes: int) -> None:
        self._heads = heads[np.lexsort((heads, tails))]
        self._starts = np.zeros(nodes + 1, dtype=np.int64)
        np.cumsum(np.bincount(tails, minlength=nodes), out=self._starts[1:])

    def of(self, node: int) -> np.ndarray:
        return self._heads[self._starts[node] : self._starts[node + 1]]

    def of_all(self, nodes: np.ndarray) -> np.ndarray:
        """The neighbours of several nodes, repeated where several have them."""
        starts, counts = self._starts[nodes], self._starts[nodes + 1] - self._starts[nodes]
        ends = np.cumsum(counts)
        steps = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - counts, counts)
        return self._heads[np.repeat(starts, counts) + steps]


class _Graph:
    """The subclass graph, its classes numbered in the order of their ids."""

    def __init__(self, subclasses: pa.Table) -> None:
        pairs = np.stack([_numbers(subclasses["child"]), _numbers(subclasses["parent"])])
        self._ids, flat = np.unique(pairs, return_inverse=True)
        # One number per edge makes repeated edges equal numbers, which sort faster than pairs.
        edges = np.unique(flat.reshape(2, -1)[0] * max(1, len(self._ids)) + flat.reshape(2, -1)[1])
        self._children, self._parents = np.divmod(edges, max(1, len(self._ids)))
        self._down = _Adjacency(self._parents, self._children, len(self._ids))

    @property
    def edges(self) -> int:
        return len(self._children)

    @property
    def classes(self) -> int:
        return len(self._ids)

    def descendants(self, number: int) -> np.ndarray:
        """The ids of a class and of all below it."""
        at = int(np.searchsorted(self._ids, number))
        if at == len(self._ids) or self._ids[at] != number:
            return np.array([number])
        seen = np.zeros(len(self._ids), dtype=bool)
        place = np.empty(len(self._ids), dtype=np.int64)
        frontier = np.array([at])
        while len(frontier):
            seen[frontier] = True
            found = self._down.of_all(frontier)
            found = found[~seen[found]]
            # Of equal nodes only the one written last finds its own place again.
            place[found] = np.arange(len(found))
            frontier = found[place[found] == np.arange(len(found))]
        return self._ids[seen]

    def closing_edges(self) -> list[tuple[int, int]]:
        """The edges (child, parent) that a walk in the order of the ids finds to close a cycle.

        Without them the graph has no cycle.
        """
        core = np.ones(len(self._ids), dtype=bool)
        up = _Adjacency(self._children, self._parents, len(self._ids))
        # Whoever has a way that ends, up or down, lies on no cycle.
        _peel(core, self._children, self._parents, up)
        _peel(core, self._parents, self._children, self._down)
        inside = core[self._children] & core[self._parents]
        up = _Adjacency(self._children[inside], self._parents[inside], len(self._ids))
        return [(int(self._ids[a]), int(self._ids[b])) for a, b in _back_edges(up, np.flatnonzero(core))]


def _peel(core: np.ndarray, tails: np.ndarray, heads: np.ndarray, ahead: _Adjacency) -> None:
    """Takes off, again and again, the nodes that no edge of those left leads to."""
    left = np.bincount(heads[core[tails] & core[heads]], minlength=len(core))
    frontier = np.flatnonzero(core & (left == 0))
    while len(frontier):
        core[frontier] = False
        found, counts = np.unique(ahead.of_all(frontier), return_counts=True)
        left[found] -= counts
        frontier = found[(left[found] == 0) & core[found]]


def _back_edges(up: _Adjacency, nodes: np.ndarray) -> Iterator[tuple[int, int]]:
    """Edges that lead back to a node of the path being walked, depth first."""
    state = dict.fromkeys(nodes.tolist(), 0)
    for root in nodes.tolist():
        if state[root]:
            continue
        state[root] = 1
        path = [(root, iter(up.of(root).tolist()))]
        while path:
            node, ahead = path[-1]
            following = next(ahead, None)
            if following is None:
                state[node] = 2
                path.pop()
            elif state[following] == 1:
                yield node, following
            elif state[following] == 0:
                state[following] = 1
                path.append((following, iter(up.of(following).tolist())))
