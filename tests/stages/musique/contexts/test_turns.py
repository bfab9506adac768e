"""Dealing out paragraphs, worked out by hand."""

from __future__ import annotations

from stages.musique.contexts.rings import Ring
from stages.musique.contexts.turns import Seat, deal, limits
from stages.musique.spellings.mentions import forms, searchable

TEXTS = {
    name: searchable(text) for name, text in zip("abcdef", ["one", "two", "Rome", "four", "five", "six"], strict=True)
}


def seat(*sources: str, size: int = 3, last: str = "", **rest: object) -> Seat:
    given = [iter(source) for source in sources]
    return Seat(size=size, barred={"f"}, sources=given, last=iter(last), whole=["s"], **rest)  # type: ignore[arg-type]


def test_limits_are_in_proportion_to_supports() -> None:
    # 40 places over 10 supports: four each, and half as many again.
    found = limits("abcd", {"a": 1, "b": 5, "c": 4}, 40, most=1000, reuse=1.5)
    assert found == {"a": 6, "b": 30, "c": 24, "d": 2}
    # Twice the average, 20, is always allowed; here 25 is.
    assert limits("abcd", {"a": 1, "b": 5, "c": 4}, 40, most=25, reuse=1.5) == {"a": 6, "b": 25, "c": 24, "d": 2}
    assert limits("ab", {}, 0, most=0, reuse=1) == {"a": 1, "b": 1}


def test_sources_take_turns_and_the_last_fills_up() -> None:
    one = seat("ab", "dfd", size=5, last="bfce")
    deal([one], dict.fromkeys("abcdef", 9), [], TEXTS)
    assert one.whole == ["s", "a", "d", "b", "c"]


def test_questions_take_turns_until_the_limit() -> None:
    first, second, third = seat("abc"), seat("abc"), seat("a")
    left = dict.fromkeys("abcdef", 2)
    ring = Ring(dict.fromkeys("abc", 1), 0, "test")
    deal([first, second, third], left, [ring], TEXTS)
    assert [each.whole for each in (first, second, third)] == [["s", "a", "b"], ["s", "a", "b"], ["s"]]
    assert left["a"] == left["b"] == 0
    assert list(ring.walk(0)) == ["c"]


def test_a_contrast_goes_without_the_answer_and_has_a_stand_in() -> None:
    one = seat("abcde", size=4, contrast=[], wanted=forms(["Rome"]), stand_ins=1)
    deal([one], dict.fromkeys("abcdef", 9), [], TEXTS)
    assert one.whole == ["s", "a", "b", "c"]
    assert one.contrast == ["a", "b", "d", "e"]
    late = seat("abde", size=5, last="c", contrast=[], wanted=forms(["Rome"]), stand_ins=1)
    deal([late], dict.fromkeys("abcdef", 9), [], TEXTS)
    # Four are for both; the stand-in would be the fifth.
    assert late.whole == ["s", "a", "b", "d", "e"]
    assert late.contrast == ["a", "b", "d", "e"]
