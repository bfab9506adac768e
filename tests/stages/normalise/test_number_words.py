"""Numbers in words, written and read."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.normalise.number_reader import UnreadableNumberError, read_number
from stages.normalise.number_words import cardinal, ordinal_number
from stages.normalise.spelling import LARGEST_SPELT, decimal, grouped, ordinal, ordinal_words, words


@given(st.one_of(st.integers(0, 3000), st.integers(0, LARGEST_SPELT - 1)))
def test_every_number_is_read_as_it_is_written(number: int) -> None:
    spelt = words(Fraction(number))
    assert spelt is not None
    assert cardinal(spelt) == number


@given(st.integers(1, 10**6))
def test_every_ordinal_is_read_as_it_is_written(number: int) -> None:
    spelt = ordinal_words(number)
    assert spelt is not None
    read = ordinal_number(spelt)
    # "two hundredth" may be a part, so a small count before a last scale is left alone.
    assert read in (number, None)
    assert read == number or number >= 200


@given(st.fractions(max_denominator=10**6))
def test_decimals_are_exact(value: Fraction) -> None:
    assert Fraction(decimal(value)) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(2, 3), "2/3"),
        (Fraction(-1, 4), "-0.25"),
        (Fraction(1, 8), "0.125"),
        (Fraction("1234567.890123456789"), "1234567.890123456789"),
        (Fraction(10**30), "1" + "0" * 30),
    ],
)
def test_decimal(value: Fraction, text: str) -> None:
    assert decimal(value) == text


def test_spelling() -> None:
    assert words(Fraction(1969)) == "one thousand nine hundred and sixty-nine"
    assert words(Fraction(1005)) == "one thousand and five"
    assert words(Fraction(-7)) == "minus seven"
    assert words(Fraction(1, 2)) is None
    assert [grouped(Fraction(n)) for n in (999, 1000, 54000)] == [None, "1,000", "54,000"]
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 112, 122)] == (
        ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th", "122nd"]
    )
    assert [ordinal_words(n) for n in (12, 20, 21, 100)] == ["twelfth", "twentieth", "twenty-first", "one hundredth"]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("thirty seven", 37),
        ("fourty", 40),
        ("a hundred and one", 101),
        ("three thousand million", 3 * 10**9),
        ("one hundred trillion", 10**14),
        ("three thousand four million", None),
        ("three-four", None),
        ("twenty-ten", None),
        ("zero twelve", None),
        ("and", None),
        ("five and", None),
        ("a", None),
        ("", None),
    ],
)
def test_cardinal(text: str, number: int | None) -> None:
    assert cardinal(text) == number


@pytest.mark.parametrize(
    ("text", "value", "rest"),
    [
        ("4.2 billion people", Fraction(4_200_000_000), " people"),
        ("two and a half miles", Fraction(5, 2), " miles"),
        ("half a million", Fraction(500_000), ""),
        ("three and three quarters", Fraction(15, 4), ""),
        ("two thirds of it", Fraction(2, 3), " of it"),
        ("2 1/2 in", Fraction(5, 2), " in"),
        ("3 × 10^8 m/s", Fraction(3 * 10**8), " m/s"),
    ],
)
def test_read_number(text: str, value: Fraction, rest: str) -> None:
    number = read_number(text)
    assert number is not None
    assert (number.value, text[number.end :]) == (value, rest)


@pytest.mark.parametrize(
    ("text", "reason"),
    [("1,2000", "bad_grouping"), ("0,5", "decimal_comma"), ("007", "leading_zero"), ("9/11", "fraction_or_date")],
)
def test_numbers_that_say_none(text: str, reason: str) -> None:
    with pytest.raises(UnreadableNumberError, match=reason):
        read_number(text)
