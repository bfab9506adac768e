"""Scores of the paragraphs that a prediction rests on."""

from __future__ import annotations

from collections.abc import Iterable


def support_f1(named: Iterable[object], wanted: Iterable[object]) -> float:
    """F1 of the distinct paragraphs named; 1 where none is named and none wanted."""
    found, sought = set(named), set(wanted)
    if not found and not sought:
        return 1.0
    return 2 * len(found & sought) / (len(found) + len(sought))
