"""Where a phrase can take a name's place."""

from __future__ import annotations

import pytest

from stages.musique.composition.frames import hops_in, put, takes_phrase
from stages.musique.composition.grammar import load_grammar

GRAMMAR = load_grammar()
SHORT, LONG = "the country of Ada", "the person who wrote the book on bridges"


@pytest.mark.parametrize(
    "text",
    [
        "when was #1 founded",
        "What did the #1 win?",
        "In #1, who ruled?",
        "who owned the colts when they left #1",
        "What is the size of #1?",
        "how did #1 ceded lands change",
        "#1 was built when?",
        "has the #1 tried it?",
        "When did Syria and #1 launch an attack?",
        "what is #1 famous for",
    ],
)
def test_a_phrase_stands_for_a_whole_name(text: str) -> None:
    assert takes_phrase(text, 1, SHORT, GRAMMAR)


@pytest.mark.parametrize(
    "text",
    [
        "What does the #1 flag look like?",
        "When was #1 University founded?",
        "When was President #1 born?",
        "Who settled colonial #1?",
        "What is the northern #1 known for?",
        "where does a #1 live",
        "the pro-#1 party won",
        "(pre-#1) was it",
        "Who lives in New #1?",
        "Who sings #1i?",
        "What is the level of Ada's #1?",
        "Who makes cheese and #1 flags?",
        "Who led the #1. army until it fell",
        "What are #1. flags of that ratio called?",
        "What are #1 flags of that ratio called?",
        "What brought #1's stock exchange to a stop?",
        "Unlike the #1 ringed seal, what can it do?",
        "when was the company #1 founded",
        "where did they make captain #1 shield",
        "what is it in #1 #2",
        "who does the voice of stewie #1",
    ],
)
def test_a_part_of_a_longer_name_takes_none(text: str) -> None:
    assert not takes_phrase(text, 1, SHORT, GRAMMAR)


def test_a_phrase_with_a_clause_owns_nothing() -> None:
    assert not takes_phrase("Who was #1's mother?", 1, LONG, GRAMMAR)
    assert takes_phrase("Who was #1's mother?", 1, "that player", GRAMMAR)


def test_an_article_goes_for_a_phrase_and_stays_for_a_name() -> None:
    assert put("What did the #1 win?", {1: SHORT}) == "What did the country of Ada win?"
    assert put("The #1 flag", {1: "X"}, keep_article=True) == "The X flag"
    assert put("from #1 to #12", {1: "here"}) == "from here to #12"


def test_phrases_are_data_and_no_patterns() -> None:
    assert put("in #1", {1: r"the \g<0> of \1"}) == r"in the \g<0> of \1"


def test_hops_in_their_order() -> None:
    assert hops_in("from #2 to #1") == [2, 1]
