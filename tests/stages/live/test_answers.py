from __future__ import annotations

import json

import pytest

from stages.live.answers import Node, counted, number, plain
from stages.live.service import Cut, Foreign


def body(*rows: dict[str, str]) -> bytes:
    bindings = [{name: {"type": "literal", "value": value} for name, value in row.items()} for row in rows]
    return json.dumps({"head": {"vars": []}, "results": {"bindings": bindings}}).encode()


def test_rows_are_counted() -> None:
    rows = counted(body({"n": "2", "x": "a"}, {"n": "2", "x": "b"}))
    assert [row["x"].value for row in rows] == ["a", "b"]
    assert counted(body()) == []


@pytest.mark.parametrize(
    "data",
    [
        body({"n": "3"}, {"n": "3"}),
        body({"n": "1"}, {"n": "1"}),
        body({"n": "2"}, {"n": "1"}),
        body({"x": "1"}),
        body({"n": "1"})[:-3],
        b"<html>",
        b'{"error": ',
        b"[",
        b'[{"a": 1},',
        b'{"results": {"bindings": [{"n": 3}]}}',
    ],
)
def test_what_is_not_whole_is_cut(data: bytes) -> None:
    with pytest.raises(Cut):
        counted(data)


@pytest.mark.parametrize(
    "data", [b"{}", b"[]", b"null", b'"x"', b'{"error": {"code": "badvalue"}}', b'{"boolean": true}']
)
def test_whole_json_without_results_is_of_another_service(data: bytes) -> None:
    for check in (plain, counted, number):
        with pytest.raises(Foreign, match="without 'results'") as caught:
            check(data)
        assert data.decode() in str(caught.value)


def test_what_is_quoted_of_another_service_is_short() -> None:
    with pytest.raises(Foreign, match=r"xxx \.\.\.$") as caught:
        plain(b'"' + b"x" * 5000 + b'"')
    assert len(str(caught.value)) < 200


def test_a_number() -> None:
    assert number(body({"n": "17"})) == 17
    for data in (body(), body({"n": "x"}), body({"n": "1"}, {"n": "1"})):
        with pytest.raises(Cut):
            number(data)


def test_entities_are_told_from_other_addresses() -> None:
    [row] = plain(
        b'{"results":{"bindings":[{"x":{"type":"uri","value":"http://www.wikidata.org/entity/Q42"},'
        b'"y":{"type":"literal","value":"a","xml:lang":"en"}}]}}'
    )
    assert row["x"].entity == "Q42" and row["y"].language == "en" and row["y"].entity is None
    for value in ("http://www.wikidata.org/entity/statement/Q42-1", "http://www.wikidata.org/entity/Q42>", "Q42"):
        assert Node("uri", value).entity is None
    assert Node("uri", "http://www.wikidata.org/entity/L3-F1").entity == "L3-F1"


SAID = {"n": "1", "item": "http://www.wikidata.org/entity/Q1", "text": "x"}


def test_rows_hold_what_was_asked_for() -> None:
    among = {"item": {"http://www.wikidata.org/entity/Q1"}}
    assert len(counted(body(SAID), ("item", "text"), among)) == 1
    with pytest.raises(Foreign, match=r"^answers without what was asked for: a row has no \?kind$"):
        counted(body(SAID), ("item", "kind"), among)
    with pytest.raises(Foreign, match="^answers about 'http://www.wikidata.org/entity/Q1', which it was not asked"):
        counted(body(SAID), ("item",), {"item": {"http://www.wikidata.org/entity/Q2"}})


@pytest.mark.parametrize("count", ["²", "9" * 5000, "-1", "1.0", ""])
def test_a_count_is_a_plain_number(count: str) -> None:
    with pytest.raises(Cut, match="a count without a number"):
        number(body({"n": count}))
