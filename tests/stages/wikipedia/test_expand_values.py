"""Numbers, units and dates of templates."""

from __future__ import annotations

import pytest

from stages.wikipedia.expand_values import convert, date, grouped


@pytest.mark.parametrize(
    ("text", "shown"), [("999", "999"), ("1000", "1,000"), ("-12345.678", "-12,345.678"), ("1e5", "1e5"), ("", "")]
)
def test_grouped(text: str, shown: str) -> None:
    assert grouped(text) == shown


def test_a_quantity_without_a_unit_or_a_number_is_not_known() -> None:
    assert [convert(args, {}) for args in (["5"], ["about", "km"], [])] == [None, None, None]


def test_more_digits_than_python_converts_are_given_as_they_are() -> None:
    digits = "1" * 5000
    assert grouped(digits) == digits
    assert date(["1990", digits], {}) == "1990"
    assert date(["1990", "2", digits], {}) == "February 1990"


def test_a_date_with_a_written_month() -> None:
    assert date(["1969", "July", "20"], {"df": "y"}) == "20 July 1969"
    assert date(["July 1969"], {}) == "July 1969"
