"""Names in a random order, walked from any place, from which names are taken for good.

A step over names that are gone costs next to nothing however many they are, so that a ring can be
walked from a hundred thousand places.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from stages.core.seeds import shuffled


class Ring:
    """times: how often each name stands in the ring; purpose: makes the orders of several rings independent."""

    def __init__(self, times: Mapping[str, int], seed: int, purpose: str) -> None:
        copies = {f"{name}\x1f{copy}": name for name, count in times.items() for copy in range(count)}
        self._names = [copies[key] for key in shuffled(copies, seed, purpose)]
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        for place, name in enumerate(self._names):
            self._places[name].append(place)
        # Per place the next one that may still hold a name; one more stands for the end.
        self._next = list(range(len(self._names) + 1))

    def drop(self, name: str) -> None:
        """Takes a name out, if it is there."""
        for place in self._places.pop(name, ()):
            self._next[place] = place + 1

    def walk(self, start: int) -> Iterator[str]:
        """Once around from a place (any number); of names that stand there more than once, every time."""
        count = len(self._names)
        first = start % count if count else 0
        for place, end in ((first, count), (0, first)):
            while (place := self._find(place)) < end:
                yield self._names[place]
                place += 1

    def _find(self, place: int) -> int:
        """The first place from here on that holds a name; shortens the way there for the next one who asks."""
        end = place
        while self._next[end] != end:
            end = self._next[end]
        while self._next[place] != end:
            self._next[place], place = end, self._next[place]
        return end
