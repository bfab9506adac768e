"""Normal form of answers."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.short_answers import ARTICLES, normalise


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Beatles", "beatles"),
        ("  An  Officer and a Gentleman ", "officer and gentleman"),
        ("U.S.A.", "usa"),
        ("A-ha", "aha"),
        ("1917–1919", "19171919"),
        ("1917-1919", "19171919"),
        ("Notepad++", "notepad"),
        ("Theatre", "theatre"),
        ("Kin’ichi", "kinichi"),
        ("à la carte", "à la carte"),
        ("Cafe\u0301", "café"),
        ("!!!", "!!!"),
        ("The The", "the the"),
        ("A", "a"),
        ("", ""),
        (" \t", ""),
        ("İstanbul", "i\u0307stanbul"),
    ],
)
def test_normal_forms_by_hand(text: str, expected: str) -> None:
    assert normalise(text) == expected


@given(st.text())
def test_normal_form_is_its_own_normal_form(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(st.text())
def test_composed_and_decomposed_letters_are_equal(text: str) -> None:
    assert normalise(unicodedata.normalize("NFD", text)) == normalise(unicodedata.normalize("NFC", text))


@given(st.text(alphabet="abcxyz -'"), st.sampled_from(sorted(ARTICLES)))
def test_a_leading_article_makes_no_difference(text: str, article: str) -> None:
    if any(word not in ARTICLES and word.isalpha() for word in normalise(text).split()):
        assert normalise(f"{article.title()} {text}") == normalise(text)
