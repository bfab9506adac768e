"""Stage `wikidata.classes`: which classes lie below the classes that templates name, and of what sort they are.

Section 3.1 of the QAMPARI paper types answers by P31/P279*. Only ancestors among the
target classes matter, so the graph is walked downwards from each target: the cost is
the number of edges below the targets, not the closure of the whole graph.

A walk from a target of a known sort does not enter classes of other sorts
(`stages.wikidata.sorts`): a class is of the sort of the nearest class above it that has one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import count

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from stages.core.columns import number, text
from stages.core.contract import Output, Stage, StageError, TableSpec, Whole
from stages.core.rejects import Rejects
from stages.wikidata.rows import SUBCLASSES
from stages.wikidata.sorts import Sorts, fits
from stages.wikidata.values import is_qid

CLASS_ANCESTORS = TableSpec(
    name="class_ancestors",
    schema=pa.schema(
        [pa.field("class", pa.string(), nullable=False), pa.field("ancestor", pa.string(), nullable=False)]
    ),
    key=("class", "ancestor"),
)

CLASS_SORTS = TableSpec(
    name="class_sorts",
    schema=pa.schema([text("class"), text("sort"), number("steps")]),
    key=("class", "sort"),
)
"""The sorts of each class, from the nearest classes above it that have one; steps: of P279 up to these."""

_FAR = np.iinfo(np.int32).max


@dataclass(frozen=True)
class ClassParams:
    """targets: QIDs of the classes whose descendants are wanted.
    sorts: the sorts of some classes, targets or others.
    """

    targets: tuple[str, ...]
    sorts: Sorts = field(default_factory=dict)

    def __post_init__(self) -> None:
        wrong = [qid for qid in (*self.targets, *self.sorts) if not is_qid(qid)]
        if wrong:
            raise StageError(f"wikidata.classes: {wrong} are not item ids such as Q5")


def stage(targets: tuple[str, ...], sorts: Sorts) -> Stage:
    """The stage for some target classes, in any order, and the sorts of them and of other classes."""
    params = ClassParams(tuple(sorted(set(targets))), dict(sorts))
    return Stage(
        name="wikidata.classes",
        shape=Whole(),
        kernel=partial(classes, params=params),
        outputs=(CLASS_ANCESTORS, CLASS_SORTS),
        inputs=(SUBCLASSES.name,),
        about="Step 2: the closure P279* that typed relations ask for, within one sort of thing.",
    )


def classes(subclasses: pa.Table, *, params: ClassParams) -> Output:
    """CLASS_ANCESTORS for every ancestor among the targets, each target its own ancestor, and CLASS_SORTS.

    subclasses: child, parent (strings).
    Rejects: `cycle`, one per edge that closes a cycle, with the key of its child; the
    edge still counts, because every class of a cycle lies below every other.
    """
    graph = _Graph(subclasses)
    nearest = _Nearest(graph, params.sorts)
    parts = [_below(graph, target, nearest) for target in sorted(set(params.targets))]
    rejects = Rejects()
    for child, parent in graph.closing_edges():
        rejects.add(f"Q{child}", "cycle", f"below Q{parent}, which lies below it")
    return Output(
        {
            CLASS_ANCESTORS.name: pa.concat_tables([CLASS_ANCESTORS.empty(), *parts]).combine_chunks(),
            CLASS_SORTS.name: nearest.table(),
        },
        rejects.table(),
        {"edges": graph.edges, "classes": graph.classes},
    )


def _below(graph: _Graph, target: str, nearest: _Nearest) -> pa.Table:
    found = graph.descendants(int(target[1:]), nearest.open_to(target))
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

    def descendants(self, number: int, open_to: np.ndarray) -> np.ndarray:
        """The ids of a class and of all below it, by ways that lead through open classes only."""
        at = self.place(number)
        if at is None:
            return np.array([number])
        seen = ~open_to
        seen[at] = False
        found = [np.empty(0, dtype=np.int64), *self.layers(np.array([at]), seen)]
        return self._ids[np.sort(np.concatenate(found))]

    def place(self, number: int) -> int | None:
        """The number that a class has here; None where no edge names it."""
        at = int(np.searchsorted(self._ids, number))
        return at if at < len(self._ids) and self._ids[at] == number else None

    def layers(self, frontier: np.ndarray, seen: np.ndarray, steps: np.ndarray | None = None) -> Iterator[np.ndarray]:
        """Some classes, then those one step below that were not seen, and so on; what is met is marked as seen.

        steps: per class, the only layer in which it is entered.
        """
        place = np.empty(len(self._ids), dtype=np.int64)
        for step in count(1):
            if not len(frontier):
                return
            seen[frontier] = True
            yield frontier
            found = self._down.of_all(frontier)
            found = found[~seen[found] if steps is None else ~seen[found] & (steps[found] == step)]
            # Of equal nodes only the one written last finds its own place again.
            place[found] = np.arange(len(found))
            frontier = found[place[found] == np.arange(len(found))]

    def names(self, places: np.ndarray) -> pa.Array:
        return _qids(self._ids[places])

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


class _Nearest:
    """The sorts of every class: those of the nearest classes at or above it that have one."""

    def __init__(self, graph: _Graph, sorts: Sorts) -> None:
        self._graph, self._sorts = graph, sorts
        self._steps = np.full(graph.classes, _FAR, dtype=np.int32)
        for steps, layer in enumerate(graph.layers(self._roots(None), np.zeros(graph.classes, dtype=bool))):
            self._steps[layer] = steps
        self._of = {name: self._below(name) for name in sorted({name for named in sorts.values() for name in named})}

    def _roots(self, sort: str | None) -> np.ndarray:
        """The places of the classes that have a sort of their own: this one, or any."""
        named = (qid for qid, own in self._sorts.items() if sort is None or sort in own)
        places = (self._graph.place(int(qid[1:])) for qid in named)
        return np.array(sorted({at for at in places if at is not None}), dtype=np.int64)

    def _below(self, sort: str) -> np.ndarray:
        """The places of the classes to which no other sort is nearer."""
        # The way down from the nearest class leads through classes to which it is the nearest, too.
        walk = self._graph.layers(self._roots(sort), np.zeros(self._graph.classes, dtype=bool), self._steps)
        return np.concatenate([np.empty(0, dtype=np.int64), *walk])

    def open_to(self, target: str) -> np.ndarray:
        """Per class, whether a walk from the target may enter it: any, for a target without a sort."""
        own = self._sorts.get(target, ())
        allowed = np.full(self._graph.classes, not own)
        for name, places in self._of.items():
            if any(fits(name, sort) for sort in own):
                allowed[places] = True
        return allowed

    def table(self) -> pa.Table:
        parts = [CLASS_SORTS.empty()]
        for name, places in self._of.items():
            columns = [self._graph.names(places), pa.repeat(pa.scalar(name, pa.string()), len(places))]
            parts.append(
                pa.Table.from_arrays([*columns, pa.array(self._steps[places], pa.int32())], schema=CLASS_SORTS.schema)
            )
        return pa.concat_tables([*parts, self._unknown()]).combine_chunks()

    def _unknown(self) -> pa.Table:
        """The sorts of classes that no edge names."""
        rows = [
            {"class": qid, "sort": sort, "steps": 0}
            for qid, own in sorted(self._sorts.items())
            if self._graph.place(int(qid[1:])) is None
            for sort in own
        ]
        return CLASS_SORTS.table(rows)


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
