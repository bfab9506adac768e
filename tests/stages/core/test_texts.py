from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.texts import Refused, find_active, form, has_markup, tidy


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
        ("a <br/> b", "markup"),
        ("a <br /> b", "markup"),
        ("x <a href=y>z", "markup"),
        ("x <a href = 'y'>z", "markup"),
        ("<b onclick = run()", "markup"),
        ("<b/onclick=run()>", "markup"),
        ("<!DOCTYPE html", "markup"),
        ("<?xml version", "markup"),
        ("<![CDATA[x", "markup"),
        ("&#x3c;b&#62;", "markup"),
        ("&amp;#x27;", "markup"),
        ("a&#0;b&#x202e;", "control_characters"),
    ],
)
def test_hostile_values_are_refused_with_a_reason(value: object, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        tidy(value, 100)
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("the tree&#x27;s seeds", "the tree's seeds"),
        ("less&nbsp;rain", "less rain"),
        ("caf&eacute;", "café"),
        ("AT&T &amp; sons, R&D;", "AT&T & sons, R&D;"),
        ("a &lt; b", "a < b"),
        ("Klassics with a &quot;K&quot;", 'Klassics with a "K"'),
        ("&#65;&#x42;", "AB"),
        ("cut &notes &nosuch;", "cut &notes &nosuch;"),
    ],
)
def test_character_references_are_read(written: str, read: str) -> None:
    assert tidy(written, 100) == read


@pytest.mark.parametrize(
    "text",
    [
        "5 < 6 and 7 > 2",
        "a < b & c > d",
        "a<b and c>d",
        "a <b & c> d",
        "a < b and c = d > e",
        "the slope < base of the hill, only = there",
        "x < object > y",
        "a <= b, c >= d; e <> f",
        "Q&A; then more",
        "R&D; tea & cake;",
        "salt & water",
        "A<3",
        "x -> y",
        "x <- y",
        "AT&T",
        "more \u00e9",
    ],
)
def test_signs_that_are_no_markup_stay(text: str) -> None:
    assert tidy(text, 100) == text
    assert find_active(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "<script>",
        "< / script",
        "< IMG src=x>",
        "<base href='x'>",
        "</form>",
        "<style>",
        "<b onload = x",
        "javascript :x",
    ],
)
def test_what_can_only_be_meant_to_run_is_found(text: str) -> None:
    assert find_active(f"before {text} after")
    assert has_markup(f"before {text} after")


@pytest.mark.parametrize("text", ["<b>bold</b>", "<!-- x -->", "&lt;"])
def test_markup_that_does_nothing_is_not_active(text: str) -> None:
    assert has_markup(text) and find_active(text) is None


@given(st.text("ab ", min_size=1, max_size=8), st.text("cd&=; ", max_size=12), st.text("ef ", min_size=1, max_size=8))
def test_comparisons_with_blanks_around_their_signs_are_never_markup(left: str, middle: str, right: str) -> None:
    assert not has_markup(f"{left} < {middle} > {right}")


@pytest.mark.parametrize("piece", ["<", "<a ", "< ", "<a x=", "&a", "<a on", "</", "=a", " on", "<a x='"])
def test_looking_for_markup_takes_time_in_line_with_the_text(piece: str) -> None:
    """Trying every way to divide a text would not come to an end here."""
    for text in (piece * 100_000, "<a " + piece * 100_000):
        has_markup(text)
        find_active(text)


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
