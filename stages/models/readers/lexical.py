"""A reader without a model: it finds a question's words in the paragraphs, and takes the likeliest span beside them.

Every span of the likeliest paragraphs is given points for the words (weighted by how
rare they are) that its paragraph and its sentence share with the question, for how near
to it they stand, for having the shape that answers such questions, for words around it
that announce such answers, and more (stages.models.readers.points). How much each thing is
worth a rule of thumb says, or solved questions do (LEARNT). What is learnt so holds for
questions of the same making whose answers are met again, as single hops in folds are;
on splits that share no answer the rule of thumb does better. It is quick and weak: what
it cannot answer, a trained model may.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property

import numpy as np

from stages.core.alive import alive
from stages.evaluation.squad import best_f1
from stages.models.readers.asked import AskedSpans
from stages.models.readers.habits import Habits, Rarity
from stages.models.readers.interface import NOTHING, Prediction, ReaderPassage, SolvedQuestion
from stages.models.readers.memory import Memory
from stages.models.readers.points import BESIDE, PARAGRAPH, USUAL, Points, Solved, given, learnt
from stages.models.readers.spans import Seen, see
from stages.models.readers.standing import Standing

_MOST_KEPT = 1 << 16
# A span that comes nearer than this to an answer is a right one.
_RIGHT = 0.5


@dataclass(frozen=True)
class LexicalTrainer:
    """Learns how rare words are, how each kind of question is answered, and what speaks for an answer.

    points: from which learning starts; learnt_from: questions that points are learnt from, at most, as those are many
    soon, or none; paragraphs: how many of the likeliest are looked at.
    """

    points: Points = Points()  # noqa: RUF009 (frozen)
    learnt_from: int = 0
    paragraphs: int = 5
    name: str = "lexical"
    learns: bool = True
    draws: bool = False

    @property
    def identity(self) -> str:
        facts = json.dumps([self.name, asdict(self.points), self.learnt_from, self.paragraphs], sort_keys=True)
        return hashlib.sha256(facts.encode()).hexdigest()

    def fit(self, examples: Sequence[SolvedQuestion], seed: int = 0) -> LexicalReader:
        return LexicalReader(examples, self)


LEARNT = LexicalTrainer(learnt_from=500, name="lexical-learnt")


class _Learnt:
    """What was learnt of some examples but for the points."""

    def __init__(self, examples: Sequence[SolvedQuestion], rarity: Rarity) -> None:
        self.rarity, self.habits = rarity, Habits(examples)
        self.standing = Standing(
            (example.question, self.of(example.question).shares(_views(example.context)), example.support)
            for example in examples
            if example.answers
        )

    def of(self, question: str) -> AskedSpans:
        alive()
        return AskedSpans(question, self.rarity, self.habits)


class LexicalReader:
    """See the module. Paragraphs are looked at once, however often they are read."""

    def __init__(self, examples: Sequence[SolvedQuestion], trainer: LexicalTrainer) -> None:
        self._trainer, self._examples = trainer, examples
        passages = {passage.id: passage for example in examples for passage in example.context}
        self._rarity = Rarity(see(passage.title, passage.text).stems for passage in passages.values())
        # What a span gets whatever else is asked, by kind of question and paragraph.
        self._static: dict[tuple[str, str], np.ndarray] = {}

    @cached_property
    def _learnt(self) -> _Learnt:
        return _Learnt(self._examples, self._rarity)

    @cached_property
    def _memory(self) -> Memory:
        return Memory(self._examples, self._rarity)

    @cached_property
    def points(self) -> Points:
        """Learnt from questions that nothing else was learnt from: others would know their own answers."""
        if not self._trainer.learnt_from:
            return self._trainer.points
        solved = sorted((example for example in self._examples if example.answers and example.context), key=_chance)
        half = _Learnt(solved[::2], self._rarity)
        rows = (_solved(example, half) for example in solved[1::2][: self._trainer.learnt_from])
        return learnt([row for row in rows if row is not None], self._trainer.points)

    def answer(
        self, questions: Sequence[str], contexts: Sequence[Sequence[ReaderPassage]], supports: int = 1
    ) -> list[Prediction]:
        return [
            self._read(question, context, supports) if context else self._memory.answer(question)
            for question, context in zip(questions, contexts, strict=True)
        ]

    def _read(self, question: str, context: Sequence[ReaderPassage], supports: int) -> Prediction:
        alive()
        asked, views, points = self._learnt.of(question), _views(context), self.points
        shares = asked.shares(views)
        likely = self._learnt.standing(question, shares)
        start = given(np.column_stack([shares, likely]), points, PARAGRAPH).tolist()
        ranked = sorted(range(len(views)), key=lambda place: (-start[place], context[place].id))
        best, found, at = float("-inf"), None, 0
        for place in ranked[: self._trainer.paragraphs]:
            view = views[place]
            if not view.spans:
                continue
            total = given(asked.beside(view), points, BESIDE) + self._usual(asked, context[place], view)
            first = int(total.argmax())
            if start[place] + total[first] > best:
                best, found, at = start[place] + float(total[first]), view.spans[first], place
        if found is None:
            return NOTHING
        order = [at, *(place for place in ranked if place != at)]
        return Prediction(found.text, tuple(order[:supports]), best)

    def _usual(self, asked: AskedSpans, passage: ReaderPassage, view: Seen) -> np.ndarray:
        if len(self._static) >= _MOST_KEPT:
            self._static.clear()
        key = asked.kind, passage.id
        found = self._static.get(key)
        if found is None:
            found = self._static[key] = given(asked.usual(view), self.points, USUAL)
        return found


def _views(context: Sequence[ReaderPassage]) -> list[Seen]:
    return [see(passage.title, passage.text) for passage in context]


def _chance(example: SolvedQuestion) -> bytes:
    """An order that has nothing to do with what is asked, and is the same whatever the order of the examples."""
    facts = json.dumps(
        [example.question, example.answers, example.support, [passage.id for passage in example.context]]
    )
    return hashlib.sha256(facts.encode()).digest()


def _solved(example: SolvedQuestion, learnt: _Learnt) -> Solved | None:
    """The spans of a question, None where none is its answer."""
    asked, views = learnt.of(example.question), _views(example.context)
    shares = asked.shares(views)
    likely = learnt.standing(example.question, shares)
    right = [
        _rightness(span.text, example.answers) if place in example.support else 0.0
        for place, view in enumerate(views)
        for span in view.spans
    ]
    if not any(right):
        return None
    facts = [
        np.column_stack([np.full((len(view.spans), 2), (share, log)), asked.beside(view), asked.usual(view)])
        for view, share, log in zip(views, shares, likely, strict=True)
    ]
    return Solved(np.concatenate(facts), np.array(right))


def _rightness(text: str, answers: Sequence[str]) -> float:
    f1 = best_f1(text, answers)
    return f1 if f1 >= _RIGHT else 0.0
