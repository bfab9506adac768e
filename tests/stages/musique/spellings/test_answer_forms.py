"""Spellings that are one answer, and such that are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.musique.spellings.answer_forms import forms, names, things


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("U.S.", "US"),
        ("the United States", "united states"),
        ("Spider-Man", "Spiderman"),
        ("Spider-Man", "Spider Man"),
        ("Düsseldorf", "Dusseldorf"),
        ("12 May 1990", "May 12, 1990"),
        ("five", "5"),
        ("12,000", "12000"),
    ],
)
def test_spellings_of_one_answer_share_a_form(one: str, other: str) -> None:
    assert set(forms(one)) & set(forms(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [("Georgia", "Georgia Tech"), ("5", "15"), ("3/4/2015", "4/3/2015"), ("1990", "1991"), ("Tom", "Thom")],
)
def test_other_answers_share_none(one: str, other: str) -> None:
    assert not set(forms(one)) & set(forms(other))


def test_forms_by_hand() -> None:
    assert forms("The U.S.") == ("u s", "us")
    assert forms("five") == ("=number 5", "five")


@given(st.text(max_size=40))
def test_forms_are_sorted_without_repeats_and_empty_ones(spelling: str) -> None:
    found = forms(spelling)
    assert list(found) == sorted(set(found)) and "" not in found


def test_things_of_the_installed_list() -> None:
    assert things("First World War") == things("World War I") == ("World War I",)
    assert set(things("African")) & set(things("Africa")) and not set(things("Vienna")) & set(things("Venice"))
    assert "United States" in set(things("the US")) & set(things("American"))
    assert things("a mill") == ()


def test_names_are_looked_up_with_their_accents_and_without() -> None:
    assert names("the Düsseldorf") == ("dusseldorf", "düsseldorf")
    assert names("Rhine") == ("rhine",)
