"""Answering without paragraphs: by the solved question that is most like the one asked."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from stages.models.readers.interface import NOTHING, Prediction, SolvedQuestion
from stages.models.readers.questions import kinds
from stages.models.readers.spans import stems

# Questions that share less than this (cosine of their weighted stems) say nothing of each other.
LEAST = 0.3


@dataclass(frozen=True)
class _Kind:
    """The solved questions of one kind. answers: of each; postings: places and weights of those that have a stem;
    usual: the most frequent answer, and its share."""

    answers: list[str]
    postings: dict[str, tuple[np.ndarray, np.ndarray]]
    usual: tuple[str, float]


class Memory:
    """Solved questions by kind. rarity: the weight of a stem."""

    def __init__(self, examples: Sequence[SolvedQuestion], rarity: Callable[[str], float]) -> None:
        self._rarity = rarity
        solved: defaultdict[str, dict[tuple[str, str], None]] = defaultdict(dict)
        for example in sorted(examples, key=lambda example: (example.question, example.answers)):
            if example.answers:
                for kind in kinds(example.question):
                    solved[kind][example.question, example.answers[0]] = None
        self._kinds = {kind: self._of(list(pairs)) for kind, pairs in solved.items()}

    def answer(self, question: str) -> Prediction:
        """The answer of the likest question of the narrowest known kind, or else the kind's most frequent answer."""
        known = next((self._kinds[kind] for kind in kinds(question) if kind in self._kinds), None)
        if known is None:
            return NOTHING
        alike = np.zeros(len(known.answers))
        for stem, weight in self._weights(question).items():
            if stem in known.postings:
                places, weights = known.postings[stem]
                alike[places] += weights * weight
        best = int(alike.argmax())
        if alike[best] < LEAST:
            return Prediction(known.usual[0], (), known.usual[1] * LEAST)
        return Prediction(known.answers[best], (), float(alike[best]))

    def _weights(self, question: str) -> dict[str, float]:
        """The stems of a question, weighted so that their squares add up to 1."""
        found = {stem: self._rarity(stem) for stem in stems(question)}
        length = sum(weight * weight for weight in found.values()) ** 0.5
        return {stem: weight / length for stem, weight in found.items()}

    def _of(self, pairs: list[tuple[str, str]]) -> _Kind:
        places: defaultdict[str, list[int]] = defaultdict(list)
        weights: defaultdict[str, list[float]] = defaultdict(list)
        for place, (question, _) in enumerate(pairs):
            for stem, weight in self._weights(question).items():
                places[stem].append(place)
                weights[stem].append(weight)
        counts = Counter(answer for _, answer in pairs)
        usual = min(counts, key=lambda answer: (-counts[answer], answer))
        postings = {stem: (np.array(found), np.array(weights[stem])) for stem, found in places.items()}
        return _Kind([answer for _, answer in pairs], postings, (usual, counts[usual] / len(pairs)))
