"""Plain questions as phrases: what is turned, and what is left alone. Most questions are of the pool of real hops."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.musique.composition.describe import asked_noun, describe, plain
from stages.musique.composition.grammar import load_grammar

GRAMMAR = load_grammar()

SAFE = [
    ("who is the sixth president of the united states", "PERSON", "the sixth president of the united states"),
    ("What was the name of the eastern half of the colony?", "LOC", "the eastern half of the colony"),
    ("Who wrote the poem?", "PERSON", "the person who wrote the poem"),
    (
        "who won the 2017 ncaa mens basketball tournament",
        "GPE",
        "the one that won the 2017 ncaa mens basketball tournament",
    ),
    ("who has hosted the most fifa world cups", "GPE", "the one that has hosted the most fifa world cups"),
    ("Who did the Broncos defeat in the game?", "ORG", "the one that the Broncos defeated in the game"),
    ("Where was Ada born?", "GPE", "the place where Ada was born"),
    (
        "where was the louisiana purchase signed in 1803",
        "GPE",
        "the place where the louisiana purchase was signed in 1803",
    ),
    ("where does a wrinkle in time take place", "GPE", "the place where a wrinkle in time takes place"),
    ("Where is the Town of Stafford?", "GPE", "the place where the Town of Stafford is"),
    ("Which U.S. president opposed the law?", "PERSON", "the U.S. president that opposed the law"),
    ("Which city is the capital of Connecticut?", "GPE", "the city that is the capital of Connecticut"),
    ("what state does rick and morty take place in", "GPE", "the state that rick and morty takes place in"),
    ("What city is the Ali Forney center in?", "GPE", "the city that the Ali Forney center is in"),
    ("In which war did the British capture Havana?", "EVENT", "the war in which the British captured Havana"),
    ("In what capital city was shinney played?", "GPE", "the capital city in which shinney was played"),
    ("In which country are the Nazca Lines?", "GPE", "the country in which the Nazca Lines are"),
    ("In what area was trade not confined to a group?", "LOC", "the area in which trade was not confined to a group"),
    ("In which region are counties primarily used?", "LOC", "the region in which counties are primarily used"),
    ("Who reached the pole in 1911?", "PERSON", "the person who reached the pole in 1911"),
    ("Which country annexed Macedonia?", "GPE", "the country that annexed Macedonia"),
]


@pytest.mark.parametrize(("question", "kind", "phrase"), SAFE)
def test_safe_questions_become_phrases(question: str, kind: str, phrase: str) -> None:
    assert describe(question, kind, GRAMMAR) == phrase


@pytest.mark.parametrize(
    "question",
    [
        "King James II was the inspiration for the name of what city?",
        "What did Stalin have personal control over?",
        "what is the female lion called in lion king",
        "What was the tense time after the war called?",
        "Where is the highest numbered street in the New York City traffic grid?",
        "Where was an elected assembly to be set up, under the act?",
        "Where was there a high demand for corn?",
        "who is super bowl 2018 half time show",
        "who is the movie about",
        "Where did the collapse of the communism occurred?",
        "Where did the fight start?",
        "of which country is sofia the capital city",
        "In what English colony were Huguenot settlers promised land?",
        "Which country doesn't practice changing names?",
        "Do any states opt to not maintain this list?",
        "Which is the largest city?",
        "What continent are the Canarian Islands off the coast of?",
        "Which church did they try to reform?",
        "",
        "?",
    ],
)
def test_unsafe_questions_are_left_alone(question: str) -> None:
    assert describe(question, "GPE", GRAMMAR) is None


def test_a_question_that_ends_in_what_it_asks_for_is_left_alone() -> None:
    assert describe("Which city?", "GPE", GRAMMAR) is None


def test_a_progressive_keeps_its_order() -> None:
    assert (
        describe("where is the cup being held in 2018", "GPE", GRAMMAR)
        == "the place where the cup is being held in 2018"
    )


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("Where did the trade begin?", "place"),
        ("In which old city did it begin?", "city"),
        ("Which church leader spoke?", "leader"),
        ("What U.S. state borders it?", "state"),
        ("Who spoke?", None),
        ("Besides which city is it?", None),
        ("Near which city is it?", "city"),
    ],
)
def test_what_is_asked_for_by_name(question: str, noun: str | None) -> None:
    assert asked_noun(question, GRAMMAR) == noun


def test_the_point_of_an_abbreviation_is_no_end_mark() -> None:
    assert plain(" who  lives in the U.S. ?") == "who lives in the U.S."
    assert plain("It is there.") == "It is there"


@given(st.text(alphabet="abdehinorstw WTI#1?.'", max_size=60))
def test_whatever_comes_in_a_phrase_holds_the_words_that_were_asked(text: str) -> None:
    found = describe(text, "", GRAMMAR)
    asked_noun(text, GRAMMAR)
    if found is not None:
        assert found.split()[0] in ("the", "The") or found.startswith("the")
        assert found.count("#") == plain(text).count("#")
