from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.musique.bridges.names import Match
from stages.musique.bridges.whole import (
    INSIDE_LONGER,
    JOINED,
    OTHER_CASE,
    attributive,
    fault,
    longer_by,
    same_case,
    without_article,
    written_as_name,
)
from stages.musique.single_hops.forms import Words, bare, form


def judged(question: str, name: str) -> str | None:
    """The fault of the first place where a question has a name's words."""
    words = Words.of(question)
    first, last = words.find(bare(form(name)))[0]
    return fault(question, words, first, last, name)


@pytest.mark.parametrize(
    ("question", "name", "reason"),
    [
        ("Who governs Hampshire?", "Hampshire", None),
        ("Who governs New Hampshire?", "Hampshire", INSIDE_LONGER),
        ("Who governs new hampshire?", "Hampshire", OTHER_CASE),
        ("who governs hampshire", "Hampshire", None),
        ("Where is Hampshire County?", "Hampshire", INSIDE_LONGER),
        ("Where is Hampshire's capital?", "Hampshire", None),
        ("Is Hampshire in England?", "Hampshire", None),
        ("Was the Anglo-American war long?", "American", JOINED),
        ("Which Paris-based firm is it?", "Paris", JOINED),
        ("Who was O'Brien?", "Brien", JOINED),
        ("When did AT&T start?", "AT", JOINED),
        ("What do the U.S. Virgin Islands grow?", "U.S.", INSIDE_LONGER),
        ("What does the U.S. grow?", "U.S.", None),
        ("When was Apollo 11 launched?", "Apollo", INSIDE_LONGER),
        ("when was apollo 11 launched", "Apollo", INSIDE_LONGER),
        ("Who won the 2012 Summer Olympics?", "Summer Olympics", INSIDE_LONGER),
        ("Who won the war for us?", "US", OTHER_CASE),
        ("Who won the war for the US?", "US", None),
        ("who won the war for us", "US", OTHER_CASE),
        ("Who is the singer?", "Who", OTHER_CASE),
        ("Where did President Obama live?", "Obama", None),
        ("Where did Queen Victoria live?", "Victoria", INSIDE_LONGER),
        # A place tells where the one before its comma lies, but not in a list.
        ("What lies between Reno, Nevada; Fresno, California; and Las Vegas?", "California", INSIDE_LONGER),
        ("Who lives in Fresno, California?", "California", INSIDE_LONGER),
        ("Which people of Spain, Portugal, and Italy sailed?", "Portugal", None),
        ("Which people of Spain, Portugal and Italy sailed?", "Portugal", None),
        ("In 1940, France fell to whom?", "France", None),
        ("In which country is it?", "Country", OTHER_CASE),
        ("Which is older, Rome, Paris or London?", "Paris", None),
        ("Who led the French in Spain?", "Spain", None),
    ],
)
def test_whole_mentions(question: str, name: str, reason: str | None) -> None:
    assert judged(question, name) == reason


@pytest.mark.parametrize(
    ("question", "name", "witness", "longer"),
    [
        ("where do the tennessee titans play", "tennessee", "The Tennessee Titans play in Nashville.", True),
        ("where do the tennessee rivers rise", "tennessee", "Of Tennessee rivers , two rise .", False),
        ("who won india's next superstars", "india", "India's Next Superstars is a show.", True),
        ("who leads new hampshire", "hampshire", "New Hampshire is led by", True),
        ("who is in tennessee", "tennessee", "In Tennessee", False),
        ("Where do the Tennessee Titans play?", "tennessee", "The Tennessee Titans play.", False),
    ],
)
def test_a_paragraph_shows_the_longer_name(question: str, name: str, witness: str, longer: bool) -> None:
    words = Words.of(question)
    first, last = words.find(form(name))[0]
    assert longer_by(question, words, first, last, witness) is longer


@pytest.mark.parametrize(
    ("question", "name", "written"),
    [
        ("Who is the president of France?", "President of France", False),
        ("Who played for the Bank of France?", "Bank of France", True),
        ("who is the president of france", "President of France", True),
    ],
)
def test_a_name_is_written_with_capitals(question: str, name: str, written: bool) -> None:
    words = Words.of(question)
    assert written_as_name(question, words, Match(form(name), *words.find(form(name))[0])) is written


NAME = st.sampled_from(["Hampshire", "York", "Rome"])
BEFORE = st.sampled_from(["", "the ", "New ", "in ", "x-", "Mount "])
AFTER = st.sampled_from(["", "?", "'s king", " County", "-based", " and Paris", ", Ohio"])


@given(NAME, BEFORE, AFTER)
def test_neighbours_with_capitals_or_hyphens_are_part_of_the_name(name: str, before: str, after: str) -> None:
    reason = judged(f"Who saw {before}{name}{after}", name)
    if before == "x-" or after == "-based":
        assert reason == JOINED
    elif before in ("New ", "Mount ") or after == " County":
        assert reason == INSIDE_LONGER
    else:
        assert reason is None


@pytest.mark.parametrize(
    ("question", "name", "text", "found"),
    [
        ("What does the Atlantic slave trade mean?", "atlantic", "The Atlantic slave trade grew .", True),
        ("what does the atlantic slave trade mean", "atlantic", "The Atlantic slave trade grew .", True),
        # It is named for itself elsewhere, ...
        ("What does the Atlantic slave trade mean?", "atlantic", "The Atlantic slave trade over the Atlantic .", False),
        # ... with another word, or not at all.
        ("What was the Connecticut coast called?", "connecticut", "Towns along the Connecticut coastline .", False),
        ("What was the Connecticut coast called?", "connecticut", "Towns along the coast .", False),
        ("When did Angola become free?", "angola", "In 1975 Angola became free .", False),
        # What goes on with a capital, a short word or a stop is judged elsewhere.
        ("What is New York City for?", "new york", "New York City is big .", False),
        ("Is Rome in Italy?", "rome", "Rome in Italy .", False),
        ("Is it Rome, dear?", "rome", "Rome dear .", False),
        ("Where is Rome?", "rome", "Rome is here .", False),
    ],
)
def test_names_that_only_tell_things_apart(question: str, name: str, text: str, found: bool) -> None:
    words = Words.of(question)
    ((_, last),) = words.find(f" {name} ")
    assert attributive(question, words, last, f" {name} ", Words.of(text)) is found


def test_a_name_goes_without_its_article() -> None:
    assert [without_article(name) for name in ("the US", "The", "An Apple", "Rome", "%")] == [
        "US",
        "The",
        "Apple",
        "Rome",
        "%",
    ]
    assert same_case("US", "US") and not same_case("Us", "US")
