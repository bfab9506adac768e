"""Names of months, ordinals and spans of years."""

from __future__ import annotations

import calendar

import pytest

from stages.core.english import MONTHS, ordinal, span_names
from stages.wikidata.shapes import TimeValue
from stages.wikidata.values import iso_time


def test_months_are_those_of_the_calendar() -> None:
    assert list(MONTHS) == list(calendar.month_name)[1:]


@pytest.mark.parametrize(
    ("number", "text"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"), (21, "21st")],
)
def test_ordinals(number: int, text: str) -> None:
    assert ordinal(number) == text
    assert ordinal(200 + number) == f"2{'0' * (3 - len(str(number)) - 1)}{text}"


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("196X", ["1960s", "1960's"]),
        ("180X", ["1800s", "1800's"]),
        ("009X", ["90s AD", "AD 90s"]),
        ("19XX", ["20th century", "twentieth century"]),
        ("20XX", ["21st century", "twenty-first century"]),
        ("00XX", ["1st century", "first century"]),
        ("1XXX", ["2nd millennium", "second millennium"]),
        ("-0048/-0039", ["40s BC", "40s BCE", "40s B.C."]),
        ("-0008/0000", ["0s BC", "0s BCE", "0s B.C."]),
        ("-2XXX", [f"{name} millennium {era}" for name in ("3rd", "third") for era in ("BC", "BCE", "B.C.")]),
        ("-04XX", [f"{name} century {era}" for name in ("5th", "fifth") for era in ("BC", "BCE", "B.C.")]),
        ("-30XX", ["31st century BC", "31st century BCE", "31st century B.C."]),
        ("1969", []),
        ("Y-13798000000", []),
        ("1969-07", []),
        ("Y10000/Y10009", []),
        ("", []),
    ],
)
def test_spans(value: str, names: list[str]) -> None:
    assert span_names(value) == names


@pytest.mark.parametrize(
    ("time", "precision", "name"),
    [
        ("+1965-00-00T00:00:00Z", 8, "1960s"),
        ("+1901-01-01T00:00:00Z", 7, "20th century"),
        ("+2000-01-01T00:00:00Z", 7, "20th century"),
        ("-0450-01-01T00:00:00Z", 7, "5th century BC"),
        ("-0044-01-01T00:00:00Z", 8, "40s BC"),
        ("+1500-01-01T00:00:00Z", 6, "2nd millennium"),
    ],
)
def test_names_of_what_statements_hold(time: str, precision: int, name: str) -> None:
    value = TimeValue(time=time, precision=precision, calendarmodel="http://www.wikidata.org/entity/Q1985727")
    assert span_names(iso_time(value))[0] == name
