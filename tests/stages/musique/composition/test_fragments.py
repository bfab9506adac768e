"""What is asked for by what is no question; most texts are of the pool of real hops."""

from __future__ import annotations

import pytest

from stages.musique.composition.fragments import as_question, is_request, noun_phrase
from stages.musique.composition.grammar import load_grammar

GRAMMAR = load_grammar()


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("third president of the #1", "the third president of the #1"),
        ("actor who plays dr avery on #1", "the actor who plays dr avery on #1"),
        ("region of #1 where it is filmed", "the region of #1 where it is filmed"),
        ("all the gases in the #1", "all the gases in the #1"),
        ("name of the boundary line between india and #1", "the boundary line between india and #1"),
        ("#1 flight 961 crashes in to the sea", None),
        ("a political leader during the #2 was called", None),
        ("the south west wind blows across #1 between", None),
        ("who is it", None),
        ("name of", None),
    ],
)
def test_a_noun_with_what_belongs_to_it_is_a_phrase(text: str, phrase: str | None) -> None:
    assert noun_phrase(text, GRAMMAR) == phrase


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("third president of the #1", "Name the third president of the #1"),
        ("name of volcano that erupted in #1", "What is the name of the volcano that erupted in #1"),
        (
            "a political leader during the #2 was called",
            "What completes the sentence “a political leader during the #2 was called”",
        ),
        ("#1 became the . . . state", "What completes the sentence “#1 became the … state”"),
        ("#1 flight 961 crashes in to the sea", "What answers the search “#1 flight 961 crashes in to the sea”"),
        ("whats the movie called", "what's the movie called"),
        ("colby is named after a town in what state", "colby is named after a town in what state"),
        ("Are people in #1 honest?", "Are people in #1 honest?"),
        ("mention one school in #1", "mention one school in #1"),
    ],
)
def test_a_question_is_left_alone_and_others_become_one(text: str, asked: str) -> None:
    assert as_question(text, GRAMMAR) == asked


def test_requests() -> None:
    assert is_request("Name a northern state.", GRAMMAR)
    assert not is_request("name of the line", GRAMMAR)
    assert not is_request("Who named it", GRAMMAR)
