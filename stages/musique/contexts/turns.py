"""Deals out the paragraphs beside the supporting ones, so that how often one is seen tells nothing.

A few paragraphs are the best hits of a great many questions. Were they taken each time, a reader would
learn to know them, and that they never support. So each has a limit: so many times its fair share, which is
how often it would stand beside others were that always in proportion to how often it supports. Questions take
one paragraph each in turn, so that none of them gets only what the others left.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from stages.musique.contexts.rings import Ring
from stages.musique.spellings.mentions import mentions

# A paragraph that supports nothing is seen so seldom that its never supporting is no surprise.
NEVER_SUPPORTS = 0.25
# Where a split has few paragraphs, each may be seen so many times as often as all are on average, whatever the bounds.
_LEEWAY = 2
# Both contexts of a question share what it takes first: without that, its supporting paragraphs would stick out.
_SHARED = 4


def limits(
    paragraphs: Collection[str], supports: Mapping[str, int], needed: int, *, most: float, reuse: float
) -> dict[str, int]:
    """Per paragraph how many questions it may stand beside, 1 or more.

    supports: how many questions each supports; needed: how many others all questions want together; most: a bound for
    all, as a number of questions; reuse: bounds in multiples of the fair share.
    """
    share = reuse * needed / max(sum(supports.values()), 1)
    most = max(most, _LEEWAY * needed / max(len(paragraphs), 1))
    return {name: math.ceil(min(most, share * (supports.get(name, 0) or NEVER_SUPPORTS))) or 1 for name in paragraphs}


@dataclass
class Seat:
    """One question while it takes paragraphs. whole, contrast: its contexts so far, the supporting ones first.

    size: of both contexts; barred: what it may not take; sources: where it looks, in turns; last: where it looks when
    they are exhausted; missing: the hop whose answer its contrast lacks; wanted: the forms of that answer. A contrast
    of None is wanted by nobody.
    stand_ins: how many of the next it keeps for the contrast alone, in the places of supporting ones that it lacks:
    else the two would be told apart by how much their paragraphs have to do with the question.
    """

    size: int
    barred: set[str]
    sources: list[Iterator[str]]
    last: Iterator[str]
    whole: list[str]
    contrast: list[str] | None = None
    missing: int = 0
    wanted: Sequence[str] = ()
    stand_ins: int = 0
    turn: int = 0
    seen: set[str] = field(default_factory=set)

    @property
    def full(self) -> bool:
        return len(self.whole) >= self.size and (self.contrast is None or len(self.contrast) >= self.size)

    def take(self, open_to: Mapping[str, int], texts: Mapping[str, str]) -> str | None:
        """The next paragraph that one of its contexts can use, and that has not reached its limit."""
        while self.sources:
            self.turn %= len(self.sources)
            name = self._first(self.sources[self.turn], open_to, texts)
            if name is not None:
                self.turn += 1
                return name
            del self.sources[self.turn]
        return self._first(self.last, open_to, texts)

    def _first(self, source: Iterator[str], open_to: Mapping[str, int], texts: Mapping[str, str]) -> str | None:
        for name in source:
            if name not in self.seen and name not in self.barred and open_to[name]:
                self.seen.add(name)
                if self._use(name, texts):
                    return name
        return None

    def _use(self, name: str, texts: Mapping[str, str]) -> bool:
        contrast = self.contrast if self.contrast is not None and len(self.contrast) < self.size else None
        if contrast is not None and mentions(texts[name], self.wanted):
            contrast = None
        if contrast is not None:
            contrast.append(name)
            if self.stand_ins and len(self.seen) > _SHARED:
                self.stand_ins -= 1
                return True
        if len(self.whole) < self.size:
            self.whole.append(name)
            return True
        return contrast is not None


def deal(seats: Sequence[Seat], left: dict[str, int], rings: Iterable[Ring], texts: Mapping[str, str]) -> None:
    """Fills the contexts of all seats, whose order decides who takes first, as far as limits and sources reach.

    left: limits, which are used up; rings: those that seats walk, which lose what has reached its limit.
    """
    rings = list(rings)
    waiting = list(seats)
    while waiting:
        served = []
        for seat in waiting:
            name = seat.take(left, texts)
            if name is None:
                continue
            left[name] -= 1
            if not left[name]:
                for ring in rings:
                    ring.drop(name)
            if not seat.full:
                served.append(seat)
        waiting = served
