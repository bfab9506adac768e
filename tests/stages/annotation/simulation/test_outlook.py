import itertools
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.annotation.majority import majority
from stages.annotation.simulation.outlook import decides, expected_alpha, extra, outlook

BINARY = {"yes": 0.5, "no": 0.5}


def both_right(accuracy: float) -> dict[str, dict[str, float]]:
    return {"yes": {"yes": accuracy, "no": 1 - accuracy}, "no": {"yes": 1 - accuracy, "no": accuracy}}


@pytest.mark.parametrize(
    ("chance", "redundancy", "expected"),
    [
        (0.8, 1, 0.8),
        # 0.8^3 + 3 * 0.8^2 * 0.2
        (0.8, 3, 0.896),
        # Two, and a third after a tie, are as good as three.
        (0.8, 2, 0.896),
        # 0.8^5 + 5 * 0.8^4 * 0.2 + 10 * 0.8^3 * 0.2^2
        (0.8, 5, 0.94208),
        (0.8, 7, 0.966656),
        (0.5, 7, 0.5),
        (1.0, 5, 1.0),
        (0.0, 5, 0.0),
    ],
)
def test_the_majority_of_independent_votes(chance: float, redundancy: int, expected: float) -> None:
    assert decides(chance, redundancy) == pytest.approx(expected)


def test_an_extra_vote_only_after_a_tie() -> None:
    assert extra((0.8, 0.2), 2) == pytest.approx(2 * 0.8 * 0.2)
    assert extra((0.8, 0.2), 3) == 0.0
    # Four votes, two of each: 6 * 0.8^2 * 0.2^2.
    assert extra((0.8, 0.2), 4) == pytest.approx(0.1536)


def test_an_outlook_by_hand() -> None:
    found = outlook(BINARY, both_right(0.8), 2)
    assert (found.right, found.wrong, found.votes) == pytest.approx((0.896, 0.104, 2.32))


def test_saying_yes_too_often_spoils_the_no_tasks() -> None:
    confusion = {"yes": {"yes": 1.0, "no": 0.0}, "no": {"yes": 0.5, "no": 0.5}}
    assert outlook({"yes": 0.9, "no": 0.1}, confusion, 1).right == pytest.approx(0.95)


def test_alpha_of_many_tasks() -> None:
    # Observed disagreement 2 * 0.8 * 0.2 = 0.32, expected 0.5.
    assert expected_alpha(BINARY, both_right(0.8)) == pytest.approx(0.36)
    assert expected_alpha(BINARY, both_right(1.0)) == 1.0
    assert expected_alpha(BINARY, both_right(0.5)) == pytest.approx(0.0)
    assert expected_alpha({"yes": 1.0}, {"yes": {"yes": 1.0}}) is None


@given(
    st.lists(st.floats(0.01, 1.0), min_size=2, max_size=3).map(lambda weights: [w / sum(weights) for w in weights]),
    st.integers(1, 5),
)
def test_the_closed_form_is_the_sum_over_all_possible_votes(chances: list[float], redundancy: int) -> None:
    """Every sequence of votes, asked for as the majority rule asks, with its probability."""
    labels = "abc"[: len(chances)]
    chance_of = dict(zip(labels, chances, strict=True))
    right = wrong = votes = 0.0
    for planned in itertools.product(labels, repeat=redundancy):
        chance = prod(chance_of[label] for label in planned)
        ends = [(planned, chance)]
        if majority(planned, redundancy).missing:
            ends = [((*planned, label), chance * chance_of[label]) for label in labels]
        for sequence, likely in ends:
            label = majority(sequence, redundancy).label
            right += likely * (label == "a")
            wrong += likely * (label not in (None, "a"))
            votes += likely * len(sequence)
    found = outlook({"a": 1.0}, {"a": chance_of}, redundancy)
    assert (found.right, found.wrong, found.votes) == pytest.approx((right, wrong, votes))


@given(st.floats(0.5, 1.0), st.integers(1, 9))
def test_more_votes_of_good_workers_are_never_worse(accuracy: float, redundancy: int) -> None:
    assert decides(accuracy, redundancy + 2) >= decides(accuracy, redundancy) - 1e-9
