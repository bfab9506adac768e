"""The structural check: expectations set by hand, before the code was run."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.facts.roles.check import check
from stages.facts.roles.clauses import MentionNames
from stages.facts.roles.lexicon import load_lexicon
from tests.stages.facts.film_pairs import PAIRS

LEXICON = load_lexicon()


def verdict(prop: str, subject: str, object_: str, sentence: str) -> str | None:
    return check(LEXICON, prop, sentence, MentionNames((subject,)), MentionNames((object_,)))


@pytest.mark.parametrize(("prop", "subject", "object_", "sentence", "expected"), PAIRS)
def test_roles_in_one_film_sentence(prop: str, subject: str, object_: str, sentence: str, expected: str | None) -> None:
    assert verdict(prop, subject, object_, sentence) == expected


@pytest.mark.parametrize(
    ("prop", "subject", "object_", "sentence", "expected"),
    [
        ("P19", "Louis Chollet", "Paris", "Louis Chollet was born in Lyon and died in Paris.", "other_role"),
        ("P20", "Louis Chollet", "Paris", "Louis Chollet was born in Lyon and died in Paris.", None),
        ("P570", "Ada", "5 April 1815", "Ada (born 5 April 1815 in Rome) was a poet.", "other_role"),
        ("P569", "Ada", "5 April 1815", "Ada (born 5 April 1815 in Rome) was a poet.", None),
        ("P108", "Ada", "Yale University", "She graduated from Yale University in 1950.", "other_role"),
        ("P69", "Ada", "Yale University", "She graduated from Yale University in 1950.", None),
        ("P69", "Ada", "Yale University", "She taught at Yale University.", "other_role"),
        ("P112", "Acme", "Tomas Vell", "Acme is owned by Tomas Vell.", "other_role"),
        ("P127", "Acme", "Tomas Vell", "Acme is owned by Tomas Vell.", None),
        ("P749", "Acme", "Globex", "In 2009 Acme acquired Globex.", "other_role"),
        ("P355", "Acme", "Globex", "In 2009 Acme acquired Globex.", None),
        (
            "P50",
            "Night Ferry",
            "Ruth Okafor",
            "Night Ferry is a novel with illustrations by Ruth Okafor.",
            "other_role",
        ),
        ("P110", "Night Ferry", "Ruth Okafor", "Night Ferry is a novel with illustrations by Ruth Okafor.", None),
        ("P54", "Ada", "Rovers FC", "Ada played for Rovers FC and later managed United FC.", None),
        ("P800", "Night Ferry", "Ruth Okafor", "Night Ferry is a novel by Ruth Okafor.", "swapped_roles"),
        ("P800", "Ruth Okafor", "Night Ferry", "Night Ferry is a novel by Ruth Okafor.", None),
        ("P31", "Night Ferry", "novel", "Night Ferry is a novel by Ruth Okafor.", None),
    ],
)
def test_other_fields(prop: str, subject: str, object_: str, sentence: str, expected: str | None) -> None:
    assert verdict(prop, subject, object_, sentence) == expected


def test_a_pronoun_is_the_topic_where_the_topic_may_have_the_role() -> None:
    sentence = "Tomas Vell said that he directed Grey Harbour."
    film, page = MentionNames(("Grey Harbour",), topic=True), MentionNames(("Tomas Vell",), topic=True)
    assert check(LEXICON, "P57", sentence, film, MentionNames(("Tomas Vell",))) is None
    assert check(LEXICON, "P57", "He produced Grey Harbour.", MentionNames(("Grey Harbour",)), page) == "other_role"


@given(st.text(max_size=80), st.sampled_from(sorted({*LEXICON.properties, "P22", "P40"})))
def test_any_sentence_gets_a_verdict(sentence: str, prop: str) -> None:
    assert verdict(prop, sentence[:5], sentence[-5:], sentence) in (None, "other_role", "swapped_roles")


WORDS = [*sorted(LEXICON.phrases), "Ada", "Grey Harbour", ",", "and", "by", "the", "(", ")", "who", "was", "'s", "."]


@given(st.lists(st.sampled_from(WORDS), max_size=14), st.sampled_from(sorted(LEXICON.properties)))
def test_any_string_of_role_words_gets_a_verdict(words: list[str], prop: str) -> None:
    assert verdict(prop, "Grey Harbour", "Ada", " ".join(words)) in (None, "other_role", "swapped_roles")
