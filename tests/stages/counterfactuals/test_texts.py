"""Question, answers and passages from outside: what is taken, and why the rest is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.contract import StageError
from stages.counterfactuals.texts import TextLimits, answer_text, context_texts, question_text
from stages.processes.texts import Refused, has_markup

LIMITS = TextLimits(max_question=60, max_answer=20, max_context=80)


def refused(read: object, value: object) -> str:
    with pytest.raises(Refused) as fault:
        read(value, LIMITS)  # type: ignore[operator]
    return fault.value.reason


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (None, "no_question"),
        (" \n", "no_question"),
        (7, "question_not_text"),
        ("What would stand?", "no_if"),
        ("Would a gift stand?", "no_if"),
        ("If " + "x" * 60, "question_too_long"),
        ("If <b>it</b> had held?", "question_markup"),
        ("If it\x00 had held?", "question_control_characters"),
        ("If it \u202ehad held?", "question_control_characters"),
    ],
)
def test_questions_that_are_none(value: object, reason: str) -> None:
    assert refused(question_text, value) == reason


def test_a_question_supposes_something_anywhere_in_it() -> None:
    assert question_text("  What would stand,\tIF it had held? ", LIMITS) == "What would stand, IF it had held?"


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("A", "answer_is_nothing"),
        ("the ...", "answer_is_nothing"),
        ("?!", "answer_is_nothing"),
        ("x" * 1_000_000, "answer_too_long"),
        (["Ann"], "answer_not_text"),
        (True, "answer_not_text"),
        ("<script>", "answer_markup"),
    ],
)
def test_answers_that_are_none(value: object, reason: str) -> None:
    assert refused(answer_text, value) == reason


def test_answers() -> None:
    given_taken = [("  B ", "B"), (2, "2"), (4.5, "4.5"), ("", ""), (None, ""), ("٤", "٤"), ("the who", "the who")]
    assert [(value, answer_text(value, LIMITS)) for value, _ in given_taken] == given_taken


def test_what_extraction_left_in_a_passage_is_taken_out() -> None:
    assert context_texts("Salt &amp; pepper.&lt;br&gt; It<ref>7</ref> rained.", LIMITS) == ["Salt & pepper. It rained."]


def test_passages_come_once_and_in_order() -> None:
    assert context_texts(["B  b", "A", "B b", " "], LIMITS) == ["B b", "A"]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (None, "no_context"),
        ([], "no_context"),
        ([""], "no_context"),
        ({"text": "A"}, "no_context"),
        ([7], "context_not_text"),
        (["x" * 50, "x" * 31], "context_too_long"),
        ("&amp;" * 17, "context_too_long"),
        ("a &amp;lt;b", "context_markup"),
    ],
)
def test_passages_that_are_none(value: object, reason: str) -> None:
    assert refused(context_texts, value) == reason


@given(st.text(max_size=70))
def test_a_passage_is_taken_whole_and_clean_or_refused(text: str) -> None:
    try:
        found = context_texts(text, LIMITS)
    except Refused as fault:
        assert fault.reason.startswith("context_") or fault.reason == "no_context"
        return
    [passage] = found
    assert passage == " ".join(passage.split()) and not has_markup(passage)
    assert context_texts(passage, LIMITS) == [passage] or "&" in passage or "<" in passage


def test_limits_are_checked() -> None:
    with pytest.raises(StageError, match="max_answers: expected 1 or more, got 0"):
        TextLimits(max_answers=0)
