from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.live import queries
from stages.live.addresses import LiveError
from stages.live.queries import Membership, Years

WIKI = "https://en.wikipedia.org/"
BAD = "Q1> . ?s ?p ?o . FILTER(1=1) #"


@given(st.text(max_size=30).filter(lambda text: not re.fullmatch("Q[1-9][0-9]{0,17}", text)))
def test_only_ids_reach_a_query(text: str) -> None:
    for make in (
        lambda: queries.names([text], ["en"], WIKI),
        lambda: queries.same_as([text]),
        lambda: queries.statements([text], ["P31"]),
        lambda: queries.full_values([text], ["P31"]),
        lambda: queries.members(Membership((text,)), "", 5),
        lambda: queries.members(Membership(("Q1",)), text or "x", 5),
        lambda: queries.members(Membership(("Q1",), holding=(("P1", text),)), "", 5),
    ):
        with pytest.raises(LiveError):
            make()


@pytest.mark.parametrize("name", ["57", "Q57", "P0", "P57 ", "P57\n", BAD])
def test_only_properties_reach_a_query(name: str) -> None:
    for make in (
        lambda: queries.kinds_of([name]),
        lambda: queries.statements(["Q1"], [name]),
        lambda: queries.full_values(["Q1"], ["P31", name]),
        lambda: Years(name, 1990, 1999),
        lambda: queries.members(Membership(("Q1",), holding=((name, "Q1"),)), "", 5),
    ):
        with pytest.raises(LiveError):
            make()


@pytest.mark.parametrize("language", ["EN", 'en"', "en) #", ""])
def test_only_languages_reach_a_query(language: str) -> None:
    with pytest.raises(LiveError, match="language"):
        queries.names(["Q1"], [language], WIKI)


@pytest.mark.parametrize(
    "wiki", ["http://en.wikipedia.org/", "https://en.wikipedia.org/> ?x", "https://en.wikipedia.org"]
)
def test_only_wikis_reach_a_query(wiki: str) -> None:
    with pytest.raises(LiveError, match="wiki"):
        queries.names(["Q1"], ["en"], wiki)


def test_years_are_in_order() -> None:
    with pytest.raises(LiveError, match="in order"):
        Years("P577", 1999, 1990)


def test_no_query_needs_what_only_one_endpoint_has() -> None:
    asked = Membership(("Q1",), (Years("P577", 1990, 1999),), (("P495", "Q2"),))
    for text in (
        queries.members(asked, "Q5", 10),
        queries.member_count(asked),
        queries.names(["Q1"], ["en"], WIKI),
        queries.statements(["Q1"], ["P31"]),
        queries.full_values(["Q1"], ["P31"]),
    ):
        assert "SERVICE" not in text and "hint:" not in text
        used = {word.split(":")[0] for word in text.split() if ":" in word and not word.startswith(("<", '"'))}
        declared = {line.split()[1].rstrip(":") for line in text.splitlines() if line.startswith("PREFIX")}
        assert {name.strip("(?") for name in used if name.strip("(?").isalpha()} <= declared
