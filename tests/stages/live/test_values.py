"""Values by Wikidata's RDF mapping; the dates of both calendars are known ones."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.live.answers import Node, Row
from stages.live.values import Unread, datatype_of, snak
from tests.tools.rdf import to_gregorian

WD = "http://www.wikidata.org/entity/"
XSD = "http://www.w3.org/2001/XMLSchema#"
GREGORIAN, JULIAN = f"{WD}Q1985727", f"{WD}Q1985786"


def uri(value: str) -> Node:
    return Node("uri", value)


def time_row(value: str, precision: int, calendar: str = GREGORIAN, datatype: str = f"{XSD}dateTime") -> Row:
    node = Node("literal", value, datatype=datatype)
    return {"value": node, "time": node, "precision": Node("literal", str(precision)), "calendar": uri(calendar)}


def value_of(row: Row, datatype: str | None = None) -> object:
    found = snak("P1", row, datatype)
    assert found["snaktype"] == "value" and found["property"] == "P1"
    return found["datavalue"]["value"]


@pytest.mark.parametrize(
    ("given_time", "precision", "calendar", "expected"),
    [
        ("1969-07-20T00:00:00Z", 11, GREGORIAN, "+1969-07-20T00:00:00Z"),
        ("1969-07-01T00:00:00Z", 10, GREGORIAN, "+1969-07-00T00:00:00Z"),
        ("1969-01-01T00:00:00Z", 9, GREGORIAN, "+1969-00-00T00:00:00Z"),
        # Caesar's death, 15 March 44 BC (Julian), is 13 March -43 in ISO's count.
        ("-0043-03-13T00:00:00Z", 11, JULIAN, "-0044-03-15T00:00:00Z"),
        # The October Revolution and the last Julian day of Britain.
        ("1917-11-07T00:00:00Z", 11, JULIAN, "+1917-10-25T00:00:00Z"),
        ("1752-09-13T00:00:00Z", 11, JULIAN, "+1752-09-02T00:00:00Z"),
        # Coarser than a day: not converted.
        ("1500-03-01T00:00:00Z", 10, JULIAN, "+1500-03-00T00:00:00Z"),
        ("0000-01-01T00:00:00Z", 9, JULIAN, "-0001-00-00T00:00:00Z"),
        ("-13797999999-01-01T00:00:00Z", 3, GREGORIAN, "-13798000000-00-00T00:00:00Z"),
    ],
)
def test_dates(given_time: str, precision: int, calendar: str, expected: str) -> None:
    found = value_of(time_row(given_time, precision, calendar), "time")
    assert found["time"] == expected and found["precision"] == precision  # type: ignore[index]
    assert found["calendarmodel"] == calendar  # type: ignore[index]


def test_a_date_that_xsd_cannot_say_stands_as_a_dump_writes_it() -> None:
    row = time_row("-0050-02-31T00:00:00Z", 9, datatype="")
    assert value_of(row, "time")["time"] == "-0050-00-00T00:00:00Z"  # type: ignore[index]


@given(st.dates(date(1583, 1, 1), date(9000, 1, 1)))
def test_julian_days_come_back(day: date) -> None:
    """Against Python's own calendar: the Julian date's Gregorian one is shifted by the days that it skipped."""
    shifted = day + timedelta(days=day.year // 100 - day.year // 400 - 2 - (day.month < 3 and _extra(day.year)))
    if (day.year, day.month, day.day) != (shifted.year, shifted.month, shifted.day):
        row = time_row(f"{shifted:%Y-%m-%d}T00:00:00Z".zfill(20), 11, JULIAN)
        assert value_of(row, "time")["time"] == f"+{day.year:04}-{day.month:02}-{day.day:02}T00:00:00Z"  # type: ignore[index]


def _extra(year: int) -> int:
    """A century year gains its day at the end of February."""
    return int(year % 100 == 0 and year % 400 != 0)


@given(st.integers(-4000, 3000), st.integers(1, 12), st.integers(1, 28))
def test_both_ways_between_the_calendars_agree(year: int, month: int, day: int) -> None:
    there = to_gregorian(year, month, day)
    text = f"{'-' if there[0] < 0 else ''}{abs(there[0]):04}-{there[1]:02}-{there[2]:02}T00:00:00Z"
    traditional = year if year > 0 else year - 1
    back = f"{'-' if traditional < 0 else '+'}{abs(traditional):04}-{month:02}-{day:02}T00:00:00Z"
    assert value_of(time_row(text, 11, JULIAN), "time")["time"] == back  # type: ignore[index]


@pytest.mark.parametrize(
    ("amount", "unit", "expected"),
    [
        ("+10.50", "Q11573", {"amount": "+10.50", "unit": f"{WD}Q11573"}),
        ("7", "Q199", {"amount": "+7", "unit": "1"}),
        ("-3.2", "Q199", {"amount": "-3.2", "unit": "1"}),
        ("1.5E3", "Q199", {"amount": "+1500", "unit": "1"}),
    ],
)
def test_amounts(amount: str, unit: str, expected: dict[str, str]) -> None:
    node = Node("literal", amount, datatype=f"{XSD}decimal")
    assert value_of({"value": node, "amount": node, "unit": uri(f"{WD}{unit}")}, "quantity") == expected


@pytest.mark.parametrize(
    ("value", "datatype", "expected"),
    [
        (uri(f"{WD}Q42"), "wikibase-item", {"entity-type": "item", "numeric-id": 42, "id": "Q42"}),
        (uri(f"{WD}Q42"), None, {"entity-type": "item", "numeric-id": 42, "id": "Q42"}),
        (uri(f"{WD}P31"), "wikibase-property", {"entity-type": "property", "numeric-id": 31, "id": "P31"}),
        (uri(f"{WD}L7-F2"), "wikibase-form", {"entity-type": "form", "id": "L7-F2"}),
        (uri(f"{WD}Q42"), "url", f"{WD}Q42"),
        (uri("https://example.org/a%20b"), "url", "https://example.org/a%20b"),
        (uri("http://commons.wikimedia.org/wiki/Special:FilePath/A%20b.jpg"), "commonsMedia", "A b.jpg"),
        (uri("http://commons.wikimedia.org/data/main/Data:A.map"), "geo-shape", "Data:A.map"),
        (Node("literal", "tt1"), "external-id", "tt1"),
        (Node("literal", "Les Bleus", "fr"), "monolingualtext", {"text": "Les Bleus", "language": "fr"}),
    ],
)
def test_other_values(value: Node, datatype: str | None, expected: object) -> None:
    assert value_of({"value": value}, datatype) == expected


def test_a_place() -> None:
    row = {
        "value": Node("literal", "Point(13 52.5)", datatype="wkt"),
        "latitude": Node("literal", "5.25E1"),
        "longitude": Node("literal", "13"),
    }
    assert value_of(row, "globe-coordinate") == {"latitude": 52.5, "longitude": 13.0}


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"novalue": Node("literal", "true")}, "novalue"),
        ({}, "somevalue"),
        ({"value": Node("bnode", "b1")}, "somevalue"),
        ({"value": uri("http://www.wikidata.org/.well-known/genid/12ab")}, "somevalue"),
    ],
)
def test_no_value_and_some_value(row: Row, expected: str) -> None:
    assert snak("P1", row, "time") == {"snaktype": expected, "property": "P1", "datatype": "time"}


@pytest.mark.parametrize(
    ("row", "datatype", "reason"),
    [
        ({"value": Node("literal", "1969-07-20T00:00:00Z", datatype=f"{XSD}dateTime")}, "time", "no_full_value"),
        ({"value": Node("literal", "5", datatype=f"{XSD}decimal")}, None, "no_full_value"),
        ({"value": Node("literal", "<math/>", datatype="http://www.w3.org/1998/Math/MathML")}, "math", "formula"),
        ({"value": uri(f"{WD}X9")}, None, "odd_value"),
        (time_row("yesterday", 11), "time", "odd_value"),
    ],
)
def test_what_rdf_does_not_tell_in_full_is_not_guessed(row: Row, datatype: str | None, reason: str) -> None:
    with pytest.raises(Unread, match=reason):
        snak("P1", row, datatype)


def test_types_of_properties() -> None:
    assert datatype_of(uri("http://wikiba.se/ontology#ExternalId")) == "external-id"
    assert datatype_of(uri("http://wikiba.se/ontology#Unheard")) is None


TIME, AMOUNT, DEGREES = time_row("1969-07-20T00:00:00Z", 11), Node("literal", "5"), Node("literal", "1.5")


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"value": AMOUNT, "amount": AMOUNT}, "no_full_value"),
        ({name: node for name, node in TIME.items() if name != "calendar"}, "no_full_value"),
        ({name: node for name, node in TIME.items() if name != "precision"}, "no_full_value"),
        ({"value": DEGREES, "latitude": DEGREES}, "no_full_value"),
        ({**TIME, "precision": Node("literal", "²")}, "odd_value"),
        ({**TIME, "precision": Node("literal", "9" * 5000)}, "odd_value"),
        ({"value": AMOUNT, "amount": Node("literal", "NaN"), "unit": uri(f"{WD}Q199")}, "odd_value"),
        ({"value": AMOUNT, "amount": Node("literal", "1E999999"), "unit": uri(f"{WD}Q199")}, "odd_value"),
        ({"value": DEGREES, "latitude": Node("literal", "inf"), "longitude": DEGREES}, "odd_value"),
    ],
)
def test_a_value_that_lacks_a_part_or_has_an_odd_one_is_left_out_with_a_reason(row: Row, reason: str) -> None:
    with pytest.raises(Unread, match=f"^{reason}$"):
        snak("P1", row, None)


def test_a_form_belongs_to_a_lexeme() -> None:
    assert (uri(f"{WD}L12-F1").entity, uri(f"{WD}Q12-F1").entity) == ("L12-F1", None)
