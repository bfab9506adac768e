"""Mentions of answers in texts, under any punctuation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.musique.spellings.mentions import forms, mentions, searchable


@pytest.mark.parametrize(
    ("text", "answers", "expected"),
    [
        ("It lies in New Hampshire.", ["Hampshire"], True),
        ("It lies in Northhampshire.", ["Hampshire"], False),
        ("It lies in hampshireland.", ["Hampshire"], False),
        # Rather too often than too seldom.
        ("It lies in Hampshireland.", ["Hampshire"], True),
        ("Made in the U.S. of old", ["US"], True),
        ("Made in the US", ["U.S."], True),
        ("The Kuomintang won", ["the Kuomintang"], True),
        ("kuomintang won", ["the Kuomintang"], True),
        ("Saint-Denis is near", ["Saint Denis"], True),
        ("Saint Denis is near", ["Saint-Denis"], True),
        ("It ended in 1945", ["2 May 1945", "1945"], True),
        ("It ended late", ["2 May 1945", "1945"], False),
        ("It ended in May. 1945 was cold", ["May 1945"], True),
        ("anything", ["", "!!!"], False),
        ("", ["x"], False),
        ("one last", ["last one"], False),
    ],
)
def test_real_ways_of_writing(text: str, answers: list[str], expected: bool) -> None:
    assert mentions(searchable(text), forms(answers)) is expected


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        # All of these stood in real contrasts, or are of their kind.
        ("the outbreak of the Second World War", "World War II"),
        ("served in WWII", "World War II"),
        ("World War 2 began", "Second World War"),
        ("before Super Bowl 52", "Super Bowl LII"),
        ("a lawyer in the U.S. and", "the United States"),
        ("an American lawyer", "United States"),
        ("in the United States", "American"),
        ("the British fleet", "United Kingdom"),
        ("a Chechen leader", "Chechen"),
        ("the Chechens fled", "Chechen"),
        ("founded as Pittsburgh Academy", "Pitt"),
        ("a European state", "Europe"),
        ("of Asia", "Asian"),
        ("Einstein's letter", "Albert Einstein"),
        ("as Bush said", "George W. Bush"),
        ("when Phelps won", "American swimmer Michael Phelps"),
        ("by King Jr.", "Martin Luther King Jr."),
        ("in Houston now", "Houston, Texas"),
        ("the ANC won", "African National Congress"),
        ("twelve men", "12"),
        ("12 men", "twelve"),
        ("4 years later", "four years"),
        ("the seventieth day", "70th"),
        ("about 1,200 people", "1200 people"),
        ("$5 million", "$5,000,000"),
        ("on July 20th, 1969", "20 July 1969"),
        ("1969-07-20", "July 20, 1969"),
        ("the 20th of July", "July 20, 1969"),
        ("in Aug. 2011", "August 2011"),
        ("from 1914 to 1918", "1914–1918"),
        ("nineteenth-century art", "19th century"),
        ("Peru and Bogota", "Bogotá"),
        ("two boroughs", "borough"),
        ("a Fellow of the University of Oxford", "Oxford University"),
        ("at Michigan University", "the University of Michigan"),
        ("the U.S. Army lost", "the United States Army"),
        ("one party", "parties"),
    ],
)
def test_other_spellings_and_names(text: str, answer: str) -> None:
    assert mentions(searchable(text), forms([answer]))


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("let us go", "United States"),
        ("the bush was green", "George W. Bush"),
        ("a river in Peru", "Missouri River"),
        ("York lies in England", "New York"),
        ("the year 12 BC", "1912"),
        ("112 men", "12"),
        ("120 men", "12"),
        ("in July 1969", "July 20, 1969"),
        ("in WWI", "World War II"),
        ("a farm", "The Farmers Union"),
    ],
)
def test_what_mentions_something_else(text: str, answer: str) -> None:
    assert not mentions(searchable(text), forms([answer]))


@given(
    st.text(), st.lists(st.text("abcXYZ19", min_size=1), min_size=1, max_size=4), st.text(), st.sampled_from(" -.,'")
)
def test_an_answer_between_spaces_is_always_found(before: str, words: list[str], after: str, gap: str) -> None:
    answer = gap.join(words)
    assert mentions(searchable(f"{before} {answer} {after}"), forms([answer]))


def test_the_two_forms_of_a_text_do_not_run_into_each_other() -> None:
    assert not mentions(searchable("red stone"), forms(["stone red"]))
