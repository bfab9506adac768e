"""What each probe shows, and how its readings are joined."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.models.readers.interface import Prediction, ReaderPassage, SolvedQuestion
from stages.musique.probes.probes import MOST_SUPPORTS, PROBES, ProbedQuestion, Reading, divisions, score

CONTEXT = tuple(ReaderPassage.of(f"t{number}", f"text {number}") for number in range(10))


def asked(*support: int) -> SolvedQuestion:
    return SolvedQuestion("q", CONTEXT[:5], ("yes sir",), support)


def prediction(answer: str, sure: float, *support: int) -> Prediction:
    return Prediction(answer, support, sure)


@given(st.lists(st.integers(0, 30), min_size=1, max_size=7, unique=True))
def test_divisions_are_all_the_ways_to_part_in_two(places: list[int]) -> None:
    found = list(divisions(places))
    assert len(found) == 2 ** (len(places) - 1) - 1
    assert len({frozenset({frozenset(first), frozenset(second)}) for first, second in found}) == len(found)
    for first, second in found:
        assert first and second and not set(first) & set(second)
        assert set(first) | set(second) == set(places)


def test_divisions_of_three() -> None:
    assert list(divisions((1, 4, 6))) == [((1,), (4, 6)), ((1, 4), (6,)), ((1, 6), (4,))]


def test_what_is_shown() -> None:
    example = asked(1, 3)
    shown = {name: probe.readings(example) for name, probe in PROBES.items()}
    assert shown == {
        "whole": [Reading("q", (0, 1, 2, 3, 4))],
        "question_only": [Reading("q", ())],
        "context_only": [Reading("", (0, 1, 2, 3, 4))],
        "one_paragraph": [Reading("q", (place,)) for place in range(5)],
        # Each reading lacks one of the two supporting paragraphs and has all the others.
        "dire": [Reading("q", (0, 2, 3, 4)), Reading("q", (0, 1, 2, 4))],
    }


def test_disconnected_reasoning_needs_something_to_part() -> None:
    dire = PROBES["dire"].readings
    assert dire(asked(1)) == []
    assert len(dire(asked(0, 1, 2))) == 6
    assert dire(SolvedQuestion("q", CONTEXT, ("x",), tuple(range(MOST_SUPPORTS + 1)))) == []


def test_the_surest_paragraph_answers() -> None:
    (found,) = PROBES["one_paragraph"].found(
        [prediction("a", 1.0, 0), prediction("b", 3.0, 1), prediction("c", 2.0, 2)]
    )
    assert found == ProbedQuestion("b", frozenset({1}))


def test_of_two_parts_the_surer_answers_and_both_name_paragraphs() -> None:
    found = PROBES["dire"].found(
        [prediction("a", 1.0, 0), prediction("b", 2.0, 1), prediction("c", 5.0, 2), prediction("d", 4.0, 2)]
    )
    assert found == [ProbedQuestion("b", frozenset({0, 1})), ProbedQuestion("c", frozenset({2}))]


def test_the_best_candidate_counts() -> None:
    found = [ProbedQuestion("yes", frozenset({1})), ProbedQuestion("the Yes, sir!", frozenset({0}))]
    assert score(asked(1, 3), found) == (1.0, 1.0, pytest.approx(2 / 3))
    assert score(asked(1, 3), found[:1]) == (0.0, pytest.approx(2 / 3), pytest.approx(2 / 3))
