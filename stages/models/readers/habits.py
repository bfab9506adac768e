"""What the lexical reader learns from solved questions: how rare words are, and what answers each kind of question."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from stages.models.readers.interface import SolvedQuestion
from stages.models.readers.questions import kinds, usual_shapes
from stages.models.readers.spans import SHAPES, Seen, Span, see, shape_of, stems

# Words on either side of an answer that may announce it.
WINDOW = 5
# A narrower kind's own counts outweigh the wider kind's from this many questions on.
_TRUST = 5.0
# A word announces answers of a kind where it stands by this many of them.
_LEAST = 3
_MOST_CUE = 2.5


class Rarity:
    """The weight of stems: the fewer of the paragraphs have one, the more."""

    def __init__(self, paragraphs: Iterable[Collection[str]]) -> None:
        """paragraphs: the distinct stems of each."""
        counts: Counter[str] = Counter()
        total = 0
        for found in paragraphs:
            counts.update(found)
            total += 1
        self._weights = {stem: math.log(1 + (total - times + 0.5) / (times + 0.5)) for stem, times in counts.items()}
        self._unknown = max(self._weights.values(), default=1.0)

    def __call__(self, stem: str) -> float:
        return self._weights.get(stem, self._unknown)


@dataclass
class Habit:
    """One kind of question. asked: how often; shapes, answers: of its answers; near: in how many windows a stem is."""

    asked: int = 0
    shapes: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    located: int = 0
    near: Counter[str] = field(default_factory=Counter)


class Habits:
    """What was learnt. Nothing of it depends on the order of the examples."""

    def __init__(self, examples: Sequence[SolvedQuestion]) -> None:
        self._kinds: defaultdict[str, Habit] = defaultdict(Habit)
        self._all = Habit()
        for example in examples:
            if example.answers:
                self._learn(example)
        self._cues = {kind: self._announcing(habit) for kind, habit in self._kinds.items()}

    def shapes(self, question: str) -> dict[str, float]:
        """Logarithm of the share of each shape among the answers to such questions, narrow kinds before wide ones."""
        usual = usual_shapes(question)
        total = sum(usual.values()) + len(SHAPES) * 0.25
        shares = {shape: (usual.get(shape, 0.0) + 0.25) / total for shape in SHAPES}
        for kind in reversed(kinds(question)):
            habit = self._kinds.get(kind)
            if habit is not None:
                whole = habit.asked + _TRUST
                shares = {shape: (habit.shapes[shape] + _TRUST * share) / whole for shape, share in shares.items()}
        return {shape: math.log(share) for shape, share in shares.items()}

    def cues(self, question: str) -> Mapping[str, float]:
        """Stems that announce an answer to such a question, with their weights; those of its narrowest known kind."""
        return next((self._cues[kind] for kind in kinds(question) if self._cues.get(kind)), {})

    def answers(self, question: str) -> Counter[str]:
        """The answers to questions of its narrowest known kind, in lower case."""
        return next((self._kinds[kind].answers for kind in kinds(question) if kind in self._kinds), Counter())

    def _learn(self, example: SolvedQuestion) -> None:
        found = located(example)
        shape = found[1].shape if found else shape_of(example.answers[0])
        near = _near(*found) if found else frozenset()
        for habit in (self._all, *(self._kinds[kind] for kind in kinds(example.question))):
            habit.asked += 1
            habit.shapes[shape] += 1
            habit.answers[example.answers[0].casefold()] += 1
            if found:
                habit.located += 1
                habit.near.update(near)

    def _announcing(self, habit: Habit) -> dict[str, float]:
        cues = {}
        for stem, times in habit.near.items():
            if times >= _LEAST:
                expected = self._all.near[stem] / self._all.located
                weight = math.log((times + _TRUST * expected) / ((habit.located + _TRUST) * expected))
                if weight > 0:
                    cues[stem] = min(weight, _MOST_CUE)
        return cues


def located(example: SolvedQuestion) -> tuple[Seen, Span] | None:
    """The span of the answer in a supporting paragraph: of several the one whose sentence is most like the question."""
    wanted = {answer.casefold() for answer in example.answers}
    asked = set(stems(example.question))
    best: tuple[int, Seen, Span] | None = None
    for place in example.support:
        view = see(example.context[place].title, example.context[place].text)
        for span in view.spans:
            if span.text.casefold() in wanted:
                alike = len(asked.intersection(sentence(view, span.sentence)))
                if best is None or alike > best[0]:
                    best = alike, view, span
    return None if best is None else best[1:]


def sentence(view: Seen, number: int) -> tuple[str, ...]:
    """The stems of one sentence."""
    after = view.sentences[number + 1] if number + 1 < len(view.sentences) else len(view.words)
    return view.words[view.sentences[number] : after]


def _near(view: Seen, span: Span) -> frozenset[str]:
    before, after = view.words[max(0, span.first - WINDOW) : span.first], view.words[span.last + 1 :][:WINDOW]
    return frozenset(stem for stem in before + after if stem)
