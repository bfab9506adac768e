"""Pairing predictions with gold answers: each prediction and each answer at most once.

Releases carry this module and `stages.core.short_answers` with them, so they take nothing else from the project.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from stages.core.short_answers import normalise


def distinct_answers(groups: Iterable[Sequence[str]]) -> list[frozenset[str]]:
    """Gold answers as sets of normalised aliases, one per distinct answer.

    groups: per answer its aliases, the answer's own text first. Groups with the same
    normalised text are one answer (a composition may reach it by several paths) and
    pool their aliases. A shared alias alone does not merge: two editions of one Grand
    Prix share the race's sponsored name and are still two answers. Groups without any
    text are left out.
    """
    merged: dict[str, set[str]] = {}
    for group in groups:
        forms = [form for form in map(normalise, group) if form]
        if forms:
            merged.setdefault(forms[0], set()).update(forms)
    return [frozenset(forms) for forms in merged.values()]


def distinct_predictions(predictions: Iterable[str]) -> list[str]:
    """The normalised predictions without blanks and repetitions, in their order."""
    return list(dict.fromkeys(form for form in map(normalise, predictions) if form))


class ListScore(NamedTuple):
    """precision, recall, f1: from 0 to 1; matched: pairs of a prediction and an answer."""

    precision: float
    recall: float
    f1: float
    matched: int


def scores(predictions: Sequence[str], answers: Sequence[frozenset[str]]) -> ListScore:
    """Of distinct normalised predictions; all zero where nothing was predicted or there is no gold answer."""
    matched = count_matches(predictions, answers)
    precision = matched / len(predictions) if predictions else 0.0
    recall = matched / len(answers) if answers else 0.0
    return ListScore(precision, recall, 2 * precision * recall / (precision + recall) if matched else 0.0, matched)


def count_matches(predictions: Sequence[str], answers: Sequence[frozenset[str]]) -> int:
    """The largest number of (prediction, answer) pairs with no member used twice.

    A maximum and not first come, first served: with aliases shared between answers the
    score must depend neither on the order of the predictions nor on that of the gold.
    """
    by_form: dict[str, list[int]] = {}
    for index, forms in enumerate(answers):
        for form in forms:
            by_form.setdefault(form, []).append(index)
    options = [by_form[prediction] for prediction in predictions if prediction in by_form]
    taken: dict[int, int] = {}
    return sum(_augment(start, options, taken) for start in range(len(options)))


def _augment(start: int, options: Sequence[Sequence[int]], taken: dict[int, int]) -> bool:
    """Gives prediction `start` an answer, moving earlier predictions where that frees one (breadth first)."""
    reached_from: dict[int, int] = {}
    queue = [start]
    for prediction in queue:
        for answer in options[prediction]:
            if answer in reached_from:
                continue
            reached_from[answer] = prediction
            if answer not in taken:
                _reassign(answer, start, reached_from, taken)
                return True
            queue.append(taken[answer])
    return False


def _reassign(answer: int, start: int, reached_from: dict[int, int], taken: dict[int, int]) -> None:
    owned = {prediction: owned_answer for owned_answer, prediction in taken.items()}
    while True:
        prediction = reached_from[answer]
        taken[answer] = prediction
        if prediction == start:
            return
        answer = owned[prediction]
