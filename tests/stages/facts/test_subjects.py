from __future__ import annotations

import pyarrow as pa

from stages.facts.subjects import subjects
from stages.facts.triples import TRIPLES

ENTITIES = pa.table(
    {"qid": ["Q1"], "label": ["Burj Khalifa"], "aliases": [["Burj Dubai"]], "types": [["Q11303"]]},
    schema=pa.schema(
        [
            ("qid", pa.string()),
            ("label", pa.string()),
            ("aliases", pa.list_(pa.string())),
            ("types", pa.list_(pa.string())),
        ]
    ),
)


def test_names_and_what_to_look_up_next() -> None:
    triples = TRIPLES.table(
        [
            {"subject": "Q1", "property": "P17", "object": "Q878", "object_kind": "item", "unit": ""},
            {"subject": "Q1", "property": "P2048", "object": "828", "object_kind": "quantity", "unit": "Q11573"},
            {"subject": "Q1", "property": "P571", "object": "2010", "object_kind": "time", "unit": ""},
            {"subject": "Q9", "property": "P17", "object": "Q878", "object_kind": "item", "unit": ""},
        ]
    )
    output = subjects(triples, ENTITIES)
    rows = {row["property"]: row for row in output.tables["triple_subjects"].to_pylist()}
    assert {prop: row["lookup"] for prop, row in rows.items()} == {"P17": "Q878", "P2048": "Q11573", "P571": ""}
    assert {(row["subject_label"], *row["subject_aliases"]) for row in rows.values()} == {
        ("Burj Khalifa", "Burj Dubai")
    }
    assert output.rejects.to_pylist() == [
        {"key": "Q9 P17 Q878", "reason": "no_subject_entity", "detail": "", "count": 1}
    ]
