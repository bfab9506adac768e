"""Spellings that a build knows."""

from __future__ import annotations

from stages.musique.bridges.tables import KNOWN_NAMES
from stages.musique.contexts.spellings import AnswerSpellings
from stages.musique.single_hops.tables import SINGLE_HOPS
from tests.stages.musique.graphs.world import hop


def table(*answers: list[str]) -> AnswerSpellings:
    rows = [
        hop(f"s:{at}", f"who {at}", first, "p") | {"answer_aliases": rest} for at, (first, *rest) in enumerate(answers)
    ]
    names = [("big apple", "New York City"), ("new york city", "New York City"), ("nyc", "New York City")]
    known = [{"name": name, "target": target, "kind": "alias", "about": ""} for name, target in names]
    return AnswerSpellings(SINGLE_HOPS.table(rows), KNOWN_NAMES.table(known))


def test_spellings_of_other_hops_with_that_answer() -> None:
    known = table(
        ["U.S.", "United States"], ["the United States", "United States of America"], ["Bush", "George W. Bush"]
    )
    assert known.of(["US"]) == ["US", "U.S.", "United States"]
    assert known.of(["United States"]) == (["United States", "U.S.", "United States of America", "the United States"])
    assert known.of(["bush"]) == ["bush", "Bush", "George W. Bush"]
    assert known.of(["Rome", "Roma"]) == ["Rome", "Roma"]


def test_other_answers_of_other_hops_are_no_spellings() -> None:
    known = table(["France", "Spain"], ["United Kingdom", "United States", "the states"])
    assert known.of(["France"]) == ["France"]
    assert known.of(["United Kingdom"]) == ["United Kingdom"]


def test_the_alias_table_is_asked() -> None:
    # "nyc" would be found only in small letters; the rules know it anyway.
    assert table(["x"]).of(["the New York City"]) == ["the New York City", "big apple"]
    assert AnswerSpellings(SINGLE_HOPS.empty(), None).of(["New York City"]) == ["New York City"]
