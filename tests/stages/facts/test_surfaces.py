"""Literal values as texts write them: worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.facts.matching import PreparedPage
from stages.facts.surfaces import spoken, surfaces


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        ("1969", "time", ["1969"]),
        ("1969-07", "time", ["July 1969", "July, 1969", "July of 1969"]),
        (
            "1969-07-21",
            "time",
            [
                "21 July 1969",
                "July 21, 1969",
                "July 21 1969",
                "21 July, 1969",
                "21st July 1969",
                "July 21st, 1969",
                "21st July, 1969",
                "21st of July 1969",
                "21st of July, 1969",
                "21 Jul 1969",
                "Jul 21, 1969",
                "21 Jul. 1969",
                "Jul. 21, 1969",
                "1969-07-21",
            ],
        ),
        ("0476", "time", ["476", "AD 476", "476 AD", "476 CE"]),
        ("0079", "time", ["AD 79", "79 AD", "79 CE"]),
        # Astronomical year -43 is 44 BC, year 0 is 1 BC.
        ("-0043", "time", ["44 BC", "44 BCE", "44 B.C."]),
        ("0000", "time", ["1 BC", "1 BCE", "1 B.C."]),
        ("1969-13", "time", []),
        ("196X", "time", ["1960s", "1960's"]),
        ("19XX", "time", ["20th century", "twentieth century"]),
        ("unknown", "time", []),
        ("8848", "quantity", ["8,848", "8848", "8 848"]),
        ("1200000", "quantity", ["1,200,000", "1200000", "1 200 000", "1.2 million"]),
        ("7000000000", "quantity", ["7,000,000,000", "7000000000", "7 000 000 000", "7 billion", "7,000 million"]),
        ("1234.50", "quantity", ["1,234.5", "1234.5", "1 234.5"]),
        ("0.125", "quantity", ["0.125"]),
        ("-1234", "quantity", ["−1,234", "minus 1,234", "−1234", "minus 1234", "−1 234", "minus 1 234"]),
        ("42", "quantity", []),
        ("0.05", "quantity", []),
        ("1e9", "quantity", []),
        ("E pluribus unum", "monolingual", ["E pluribus unum"]),
        (" ", "string", []),
        ("48.85,2.35", "coordinate", []),
    ],
)
def test_surfaces(value: str, kind: str, expected: list[str]) -> None:
    assert surfaces(value, kind) == expected


@pytest.mark.parametrize(
    ("value", "kind", "sentence", "found"),
    [
        ("1969-07-20", "time", "The landing was on July 20, 1969, at dusk.", True),
        ("1969-07-20", "time", "They landed on 20 July, 1969.", True),
        ("1998-09-04", "time", "It was founded on Sept. 4, 1998.", True),
        ("1969-07-20", "time", "The landing was in July 1969.", False),
        ("1969-07-20", "time", "It happened in 1969.", False),
        ("1969-07-20", "time", "They left on 120 July 1969 forms.", False),
        ("1969", "time", "They landed on 20 July 1969.", True),
        ("196X", "time", "It was a fashion of the 1960s.", True),
        ("196X", "time", "It was a fashion of 1960.", False),
        ("18XX", "time", "It was a fashion in nineteenth-century France.", True),
        ("18XX", "time", "The 19th Century saw it go.", True),
        ("18XX", "time", "It was his 19th.", False),
        ("1969", "time", "It is a song of the 1969ers and of 19690 others.", False),
        ("1234567", "quantity", "It has 1,234,567 inhabitants.", True),
        ("1234567", "quantity", "It has 1\u202f234\u202f567 inhabitants.", True),
        ("1234567", "quantity", "It has 1.2 million inhabitants.", False),
        ("1200000", "quantity", "It has 1.2 million inhabitants.", True),
        ("1200000", "quantity", "It has 11.2 million inhabitants.", False),
    ],
)
def test_what_a_sentence_must_say_for_a_value(value: str, kind: str, sentence: str, found: bool) -> None:
    assert any(PreparedPage([sentence]).mentions(surfaces(value, kind))) == found


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        (None, "120"),
        ("metre", "120 metres"),
        ("square kilometre", "120 square kilometres"),
        ("foot", "120 feet"),
        ("kilometre per hour", "120 kilometres per hour"),
        ("degree Celsius", "120 degrees Celsius"),
        ("United States dollar", "120 United States dollars"),
        ("percent", "120 percent"),
    ],
)
def test_spoken(unit: str | None, expected: str) -> None:
    assert spoken("120", unit) == expected


@given(st.integers(100, 10**13))
def test_every_form_of_a_number_is_found_where_it_stands(number: int) -> None:
    forms = surfaces(str(number), "quantity")
    text = [f"It has {form} of them." for form in forms]
    found = {(mention.surface, mention.sentence) for mention in PreparedPage(text).mentions(forms)}
    assert {(index, index) for index in range(len(forms))} <= found
