from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.musique.soundness.one_thing import one_thing


@pytest.mark.parametrize(
    ("answers", "same"),
    [
        (["Chetniks", "Tito"], False),
        (["Slovenia", "being trisected"], False),
        (["South", "Near the Danish straits"], False),
        (["fifteen", "15"], True),
        (["in 1946", "1946"], True),
        (["George Washington Bridge", "the George Washington Bridge"], True),
        (["Mac", "Mac OS"], True),
        (["291 episodes", "291"], True),
        # A place and what it is part of, and a list and its parts, are two.
        (["Paris, France", "Paris"], True),
        (["Paris, France", "France"], False),
        (["Cathy Dennis and Rob Davis", "Rob Davis"], False),
        (["Spain, Persia", "Persia"], False),
        # By way of a third.
        (["Ford", "President Ford", "President Gerald Ford"], True),
        (["United Nations", "UN"], True),
        (["Ada"], True),
    ],
)
def test_answers_are_names_of_one_thing(answers: list[str], same: bool) -> None:
    assert one_thing(answers) is same


@given(st.lists(st.sampled_from(["Rome", "the Rome", "Oslo", "Rome and Oslo", "5", "five", "%", ""]), max_size=5))
def test_the_order_of_answers_tells_nothing(answers: list[str]) -> None:
    assert one_thing(answers) is one_thing(answers[::-1])
