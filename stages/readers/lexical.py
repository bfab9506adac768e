"""A reader without a model: it finds a question's words in the paragraphs, and takes the likeliest span beside them.

Every span of the paragraphs that have most of the question's words (weighted by how
rare they are) is given points for the words that its paragraph and its sentence share
with the question, for how near to it they stand, for having the shape that answers such
questions, for words around it that announce such answers, and for having answered
such a question before. It is quick and weak: what it cannot answer, a trained model may.
"""

from __future__ import annotations

import hashlib
import json
import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import accumulate

from stages.readers.habits import WINDOW, Habits, Rarity
from stages.readers.interface import NOTHING, Example, Passage, Prediction
from stages.readers.memory import Memory
from stages.readers.questions import kinds
from stages.readers.spans import Seen, Span, see, stems

# Raised whenever a reading may come out differently.
VERSION = 1
_MOST_KEPT = 1 << 16


@dataclass(frozen=True)
class Weights:
    """How many points a span gets for each thing. paragraphs: how many of the likest are looked at."""

    paragraph: float = 6.0
    sentence: float = 1.2
    near: float = 1.8
    shape: float = 1.0
    cue: float = 0.3
    known: float = 0.8
    asked: float = 4.0
    paragraphs: int = 5


@dataclass(frozen=True)
class LexicalTrainer:
    """Learns how rare words are, and how each kind of question is answered."""

    weights: Weights = Weights()
    name: str = "lexical"
    learns: bool = True
    draws: bool = False

    @property
    def identity(self) -> str:
        facts = json.dumps([self.name, VERSION, asdict(self.weights)], sort_keys=True)
        return hashlib.sha256(facts.encode()).hexdigest()

    def fit(self, examples: Sequence[Example], seed: int = 0) -> LexicalReader:
        return LexicalReader(examples, self.weights)


class LexicalReader:
    """See the module. Paragraphs are looked at once, however often they are read."""

    def __init__(self, examples: Sequence[Example], weights: Weights) -> None:
        self._weights = weights
        self._examples = examples
        passages = {passage.id: passage for example in examples for passage in example.context}
        self._rarity = Rarity(see(passage.title, passage.text).stems for passage in passages.values())
        # What a span gets whatever else is asked, by kind of question and paragraph.
        self._static: dict[tuple[str, str], list[float]] = {}

    @cached_property
    def _habits(self) -> Habits:
        return Habits(self._examples)

    @cached_property
    def _memory(self) -> Memory:
        return Memory(self._examples, self._rarity)

    def answer(
        self, questions: Sequence[str], contexts: Sequence[Sequence[Passage]], supports: int = 1
    ) -> list[Prediction]:
        return [
            self._read(question, context, supports) if context else self._memory.answer(question)
            for question, context in zip(questions, contexts, strict=True)
        ]

    def _read(self, question: str, context: Sequence[Passage], supports: int) -> Prediction:
        asked = _Asked(question, self._rarity, self._habits, self._weights)
        views = [see(passage.title, passage.text) for passage in context]
        shares = [asked.share(view) for view in views]
        ranked = sorted(range(len(views)), key=lambda place: (-shares[place], context[place].id))
        best, found, at = float("-inf"), None, 0
        for place in ranked[: self._weights.paragraphs]:
            points, span = asked.best(views[place], self._usual(asked, context[place], views[place]))
            points += self._weights.paragraph * shares[place]
            if span is not None and points > best:
                best, found, at = points, span, place
        if found is None:
            return NOTHING
        order = [at, *(place for place in ranked if place != at)]
        return Prediction(found.text, tuple(order[:supports]), best)

    def _usual(self, asked: _Asked, passage: Passage, view: Seen) -> list[float]:
        if len(self._static) >= _MOST_KEPT:
            self._static.clear()
        key = asked.kind, passage.id
        found = self._static.get(key)
        if found is None:
            found = self._static[key] = asked.usual(view)
        return found


class _Asked:
    """A question, and what is known of its kind."""

    def __init__(self, question: str, rarity: Rarity, habits: Habits, weights: Weights) -> None:
        self.kind = kinds(question)[0]
        self._weights = weights
        self._stems = {stem: rarity(stem) for stem in stems(question)}
        self._asked = frozenset(self._stems)
        self._whole = sum(self._stems.values()) or 1.0
        self._shapes = habits.shapes(question)
        self._cues = habits.cues(question)
        self._answers = habits.answers(question)

    def share(self, view: Seen) -> float:
        """The weighted share of the question's stems that a paragraph has."""
        found = self._asked.intersection(view.words).union(self._asked.intersection(view.title))
        return sum(weight for stem, weight in self._stems.items() if stem in found) / self._whole

    def best(self, view: Seen, usual: Sequence[float]) -> tuple[float, Span | None]:
        """The span with most points, the first of equals; `usual`: those that each has already."""
        best, found = float("-inf"), None
        hits = self._hits(view)
        for span, points in zip(view.spans, usual, strict=True):
            points += self._beside(view, span, hits.get(span.sentence, ()))
            if points > best:
                best, found = points, span
        return best, found

    def usual(self, view: Seen) -> list[float]:
        """Points that every question of this kind gives to the spans of a paragraph."""
        points = [self._weights.shape * self._shapes[span.shape] for span in view.spans]
        if self._cues:
            sums = [0.0, *accumulate(self._cues.get(stem, 0.0) for stem in view.words)]
            for place, span in enumerate(view.spans):
                before, after = max(0, span.first - WINDOW), min(len(view.words), span.last + 1 + WINDOW)
                around = sums[after] - sums[span.last + 1] + sums[span.first] - sums[before]
                points[place] += self._weights.cue * around
        if self._answers:
            for place, span in enumerate(view.spans):
                if times := self._answers.get(span.text.casefold()):
                    points[place] += self._weights.known * math.log1p(times)
        return points

    def _hits(self, view: Seen) -> dict[int, list[tuple[float, list[int]]]]:
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

    def _beside(self, view: Seen, span: Span, hits: Sequence[tuple[float, list[int]]]) -> float:
        """Points for the words of the question in the span's sentence."""
        if not hits:
            return 0.0
        points = 0.0
        for weight, places in hits:
            points += weight * (self._weights.sentence + self._weights.near * _nearness(places, span))
        # What the question itself says is rarely what it asks for.
        return points - self._weights.asked * (not self._asked.isdisjoint(view.words[span.first : span.last + 1]))


def _nearness(places: Sequence[int], span: Span) -> float:
    """1 beside the span, less the farther away; 0 inside it."""
    distance = min((span.first - place if place < span.first else place - span.last for place in places), default=0)
    return 1 / (1 + 0.2 * distance) if distance > 0 else 0.0
