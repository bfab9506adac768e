"""Graphs as questions: all shapes by hand, and promises on random ones."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.contract import StageError
from stages.musique.composition.grammar import load_grammar
from stages.musique.composition.words import FORMS, LETTERS, PHRASE, REFERENCE, Composed, Known, compose
from stages.musique.graphs.shapes import SHAPES, Shape

GRAMMAR = load_grammar()


def composed(*steps: str, kinds: dict[int, str] | None = None) -> Composed:
    return compose(steps, Known(kinds or {}, {}), GRAMMAR)


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
        (["U.S. >> capital", "#1 >> part of"], "What larger whole includes the capital of the U.S.?"),
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


def test_an_article_goes_with_the_letter() -> None:
    found = composed("Ada >> participant of", "Who was the oldest to play in a #1?").question
    assert found == "Let X be a certain event that involved Ada. Who was the oldest to play in an X?"


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


@given(st.sampled_from(SHAPES), st.lists(TEXT, min_size=4, max_size=4), st.sampled_from(["PERSON", "GPE", ""]))
def test_every_step_is_used_and_no_placeholder_is_left(shape: Shape, texts: list[str], kind: str) -> None:
    steps = []
    for number in range(1, shape.level + 1):
        heads = [head for head, tail in shape.edges if tail == number]
        name = " and ".join(f"#{head}" for head in heads) or f"Name{number}"
        steps.append(texts[number - 1].format(name))
    found = compose(steps, Known(dict.fromkeys(range(1, 5), kind), {}), GRAMMAR)
    assert found.form in FORMS
    assert not re.search(r"#\d", found.question)
    assert found.question.endswith("?")
    for number in range(1, shape.level + 1):
        if not any(tail == number for _, tail in shape.edges):
            assert f"Name{number}" in found.question


def test_phrases_stand_in_phrases_only_so_deep() -> None:
    found = composed("Emma >> author", "#1 >> father", "#2 >> residence", "#3 >> country")
    assert found.form == LETTERS
    assert found.question == (
        "Let X be the father of the author of Emma. What is the country of a place of residence of X?"
    )


def test_a_country_is_named_for_its_adjective() -> None:
    found = composed("Italian >> capital", "#1 >> country").question
    assert found == "Which country does the capital of Italy belong to?"


def test_texts_show_how_names_are_spelt() -> None:
    texts = {1: ("Suez Canal", "The Suez Canal joins two seas."), 2: ("Ayer", "In 1900 the Ayer, a river, rose.")}
    found = compose(["where is the suez canal", "who crossed #1"], Known({}, texts), GRAMMAR)
    assert found.question == "Who crossed the place where the Suez Canal is?"
    found = compose(["Emma >> author", "Ayer >> named by", "did #1 meet #2"], Known({}, texts), GRAMMAR)
    assert found.question == "Did the author of Emma meet the one who named the Ayer?"


def test_what_is_no_question_is_asked_for() -> None:
    assert composed("Ada >> country", "third president of the #1").question == (
        "Name the third president of the country of Ada."
    )
    assert composed("third president of Chile", "#1 >> notable work").question == (
        "What is a notable work of the third president of Chile?"
    )
    assert composed("Ada >> country", "the west wind blows across #1 between").question == (
        "What completes the sentence “The west wind blows across the country of Ada between”?"
    )


NAMES = st.sampled_from(
    ["Ada", "American", "The Who", "the U.S.", "Grey 's Anatomy", "Oh Dal - su", "Col . Ripley", "X%20Y"]
)
RELATIONS = st.sampled_from(sorted(GRAMMAR.relations))


@given(st.sampled_from(SHAPES), st.lists(st.tuples(NAMES, RELATIONS), min_size=4, max_size=4))
def test_relations_of_all_shapes_read_as_sentences(shape: Shape, sides: list[tuple[str, str]]) -> None:
    steps = []
    for number, (name, relation) in enumerate(sides[: shape.level], start=1):
        heads = [head for head, tail in shape.edges if tail == number]
        steps.append(f"{' and '.join(f'#{head}' for head in heads) or name} >> {relation}")
    found = compose(steps, Known({}, {}), GRAMMAR).question
    assert not re.search(r" [,.;:?]|\b[Tt]he the\b|\b(?:a|the) (?:a|an|the) |%20|  |#\d", found)
    assert found[0].isupper()
    assert found.count("“") == found.count("”")
    assert not re.search(r" (?:U\.S\.|American)(?! )", found.replace("the U.S.", ""))
