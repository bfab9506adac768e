"""Whole-token matching: cases worked out by hand from the rule, and equality with a plain oracle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.facts.matching import PreparedPage
from tests.stages.facts import oracle


def matched(surface: str, sentence: str) -> str | None:
    """The text that the surface matches in the sentence, None where it does not."""
    return next((mention.text for mention in PreparedPage([sentence]).mentions([surface])), None)


@pytest.mark.parametrize(
    ("surface", "sentence", "expected"),
    [
        ("Steven Spielberg", "It was steven SPIELBERG who came.", "steven SPIELBERG"),
        ("Spielberg", "Spielberg's film", "Spielberg"),
        ("Spielberg", "Spielberg’s film", "Spielberg"),
        ("Jones", "the Jones' house", "Jones"),
        ("Spielberg", "a Spielberg-directed film", "Spielberg"),
        ("Spielberg", "the Spielbergs", None),
        ("Don", "Don't go", None),
        ("Brien", "Conan O'Brien", None),
        ("O'Brien", "Conan O’Brien spoke", "O’Brien"),
        ("Spider-Man", "the film Spider Man opened", "Spider Man"),
        ("Jean Luc Godard", "Jean-Luc Godard", "Jean-Luc Godard"),
        ("Baden-Baden", "in Baden–Baden", "Baden–Baden"),
        ("Michael Jackson", "he met Michael—Jackson left", None),
        # Three characters or fewer: the case must agree.
        ("US", "the US army", "US"),
        ("US", "they told us", None),
        ("It", "seen in it", None),
        ("it's", "It's here", "It's"),
        # Punctuation.
        ("!!!", "the band !!! played", "!!!"),
        ("!!!", "Wow!!!! Great", None),
        ("AC/DC", "by ac/dc.", "ac/dc"),
        ("Martin Luther King Jr.", "Martin Luther King Jr. spoke", "Martin Luther King Jr."),
        ("Warner Bros.", "distributed by Warner Bros.. Alec Guinness stars", "Warner Bros."),
        ("Warner Bros.", "it was distributed by Warner Bros..", "Warner Bros."),
        ("Warner Bros.", "to be sold by Warner Bros... or not", None),
        ("Yahoo!", "Yahoo!'s shares", "Yahoo!"),
        (".NET", "in ASP.NET", None),
        ("C++", "C++11 came", None),
        ("U.S.", "the U.S.-based firm", "U.S."),
        # Numbers.
        ("1969", "in 1969, men", "1969"),
        ("1969", "from 1969–1970", "1969"),
        ("234", "about 1,234 people", None),
        ("234", "234.5 metres", None),
        ("1,234", "about 1,234 people", "1,234"),
        ("1,234", "about 21,234 people", None),
        ("42", "all 42 of them", None),
        ("44 BC", "died in 44 BC.", "44 BC"),
        ("1970", "the 1970s", None),
        # Unicode.
        ("Beyoncé", "Beyonce\u0301 sang", "Beyoncé"),
        ("Beyonce", "Beyoncé sang", None),
        ("Jose", "J\u0302ose\u0323\u0302x", None),
        ("Strauß", "Richard STRAUSS composed", "STRAUSS"),
        ("Franz Joseph Strauss", "Franz Joseph Strauß (CSU)", "Franz Joseph Strauß"),
        ("New   York", "in\u00a0New\u00a0York City", "New York"),
        ("", "anything", None),
        ("-", "a - b", None),
    ],
)
def test_rule(surface: str, sentence: str, expected: str | None) -> None:
    assert matched(surface, sentence) == expected


def test_every_sentence_and_every_surface_is_reported_once() -> None:
    page = PreparedPage(["Rome and Rome.", "", "No city here.", "ROME, Lazio"])
    found = {(mention.surface, mention.sentence, mention.text) for mention in page.mentions(["Rome", "Lazio", "rome"])}
    assert found == {(0, 0, "Rome"), (2, 0, "Rome"), (0, 3, "ROME"), (2, 3, "ROME"), (1, 3, "Lazio")}


def test_a_match_does_not_cross_sentences() -> None:
    assert list(PreparedPage(["He left New", "York was next"]).mentions(["New York"])) == []


def test_one_surface_inside_another() -> None:
    found = {
        mention.surface
        for mention in PreparedPage(["the New York Times"]).mentions(["New York Times", "New York", "York"])
    }
    assert found == {0, 1, 2}


_ALPHABET = "aAbß12'’-–., !sé\u0301İ"
_TEXT = st.text(alphabet=_ALPHABET, max_size=14)


@given(st.lists(_TEXT, max_size=4), st.lists(st.text(alphabet=_ALPHABET, max_size=6), max_size=6))
def test_equals_the_oracle(sentences: list[str], surfaces: list[str]) -> None:
    found = [(mention.surface, mention.sentence) for mention in PreparedPage(sentences).mentions(surfaces)]
    assert len(found) == len(set(found))
    assert set(found) == oracle.mentions(sentences, surfaces)


@given(st.data(), st.lists(_TEXT, min_size=1, max_size=3))
def test_equals_the_oracle_on_parts_of_the_text(data: st.DataObject, sentences: list[str]) -> None:
    text = " ".join(sentences)
    start = data.draw(st.integers(0, len(text)))
    surface = text[start : start + data.draw(st.integers(0, 8))]
    found = {(mention.surface, mention.sentence) for mention in PreparedPage(sentences).mentions([surface])}
    assert found == oracle.mentions(sentences, [surface])
