"""Tests of stages.facts.relations.grammar: articles by sound, and labels left as they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.facts.relations.grammar import (
    capitalised,
    indefinite,
    joined,
    quoted_if_exclaimed,
    squeeze,
    with_definite,
    with_indefinite,
)
from stages.facts.relations.model import Articles
from stages.facts.relations.templates import load_relations

ARTICLES = load_relations().properties["P57"].articles


@pytest.mark.parametrize(
    ("phrase", "article"),
    [
        ("actor", "an"),
        ("airline", "an"),
        ("university", "a"),
        ("union", "a"),
        ("uninhabited island", "an"),
        ("unidentified object", "an"),
        ("utility", "a"),
        ("umbrella", "an"),
        ("European", "a"),
        ("one-act play", "a"),
        ("onion", "an"),
        ("hour", "an"),
        ("heiress", "an"),
        ("house", "a"),
        ("Ukrainian city", "a"),
        ("urban area", "an"),
        ("FBI agent", "an"),
        ("USB device", "a"),
        ("NATO member", "a"),
        ("MP", "an"),
        ("UFO", "a"),
        ("8-bit console", "an"),
        ("11th-century church", "an"),
        ("18th-century painter", "an"),
        ("1890 film", "an"),
        ("100-metre race", "a"),
        ("110-metre race", "a"),
        ("Übermensch", "an"),
        ("École", "an"),
        ("“opera”", "an"),
        ("", "a"),
        ("???", "a"),
    ],
)
def test_the_indefinite_article_follows_the_sound(phrase: str, article: str) -> None:
    assert indefinite(phrase) == article


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("airline", "an airline"),
        ("music", "music"),
        ("rock music", "rock music"),
        ("music school", "a music school"),
        ("city of the United States", "a city of the United States"),
        ("women in music", "women in music"),
        ("The Beatles", "The Beatles"),
        ("a cappella group", "a cappella group"),
        ("theatre director", "a theatre director"),
        ("overseas departments and regions of France", "one of the overseas departments and regions of France"),
        ("Crusader states", "one of the Crusader states"),
        ("continental area and surrounding islands", "a continental area and surrounding islands"),
        ("animated series", "an animated series"),
        ("campus", "a campus"),
        ("", ""),
    ],
)
def test_an_uncounted_or_determined_label_takes_no_indefinite_article(label: str, expected: str) -> None:
    assert with_indefinite(label, ARTICLES) == expected


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("Germany", "Germany"),
        ("Netherlands", "the Netherlands"),
        ("United States of America", "the United States of America"),
        ("United Nations", "the United Nations"),
        ("United Artists", "United Artists"),
        ("Black Sea", "the Black Sea"),
        ("Red River of the North", "the Red River of the North"),
        ("Morava", "the Morava"),
        ("Federal State of Austria", "the Federal State of Austria"),
        ("Dutch Caribbean", "the Dutch Caribbean"),
        ("82nd Airborne Division", "the 82nd Airborne Division"),
        ("Lake Constance", "Lake Constance"),
        ("Battle of Waterloo", "the Battle of Waterloo"),
        ("University of Vienna", "the University of Vienna"),
        ("Columbia University", "Columbia University"),
        ("The Gambia", "The Gambia"),
        ("Fall River", "Fall River"),
        ("Niger River", "the Niger River"),
        ("Cleveland Browns", "the Cleveland Browns"),
        ("Joy Division", "Joy Division"),
        ("Margaret Court", "Margaret Court"),
        ("Manhattan Project", "the Manhattan Project"),
        ("Ludwig Maximilian University of Munich", "the Ludwig Maximilian University of Munich"),
        ("Technical University of Berlin", "the Technical University of Berlin"),
        ("The Catholic University of America", "The Catholic University of America"),
        ("Delft University of Technology", "Delft University of Technology"),
        ("Harvard University", "Harvard University"),
        ("Berklee College of Music", "Berklee College of Music"),
        ("City College of New York", "the City College of New York"),
        ("Yale School of Drama", "the Yale School of Drama"),
        ("Bavarian Academy of Sciences and Humanities", "the Bavarian Academy of Sciences and Humanities"),
        ("Social Democratic Party of Germany", "the Social Democratic Party of Germany"),
        ("Socialist Federal Republic of Yugoslavia", "the Socialist Federal Republic of Yugoslavia"),
        ("16th arrondissement of Paris", "the 16th arrondissement of Paris"),
        ("Embassy of the Republic of Benin in Germany", "Embassy of the Republic of Benin in Germany"),
        ("Brazil–Democratic Republic of the Congo relations", "Brazil–Democratic Republic of the Congo relations"),
        ("Boxer Rebellion", "the Boxer Rebellion"),
        ("North American Free Trade Agreement", "the North American Free Trade Agreement"),
        ("African Development Bank", "the African Development Bank"),
        ("Deutsche Bank", "Deutsche Bank"),
        ("Star Alliance", "Star Alliance"),
        ("Miami metropolitan area", "the Miami metropolitan area"),
        ("World War II", "World War II"),
    ],
)
def test_the_definite_article_goes_with_the_kind_of_name(label: str, expected: str) -> None:
    assert with_definite(label, ARTICLES) == expected


def test_the_lists_of_articles_decide() -> None:
    articles = Articles(exact=frozenset({"Rhine"}), starts=("River",), ends=("Sea",), never=frozenset({"Ann Sea"}))
    given_labels = ["Rhine", "Rhine Sea", "Rhineland", "River Thames", "Riverside", "Seaside", "Ann Sea", "Sea"]
    expected = [
        "the Rhine",
        "the Rhine Sea",
        "Rhineland",
        "the River Thames",
        "Riverside",
        "Seaside",
        "Ann Sea",
        "the Sea",
    ]
    assert [with_definite(label, articles) for label in given_labels] == expected


def test_a_label_with_its_own_mark_is_quoted() -> None:
    assert quoted_if_exclaimed("Mamma Mia!") == '"Mamma Mia!"'
    assert quoted_if_exclaimed('Who Said "Boo"?') == '‘Who Said "Boo"?’'
    assert quoted_if_exclaimed("Where? There") == "Where? There"


def test_a_written_article_gives_way_to_the_labels_own() -> None:
    assert joined(["part of the ", "The Simpsons", " franchise"]) == "part of The Simpsons franchise"
    assert joined(["part of the ", "Theseus", " franchise"]) == "part of the Theseus franchise"
    assert joined(["bathe ", "The Who"]) == "bathe The Who"
    assert joined(["songs by ", "The The", ""]) == "songs by The The"


def test_only_the_first_letter_is_raised() -> None:
    assert capitalised("which NATO member?") == "Which NATO member?"
    assert capitalised("") == ""


@given(st.text())
def test_any_text_has_an_article_and_one_line(text: str) -> None:
    assert indefinite(text) in ("a", "an")
    assert squeeze(squeeze(text)) == squeeze(text)
    assert with_definite(text, ARTICLES).endswith(text)
    assert with_indefinite(text, ARTICLES).endswith(text)
