"""Labels in one spelling, markup recognised."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.wikidata.text import clean, has_markup


@pytest.mark.parametrize(
    ("given_text", "expected"),
    [
        ("Douglas Adams", "Douglas Adams"),
        ("  two\t spaces\n", "two spaces"),
        ("e\u0301cole", "école"),
        ("left\u200e\u200f marks\u00ad", "left marks"),
        ("nul\x00byte", "nul byte"),
        ("no\u00a0break", "no break"),
        ("", ""),
    ],
)
def test_clean(given_text: str, expected: str) -> None:
    assert clean(given_text) == expected


@given(st.text())
def test_clean_is_idempotent_and_nfc(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert once == " ".join(once.split())


@pytest.mark.parametrize(
    "text",
    [
        "<b>Bold</b>",
        "x<br/>y",
        '<a href="x">y',
        "Thelma &amp; Louise",
        "&#39;",
        "&#x27;",
        "<details ontoggle=a",
        "<svg/onload=a",
        "<a/b>",
        "H<sub>2</sub>O",
    ],
)
def test_markup(text: str) -> None:
    assert has_markup(text)


@pytest.mark.parametrize("text", ["<3", "x < y > z", "AT&T", "R&D;", "a <heart> b", "Q&A; more", "1 <2> 3"])
def test_no_markup(text: str) -> None:
    assert not has_markup(text)
