"""Passages and what identifies them."""

from __future__ import annotations

from stages.readers.interface import NOTHING, Passage


def test_a_passage_is_known_by_its_title_and_text() -> None:
    assert Passage.of("a", "b") == Passage.of("a", "b")
    assert len({Passage.of(*pair).id for pair in (("a", "b"), ("b", "a"), ("ab", ""), ("", "ab"))}) == 4


def test_no_answer_is_less_sure_than_any() -> None:
    assert NOTHING.answer == "" and NOTHING.score < -1e300
