"""Question, answers and passages from outside: what is taken, and why the rest is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.contract import StageError
from stages.core.texts import Refused, has_markup
from stages.ifqa.texts import TextLimits, answer_text, context_texts, leftovers, question_text

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


@pytest.mark.parametrize(
    ("passage", "prose"),
    [
        ("The [[Andalusia]]n [[Parliament]] met.", "The Andalusian Parliament met."),
        ("In [[Tarrant County, Texas]] it rained.", "In Tarrant County, Texas it rained."),
        ("The first [[Roman Empire|emperor]].", "The first emperor."),
        ("It fell.{{cite web|url=x}} ''It'' was '''big'''.", "It fell. It was big."),
        # Signs without a partner belong to the text.
        ("He is 5'' tall, God willing]].", "He is 5'' tall, God willing]]."),
        ("It 'fell', the dogs' and cats' bowl.", "It 'fell', the dogs' and cats' bowl."),
    ],
)
def test_wikitext_of_a_passage_becomes_prose(passage: str, prose: str) -> None:
    assert context_texts(passage, LIMITS) == [prose]


def test_wikitext_of_questions_and_answers_becomes_prose() -> None:
    assert question_text("If [[Rome|it]] had ''held''?", LIMITS) == "If it had held?"
    assert answer_text("[[Rome|the city]]", LIMITS) == "the city"
    assert answer_text("''Titanic''", LIMITS) == "Titanic"
    assert refused(answer_text, "{{cite}}") == "answer_markup"


@pytest.mark.parametrize("tag", ["&lt;script&gt;", "&lt;a href=x&gt;", "&lt;/style&gt;"])
def test_a_passage_about_tags_does_not_lose_them_in_silence(tag: str) -> None:
    assert refused(context_texts, f"The {tag} element loads code.") == "context_markup"


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("Salt &amp; pepper", ["character_references"]),
        ("a&lt;br&gt;b", ["character_references", "tags"]),
        (["a<br>b", "[[c]]"], ["tags", "wikitext"]),
        ("a & b < c > d ]]", []),
        (7, []),
    ],
)
def test_what_extraction_left_is_told(value: object, found: list[str]) -> None:
    assert leftovers(value) == found


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
        ("a &amp;amp;lt;b", "context_markup"),
        ("a <math>x^{a_{2}}</math> b", "context_hole"),
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
