from __future__ import annotations

import pickle
from typing import Any

import pyarrow as pa

from stages.facts.evidence_requests import requests, stage
from stages.facts.relations.templates import load_relations
from stages.facts.sorts import load_sorts
from stages.facts.subjects import TRIPLE_SUBJECTS


def entities(*rows: tuple[str, str, list[str]]) -> pa.Table:
    schema = pa.schema([("qid", pa.string()), ("label", pa.string()), ("aliases", pa.list_(pa.string()))])
    return pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema=schema)


def triple(
    prop: str, object_: str, kind: str = "item", lookup: str | None = None, subject: str = "Q1"
) -> dict[str, Any]:
    return {
        "subject": subject,
        "property": prop,
        "object": object_,
        "object_kind": kind,
        "unit": (lookup or "") if kind == "quantity" else "",
        "subject_label": "Burj Khalifa",
        "subject_aliases": ["Burj Dubai"],
        "lookup": object_ if kind == "item" else lookup or "",
    }


def state(prop: str, subject: str, object_: str) -> list[str]:
    return {
        "P84": [f"{subject} was designed by {object_}.", f"{object_} is the architect of {subject}."],
        "P2048": [f"{subject} is {object_} high."],
    }[prop]


def test_both_pages_of_a_fact_and_one_of_a_literal() -> None:
    output = requests(
        TRIPLE_SUBJECTS.table([triple("P84", "Q2"), triple("P2048", "828", "quantity", "Q11573")]),
        entities(("Q2", "Adrian Smith", ["A. Smith"]), ("Q11573", "metre", [])),
        state=state,
    )
    rows = {
        (row["page"], row["side"]): row for row in output.tables["requests"].to_pylist() if row["property"] == "P84"
    }
    assert rows["Q1", "subject"]["surfaces"] == ["Adrian Smith", "A. Smith"]
    assert rows["Q2", "object"]["surfaces"] == ["Burj Khalifa", "Burj Dubai"]
    assert [row["hypotheses"] for row in rows.values()] == [
        ["Burj Khalifa was designed by Adrian Smith.", "Adrian Smith is the architect of Burj Khalifa."]
    ] * 2
    (height,) = [row for row in output.tables["requests"].to_pylist() if row["property"] == "P2048"]
    assert (height["page"], height["side"], height["surfaces"]) == ("Q1", "subject", ["828"])
    assert height["hypotheses"] == ["Burj Khalifa is 828 metres high."]
    assert height["object_label"] == "828 metres"
    assert output.rejects.num_rows == 0


def test_a_country_is_sought_by_its_adjective_where_that_says_citizenship() -> None:
    output = requests(
        TRIPLE_SUBJECTS.table([triple("P27", "Q2"), triple("P17", "Q2", subject="Q3")]),
        entities(("Q2", "Germany", ["BRD"])),
        state=lambda prop, subject, object_: [f"{subject} {prop} {object_}."],
        sorts=load_sorts(),
    )
    rows = [row for row in output.tables["requests"].to_pylist() if row["side"] == "subject"]
    assert {row["property"]: row["surfaces"] for row in rows} == {
        "P27": ["Germany", "BRD", "German"],
        "P17": ["Germany", "BRD"],
    }


def test_rejects_say_why() -> None:
    output = requests(
        TRIPLE_SUBJECTS.table(
            [
                triple("P84", "Q404"),
                triple("P84", "Q1"),
                triple("P2048", "42", "quantity"),
                triple("P99999", "Q2"),
            ]
        ),
        entities(("Q1", "Burj Khalifa", []), ("Q2", "Adrian Smith", [])),
        state=state,
    )
    assert output.tables["requests"].num_rows == 0
    assert {(row["key"], row["reason"]) for row in output.rejects.to_pylist()} == {
        ("Q1 P84 Q404", "no_object_entity"),
        ("Q1 P84 Q1", "same_entity"),
        ("Q1 P2048 42", "no_surface"),
        ("Q1 P99999 Q2", "no_template"),
    }


def test_the_stage_binds_the_templates_and_travels() -> None:
    built = pickle.loads(pickle.dumps(stage(load_relations(), "_hop")))  # noqa: S301
    assert built.inputs == ("triple_subjects_hop", "entities")
    assert built.templates == {**load_relations().digests, **load_sorts().digests}
    output = built.kernel(TRIPLE_SUBJECTS.table([triple("P84", "Q2")]), entities(("Q2", "Adrian Smith", [])))
    (row, _) = output.tables["requests_hop"].to_pylist()
    assert "Burj Khalifa" in row["hypotheses"][0]
    assert "Adrian Smith" in row["hypotheses"][0]
