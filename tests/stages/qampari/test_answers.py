"""Answers with their texts, aliases, pages and types."""

from __future__ import annotations

import pyarrow as pa

from stages.qampari.answers import LABELLED_ANSWERS, label_answers, stage
from stages.qampari.tables import COMPOSED_ANSWERS, INTERSECTION_ANSWERS, SIMPLE_ANSWERS
from stages.qampari.units import UNIT_NAMES

ENTITIES = pa.table(
    {
        "qid": ["Q1", "Q2", "Q3"],
        "label": ["Jaws", "Hook", "Duel"],
        "aliases": [["Jaws (film)"], [], ["Duel", "Duello"]],
        "types": [["Q11424"], [], []],
        "description": ["", "", ""],
    }
)
ARTICLES = pa.table({"title": ["Jaws (film)", "Elsewhere"], "qid": ["Q1", "Q9"], "page_id": [1, 2]})
UNITS = UNIT_NAMES.table([{"unit": "Q11573", "names": ["metre", "m"]}])
PROOF = {
    "subject": "Q1",
    "property": "P57",
    "object": "Q8877",
    "title": "Jaws (film)",
    "passage": 0,
    "index": 1,
    "sentence": "It was directed by Spielberg.",
}


def answer(query: str, value: str, kind: str = "item", unit: str = "") -> dict:
    return {"query": query, "answer": value, "answer_kind": kind, "unit": unit, "proofs": [PROOF], "scores": [0.5]}


def test_items_and_values() -> None:
    output = label_answers(
        SIMPLE_ANSWERS.table([answer("s", "Q1"), answer("s", "Q7")]),
        INTERSECTION_ANSWERS.table([answer("i", "Q3")]),
        COMPOSED_ANSWERS.table(
            [
                answer("c", "828", "quantity", "Q11573"),
                answer("c", "828", "quantity"),
                answer("c", "3", "quantity", "Q4"),
                answer("c", "1969-07-20", "time"),
            ]
        ),
        ENTITIES,
        ARTICLES,
        UNITS,
    )
    table = output.tables[LABELLED_ANSWERS.name]
    assert table.schema.equals(LABELLED_ANSWERS.schema)
    rows = {(row["query"], row["answer"], row["unit"]): row for row in table.to_pylist()}
    assert len(rows) == 5
    assert rows["s", "Q1", ""] == answer("s", "Q1") | {
        "answer_text": "Jaws",
        "aliases": ["Jaws", "Jaws (film)"],
        "types": ["Q11424"],
        "title": "Jaws (film)",
    }
    assert rows["i", "Q3", ""]["aliases"] == ["Duel", "Duello"]
    assert rows["i", "Q3", ""]["title"] is None
    assert rows["c", "828", "Q11573"]["aliases"] == ["828 metres", "828 metre", "828 m", "828"]
    assert rows["c", "828", ""]["answer_text"] == "828"
    assert rows["c", "1969-07-20", ""]["answer_text"] == "20 July 1969"
    assert output.metrics == {"labelled_answers": 5.0}
    assert [(row["key"], row["reason"], row["detail"]) for row in output.rejects.to_pylist()] == [
        ("s Q7", "no_answer_label", ""),
        ("c 3", "no_unit_label", "Q4"),
    ]


def test_a_text_that_looks_like_a_qid_is_a_text() -> None:
    output = label_answers(
        SIMPLE_ANSWERS.empty(),
        INTERSECTION_ANSWERS.empty(),
        COMPOSED_ANSWERS.table([answer("c", "Q1", "string")]),
        ENTITIES,
        ARTICLES,
        UNITS,
    )
    assert output.tables[LABELLED_ANSWERS.name]["answer_text"].to_pylist() == ["Q1"]


def test_nothing_in_nothing_out() -> None:
    output = label_answers(
        SIMPLE_ANSWERS.empty(), INTERSECTION_ANSWERS.empty(), COMPOSED_ANSWERS.empty(), ENTITIES, ARTICLES, UNITS
    )
    assert output.tables[LABELLED_ANSWERS.name].schema.equals(LABELLED_ANSWERS.schema)
    assert output.tables[LABELLED_ANSWERS.name].num_rows == 0
    assert stage().side == ("unit_names",)
