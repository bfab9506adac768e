"""Decoding of records, whole and piece by piece."""

from __future__ import annotations

import json

import pytest

from stages.wikidata.entity import BrokenRecord, RecordDecoder

DECODER = RecordDecoder(("en", "mul"), "enwiki")


def term(text: object) -> dict[str, object]:
    return {"language": "en", "value": text}


def claim(value: object, **more: object) -> dict[str, object]:
    return {"mainsnak": {"snaktype": "value", "property": "P1", "datavalue": value}, **more}


def decode(record: object) -> object:
    return DECODER.decode(json.dumps(record).encode())


def test_terms_follow_the_languages() -> None:
    record = DECODER.decode(
        json.dumps(
            {
                "id": "Q1",
                "labels": {"mul": term("M"), "de": term("D"), "en": term("E")},
                "aliases": {"mul": [term("a")], "en": [term("b"), term("c")], "fr": [term("x")]},
                "sitelinks": {"dewiki": {"title": "D"}, "enwiki": {"title": "E", "badges": []}},
            }
        ).encode()
    )
    assert record.labels == ["E", "M"]
    assert record.descriptions == []
    assert record.aliases == ["b", "c", "a"]
    assert record.sitelink == "E"


def test_empty_lists_stand_for_empty_maps() -> None:
    record = DECODER.decode(b'{"id":"Q1","labels":[],"descriptions":[],"aliases":[],"claims":[],"sitelinks":[]}')
    assert (record.labels, record.aliases, record.claims, record.sitelink, record.faults) == ([], [], {}, None, [])


def test_nulls_everywhere() -> None:
    record = DECODER.decode(b'{"id":"Q1","type":null,"labels":null,"aliases":null,"claims":null,"sitelinks":null}')
    assert record.claims == {}
    assert record.faults == []


def test_a_null_in_one_language_does_not_cost_the_others() -> None:
    record = DECODER.decode(b'{"id":"Q1","labels":{"en":{"value":null},"mul":{"value":"M"}}}')
    assert record.labels == [None, "M"]
    assert [fault.property for fault in record.faults] == [""]


def test_one_malformed_statement_does_not_cost_the_others() -> None:
    good, bad = claim({"type": "string", "value": "x"}), claim({"type": "string", "value": 5})
    record = DECODER.decode(json.dumps({"id": "Q1", "claims": {"P1": [good, bad, None], "P2": 7}}).encode())
    assert [statement.mainsnak.datavalue.value for statement in record.claims["P1"]] == ["x"]  # type: ignore[union-attr]
    assert [fault.property for fault in record.faults] == ["P1", "P1", "P2"]


def test_numbers_written_as_text() -> None:
    value = {"type": "time", "value": {"time": "+1969-07-20T00:00:00Z", "precision": "11"}}
    record = DECODER.decode(json.dumps({"id": "Q1", "claims": {"P1": [claim(value)]}}).encode())
    assert record.claims["P1"][0].mainsnak.datavalue.value.precision == 11  # type: ignore[union-attr]
    assert record.faults == []


def test_claims_of_the_wrong_type() -> None:
    record = DECODER.decode(b'{"id":"Q1","claims":"none"}')
    assert record.claims == {}
    assert record.faults[0].message == "claims: expected an object, got str"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b'{"id":"Q1"',
        b"null",
        b"5",
        b'"Q1"',
        b"not json",
        b'{"id":"\xff"}',
        b'{"id":"Q1"} trailing',
        b'{"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    ],
)
def test_broken(data: bytes) -> None:
    with pytest.raises(BrokenRecord):
        DECODER.decode(data)
