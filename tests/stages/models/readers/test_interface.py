"""Passages and what identifies them."""

from __future__ import annotations

from stages.models.readers.interface import NOTHING, ReaderPassage


def test_a_passage_is_known_by_its_title_and_text() -> None:
    assert ReaderPassage.of("a", "b") == ReaderPassage.of("a", "b")
    assert len({ReaderPassage.of(*pair).id for pair in (("a", "b"), ("b", "a"), ("ab", ""), ("", "ab"))}) == 4


def test_no_answer_is_less_sure_than_any() -> None:
    assert NOTHING.answer == "" and NOTHING.score < -1e300
