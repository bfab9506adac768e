"""Dates in ISO 8601 and EDTF, against the calendar and the edtf library's own grammar."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.normalise import Kind, normalise
from stages.normalise.calendar import (
    Day,
    ImpossibleDateError,
    before_christ,
    century,
    decade,
    decade_before_christ,
    is_formatted,
    year_text,
)
from tests.stages.normalise.gold_rows import cases


@pytest.mark.parametrize(
    ("day", "text"),
    [
        (Day(1969, 7, 20), "1969-07-20"),
        (Day(1969, 7), "1969-07"),
        (Day(1969), "1969"),
        (Day(-43, 3, 15), "-0043-03-15"),
        (Day(0), "0000"),
        (Day(79), "0079"),
        (Day(-11999), "Y-11999"),
        (Day(None, 12, 26), "XXXX-12-26"),
        (Day(None, 2, 29), "XXXX-02-29"),
    ],
)
def test_day(day: Day, text: str) -> None:
    assert day.text() == text


@pytest.mark.parametrize(
    "day", [Day(2001, 2, 29), Day(1900, 2, 29), Day(2001, 4, 31), Day(2001, 13), Day(2001, 1, 0), Day(-11999, 5)]
)
def test_days_that_never_were(day: Day) -> None:
    with pytest.raises(ImpossibleDateError, match="impossible_date"):
        day.text()


def test_years_before_our_era() -> None:
    assert [before_christ(year) for year in (1, 44, 100)] == [0, -43, -99]
    with pytest.raises(ImpossibleDateError, match="no_year_zero"):
        before_christ(0)


def test_decades_and_centuries() -> None:
    assert (decade(1990), decade(500)) == ("199X", "050X")
    # The 40s BC are 49 to 40 BC; the first decade begins with 1 BC.
    assert (decade_before_christ(40), decade_before_christ(0)) == ("-0048/-0039", "-0008/0000")
    assert (century(20, before=False), century(4, before=True), century(1, before=False)) == ("19XX", "-03XX", "00XX")
    assert century(2, before=True, blanks=3) == "-1XXX"
    with pytest.raises(ImpossibleDateError):
        century(0, before=False)
    with pytest.raises(ImpossibleDateError):
        century(101, before=False)


def test_weekdays_of_both_calendars() -> None:
    # The moon landing was on a Sunday; the October Revolution on a Wednesday, Julian 25 October 1917.
    assert Day(1969, 7, 20).falls_on(6)
    assert not Day(1969, 7, 20).falls_on(0)
    assert Day(1917, 10, 25).falls_on(2)
    assert not Day(1917, 10, 25).falls_on(4)
    assert Day(1400, 1, 1).falls_on(3)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("1969-07-20", True),
        ("1969-02-30", False),
        ("-0043", True),
        ("199X", True),
        ("19XX", True),
        ("1985/1990", True),
        ("1985/", False),
        ("1850~", True),
        ("XXXX-12-26", True),
        ("XXXX-02-30", False),
        ("2011-21", True),
        ("2011-25", False),
        ("T18:00", True),
        ("T24", False),
        ("69", False),
        ("1969-7-2", False),
    ],
)
def test_is_formatted(text: str, right: bool) -> None:
    assert is_formatted(text) == right


@given(st.dates())
def test_real_days_are_written_as_python_writes_them(day) -> None:
    assert Day(day.year, day.month, day.day).text() == day.isoformat()
    assert Day(day.year, day.month, day.day).falls_on(day.weekday())


@given(st.integers(-99999, 99999))
def test_years_are_formatted(year: int) -> None:
    assert is_formatted(year_text(year))


def test_the_edtf_library_accepts_every_date_of_the_gold() -> None:
    edtf = pytest.importorskip("edtf", reason="the edtf library is not installed; it comes with the test extra")
    refused = []
    for case in cases():
        result = normalise(case.text, case.passage)
        if result.kind is Kind.DATE and result.value is not None and not result.value.startswith("T"):
            try:
                edtf.parse_edtf(result.value)
            except edtf.parser.EDTFParseException:
                refused.append(result.value)
    assert refused == []
