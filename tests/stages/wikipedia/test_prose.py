"""Tidy lines and clean characters."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.wikipedia.prose import clean_characters, clean_prose, tidy_line


@pytest.mark.parametrize(
    ("line", "tidy"),
    [
        ("Rome () is a city.", "Rome is a city."),
        ("Rome ( ; , ) is", "Rome is"),
        ("Rome (; born 1950) is", "Rome (born 1950) is"),
        ("Rome ( , or ; Latin: Roma ; ) is", "Rome (Latin: Roma) is"),
        ("Rome (Italian: Roma, ) is", "Rome (Italian: Roma) is"),
        ("Rome ( capital ) is", "Rome (capital) is"),
        ("a , b ; c .", "a, b; c."),
        ("Vols. 1,, and 2, ,", "Vols. 1, and 2,"),
        ("in 2011, ? was a film", "in 2011, ? was a film"),
        ("wait ... what", "wait ... what"),
        ("the .NET framework", "the .NET framework"),
        (", which means", "which means"),
        ("...And Justice", "...And Justice"),
        ("N\u00a0 x\t\ty", "N x y"),
        ("f(x) and (a)", "f(x) and (a)"),
    ],
)
def test_tidy_line(line: str, tidy: str) -> None:
    assert tidy_line(line) == tidy


@given(st.lists(st.sampled_from(["", " ", ",", ";", " or ", ":"]), max_size=8))
def test_brackets_without_a_word_go(pieces: list[str]) -> None:
    assert tidy_line(f"x ({''.join(pieces)}) y") == "x y"


@given(st.text())
def test_clean_prose_has_no_blank_lines_and_no_control_characters(text: str) -> None:
    clean = clean_prose(text)
    assert all(line and line == " ".join(line.split()) for line in clean.split("\n")) or not clean
    assert unicodedata.is_normalized("NFC", clean)
    assert not any(unicodedata.category(char) in ("Cc", "Cs") for char in clean.replace("\n", ""))


def test_invisible_characters_go_and_every_line_break_is_one() -> None:
    assert clean_characters("a\u00adb\u200bc\x00\r\nd\u2028e") == "abc\nd\ne"
