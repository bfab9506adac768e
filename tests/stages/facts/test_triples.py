from __future__ import annotations

import pyarrow as pa

from stages.facts.triples import TRIPLES, stage, triples


def test_a_triple_of_several_queries_is_one() -> None:
    answers = pa.table(
        {
            "query": ["P57:Q8877", "P57:Q8877:Q11424", "P57:Q8877"],
            "subject": ["Q1", "Q1", "Q2"],
            "property": ["P57"] * 3,
            "object": ["Q8877"] * 3,
        }
    )
    output = triples(answers)
    table = output.tables["triples"].sort_by("subject")
    assert table.schema == TRIPLES.schema
    assert table.to_pylist() == [
        {"subject": subject, "property": "P57", "object": "Q8877", "object_kind": "item", "unit": ""}
        for subject in ("Q1", "Q2")
    ]
    assert output.metrics == {"answers": 3.0, "triples": 2.0}


def test_literals_keep_kind_and_unit() -> None:
    answers = pa.table(
        {
            "subject": ["Q1"] * 3,
            "property": ["P2048"] * 3,
            "object": ["828"] * 3,
            "answer_kind": ["quantity"] * 3,
            "unit": ["Q11573", "Q11573", "Q3710"],
        }
    )
    rows = triples(answers).tables["triples"].sort_by("unit").to_pylist()
    assert [(row["object_kind"], row["unit"]) for row in rows] == [("quantity", "Q11573"), ("quantity", "Q3710")]


def test_rounds_have_names_of_their_own() -> None:
    first, second = stage(), stage("_hop")
    assert (first.name, first.inputs, first.outputs[0].name) == ("facts.triples", ("query_answers",), "triples")
    assert (second.name, second.inputs) == ("facts.triples_hop", ("composition_answers",))
    assert second.kernel is not None
    empty = pa.table({name: pa.array([], pa.string()) for name in ("subject", "property", "object")})
    assert list(second.kernel(empty).tables) == ["triples_hop"] == [spec.name for spec in second.outputs]
