"""Titles: canonical form, legality, namespaces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.wikipedia.titles import CATEGORY, FILE, MAIN, Namespaces, normalise_title, title_fault


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("albert_Einstein", "Albert Einstein"),
        ("  New   York_City ", "New York City"),
        ("ßuper", "ßuper"),
        ("ŉdebele", "ŉdebele"),
        ("émile Zola", "Émile Zola"),
        ("e\u0301mile", "Émile"),
        ("iPod", "IPod"),
        ("\u200eRome\u00a0(city)", "Rome (city)"),
        ("", ""),
        ("___", ""),
    ],
)
def test_canonical_form(text: str, title: str) -> None:
    assert normalise_title(text) == title


@given(st.text())
def test_canonical_form_is_stable(text: str) -> None:
    once = normalise_title(text)
    assert normalise_title(once) == once


@pytest.mark.parametrize("title", ["AC/DC", "OS/2", "...And Justice for All", ".NET", "C++", "A: B", "50% off"])
def test_legal_titles(title: str) -> None:
    assert title_fault(title) is None


@pytest.mark.parametrize(
    "title", ["", "<script>alert(1)</script>", "A|B", "a\x00b", "../etc/passwd", "a/../b", "..", "[[X]]", "é" * 128]
)
def test_illegal_titles(title: str) -> None:
    assert title_fault(title)


def test_namespaces_in_the_wiki_s_own_language_and_in_english() -> None:
    names = Namespaces.of([(0, ""), (6, "Datei"), (14, "Kategoreja"), (10, "Taiss")])
    assert names.split("datei:Bild_a.jpg") == (FILE, "Bild a.jpg")
    assert names.split("Image:x.png") == (FILE, "X.png")
    assert names.split("kategoreja:Pilsātys") == (CATEGORY, "Pilsātys")
    assert names.split("Star Trek: Picard") == (MAIN, "Star Trek: Picard")
    assert names.split("2001: a space odyssey") == (MAIN, "2001: a space odyssey")
    assert names.names_of(FILE) == ("datei", "file", "image")
