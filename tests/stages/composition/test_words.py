"""Graphs as questions: all shapes by hand, and promises on random ones."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.composition.grammar import load_grammar
from stages.composition.words import FORMS, LETTERS, PHRASE, REFERENCE, Composed, compose
from stages.contract import StageError
from stages.graphs.shapes import SHAPES

GRAMMAR = load_grammar()


def composed(*steps: str, kinds: dict[int, str] | None = None) -> Composed:
    return compose(steps, kinds or {}, GRAMMAR)


@pytest.mark.parametrize(
    ("steps", "question"),
    [
        (["Imagine >> performer", "when was #1 born"], "When was the performer of Imagine born?"),
        (["Imagine >> performer", "#1 >> place of birth"], "Where was the performer of Imagine born?"),
        (
            ["Imagine >> performer", "#1 >> place of birth", "what is the size of #2 ?"],
            "What is the size of the birthplace of the performer of Imagine?",
        ),
        (
            ["Emma >> author", "Ada >> father", "When did #1 meet #2?"],
            "When did the author of Emma meet the father of Ada?",
        ),
        (["Wesley >> employer", "The #1. >> country"], "Which country does the employer of Wesley belong to?"),
        (["U.S. >> capital", "#1 >> part of"], "What was the capital of U.S. a part of?"),
        (["Where was Ada born?", "Who rules #1?"], "Who rules the place where Ada was born?"),
    ],
)
def test_hops_nest_into_one_sentence(steps: list[str], question: str) -> None:
    assert composed(*steps) == Composed(question, PHRASE)


def test_a_question_that_gives_no_phrase_is_quoted_and_referred_to() -> None:
    found = composed("Which church did they try to reform?", "When was #1 founded?")
    assert found == Composed(
        "Think of the church that answers “Which church did they try to reform?” When was that church founded?",
        REFERENCE,
    )


def test_a_place_that_takes_no_phrase_gets_a_letter() -> None:
    assert composed("Ada >> country", "What does the #1 flag look like?") == Composed(
        "Let X be the country of Ada. What does the X flag look like?", LETTERS
    )
    assert composed("What were they called?", "Where did the #1 go?") == Composed(
        "Let X be the answer to “What were they called?”. Where did X go?", LETTERS
    )


def test_letters_may_speak_of_each_other() -> None:
    found = composed("Ada >> country", "What were they called in colonial #1?", "Where did the #2 men go?")
    assert found.question == (
        "Let X be the country of Ada, and let Y be the answer to “What were they called in colonial X?”. "
        "Where did the Y men go?"
    )


def test_the_type_of_an_answer_decides_what_it_is_called() -> None:
    steps = ["who wrote Emma", "#1 >> father"]
    assert composed(*steps, kinds={1: "PERSON"}).question == "Who was the father of the person who wrote Emma?"
    assert composed(*steps, kinds={1: "ORG"}).question == "Who was the father of the one that wrote Emma?"


def test_a_step_that_leads_nowhere_is_an_error() -> None:
    with pytest.raises(StageError, match="step 1"):
        composed("Ada >> country", "Where is Rome?")


TEXT = st.sampled_from(
    ["{} >> country", "the {} >> performer", "When was {} built?", "who met {}", "What {} flag is it?", "Where is {}"]
)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(SHAPES), st.lists(TEXT, min_size=4, max_size=4), st.sampled_from(["PERSON", "GPE", ""]))
def test_every_step_is_used_and_no_placeholder_is_left(shape, texts: list[str], kind: str) -> None:
    steps = []
    for number in range(1, shape.level + 1):
        heads = [head for head, tail in shape.edges if tail == number]
        name = " and ".join(f"#{head}" for head in heads) or f"Name{number}"
        steps.append(texts[number - 1].format(name))
    found = compose(steps, dict.fromkeys(range(1, 5), kind), GRAMMAR)
    assert found.form in FORMS
    assert not re.search(r"#\d", found.question)
    assert found.question.endswith("?")
    for number in range(1, shape.level + 1):
        if not any(tail == number for _, tail in shape.edges):
            assert f"Name{number}" in found.question
