"""What each probe shows the reader, and what it makes of the readings.

    whole           the question with all its paragraphs: no probe, but what the others are held against
    question_only   the question, nothing to read
    context_only    the paragraphs, an empty question
    one_paragraph   every paragraph by itself; the reading that the reader is surest of counts
    dire            disconnected reasoning: the supporting paragraphs in two parts, each read with all the others
                    but without the other part; the surer of the two readings gives the answer, both together
                    the supporting paragraphs. The question is cheated where a division exists for which that is right.

A probe is a list of readings per question, and a function from the predictions of these
readings to candidates of (answer, supporting paragraphs), of which the best counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from stages.evaluation.squad import best_f1, exact_match, support_f1
from stages.models.readers.interface import Prediction, SolvedQuestion

# Divisions double with every supporting paragraph.
MOST_SUPPORTS = 8


class Reading(NamedTuple):
    """A question as it is shown. places: of the paragraphs shown, in the question's own context."""

    question: str
    places: tuple[int, ...]


class ProbedQuestion(NamedTuple):
    """What the readings of one question come to. support: places in its own context."""

    answer: str
    support: frozenset[int]


class Scores(NamedTuple):
    """exact: 0 or 1; f1, support_f1: 0 to 1."""

    exact: float
    f1: float
    support_f1: float


@dataclass(frozen=True)
class Probe:
    """readings: what is shown, nothing where the probe does not apply; found: candidates, from one prediction a reading
    in the same order, their supporting places those of the question's own context; parts: how many readings join in
    naming the supporting paragraphs."""

    about: str
    readings: Callable[[SolvedQuestion], list[Reading]]
    found: Callable[[list[Prediction]], list[ProbedQuestion]]
    parts: int = 1


def divisions(places: Sequence[int]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Every way to part distinct places in two, neither part empty: 2^(n-1) - 1 ways."""
    first, rest = places[:1], places[1:]
    for chosen in range(2 ** len(rest) - 1):
        own = [place for bit, place in enumerate(rest) if chosen >> bit & 1]
        yield (*first, *own), tuple(place for place in rest if place not in own)


def score(example: SolvedQuestion, candidates: Sequence[ProbedQuestion]) -> Scores:
    """The best of each score over the candidates."""
    return Scores(
        max(exact_match(found.answer, example.answers) for found in candidates),
        max(best_f1(found.answer, example.answers) for found in candidates),
        max(support_f1(found.support, example.support) for found in candidates),
    )


def _everything(example: SolvedQuestion) -> tuple[int, ...]:
    return tuple(range(len(example.context)))


def _as_read(predictions: list[Prediction]) -> list[ProbedQuestion]:
    return [ProbedQuestion(prediction.answer, frozenset(prediction.support)) for prediction in predictions]


def _surest(predictions: list[Prediction]) -> list[ProbedQuestion]:
    best = max(predictions, key=lambda prediction: prediction.score)
    return [ProbedQuestion(best.answer, frozenset(best.support))]


def _divided(example: SolvedQuestion) -> list[Reading]:
    """Two readings a division, one after the other."""
    if not 2 <= len(example.support) <= MOST_SUPPORTS:
        return []
    everything = _everything(example)
    return [
        Reading(example.question, tuple(place for place in everything if place not in hidden))
        for parts in divisions(example.support)
        for hidden in parts
    ]


def _combined(predictions: list[Prediction]) -> list[ProbedQuestion]:
    pairs = zip(predictions[::2], predictions[1::2], strict=True)
    return [
        ProbedQuestion(
            max(pair, key=lambda prediction: prediction.score).answer, frozenset(pair[0].support + pair[1].support)
        )
        for pair in pairs
    ]


PROBES = {
    "whole": Probe(
        "the question with all its paragraphs, to compare with",
        lambda example: [Reading(example.question, _everything(example))],
        _as_read,
    ),
    "question_only": Probe(
        "the question without a paragraph", lambda example: [Reading(example.question, ())], _as_read
    ),
    "context_only": Probe(
        "the paragraphs without a question", lambda example: [Reading("", _everything(example))], _as_read
    ),
    "one_paragraph": Probe(
        "each paragraph by itself, the surest reading counts",
        lambda example: [Reading(example.question, (place,)) for place in _everything(example)],
        _surest,
    ),
    "dire": Probe(
        "the supporting paragraphs in two parts, read apart (disconnected reasoning)", _divided, _combined, parts=2
    ),
}
