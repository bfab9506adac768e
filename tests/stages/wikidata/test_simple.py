"""Entities from rows of statements and from simplified claims, read on by the stage that reads dumps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.io.column_names import ColumnNames
from stages.wikidata.parse import ParseParams, parse
from stages.wikidata.simple import SimpleStatements, SimpleWords, own_qid
from stages.wikidata.values import is_own, is_qid

Rows = list[dict[str, Any]]
WORDS = SimpleWords(
    properties={"league": "P118", "founded": "P571", "seats": "P1083", "motto": "P1451"},
    values={"P118": "item", "P571": "time", "P1083": "quantity", "P1451": "text"},
    classes={"club": "Q847017"},
)
ROWS = """subject,property,object
Arden FC,instance of,Club
Arden FC,League,First Division
Arden FC,league,First Division
Arden FC,founded,1901-05
Arden FC,seats,12500
Arden FC,motto,Ever on
Arden FC,alias,The Millers
Arden FC,description,a club
b-7,label,Bourne FC
b-7,label,Bourne Town
b-7,page,Bourne FC (club)
b-7,P17,Q145
"""
ARDEN, BOURNE, FIRST = own_qid("Arden FC"), own_qid("b-7"), own_qid("First Division")


def parsed(source: SimpleStatements) -> tuple[dict[str, Rows], Rows]:
    """The rows of ENTITIES and STATEMENTS by table, and the rejects."""
    outputs = [parse(table, params=ParseParams()) for part in source.parts() for table in source.read(part)]

    def rows(name: str) -> Rows:
        return [row for output in outputs for row in output.tables[name].to_pylist()]

    rejects = [row for output in outputs for row in output.rejects.to_pylist()]
    return {name: rows(name) for name in ("entities", "statements")}, rejects


def rows_of(path: Path, text: str, **more: object) -> SimpleStatements:
    path.write_text(text, encoding="utf-8")
    return SimpleStatements((str(path),), words=WORDS, **more)


def test_rows_become_entities_and_statements(tmp_path: Path) -> None:
    tables, rejects = parsed(rows_of(tmp_path / "a.csv", ROWS))
    found = {row["qid"]: row for row in tables["entities"]}
    assert rejects == []
    assert {qid: (row["label"], row["aliases"], row["title"]) for qid, row in found.items()} == {
        ARDEN: ("Arden FC", ["The Millers"], "Arden FC"),
        BOURNE: ("Bourne FC", ["Bourne Town"], "Bourne FC (club)"),
        FIRST: ("First Division", [], "First Division"),
    }
    assert found[ARDEN]["types"] == ["Q847017"] and found[ARDEN]["description"] == "a club"
    said = {(row["subject"], row["property"], row["value_kind"], row["value"]) for row in tables["statements"]}
    assert said == {
        (ARDEN, "P31", "item", "Q847017"),
        (ARDEN, "P118", "item", FIRST),
        (ARDEN, "P571", "time", "1901-05"),
        (ARDEN, "P1083", "quantity", "12500"),
        (ARDEN, "P1451", "string", "Ever on"),
        (BOURNE, "P17", "item", "Q145"),
    }


@pytest.mark.parametrize("part_bytes", [1, 40, 10_000])
def test_order_parts_and_form_change_nothing(tmp_path: Path, part_bytes: int) -> None:
    header, *rows = ROWS.strip().split("\n")
    one = parsed(rows_of(tmp_path / "one.csv", ROWS))
    other = rows_of(tmp_path / "other.tsv", "\n".join([header, *rows[::-1]]).replace(",", "\t"), part_bytes=part_bytes)
    lines = [dict(zip(("s", "what", "o"), row.split(","), strict=True)) for row in rows]
    records = rows_of(
        tmp_path / "lines.jsonl", "\n".join(map(json.dumps, lines)), columns=ColumnNames({"what": "property"})
    )
    for source in (other, records):
        tables, rejects = parsed(source)
        assert rejects == []
        for name, expected in one[0].items():
            assert sorted(map(str, tables[name])) == sorted(map(str, expected))


def test_simplified_claims(tmp_path: Path) -> None:
    path = tmp_path / "e.jsonl"
    entity = {
        "id": "Q42",
        "labels": {"en": "Ann", "de": "Anna"},
        "aliases": {"en": ["A. B."]},
        "descriptions": {"en": "a person"},
        "sitelinks": {"enwiki": "Ann (writer)"},
        "claims": {"P31": ["Q5"], "founded": "1952-03-11T00:00:00.000Z", "seats": [{"value": 12.5}], "motto": ["On"]},
    }
    path.write_text(json.dumps(entity) + "\n", encoding="utf-8")
    tables, rejects = parsed(SimpleStatements((), (str(path),), WORDS))
    (row,) = tables["entities"]
    assert (row["qid"], row["label"], row["aliases"], row["title"]) == ("Q42", "Ann", ["A. B."], "Ann (writer)")
    assert {(row["property"], row["value"]) for row in tables["statements"]} == {
        ("P31", "Q5"),
        ("P571", "1952-03-11"),
        ("P1083", "12.5"),
        ("P1451", "On"),
    }
    assert rejects == []


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("A,league", "truncated_input"),
        ("A,league,\n", "bad_value"),
        ("A,league,B,C\n", "broken_csv"),
        (f"A,league,{'x' * 2000}\n", "bad_value"),
        ("A,founded,in spring\n", "bad_statement"),
        ("A,seats,many\n", "bad_statement"),
        ("Q5,league,B\n", "no_label"),
        ("A,label,<b>A</b>\n", "html_in_label"),
    ],
)
def test_what_cannot_be_used_is_told(tmp_path: Path, row: str, reason: str) -> None:
    _, rejects = parsed(rows_of(tmp_path / "a.csv", f"subject,property,object\n{row}"))
    assert [found["reason"] for found in rejects] == [reason]


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ("[1]", "bad_framing"),
        ('{"claims": {}}', "bad_value"),
        ('{"label": "A", "claims": ["P31"]}', "bad_row"),
        ('{"label": "A", "claims": {"P31": [null]}}', "bad_value"),
        ('{"label": {"en": 7}', "broken_json"),
    ],
)
def test_simplified_claims_that_cannot_be_used(tmp_path: Path, record: str, reason: str) -> None:
    path = tmp_path / "e.jsonl"
    path.write_text(f'{record}\n{{"label": "Sound"}}\n', encoding="utf-8")
    tables, rejects = parsed(SimpleStatements((), (str(path),), WORDS))
    assert [found["reason"] for found in rejects] == [reason]
    assert "Sound" in {row["label"] for row in tables["entities"]}


@pytest.mark.parametrize(
    ("text", "time"), [("1969", "1969"), ("1969-07", "1969-07"), ("1969-07-20", "1969-07-20"), ("-0043", "-0043")]
)
def test_dates_keep_their_precision(tmp_path: Path, text: str, time: str) -> None:
    tables, _ = parsed(rows_of(tmp_path / "a.csv", f"subject,property,object\nA,founded,{text}\n"))
    assert [row["value"] for row in tables["statements"]] == [time]


def test_a_word_that_no_template_has_is_a_property_of_its_own(tmp_path: Path) -> None:
    tables, rejects = parsed(rows_of(tmp_path / "a.csv", "s,p,o\nA,colour,red\nB,Colour,1999\n"))
    properties = {row["property"] for row in tables["statements"]}
    assert rejects == [] and len(properties) == 1 and len(properties.pop()) == 13


@given(st.text())
def test_any_name_has_an_id_of_its_own(name: str) -> None:
    assert is_qid(own_qid(name)) and is_own(own_qid(name)) and own_qid(name) == own_qid(name)
