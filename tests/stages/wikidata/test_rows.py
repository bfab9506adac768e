"""Rows become tables of exactly the declared schemas."""

from __future__ import annotations

from stages.wikidata.rows import ENTITIES, STATEMENTS, SUBCLASSES, Rows
from stages.wikidata.statements import Fact
from stages.wikidata.values import Literal


def test_no_rows() -> None:
    tables = Rows().tables()
    assert {name: table.num_rows for name, table in tables.items()} == {"entities": 0, "statements": 0, "subclasses": 0}
    for spec in (ENTITIES, STATEMENTS, SUBCLASSES):
        assert tables[spec.name].schema == spec.schema


def test_rows() -> None:
    rows = Rows()
    rows.entity(qid="Q1", label="one", aliases=["I"], description=None, types=["Q2"], title="One")
    rows.entity(qid="Q2", label="two", aliases=[], description="second", types=[], title=None)
    rows.statement("Q1", "P1", Fact(Literal("quantity", "5", "Q3"), start="1990"))
    rows.statement("Q1", "P2", Fact(Literal("time", "1990", precision=9), None, "1991", "1992"))
    rows.subclass("Q1", "Q2")
    tables = rows.tables()
    assert tables["entities"].to_pylist()[0] == {
        "qid": "Q1",
        "label": "one",
        "aliases": ["I"],
        "description": None,
        "types": ["Q2"],
        "title": "One",
    }
    assert [list(row.values()) for row in tables["statements"].to_pylist()] == [
        ["Q1", "P1", "quantity", "5", "Q3", None, "1990", None, None],
        ["Q1", "P2", "time", "1990", "", 9, None, "1991", "1992"],
    ]
    assert tables["subclasses"].to_pylist() == [{"child": "Q1", "parent": "Q2"}]
    for spec in (ENTITIES, STATEMENTS, SUBCLASSES):
        assert tables[spec.name].schema == spec.schema
