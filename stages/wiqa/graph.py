"""The influence graph: its nodes, its signed edges, and what makes one unusable (WIQA, section 3).

    Z --+--> X --+--> Y --s--> A (the outcome happens more)
    V --(-)-> X      Y --(-s)-> D (the outcome happens less)
    U --(-)-> Y
    X --(-)-> W --(-s)-> A, W --s--> D

s is + where Y helps the outcome and - where it hurts it. The graph is balanced: every
node has a sign of its own (its polarity), each edge's sign is the product of those of
its ends, and so is the effect along any path, whichever way it takes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from stages.core.texts import Refused, form

NODES = ("V", "Z", "X", "U", "W", "Y", "A", "D")
OUTCOMES = ("A", "D")
OUTSIDE = ("V", "Z")
CHANGES = ("Z", "V", "X", "U", "Y", "W")
MORE, LESS, NO_EFFECT = "more", "less", "no_effect"
NEITHER = "neither"

# Polarity where Y helps the outcome; where it hurts it, A and D swap theirs.
POLARITY = {"V": -1, "Z": 1, "X": 1, "U": -1, "W": -1, "Y": 1, "A": 1, "D": -1}
EDGES = (("Z", "X"), ("V", "X"), ("X", "Y"), ("U", "Y"), ("X", "W"), ("Y", "A"), ("Y", "D"), ("W", "A"), ("W", "D"))

EXOGENOUS, IN_PARAGRAPH, DISTRACTOR = "EXOGENOUS_EFFECT", "INPARA_EFFECT", "OUTOFPARA_DISTRACTOR"


@dataclass(frozen=True)
class InfluenceGraph:
    """One graph: the phrasings of each node it has, and what Y does to the outcome (more, less or neither)."""

    groundings: Mapping[str, Sequence[str]]
    y_affects: str = MORE

    def has(self, node: str) -> bool:
        return bool(self.groundings.get(node))


def _paths() -> tuple[tuple[str, ...], ...]:
    """All paths of 1 to 3 edges: the shorter first, then in the order of the edges."""
    found: list[tuple[str, ...]] = []
    longest: list[tuple[str, ...]] = list(EDGES)
    while longest:
        found += longest
        longest = [(*path, end) for path in longest for start, end in EDGES if start == path[-1]]
    return tuple(found)


PATHS = _paths()
"""The 27 paths of a full graph. A path's place in this list is its number in question ids, whatever a graph lacks."""

PAIRS = tuple(dict.fromkeys((path[0], path[-1]) for path in PATHS))
"""The 21 pairs of (change, effect) that these paths join. All paths of one pair are equally long."""


def polarity(node: str, y_affects: str) -> int:
    """+1 or -1; the effect of one node on another is the product of their polarities."""
    return -POLARITY[node] if node in OUTCOMES and y_affects == LESS else POLARITY[node]


def edge_sign(source: str, target: str, y_affects: str) -> int | None:
    """+1 or -1; None where the graph has no such edge."""
    if (source, target) not in EDGES or (target in OUTCOMES and y_affects == NEITHER):
        return None
    return polarity(source, y_affects) * polarity(target, y_affects)


def label(source: str, target: str, y_affects: str) -> str:
    """more or less: what a change at `source` does to `target`, where a path joins them."""
    return MORE if polarity(source, y_affects) == polarity(target, y_affects) else LESS


def paths(graph: InfluenceGraph, source: str, target: str) -> list[tuple[str, ...]]:
    """The paths from one node to another that the graph has, in the order of PATHS."""
    return [path for path in PATHS if (path[0], path[-1]) == (source, target) and exists(graph, path)]


def exists(graph: InfluenceGraph, path: Sequence[str]) -> bool:
    """A path needs all its nodes, and an outcome needs a Y that affects it."""
    return all(graph.has(node) for node in path) and (path[-1] not in OUTCOMES or graph.y_affects != NEITHER)


def question_type(source: str) -> str:
    """EXOGENOUS_EFFECT where the change comes from outside the paragraph, else INPARA_EFFECT."""
    return EXOGENOUS if source in OUTSIDE else IN_PARAGRAPH


def check(graph: InfluenceGraph) -> None:
    """Raises Refused where no sound question can be asked: no_x, no_path, repeated_in_opposite."""
    if not graph.has("X"):
        raise Refused("no_x", "no change within the paragraph")
    if not any(exists(graph, edge) for edge in EDGES):
        raise Refused("no_path", f"no two of its nodes are joined: {' '.join(filter(graph.has, NODES))}")
    forms = {node: {form(text) for text in graph.groundings.get(node, ())} for node in NODES}
    for first, second in combinations(NODES, 2):
        if graph.y_affects == NEITHER and {first, second} & {*OUTCOMES} and {first, second} != {*OUTCOMES}:
            continue
        opposite = polarity(first, graph.y_affects) != polarity(second, graph.y_affects)
        if opposite and (shared := forms[first] & forms[second]):
            raise Refused("repeated_in_opposite", f"{first} and {second}: {min(shared)}")


def outcome_effect(affects: str | None, is_outcome: str | None) -> str:
    """What Y does to the outcome, from the two fields of a released graph.

    Y_is_outcome is set where Y is the outcome itself, happening more or less, and must then agree.

    Raises Refused: bad_outcome, contradictory_outcome.
    """
    first, second = _direction("Y_affects_outcome", affects), _direction("Y_is_outcome", is_outcome)
    if NEITHER not in (first, second) and first != second:
        raise Refused("contradictory_outcome", f"Y_affects_outcome is {affects!r}, Y_is_outcome {is_outcome!r}")
    return second if first == NEITHER else first


# The release's own loader knows the letters of the two outcome nodes as well.
_OUTCOMES = {MORE: MORE, LESS: LESS, "a": MORE, "d": LESS}


def _direction(name: str, value: str | None) -> str:
    word = form(value or "").replace("_", " ").strip("- ")
    if word in _OUTCOMES:
        return _OUTCOMES[word]
    if word in ("", "neither", "none", "no", "no effect"):
        return NEITHER
    raise Refused("bad_outcome", f"{name}: expected more, less or neither, got {value!r}")
