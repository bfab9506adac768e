import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.annotation.majority import Majority, full, majority, needed


@pytest.mark.parametrize(
    ("labels", "redundancy", "expected"),
    [
        # One worker decides alone.
        ("", 1, Majority(None, 0, 0, 1)),
        ("y", 1, Majority("y", 1, 1, 0)),
        # Two workers; where they differ a third votes, and three different answers decide nothing.
        ("y", 2, Majority(None, 1, 1, 1)),
        ("yy", 2, Majority("y", 2, 2, 0)),
        ("yn", 2, Majority(None, 2, 1, 1)),
        ("yny", 2, Majority("y", 3, 2, 0)),
        ("yn?", 2, Majority(None, 3, 1, 0)),
        # Three workers: two equal votes settle it, so the last is not asked for.
        ("yy", 3, Majority("y", 2, 2, 0)),
        ("yn", 3, Majority(None, 2, 1, 1)),
        ("yn?", 3, Majority(None, 3, 1, 0)),
        # Five workers, at least three equal answers.
        ("", 5, Majority(None, 0, 0, 5)),
        ("yyy", 5, Majority("y", 3, 3, 0)),
        ("yynn", 5, Majority(None, 4, 2, 1)),
        ("yyn??", 5, Majority(None, 5, 2, 0)),
        ("yn?!", 5, Majority(None, 4, 1, 0)),
        # Four: three decide, two of each ask for a fifth, four different ones are hopeless.
        ("yyn?", 4, Majority(None, 4, 2, 1)),
        ("yn?!", 4, Majority(None, 4, 1, 0)),
        ("yyyn", 4, Majority("y", 4, 3, 0)),
        # More votes than planned: still more than half of those given.
        ("yyynn", 2, Majority("y", 5, 3, 0)),
        ("yynn", 2, Majority(None, 4, 2, 0)),
    ],
)
def test_majorities(labels: str, redundancy: int, expected: Majority) -> None:
    assert majority(labels, redundancy) == expected


@pytest.mark.parametrize(("redundancy", "whole", "least"), [(1, 1, 1), (2, 3, 2), (3, 3, 2), (4, 5, 3), (5, 5, 3)])
def test_the_votes_that_count(redundancy: int, whole: int, least: int) -> None:
    assert (full(redundancy), needed(redundancy)) == (whole, least)


LABELS = st.lists(st.sampled_from("yn?"), max_size=9)
REDUNDANCY = st.integers(1, 7)


@given(LABELS, REDUNDANCY, st.randoms(use_true_random=False))
def test_the_order_of_votes_does_not_matter(labels: list[str], redundancy: int, chance: random.Random) -> None:
    again = list(labels)
    chance.shuffle(again)
    assert majority(again, redundancy) == majority(labels, redundancy)


@given(LABELS, REDUNDANCY, st.permutations("yn?"))
def test_labels_are_treated_alike(labels: list[str], redundancy: int, names: list[str]) -> None:
    rename = dict(zip("yn?", names, strict=True))
    found, renamed = majority(labels, redundancy), majority([rename[label] for label in labels], redundancy)
    assert renamed.label == (None if found.label is None else rename[found.label])
    assert (renamed.votes, renamed.agreeing, renamed.missing) == (found.votes, found.agreeing, found.missing)


@given(st.lists(st.sampled_from("yn?"), min_size=9, max_size=9), REDUNDANCY)
def test_asking_for_what_is_missing_ends_and_never_changes_its_mind(labels: list[str], redundancy: int) -> None:
    """Votes come one after another while any is missing; the answer is that of all possible votes."""
    given_votes = 0
    while (found := majority(labels[:given_votes], redundancy)).missing:
        given_votes += 1
    assert given_votes <= full(redundancy)
    assert found.label == majority(labels[: full(redundancy)], redundancy).label
