from __future__ import annotations

import random

from stages.live.answers import Node, Row
from stages.live.queries import ENTITY, PROPERTY
from stages.live.statements import Statements

WB = "http://wikiba.se/ontology#"
PLACE = f"{ENTITY}statement/Q7-aa-bb"


def uri(value: str) -> Node:
    return Node("uri", value)


def said(says: str, value: Node, place: str = PLACE, claim: str = "P39") -> Row:
    return {
        "item": uri(f"{ENTITY}Q7"),
        "claim": uri(f"{PROPERTY}{claim}"),
        "statement": uri(place),
        "says": uri(says),
        "value": value,
    }


def part(node: str, full: str, name: str, value: Node) -> Row:
    base = {name: node for name, node in said("", value).items() if name != "says"}
    return {**base, "node": uri(f"{PROPERTY}{node}"), "full": uri(full), "part": uri(f"{WB}{name}")}


def date_parts(node: str, full: str, day: str) -> list[Row]:
    return [
        part(node, full, "timeValue", Node("literal", day, datatype="http://www.w3.org/2001/XMLSchema#dateTime")),
        part(node, full, "timePrecision", Node("literal", "9")),
        part(node, full, "timeCalendarModel", uri(f"{ENTITY}Q1985727")),
    ]


ROWS = [
    said(f"{WB}rank", uri(f"{WB}PreferredRank")),
    said(f"{PROPERTY}statement/P39", uri(f"{ENTITY}Q30")),
    said(f"{PROPERTY}qualifier/P580", Node("literal", "1990-01-01T00:00:00Z", datatype="d")),
    said(f"{PROPERTY}qualifier/P580", Node("literal", "1995-01-01T00:00:00Z", datatype="d")),
    said(f"{PROPERTY}qualifier/P585", Node("bnode", "b")),
    said("rdf:type", uri(f"{PROPERTY}novalue/P582")),
]
PARTS = [
    *date_parts("qualifier/value/P580", "v1", "1990-01-01T00:00:00Z"),
    *date_parts("qualifier/value/P580", "v2", "1995-01-01T00:00:00Z"),
]


def test_a_statement_with_its_rank_and_qualifiers_whatever_the_order_of_rows() -> None:
    for seed in range(5):
        read = Statements({"P39": "wikibase-item"})
        for row in random.Random(seed).sample(ROWS, len(ROWS)):
            read.add(row)
        assert read.in_parts(["Q7", "Q8"]) == ["Q7"]
        for row in random.Random(seed).sample(PARTS, len(PARTS)):
            read.add_part(row)
        [(item, name, place, statement)] = read.finished()
        assert (item, name, place) == ("Q7", "P39", PLACE)
        assert statement["rank"] == "preferred" and statement["id"] == "Q7$aa-bb"
        assert statement["mainsnak"]["datavalue"]["value"]["id"] == "Q30"
        starts = [snak["datavalue"]["value"]["time"][:5] for snak in statement["qualifiers"]["P580"]]
        assert starts == ["+1990", "+1995"]
        assert [snak["snaktype"] for snak in statement["qualifiers"]["P582"]] == ["novalue"]
        assert [snak["snaktype"] for snak in statement["qualifiers"]["P585"]] == ["somevalue"]


def test_a_qualifier_without_its_full_value_still_says_that_there_is_one() -> None:
    read = Statements({})
    for row in ROWS:
        read.add(row)
    [(*_, statement)] = read.finished()
    assert [snak["snaktype"] for snak in statement["qualifiers"]["P580"]] == ["somevalue", "somevalue"]


def test_a_main_value_in_parts_that_are_missing_is_counted_and_left_out() -> None:
    read = Statements({"P569": "time"})
    read.add(said(f"{WB}rank", uri(f"{WB}NormalRank"), claim="P569"))
    read.add(said(f"{PROPERTY}statement/P569", Node("literal", "1990-01-01T00:00:00Z", datatype="d"), claim="P569"))
    assert list(read.finished()) == []
    assert read.unread == {"P569 (no_full_value)": 1}


def test_no_value_at_all() -> None:
    read = Statements({"P39": "wikibase-item"})
    read.add(said(f"{WB}rank", uri(f"{WB}DeprecatedRank")))
    read.add(said("rdf:type", uri(f"{PROPERTY}novalue/P39")))
    [(*_, statement)] = read.finished()
    assert statement["mainsnak"]["snaktype"] == "novalue" and statement["rank"] == "deprecated"
    assert "qualifiers" not in statement
