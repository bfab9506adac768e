"""How many points a span gets for each thing that speaks for it: a rule of thumb, bettered by solved questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np

_STEPS = 200
_RATE = 0.05
# How much the rule of thumb counts: as much as so many questions.
_TRUST = 1.0
# Learnt points are cut here, so that they do not hang on the last digits of a sum.
_DIGITS = 2


@dataclass(frozen=True)
class Points:
    """paragraph: weighted share of the question's words that the paragraph has; standing: see
    stages.models.readers.standing; sentence: the same share of the span's sentence; near: how near to the span they
    stand; asked: whether the span is of words that the question has itself; shape: how usual the span's is; cue: words
    around it that announce such answers; known: how often it answered such questions; late: how far down it stands;
    title: whether it has words of the title; long: its words."""

    paragraph: float = 6.0
    standing: float = 1.0
    sentence: float = 1.2
    near: float = 1.8
    asked: float = -4.0
    shape: float = 1.0
    cue: float = 0.3
    known: float = 0.8
    late: float = 0.0
    title: float = 0.0
    long: float = 0.0


# The points as their facts come: of a paragraph; of a span, beside the words of a question; of a span, for its kind.
PARAGRAPH = ("paragraph", "standing")
BESIDE = ("sentence", "near", "asked")
USUAL = ("shape", "cue", "known", "late", "title", "long")


def given(facts: np.ndarray, points: Points, names: Sequence[str]) -> np.ndarray:
    """The points that each row of facts gets. Column by column, as matrix products differ by machine."""
    total = np.zeros(len(facts))
    for column, name in zip(facts.T, names, strict=True):
        total += column * getattr(points, name)
    return total


@dataclass(frozen=True)
class Solved:
    """A question whose answer is among the spans. facts: a row per span, in the order of Points; right: how right each
    is, 0 to 1, at least one of them above 0."""

    facts: np.ndarray
    right: np.ndarray


def learnt(solved: Sequence[Solved], start: Points) -> Points:
    """The points with which right spans are the likeliest of their questions, taken with their distance from `start`.

    Without questions they are `start`. Sums are made column by column, so that they are the same on every machine.
    """
    if not solved:
        return start
    facts = np.concatenate([question.facts for question in solved]).astype(np.float64)
    right = np.concatenate([question.right for question in solved])
    sizes = np.array([len(question.facts) for question in solved])
    # Where all spans are alike in something, nothing is learnt of it.
    spread = np.where(facts.std(0) > 0, facts.std(0), 1.0)
    columns = np.ascontiguousarray((facts / spread).T)
    first = np.array(astuple(start)) * spread
    found = _descent(columns, right, sizes, first) / spread
    return Points(*(round(float(value), _DIGITS) for value in found))


def _descent(columns: np.ndarray, right: np.ndarray, sizes: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Adam's steps down the mean of -log P(right span)."""
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    points, mean, square = first.copy(), np.zeros_like(first), np.zeros_like(first)
    for step in range(1, _STEPS + 1):
        pull = _pull(columns, right, sizes, starts, points)
        slope = (_TRUST * (points - first) - pull) / len(sizes)
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope * slope
        points = points - _RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return points


def _pull(
    columns: np.ndarray, right: np.ndarray, sizes: np.ndarray, starts: np.ndarray, points: np.ndarray
) -> np.ndarray:
    """Summed over questions: what right spans have more of than likely ones."""
    total = np.zeros(columns.shape[1])
    for column, weight in zip(columns, points, strict=True):
        total += column * weight
    odds = np.exp(total - np.repeat(np.maximum.reduceat(total, starts), sizes))
    wanted = odds * right
    # The least odds keep a question whose right spans have become hopeless from dividing by nothing.
    share = wanted / np.repeat(np.maximum(np.add.reduceat(wanted, starts), 1e-300), sizes)
    share -= odds / np.repeat(np.add.reduceat(odds, starts), sizes)
    return np.array([float((column * share).sum()) for column in columns])
