"""Mentions of answers in texts, under any punctuation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.contexts.mentions import forms, mentions, searchable


@pytest.mark.parametrize(
    ("text", "answers", "expected"),
    [
        ("It lies in New Hampshire.", ["Hampshire"], True),
        ("It lies in Hampshireland.", ["Hampshire"], False),
        ("Made in the U.S. of old", ["US"], True),
        ("Made in the US", ["U.S."], True),
        ("The Kuomintang won", ["the Kuomintang"], True),
        ("kuomintang won", ["the Kuomintang"], True),
        ("Saint-Denis is near", ["Saint Denis"], True),
        ("Saint Denis is near", ["Saint-Denis"], True),
        ("It ended in 1945", ["2 May 1945", "1945"], True),
        ("It ended late", ["2 May 1945", "1945"], False),
        ("It ended in May. 1945 was cold", ["May 1945"], True),
        ("anything", ["", "!!!"], False),
        ("", ["x"], False),
        ("one last", ["last one"], False),
    ],
)
def test_real_ways_of_writing(text: str, answers: list[str], expected: bool) -> None:
    assert mentions(searchable(text), forms(answers)) is expected


@given(
    st.text(), st.lists(st.text("abcXYZ19", min_size=1), min_size=1, max_size=4), st.text(), st.sampled_from(" -.,'")
)
def test_an_answer_between_spaces_is_always_found(before: str, words: list[str], after: str, gap: str) -> None:
    answer = gap.join(words)
    assert mentions(searchable(f"{before} {answer} {after}"), forms([answer]))


def test_the_two_forms_of_a_text_do_not_run_into_each_other() -> None:
    assert not mentions(searchable("red stone"), forms(["stone red"]))
