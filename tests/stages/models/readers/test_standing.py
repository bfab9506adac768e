"""Where the paragraph that answers stands."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.models.readers.standing import ALIKE, Standing, standings


def test_paragraphs_stand_by_their_shares() -> None:
    assert standings([0.5, 0.9, 0.1, 0.4, 0.3]) == [1, 0, 4, 1, 3]
    assert standings([0.2, 0.2]) == [ALIKE, ALIKE] and standings([0.7]) == [ALIKE] and standings([]) == []
    assert standings([0.2, 0.9, 0.2]) == [4, 0, 4]


def test_what_is_likely_is_counted_by_kind() -> None:
    standing = Standing([("X >> country", [0.9, 0.1], [1])] * 5)
    # 5 and a trust of 5: of the fewest 0.6 for "", 0.8 for ">>", 0.9 for the narrowest; of each other 0.1, 0.05, 0.025.
    assert standing("Y >> country", [0.3, 0.6]) == pytest.approx([math.log(0.9), math.log(0.025)])
    assert standing("Y >> spouse", [0.3, 0.6]) == pytest.approx([math.log(0.8), math.log(0.05)])
    # Two that stand alike share what is likely.
    assert standing("who", [0.1, 0.6, 0.1]) == pytest.approx([math.log(0.3), math.log(0.1), math.log(0.3)])


def test_a_paragraph_alone_teaches_nothing() -> None:
    assert Standing([("who", [0.5], [0])])("who", [0.1, 0.2]) == Standing([])("who", [0.1, 0.2])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_equal_shares_stand_alike_and_order_does_not_matter(shares: list[float], chance) -> None:  # type: ignore[no-untyped-def]
    order = list(range(len(shares)))
    chance.shuffle(order)
    shuffled = standings([shares[place] for place in order])
    assert shuffled == [standings(shares)[place] for place in order]
    assert len({*zip(shares, standings(shares), strict=True)}) == len(set(shares))
