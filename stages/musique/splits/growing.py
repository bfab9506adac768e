"""A set of questions that grows by the cheapest ones, each stratum by its share, no answer beyond its room."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stages.core.quota import share_out
from stages.musique.splits.apart import Apart, Incidence, Least


def incidence(features: Sequence[Sequence[int]]) -> Incidence:
    """Which question has which feature, by number."""
    return Incidence(features, 1 + max((number for row in features for number in row), default=-1))


class Growing:
    """The set. features, answers: per question, by number; strata: each question's kind; order: its place by chance;
    weights: for how many questions each counts among those that the set overlaps with.

    features are what the set shall share little of with the other questions, answers are those of the last hop.
    """

    def __init__(
        self,
        features: Sequence[Sequence[int]],
        answers: Sequence[Sequence[int]],
        strata: Sequence[str],
        order: np.ndarray,
        weights: np.ndarray | None = None,
    ) -> None:
        self._apart = Apart(incidence(features), weights)
        self._answers = incidence(answers)
        self._order = order
        names = {name: at for at, name in enumerate(sorted(set(strata)))}
        self._kinds = np.array([names[name] for name in strata], dtype=np.int64)
        self._sizes = dict(enumerate(np.bincount(self._kinds, minlength=len(names)).tolist()))
        self._given = np.zeros(len(self._answers.sizes), dtype=np.int64)

    @property
    def chosen(self) -> np.ndarray:
        return self._apart.chosen

    @property
    def touched(self) -> np.ndarray:
        """Questions that share a feature with the set, and those in it."""
        return self._apart.touched

    def fill(self, total: int, room: int | None = None) -> None:
        """Adds questions until there are `total`, the cheapest first, in each stratum its share of them.

        room: the most questions with one answer; those beyond stay out, so that there may be fewer than `total`.
        """
        left = self._left(total)
        closed = self.chosen | (left <= 0)[self._kinds]
        if room is not None:
            closed[self._answers.questions_with(np.flatnonzero(self._given >= room))] = True
        every = np.arange(len(self._order))
        least = Least(self._worth(every, closed))
        while (question := least.place()) is not None:
            lowered = self._apart.add(question)
            shut = np.concatenate([[question], self._shut(question, left), self._full(question, room)])
            closed[shut] = True
            # A question that meets much names most of the others, each several times.
            changed = every if len(lowered) > len(every) // 4 else np.concatenate([lowered, shut])
            least.change(changed, self._worth(changed, closed))

    def _left(self, total: int) -> np.ndarray:
        """Places per stratum."""
        quota = share_out(total, dict(self._sizes), self._sizes)
        wanted = np.array([quota[kind] for kind in range(len(self._sizes))], dtype=np.int64)
        return wanted - np.bincount(self._kinds[self.chosen], minlength=len(self._sizes))

    def _worth(self, questions: np.ndarray, closed: np.ndarray) -> np.ndarray:
        worth = self._apart.costs[questions] * len(self._order) + self._order[questions]
        return np.where(closed[questions], Least.NEVER, worth)

    def _shut(self, question: int, left: np.ndarray) -> np.ndarray:
        """The questions of a stratum that is full with this one."""
        kind = self._kinds[question]
        left[kind] -= 1
        return np.flatnonzero(self._kinds == kind) if left[kind] == 0 else np.empty(0, dtype=np.int64)

    def _full(self, question: int, room: int | None) -> np.ndarray:
        """The questions with an answer that has no more room after this one."""
        answers = self._answers.features_of(np.array([question]))
        self._given[answers] += 1
        full = answers[self._given[answers] >= room] if room is not None else answers[:0]
        return self._answers.questions_with(full)
