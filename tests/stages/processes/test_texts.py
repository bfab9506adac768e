from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.processes.texts import Refused, form, tidy


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (None, "not_text"),
        (7, "not_text"),
        ({"a": 1}, "not_text"),
        ("x" * 101, "too_long"),
        ("a\x00b", "control_characters"),
        ("a\u202eb", "control_characters"),
        ("\ud800", "control_characters"),
        ("<script>alert(1)</script>", "markup"),
        ("< IMG src=x onerror=alert(1)>", "markup"),
        ("<!-- x", "markup"),
        ("a<b>c", "markup"),
        ("javascript: x", "markup"),
        ("&lt;script&gt;", "markup"),
        ("</title>", "markup"),
    ],
)
def test_hostile_values_are_refused_with_a_reason(value: object, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        tidy(value, 100)
    assert refused.value.reason == reason


@pytest.mark.parametrize("text", ["5 < 6 and 7 > 2", "salt & water", "A<3", "x -> y", "AT&T", "more \u00e9"])
def test_signs_that_are_no_markup_stay(text: str) -> None:
    assert tidy(text, 100) == text


def test_a_sign_before_many_blanks_is_looked_at_once() -> None:
    """Trying every way to divide the blanks took minutes."""
    assert tidy("<" + " " * 60_000 + "1", 60_002) == "< 1"


def test_ten_megabytes_are_refused_by_their_length_alone() -> None:
    with pytest.raises(Refused) as refused:
        tidy("<a " * 3_500_000, 300)
    assert refused.value.reason == "too_long"
    assert len(str(refused.value)) < 200


@given(
    st.text(
        alphabet=st.characters(
            exclude_categories=["Cs", "Cc"],
            exclude_characters="<&:\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufffe\uffff",
        )
    )
)
def test_tidying_is_stable_and_leaves_single_spaces(text: str) -> None:
    once = tidy(text, 10_000)
    assert tidy(once, 10_000) == once == " ".join(once.split())
    assert form(once) == form(text)


def test_form_leaves_case_spaces_and_outer_punctuation_aside() -> None:
    assert form("  More   Rain. ") == form("more rain") == "more rain"
    assert form("MORE evaporation?") == "more evaporation"
    assert form("less rain") != form("more rain")
    assert form("...") == ""
