"""Figures of a screen: what it finds of the passages that it should, and what it takes of the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Point:
    """found: share of the wanted passages that are kept; taken: share of the background that is kept."""

    found: float
    taken: float

    def precision(self, wanted: int, background: int) -> float:
        right, wrong = self.found * wanted, self.taken * background
        return right / (right + wrong) if right + wrong else 0.0


def at(wanted: np.ndarray, background: np.ndarray, threshold: float) -> Point:
    return Point(float((wanted >= threshold).mean()), float((background >= threshold).mean()))


def taking(wanted: np.ndarray, background: np.ndarray, share: float) -> Point:
    """At the lowest threshold that takes at most this share of the background."""
    values = np.unique(np.concatenate([wanted, background, [np.inf]]))
    return at(wanted, background, next(value for value in values if (background >= value).mean() <= share))


def finding(wanted: np.ndarray, background: np.ndarray, share: float) -> Point:
    """At the highest threshold that finds at least this share of the wanted."""
    values = np.unique(wanted)[::-1]
    return at(wanted, background, next(value for value in values if (wanted >= value).mean() >= share))


def area(wanted: np.ndarray, background: np.ndarray) -> float:
    """Under the ROC curve: how often a wanted passage scores above one of the background; ties count half."""
    ordered = np.sort(background)
    below, up_to = np.searchsorted(ordered, wanted, "left"), np.searchsorted(ordered, wanted, "right")
    return float((below + up_to).mean() / 2 / len(ordered))
