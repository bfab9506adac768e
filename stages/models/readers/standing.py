"""How the paragraph that answers stands among those shown with it, by the words that it shares with the question.

A question in words is mostly answered by the paragraph that has most of its words.
"X >> country" among paragraphs that were searched for by "country" is mostly answered by
the one that was not found so: it has the fewest. Solved questions tell which is which.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from stages.models.readers.questions import kinds

# From most words to fewest; ALIKE where all have as many.
_MOST, _UPPER, ALIKE, _LOWER, _FEWEST = range(5)
_COUNT = 5
_TRUST = 5.0


def standings(shares: Sequence[float]) -> list[int]:
    """Where each paragraph stands by its share of the question's words."""
    found = []
    for share in shares:
        above, below = sum(other > share for other in shares), sum(other < share for other in shares)
        if not above:
            found.append(_MOST if below else ALIKE)
        elif not below:
            found.append(_FEWEST)
        else:
            found.append(_UPPER if above <= below else _LOWER)
    return found


class Standing:
    """What was learnt. Nothing of it depends on the order of the questions."""

    def __init__(self, solved: Iterable[tuple[str, Sequence[float], Sequence[int]]]) -> None:
        """solved: question, shares of the paragraphs shown, places of those that answer."""
        self._kinds: defaultdict[str, Counter[int]] = defaultdict(Counter)
        for question, shares, support in solved:
            if len(shares) > 1:
                where = standings(shares)
                for kind in kinds(question):
                    self._kinds[kind].update(where[place] for place in support)

    def __call__(self, question: str, shares: Sequence[float]) -> list[float]:
        """Logarithm of how likely each paragraph answers, as far as its standing tells."""
        likely = [1 / _COUNT] * _COUNT
        for kind in reversed(kinds(question)):
            if kind in self._kinds:
                counts = self._kinds[kind]
                whole = counts.total() + _TRUST
                likely = [(counts[place] + _TRUST * share) / whole for place, share in enumerate(likely)]
        where = standings(shares)
        alike = Counter(where)
        return [math.log(likely[place] / alike[place]) for place in where]
