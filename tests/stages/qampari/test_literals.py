"""Plain values written out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.qampari.literals import literal_forms, plural


@pytest.mark.parametrize(
    ("value", "forms"),
    [
        ("1969", ["1969"]),
        ("1969-07", ["July 1969", "1969-07"]),
        ("1969-07-20", ["20 July 1969", "July 20, 1969", "1969-07-20"]),
        ("-0043", ["44 BC", "44 BCE"]),
        ("-0043-03-15", ["15 March 44 BC", "15 March 44 BCE", "March 15, 44 BC", "March 15, 44 BCE", "-0043-03-15"]),
        ("0079", ["79"]),
        ("0000", ["1 BC", "1 BCE"]),
        ("19th century", ["19th century"]),
        ("196X", ["1960s", "1960's"]),
        ("19XX", ["20th century", "twentieth century"]),
        ("1XXX", ["2nd millennium", "second millennium"]),
        ("-0048/-0039", ["40s BC", "40s BCE", "40s B.C."]),
        ("1969-13", ["1969-13"]),
    ],
)
def test_dates(value: str, forms: list[str]) -> None:
    assert literal_forms(value, "time") == forms


@pytest.mark.parametrize(
    ("value", "unit", "forms"),
    [
        ("8848", (), ["8,848", "8848"]),
        ("8848.50", (), ["8,848.5", "8848.5", "8848.50"]),
        ("828", ("metre", "m"), ["828 metres", "828 metre", "828 m", "828"]),
        ("1", ("kilometre",), ["1 kilometre", "1"]),
        ("-5", ("degree Celsius",), ["-5 degrees Celsius", "-5 degree Celsius", "-5"]),
        ("12 to 15", ("metre",), ["12 to 15"]),
    ],
)
def test_quantities(value: str, unit: tuple[str, ...], forms: list[str]) -> None:
    assert literal_forms(value, "quantity", unit) == forms


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ("metre", "metres"),
        ("square kilometre", "square kilometres"),
        ("kilometre per hour", "kilometres per hour"),
        ("foot", "feet"),
        ("square foot", "square feet"),
        ("pound sterling", "pounds sterling"),
        ("Japanese yen", "Japanese yen"),
        ("%", "%"),
    ],
)
def test_plurals(unit: str, expected: str) -> None:
    assert plural(unit) == expected


def test_other_values_stand_as_they_are() -> None:
    assert literal_forms("Ad astra", "string") == ["Ad astra"]
    assert literal_forms("1969-07-20", "string") == ["1969-07-20"]


@given(st.text(min_size=1), st.sampled_from(["time", "quantity", "string"]), st.lists(st.text(min_size=1), max_size=2))
def test_forms_are_distinct_and_there_is_one(value: str, kind: str, unit: list[str]) -> None:
    forms = literal_forms(value, kind, unit)
    assert forms
    assert len(forms) == len(set(forms))
