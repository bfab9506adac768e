"""Canonical values; the expected spellings are worked out by hand from ISO 8601."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.wikidata.shapes import (
    CoordinateData,
    CoordinateValue,
    EntityId,
    ItemData,
    QuantityData,
    QuantityValue,
    Snak,
    StringData,
    TimeValue,
)
from stages.wikidata.values import BadValue, Literal, decimal, iso_time, literal

JULIAN = "http://www.wikidata.org/entity/Q1985786"


@pytest.mark.parametrize(
    ("time", "precision", "expected"),
    [
        ("+1969-07-20T00:00:00Z", 11, "1969-07-20"),
        ("+1969-07-00T00:00:00Z", 10, "1969-07"),
        ("+1969-00-00T00:00:00Z", 9, "1969"),
        ("+1969-07-20T00:00:00Z", 9, "1969"),
        ("+00000001990-00-00T00:00:00Z", 9, "1990"),
        ("+0079-08-24T00:00:00Z", 11, "0079-08-24"),
        ("+1969-07-20T20:17:40Z", 14, "1969-07-20T20:17:40Z"),
        ("+1969-07-20T20:17:40Z", 13, "1969-07-20T20:17"),
        ("+1969-07-20T20:17:40Z", 12, "1969-07-20T20"),
        # 44 BC is the astronomical year -43, 1 BC the year 0.
        ("-0044-03-15T00:00:00Z", 11, "-0043-03-15"),
        ("-0001-00-00T00:00:00Z", 9, "0000"),
        ("-0002-00-00T00:00:00Z", 9, "-0001"),
        ("+12000-00-00T00:00:00Z", 9, "Y12000"),
        ("-12000-00-00T00:00:00Z", 9, "Y-11999"),
        ("+1970-00-00T00:00:00Z", 8, "197X"),
        ("+1979-00-00T00:00:00Z", 8, "197X"),
        # The 19th century ends with 1900, the second millennium with 2000.
        ("+1801-00-00T00:00:00Z", 7, "18XX"),
        ("+1900-00-00T00:00:00Z", 7, "18XX"),
        ("+1901-00-00T00:00:00Z", 7, "19XX"),
        ("+2000-00-00T00:00:00Z", 7, "19XX"),
        ("+0100-00-00T00:00:00Z", 7, "00XX"),
        ("+2000-00-00T00:00:00Z", 6, "1XXX"),
        ("+2001-00-00T00:00:00Z", 6, "2XXX"),
        # The 5th century BC is 500 to 401 BC: -499 to -400.
        ("-0450-00-00T00:00:00Z", 7, "-04XX"),
        ("-0500-00-00T00:00:00Z", 7, "-04XX"),
        ("-0001-00-00T00:00:00Z", 7, "-00XX"),
        # The 40s BC are 49 to 40 BC: -48 to -39; of the first decade 9 to 1 BC remain.
        ("-0044-00-00T00:00:00Z", 8, "-0048/-0039"),
        ("-0005-00-00T00:00:00Z", 8, "-0008/0000"),
        # The 12th millennium BC is 12000 to 11001 BC: -11999 to -11000.
        ("-12000-00-00T00:00:00Z", 6, "Y-11999/Y-11000"),
        ("-13798000000-00-00T00:00:00Z", 3, "Y-13798000000"),
        ("+0000100000-00-00T00:00:00Z", 4, "Y100000"),
    ],
)
def test_iso_time(time: str, precision: int, expected: str) -> None:
    assert iso_time(TimeValue(time, precision)) == expected


def test_julian_leap_day() -> None:
    assert iso_time(TimeValue("+1500-02-29T00:00:00Z", 11, JULIAN)) == "1500-02-29"
    with pytest.raises(BadValue, match="day 29 of month 2"):
        iso_time(TimeValue("+1500-02-29T00:00:00Z", 11))


@pytest.mark.parametrize(
    ("time", "precision"),
    [
        ("1969", 9),
        ("+1969-13-01T00:00:00Z", 11),
        ("+1969-00-00T00:00:00Z", 10),
        ("+1969-07-00T00:00:00Z", 11),
        ("+1969-02-29T00:00:00Z", 11),
        ("+1969-07-20T24:00:00Z", 14),
        ("+0000-00-00T00:00:00Z", 9),
        ("-0000-00-00T00:00:00Z", 7),
        ("+1969-07-20T00:00:00Z", 15),
        ("+1969-07-20T00:00:00Z", -1),
        ("+1969-07-20T00:00:00Z\n", 11),
        ("+١٩٦٩-07-20T00:00:00Z", 11),
        ("+" + "9" * 40 + "-01-01T00:00:00Z", 9),
    ],
)
def test_impossible_times(time: str, precision: int) -> None:
    with pytest.raises(BadValue):
        iso_time(TimeValue(time, precision))


@given(st.dates())
def test_days_of_our_era_read_as_python_writes_them(day: date) -> None:
    time = f"+{day.isoformat()}T00:00:00Z"
    assert iso_time(TimeValue(time, 11)) == day.isoformat()
    assert iso_time(TimeValue(time, 10)) == day.isoformat()[:7]
    assert iso_time(TimeValue(time, 9)) == day.isoformat()[:4]


@given(st.integers(1, 9_999), st.booleans(), st.integers(6, 8))
def test_spans_hold_their_year(year: int, before: bool, precision: int) -> None:
    text = iso_time(TimeValue(f"{'-' if before else '+'}{year:04}-00-00T00:00:00Z", precision))
    astronomical = 1 - year if before else year
    first, _, last = (text if "/" in text else f"{text.replace('X', '0')}/{text.replace('X', '9')}").partition("/")
    low, high = sorted((int(first.removeprefix("Y")), int(last.removeprefix("Y"))))
    # A century of our era is named by its number less one, so its last year lies one beyond.
    assert low <= astronomical <= high + (precision < 8 and not before)


@given(st.dates(), st.integers(1, 400))
def test_order_of_days_is_the_order_of_texts(day: date, days: int) -> None:
    later = day + timedelta(days) if day.year < 9998 else day
    texts = [iso_time(TimeValue(f"+{each.isoformat()}T00:00:00Z", 11)) for each in (day, later)]
    assert texts == sorted(texts)


@pytest.mark.parametrize(
    ("amount", "expected"),
    [
        ("+1.96", "1.96"),
        ("+10", "10"),
        ("10", "10"),
        ("-3.50", "-3.50"),
        ("-0", "0"),
        ("-0.00", "0.00"),
        ("+007", "7"),
        ("+0.5", "0.5"),
        ("-00.10", "-0.10"),
    ],
)
def test_decimal(amount: str, expected: str) -> None:
    assert decimal(amount) == expected


@pytest.mark.parametrize("amount", ["", "+", "1e5", "1,5", "NaN", "1.", ".5", " 1", "١", "1" * 128])
def test_not_decimal(amount: str) -> None:
    with pytest.raises(BadValue, match="not a decimal"):
        decimal(amount)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-(10**9), max_value=10**9))
def test_decimal_keeps_number_and_digits(number: object) -> None:
    text = decimal(f"{number:+f}")
    assert float(text) == float(str(number))
    assert re.fullmatch(r"-?(0|[1-9][0-9]*)\.[0-9]{3}", text)


def snak(data: object, datatype: str | None = None) -> Snak:
    return Snak("value", "P1", datatype, data)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (snak(ItemData(EntityId("Q5"))), Literal("item", "Q5")),
        (snak(ItemData(EntityId(None, 5))), Literal("item", "Q5")),
        (snak(ItemData(EntityId("P31", 31, "property"))), Literal("other", "P31")),
        (snak(ItemData(EntityId("L1-S1", None, "sense"))), Literal("other", "L1-S1")),
        (snak(QuantityData(QuantityValue("+5"))), Literal("quantity", "5")),
        (
            snak(QuantityData(QuantityValue("+5", "http://www.wikidata.org/entity/Q11573"))),
            Literal("quantity", "5", "Q11573"),
        ),
        (snak(StringData(" a  b ")), Literal("string", "a b")),
        (snak(StringData("http://x.org/"), "url"), Literal("url", "http://x.org/")),
        (snak(StringData("nm001"), "external-id"), Literal("other", "nm001")),
        (snak(CoordinateData(CoordinateValue(57, -5.25)), "globe-coordinate"), Literal("coordinate", "57,-5.25")),
    ],
)
def test_literal(value: Snak, expected: Literal) -> None:
    assert literal(value) == expected


@pytest.mark.parametrize(
    "value",
    [
        snak(None),
        snak(ItemData(EntityId("Q1/../../x"))),
        snak(ItemData(EntityId("Q0"))),
        snak(ItemData(EntityId())),
        snak(ItemData(EntityId(None, None, "property"))),
        snak(ItemData(EntityId("Q5\n"))),
        snak(StringData(" ")),
        snak(QuantityData(QuantityValue("+5", "metre"))),
    ],
)
def test_bad_values(value: Snak) -> None:
    with pytest.raises(BadValue):
        literal(value)
