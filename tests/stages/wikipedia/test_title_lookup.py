"""Titles in memory: redirects and their chains, tables of the stages."""

from __future__ import annotations

import pyarrow as pa
import pytest

from stages.core.rejects import Rejects
from stages.normalise import Kind, TitleTable, normalise
from stages.wikipedia.pages import PAGES, REDIRECTS
from stages.wikipedia.title_lookup import FoundTitle, base, fold

WIKI = TitleTable.of(
    ["Danube", "Łódź"],
    {"Donau": "Danube", "Istros": "Donau", "Delta": "Danube#Delta", "A": "B", "B": "A", "Gone": "Nowhere"},
    ["Mercury"],
)


def test_find() -> None:
    assert WIKI.find("Danube") == FoundTitle("Danube")
    assert WIKI.find("Istros") == FoundTitle("Danube", redirected=True)
    assert WIKI.find("Delta") == FoundTitle("Danube", "Delta", True)
    assert WIKI.find("Nothing") is None


def test_titles_that_lead_nowhere() -> None:
    faults = [found.fault for title in ("A", "Gone", "Mercury") if (found := WIKI.find(title)) is not None]
    assert faults == ["redirect_loop", "missing_page", "disambiguation"]


def test_long_chains_are_not_followed() -> None:
    chain = {f"T{number}": f"T{number + 1}" for number in range(9)}
    found = TitleTable.of(["T9"], chain).find("T0")
    assert found is not None
    assert found.fault == "chain_too_long"


def test_folding() -> None:
    assert fold("Éclair") == fold("ECLAIR") == "eclair"
    assert list(WIKI.alike("ŁÓDŹ")) == ["Łódź"]
    assert base("Mercury (planet)") == "Mercury"
    assert base("(planet)") == "(planet)"


def test_from_the_tables_of_the_stages() -> None:
    pages = PAGES.table([{"title": "Danube", "page_id": 1, "qid": None, "text": "A river."}])
    redirects = REDIRECTS.table([{"source": "Donau", "target": "Danube"}])
    rejects = Rejects()
    rejects.add("Mercury", "disambiguation")
    rejects.add("Empty", "empty_text")
    titles = TitleTable.from_tables(pages, redirects, rejects.table())
    assert normalise("the Donau", titles=titles).value == "Danube"
    assert normalise("Mercury", titles=titles).refusal == "disambiguation"
    assert normalise("Empty", titles=titles).kind is Kind.SPAN
    named = TitleTable.from_tables(pages, None, pa.table({"title": ["Mercury"]}))
    assert normalise("Mercury", titles=named).refusal == "disambiguation"


def test_rules_are_named() -> None:
    made = {text: normalise(text, titles=WIKI).forms[0] for text in ("Danube", "Donau", "the Danube", "Delta", "Lodz")}
    assert {text: form.rule for text, form in made.items()} == {
        "Danube": "title",
        "Donau": "redirect",
        "the Danube": "title_without_article",
        "Delta": "section",
        "Lodz": "case_or_diacritics",
    }
    assert [tuple(form) for form in normalise("Delta", titles=WIKI).forms] == [
        ("Danube#Delta", "section"),
        ("Danube", "page_of_section"),
    ]


CASES = TitleTable.of(["Pie", "Civil war", "Cast iron", "Wedding", "Netherlands", "Tubular Bells", "ESPN Radio"])


@pytest.mark.parametrize(
    ("text", "passage", "expected"),
    [
        ("PIE", "A root of PIE, the reconstructed language.", "capitals_lost"),
        ("Civil War", "After the Civil War he moved west.", "capitals_lost"),
        ("PIE", None, "Pie"),
        ("Cast Iron", "The bridge is of cast iron.", "Cast iron"),
        ("Tubular bells", "The album Tubular Bells.", "Tubular Bells"),
        ("Tubular bells", "He wanted lighter tubular bells.", "capitals_gained"),
        ("tubular bells", "The album Tubular Bells is played on tubular bells.", "capitals_gained"),
        ("tubular bells", "The album Tubular Bells came first.", "Tubular Bells"),
        ("ESPN radio", None, "ESPN Radio"),
        ("The Wedding", "Its hero first appears in The Wedding, a novel.", "article_in_name"),
        ("The Wedding", 'He sang it on "The Wedding" again.', "article_in_name"),
        ("The Wedding", "The wedding was in May.", "Wedding"),
        ("The Netherlands", "The Netherlands won. He left the Netherlands.", "Netherlands"),
        ("The Netherlands", None, "Netherlands"),
    ],
)
def test_capitals_that_make_a_name_are_not_lost(text: str, passage: str | None, expected: str) -> None:
    result = normalise(text, passage, CASES)
    assert (result.value or result.refusal) == expected
