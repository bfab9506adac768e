"""How names are written in a question. Most texts are of the pool of real hops."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.musique.composition.grammar import load_grammar
from stages.musique.composition.names import recased, subject_name, tidy

GRAMMAR = load_grammar()


@pytest.mark.parametrize(
    ("text", "tidied"),
    [
        ("Grey 's Anatomy", "Grey's Anatomy"),
        ("They Shoot Horses , Do n't They", "They Shoot Horses, Don't They"),
        ("Col . Ripley", "Col. Ripley"),
        ("Crisis : Behind It", "Crisis: Behind It"),
        ("Berge ( Mountains )", "Berge (Mountains)"),
        ("Berge ( )", "Berge"),
        ('James " Jimmy " Frise', 'James "Jimmy" Frise'),
        ('the so-called "one', "the so-called one"),
        ("Just One Night , , Sessions", "Just One Night, Sessions"),
        ("S%C3%A3o_Paulo", "São Paulo"),
        ("100 % of it", "100% of it"),
        ("In which war did they capture #1,#2?", "In which war did they capture #1, #2?"),
        ("the hotel in #1 #2", "the hotel in #1, #2"),
        ("who saw the waters of #1 the #2 and it", "who saw the waters of #1, the #2 and it"),
        ('What is it, meaning "fresh river?"', 'What is it, meaning "fresh river"'),
        ("civilians of #2. concerning it", "civilians of #2 concerning it"),
        ("What show in Tucson, #1 plays it?", "What show in Tucson, #1, plays it?"),
        ("in Serbia, #1 and #2", "in Serbia, #1 and #2"),
    ],
)
def test_what_a_tokeniser_leaves_goes(text: str, tidied: str) -> None:
    assert tidy(text) == tidied


@given(st.text(alphabet="ab ,.;:?()'\"#1%2“”’-", max_size=30))
def test_a_tidy_text_is_left_alone(text: str) -> None:
    words = "".join(tidy(text).split())
    assert sum(letter in "ab" for letter in words) <= sum(letter in "ab" for letter in text) + text.count("%")
    assert tidy(text).count('"') % 2 == 0


@pytest.mark.parametrize(
    ("question", "texts", "spelt"),
    [
        ("where is the suez canal", ("Suez Canal", "The Suez Canal joins seas."), "where is the Suez Canal"),
        (
            "where does some like it hot take place",
            ("Some Like It Hot (film)", ""),
            "where does Some Like It Hot take place",
        ),
        ("who led the states in england", ("States", "See the States of Kent."), "who led the states in England"),
        ("what us ship met us in the us", (), "what us ship met us in the US"),
        ("where did kevins family go", ("Home", "Home to Kevin they went."), "where did Kevins family go"),
        ("who said the dose is it", ("Dose", "Here the dose is told."), "who said the dose is it"),
        ("who borders both", ("Care", "See Doctors Without Borders there."), "who borders both"),
        ("is it y or i", (), "is it y or i"),
        ("who sings i wanna go", (), "who sings I wanna go"),
        ("Where is the county in the united states?", ("County", ""), "Where is the county in the United States?"),
        ("Which state lies in New York and texas?", (), "Which state lies in New York and texas?"),
    ],
)
def test_names_in_small_letters_are_spelt_as_their_text_has_them(
    question: str, texts: tuple[str, ...], spelt: str
) -> None:
    assert recased(question, texts, GRAMMAR) == spelt


@given(st.text(max_size=40), st.text(max_size=60))
def test_only_case_changes(question: str, text: str) -> None:
    assert recased(question, (text, text), GRAMMAR).lower() == question.lower()


@pytest.mark.parametrize(
    ("subject", "texts", "name"),
    [
        ("American", (), "the United States"),
        ("U.S.", (), "the U.S."),
        ("Royal Navy", (), "the Royal Navy"),
        ("University of Tartu", (), "the University of Tartu"),
        ("The Hunger", (), "The Hunger"),
        ("The #1", (), "the #1"),
        ("2nd Moscow Medical Institute", (), "the 2nd Moscow Medical Institute"),
        ("First Battle of Homs", (), "the First Battle of Homs"),
        ("First National", (), "First National"),
        ("2004 Summer Olympics", (), "the 2004 Summer Olympics"),
        ("Jaber I Al - Sabah", (), "Jaber I Al-Sabah"),
        ("Gila", ("Gila", "He met the Gila, which rose."), "the Gila"),
        ("Gila", ("Gila", "He met the Gila monster."), "Gila"),
        ("Gila", ("Gila", "He met the Gila. In Gila, and with Gila."), "Gila"),
        ("Ararat", ("Rail", "He took the Ararat and Avoca lines."), "Ararat"),
        ("google", (), "google"),
    ],
)
def test_a_subject_has_the_article_that_it_takes(subject: str, texts: tuple[str, ...], name: str) -> None:
    assert subject_name(subject, texts, GRAMMAR) == name
