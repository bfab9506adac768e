"""Taking graphs one by one within the caps, without any that is part of another.

Shapes take turns such that each is as near to its target as the others; within a shape
graphs come in random order. A graph that would exceed a cap waits. Where one is taken,
smaller ones of its hops alone go, and make room for others; so waiting graphs are tried
again until no more can be taken. This ends: a larger graph never goes for a smaller one.

Within a shape no trait may be that of more than its share of the graphs taken. As these
become more, so does the room of each trait, which is one more reason to try again; and
where some of them would go for a larger graph, it waits if too many alike would be left.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from stages.core.alive import alive

OVER_ENTITY, OVER_HOP, OVER_SHARE = "over_entity_cap", "over_hop_cap", "over_share_of_shape"
PART, SAME, OVER_TARGET = "part_of_larger", "same_hops", "over_target"


@dataclass(frozen=True, slots=True)
class NumberedGraph:
    """hops, entities, traits: numbers, sorted and without repeats. traits: see `stages.musique.graphs.diversity`."""

    name: str
    shape: str
    hops: tuple[int, ...]
    entities: tuple[int, ...]
    traits: tuple[int, ...] = ()


@dataclass(frozen=True)
class Caps:
    """per_entity, per_hop: the most graphs with one of these.

    share: of a shape's graphs, how many may have one trait; floor: how many may in any case.
    """

    per_entity: int
    per_hop: int
    share: float = 1.0
    floor: int = 1

    def room(self, graphs: int) -> int:
        """The most graphs with one trait among so many of a shape."""
        return max(self.floor, int(self.share * graphs))


class Taken:
    """The graphs taken so far, and what they use up."""

    def __init__(self, caps: Caps) -> None:
        self._caps = caps
        self._entities: Counter[int] = Counter()
        self._hops: Counter[int] = Counter()
        self._parts: Counter[tuple[int, ...]] = Counter()
        self._traits: defaultdict[str, Counter[int]] = defaultdict(Counter)
        self.graphs: dict[tuple[int, ...], NumberedGraph] = {}
        self.shapes: Counter[str] = Counter()

    def barred(self, graph: NumberedGraph) -> str:
        """Why a graph can never be taken beside these; empty where nothing bars it."""
        if self._parts[graph.hops]:
            return PART
        return SAME if graph.hops in self.graphs else ""

    def full(self, graph: NumberedGraph) -> str:
        """Which cap a graph would exceed, without those that would go for it; empty where there is room."""
        gone = self._inside(graph)
        entities = Counter(entity for smaller in gone for entity in smaller.entities)
        if any(self._entities[entity] - entities[entity] >= self._caps.per_entity for entity in graph.entities):
            return OVER_ENTITY
        hops = Counter(hop for smaller in gone for hop in smaller.hops)
        if any(self._hops[hop] - hops[hop] >= self._caps.per_hop for hop in graph.hops):
            return OVER_HOP
        return OVER_SHARE if self._too_alike(graph) or self._leaves_alike(gone) else ""

    def _too_alike(self, graph: NumberedGraph) -> bool:
        """Whether a trait of a graph would be that of more than its share."""
        room, counts = self._caps.room(self.shapes[graph.shape] + 1), self._traits[graph.shape]
        return any(counts[trait] >= room for trait in graph.traits)

    def _leaves_alike(self, gone: Sequence[NumberedGraph]) -> bool:
        """Whether without some graphs a trait would be that of more than its share of the others."""
        for shape, fewer in Counter(graph.shape for graph in gone).items():
            room = self._caps.room(self.shapes[shape] - fewer)
            if room < self._caps.room(self.shapes[shape]):
                less = Counter(trait for graph in gone if graph.shape == shape for trait in graph.traits)
                if any(count - less[trait] > room for trait, count in self._traits[shape].items()):
                    return True
        return False

    def take(self, graph: NumberedGraph) -> list[NumberedGraph]:
        """Takes a graph; returns the smaller ones that go for it."""
        gone = self._inside(graph)
        for smaller in gone:
            self._count(smaller, -1)
            del self.graphs[smaller.hops]
        self._count(graph, 1)
        self.graphs[graph.hops] = graph
        return gone

    def _inside(self, graph: NumberedGraph) -> list[NumberedGraph]:
        return [self.graphs[part] for part in parts(graph.hops) if part in self.graphs]

    def _count(self, graph: NumberedGraph, by: int) -> None:
        self.shapes[graph.shape] += by
        for entity in graph.entities:
            self._entities[entity] += by
        for hop in graph.hops:
            self._hops[hop] += by
        for trait in graph.traits:
            self._traits[graph.shape][trait] += by
        for part in parts(graph.hops):
            self._parts[part] += by


def parts(hops: Sequence[int]) -> Iterable[tuple[int, ...]]:
    """All choices of two or more hops, but not of all; sorted as the hops are."""
    for size in range(2, len(hops)):
        yield from combinations(hops, size)


def take(
    graphs: Mapping[str, Sequence[NumberedGraph]], targets: Mapping[str, int], caps: Caps
) -> tuple[list[NumberedGraph], Counter[tuple[str, str]]]:
    """The graphs taken, and how many others there are by (shape, reason).

    graphs: per shape, in the order in which they are tried.
    """
    taken = Taken(caps)
    left: Counter[tuple[str, str]] = Counter()
    queues = {shape: deque(waiting) for shape, waiting in graphs.items()}
    while True:
        waiting, progress = _pass(queues, targets, taken, left)
        if not progress:
            break
        queues = {shape: deque([*waiting[shape], *queue]) for shape, queue in queues.items()}
    for shape, queue in queues.items():
        left[shape, OVER_TARGET] += len(queue)
        left.update((shape, taken.full(graph) or OVER_TARGET) for graph in waiting[shape])
    return list(taken.graphs.values()), +left


def _pass(
    queues: Mapping[str, deque[NumberedGraph]], targets: Mapping[str, int], taken: Taken, left: Counter[tuple[str, str]]
) -> tuple[dict[str, list[NumberedGraph]], bool]:
    """Tries every graph once; returns those for which there was no room, and whether any was taken."""
    waiting: dict[str, list[NumberedGraph]] = {shape: [] for shape in queues}
    progress = False
    while open_shapes := [shape for shape in queues if queues[shape] and taken.shapes[shape] < targets[shape]]:
        alive()
        shape = min(open_shapes, key=lambda name: taken.shapes[name] / targets[name])
        graph = queues[shape].popleft()
        reason = taken.barred(graph)
        if reason:
            left[shape, reason] += 1
        elif taken.full(graph):
            waiting[shape].append(graph)
        else:
            progress = True
            left.update((smaller.shape, PART) for smaller in taken.take(graph))
    return waiting, progress
