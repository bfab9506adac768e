"""Judging questions by readers that never saw their paragraphs.

A paragraph's fold is a hash of its id. A question is judged by readers that were
fitted to the questions of the other folds; where a paragraph of the judged fold stands
among the distractors of such a question, it is taken out. So no paragraph that answers
a judged question was seen in training, in any role.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stages.models.readers.interface import Prediction, Reader, ReaderError, ReaderPassage, SolvedQuestion, Trainer


@dataclass(frozen=True)
class Folds:
    """count: of folds; seeds: how many readers are fitted for each, where a seed makes a difference."""

    count: int = 5
    seeds: int = 2

    def __post_init__(self) -> None:
        if self.count < 2:
            raise ReaderError(f"folds: expected 2 or more, so that one can be judged by the others, got {self.count}")
        if self.seeds < 1:
            raise ReaderError(f"seeds: expected 1 or more, got {self.seeds}")

    def of(self, paragraph: str) -> int:
        """The fold of a paragraph, by its id."""
        return int.from_bytes(hashlib.sha256(f"fold\0{paragraph}".encode()).digest()[:8], "big") % self.count

    def of_example(self, example: SolvedQuestion) -> int:
        """The fold of a question: that of the one paragraph that answers it."""
        if len(example.support) != 1:
            raise ReaderError(f"question {example.question!r}: one supporting paragraph expected, {example.support}")
        return self.of(example.context[example.support[0]].id)


def judge(
    trainer: Trainer,
    examples: Sequence[SolvedQuestion],
    folds: Folds,
    *,
    closed: bool = False,
    only: Sequence[bool] | None = None,
) -> list[list[Prediction]]:
    """Per question the predictions of each reader that may judge it.

    closed: the question alone is shown. only: which of the examples are judged (the others are learnt from).
    What is answered depends on the set of examples, not on their order.
    """
    found: list[list[Prediction]] = [[] for _ in examples]
    for judged, reader in readers(trainer, examples, folds):
        places = [place for place in judged if only is None or only[place]]
        if not places:
            continue
        asked = [examples[place] for place in places]
        contexts = [() if closed else example.context for example in asked]
        predictions = reader.answer([example.question for example in asked], contexts)
        for place, prediction in zip(places, predictions, strict=True):
            found[place].append(prediction)
    return found


def readers(trainer: Trainer, examples: Sequence[SolvedQuestion], folds: Folds) -> Iterator[tuple[list[int], Reader]]:
    """Readers one after the other, each with the places of the examples that it may judge."""
    if not trainer.learns:
        yield list(range(len(examples))), trainer.fit([])
        return
    places: list[list[int]] = [[] for _ in range(folds.count)]
    for place, example in enumerate(examples):
        places[folds.of_example(example)].append(place)
    for fold, judged in enumerate(places):
        if not judged:
            continue
        train = training(examples, folds, fold)
        for seed in range(folds.seeds if trainer.draws else 1):
            yield judged, trainer.fit(train, seed)


def training(examples: Sequence[SolvedQuestion], folds: Folds, fold: int) -> list[SolvedQuestion]:
    """What a reader may be fitted to that judges one fold: sorted, and without any of the fold's paragraphs."""
    of: dict[str, int] = {}
    for example in examples:
        for passage in example.context:
            if passage.id not in of:
                of[passage.id] = folds.of(passage.id)
    kept = [_without(example, of, fold) for example in examples if of[example.context[example.support[0]].id] != fold]
    return sorted(kept, key=_order)


def _order(example: SolvedQuestion) -> tuple[object, ...]:
    return example.question, example.answers, example.support, [passage.id for passage in example.context]


def _without(example: SolvedQuestion, of: dict[str, int], fold: int) -> SolvedQuestion:
    if all(of[passage.id] != fold for passage in example.context):
        return example
    kept: list[ReaderPassage] = [passage for passage in example.context if of[passage.id] != fold]
    return SolvedQuestion(
        example.question,
        tuple(kept),
        example.answers,
        tuple(kept.index(example.context[place]) for place in example.support),
    )
