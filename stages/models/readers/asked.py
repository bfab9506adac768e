"""What speaks for each span of a paragraph, where a question is asked: the facts that points are given for."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from stages.models.readers.habits import WINDOW, Habits, Rarity
from stages.models.readers.questions import kinds
from stages.models.readers.spans import Seen, Span, stems

_Hits = Sequence[tuple[float, list[int]]]


class AskedSpans:
    """A question, and what is known of its kind."""

    def __init__(self, question: str, rarity: Rarity, habits: Habits) -> None:
        self.kind = kinds(question)[0]
        self._stems = {stem: rarity(stem) for stem in stems(question)}
        self._asked = frozenset(self._stems)
        self._whole = sum(self._stems.values()) or 1.0
        self._shapes = habits.shapes(question)
        self._cues = habits.cues(question)
        self._answers = habits.answers(question)

    def shares(self, views: Sequence[Seen]) -> list[float]:
        """The weighted share of the question's stems that each paragraph has."""
        return [
            self._share(self._asked.intersection(view.words).union(self._asked.intersection(view.title)))
            for view in views
        ]

    def beside(self, view: Seen) -> np.ndarray:
        """sentence, near and asked of stages.models.readers.points, a row per span."""
        hits = self._hits(view)
        return np.array([self._beside(view, span, hits.get(span.sentence, ())) for span in view.spans]).reshape(-1, 3)

    def usual(self, view: Seen) -> np.ndarray:
        """shape, cue, known, late, title and long, a row per span: the same for every question of this kind."""
        sums = [0.0, *accumulate(self._cues.get(stem, 0.0) for stem in view.words)]
        title = frozenset(view.title)
        return np.array([self._of_kind(view, span, sums, title) for span in view.spans]).reshape(-1, 6)

    def _share(self, found: frozenset[str]) -> float:
        return sum(weight for stem, weight in self._stems.items() if stem in found) / self._whole

    def _of_kind(self, view: Seen, span: Span, sums: Sequence[float], title: frozenset[str]) -> tuple[float, ...]:
        before, after = max(0, span.first - WINDOW), min(len(view.words), span.last + 1 + WINDOW)
        return (
            self._shapes[span.shape],
            sums[after] - sums[span.last + 1] + sums[span.first] - sums[before],
            math.log1p(self._answers.get(span.text.casefold(), 0)),
            span.first / len(view.words),
            not title.isdisjoint(view.words[span.first : span.last + 1]),
            span.last - span.first,
        )

    def _hits(self, view: Seen) -> dict[int, _Hits]:
        """By sentence the weight of each stem of the question that it has, and where it stands."""
        places: dict[int, dict[str, list[int]]] = {}
        for place, stem in enumerate(view.words):
            if stem in self._stems:
                sentence = bisect_right(view.sentences, place) - 1
                places.setdefault(sentence, {}).setdefault(stem, []).append(place)
        return {
            sentence: [(weight / self._whole, found[stem]) for stem, weight in self._stems.items() if stem in found]
            for sentence, found in places.items()
        }

    def _beside(self, view: Seen, span: Span, hits: _Hits) -> tuple[float, float, float]:
        if not hits:
            return 0.0, 0.0, 0.0
        share = sum(weight for weight, _ in hits)
        near = sum(weight * _nearness(places, span) for weight, places in hits)
        return share, near, not self._asked.isdisjoint(view.words[span.first : span.last + 1])


def _nearness(places: Sequence[int], span: Span) -> float:
    """1 beside the span, less the farther away; 0 inside it."""
    distance = min((span.first - place if place < span.first else place - span.last for place in places), default=0)
    return 1 / (1 + 0.2 * distance) if distance > 0 else 0.0
