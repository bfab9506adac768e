"""Answerers that learn nothing or next to nothing: the commonest label, and a lexicon of more and less."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from stages.baselines.examples import LABELS, Example
from stages.influence.graph import LESS, MORE
from stages.influence.lexicon import Lexicon, load_lexicon
from stages.questions.order import rank


def majority(train: Sequence[Example], asked: Sequence[Example]) -> list[str]:
    """The commonest label of train for every question; of equals the first of more, less, no_effect."""
    counts = Counter(example.label for example in train)
    commonest = max(LABELS, key=lambda label: (counts[label], -LABELS.index(label)))
    return [commonest] * len(asked)


def polarity(asked: Sequence[Example], seed: int, lexicon: Lexicon | None = None) -> list[str]:
    """more where change and effect speak of the same direction, less where of opposite ones, else one at random."""
    lexicon = lexicon or load_lexicon()
    return [_polar(example, seed, lexicon) for example in asked]


def _polar(example: Example, seed: int, lexicon: Lexicon) -> str:
    change, effect = lexicon.direction(example.change), lexicon.direction(example.effect)
    if change is None or effect is None:
        return LABELS[rank(seed, example.ques_id, "polarity")[0] % len(LABELS)]
    return MORE if change == effect else LESS
