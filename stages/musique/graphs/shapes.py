"""The six shapes of a composed question, and how each grows out of a smaller one by one hop.

Hops are numbered 1, 2, ... such that a hop's number is higher than those of the hops
whose answers it asks about. A graph grows in one of two ways. FOLLOW: another hop asks
about the answer of the last. MEET: the last hop asks about the answer of another hop
as well, in another place of its question.
"""

from __future__ import annotations

from dataclasses import dataclass

FOLLOW, MEET = "follow", "meet"


@dataclass(frozen=True)
class Shape:
    """name: as released; edges: (head, tail) in the order in which they were added.

    built: the hops' numbers in the order in which they were added; parent: the shape that it grew out of;
    grows: how, None for the smallest. level: hops.
    """

    name: str
    edges: tuple[tuple[int, int], ...]
    built: tuple[int, ...]
    parent: str = ""
    grows: str | None = None

    @property
    def level(self) -> int:
        return len(self.built)

    @property
    def symmetric(self) -> bool:
        """Two hops could change numbers: the one that the last hop mentions first has the lower."""
        return self.grows == MEET and self.level == 3

    def places(self) -> list[tuple[int, int]]:
        """The edges by the order in which their hops were added, from 1."""
        at = {number: place for place, number in enumerate(self.built, start=1)}
        return [(at[head], at[tail]) for head, tail in self.edges]

    @property
    def last(self) -> int:
        """Which of the hops in order of adding is the one that gives the final answer."""
        return self.built.index(self.level) + 1


SHAPES = (
    Shape("2hop", ((1, 2),), (1, 2)),
    Shape("3hop1", ((1, 2), (2, 3)), (1, 2, 3), "2hop", FOLLOW),
    Shape("3hop2", ((1, 3), (2, 3)), (1, 3, 2), "2hop", MEET),
    Shape("4hop1", ((1, 2), (2, 3), (3, 4)), (1, 2, 3, 4), "3hop1", FOLLOW),
    Shape("4hop2", ((1, 3), (2, 3), (3, 4)), (1, 3, 2, 4), "3hop2", FOLLOW),
    Shape("4hop3", ((1, 2), (2, 4), (3, 4)), (1, 2, 4, 3), "3hop1", MEET),
)
BY_NAME = {shape.name: shape for shape in SHAPES}
