"""Growing a set of questions that has as little as possible in common with the rest.

Questions are rows, and what they must not share are features: a question's row lists
them by number. A question is touched once it shares a feature with the set. The cost of
a question is the number of untouched questions that its features would touch, counted
once per feature and as often as each weighs, so 0 for one that can be added freely.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


class Incidence:
    """Which question has which feature, both ways. counts: features per question; sizes: questions per feature."""

    def __init__(self, features: Sequence[Sequence[int]], count: int) -> None:
        sizes = np.fromiter((len(row) for row in features), dtype=np.int64, count=len(features))
        self._features = np.fromiter((feature for row in features for feature in row), np.int64, int(sizes.sum()))
        self.counts = sizes
        self._starts = np.concatenate([[0], np.cumsum(sizes)])
        questions = np.repeat(np.arange(len(features)), sizes)
        order = np.argsort(self._features, kind="stable")
        self._questions = questions[order]
        self.sizes = np.bincount(self._features, minlength=count)
        self._first = np.concatenate([[0], np.cumsum(self.sizes)])

    def __len__(self) -> int:
        return len(self._starts) - 1

    def features_of(self, questions: np.ndarray) -> np.ndarray:
        return self._features[_ranges(self._starts[questions], self._starts[questions + 1])]

    def questions_with(self, features: np.ndarray) -> np.ndarray:
        """The questions of each feature, one feature after the other."""
        return self._questions[_ranges(self._first[features], self._first[features + 1])]

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Per question the sum of a value over its features."""
        totals = np.concatenate([[0], np.cumsum(values[self._features])])
        return totals[self._starts[1:]] - totals[self._starts[:-1]]


class Apart:
    """The growing set. costs: per question; touched: whether it shares anything with the set.

    weights: whole numbers, of how many questions each counts for; 1 if not given.
    """

    def __init__(self, incidence: Incidence, weights: np.ndarray | None = None) -> None:
        self._incidence = incidence
        self._weights = np.ones(len(incidence), dtype=np.int64) if weights is None else weights
        every = np.arange(len(incidence))
        self._untouched = np.zeros(len(incidence.sizes), dtype=np.int64)
        np.add.at(self._untouched, incidence.features_of(every), self._spread(every))
        self._open = np.zeros(len(incidence.sizes), dtype=bool)
        self.costs = incidence.sums(self._untouched)
        self.touched = np.zeros(len(incidence), dtype=bool)
        self.chosen = np.zeros(len(incidence), dtype=bool)

    def add(self, question: int) -> np.ndarray:
        """Adds a question and brings all costs up to date; returns the questions whose cost went down."""
        at = self._incidence
        self.chosen[question] = True
        mine = at.features_of(np.array([question]))
        opened = mine[~self._open[mine]]
        # What an open feature holds is touched already, so that it costs nothing any more.
        lowered = self._lower(opened, self._untouched[opened])
        self._open[opened] = True
        met = np.append(at.questions_with(opened), question)
        met = np.unique(met[~self.touched[met]])
        self.touched[met] = True
        shared, places = np.unique(at.features_of(met), return_inverse=True)
        times = np.zeros(len(shared), dtype=np.int64)
        np.add.at(times, places, self._spread(met))
        self._untouched[shared] -= times
        closed = ~self._open[shared]
        return np.concatenate([lowered, self._lower(shared[closed], times[closed])])

    def _spread(self, questions: np.ndarray) -> np.ndarray:
        """The weight of each question, once per feature."""
        return np.repeat(self._weights[questions], self._incidence.counts[questions])

    def _lower(self, features: np.ndarray, by: np.ndarray) -> np.ndarray:
        questions = self._incidence.questions_with(features)
        np.subtract.at(self.costs, questions, np.repeat(by, self._incidence.sizes[features]))
        return questions


class Least:
    """The place of the least of many numbers, some of which change between two times of asking.

    Numbers lie in blocks whose least ones are kept, so that a change costs one block and not all of them.
    """

    NEVER = np.iinfo(np.int64).max
    _BLOCK = 512

    def __init__(self, values: np.ndarray) -> None:
        self._blocks = np.full((-(-len(values) // self._BLOCK), self._BLOCK), self.NEVER, dtype=np.int64)
        self._flat = self._blocks.reshape(-1)
        self._flat[: len(values)] = values
        self._least = self._blocks.min(axis=1, initial=self.NEVER)

    def change(self, places: np.ndarray, values: np.ndarray) -> None:
        """Sets the numbers at some places; NEVER for one that is asked for no more."""
        self._flat[places] = values
        # Places come many times over, so that sorting them would take longer than all else.
        met = np.zeros(len(self._least), dtype=bool)
        met[places // self._BLOCK] = True
        self._least[met] = self._blocks[met].min(axis=1)

    def place(self) -> int | None:
        """Where the least number is, the first of equal ones; None where all are NEVER."""
        block = int(self._least.argmin()) if len(self._least) else 0
        if not len(self._least) or self._least[block] == self.NEVER:
            return None
        return block * self._BLOCK + int(self._blocks[block].argmin())


def _ranges(starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """start, start + 1, ..., end - 1 for each pair, one after the other."""
    sizes = ends - starts
    total = int(sizes.sum())
    return np.repeat(starts - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes) + np.arange(total)
