from __future__ import annotations

from typing import Any

import pytest

from stages.facts.best_evidence import EVIDENCE
from stages.facts.relations.templates import load_relations
from stages.musique.hop_sources.statements import SEVERAL_VALUES, several_stage, several_values, stage, statement_hops
from stages.musique.single_hops.stated import SingleHopParams
from stages.wikidata.rows import ENTITIES, STATEMENTS
from stages.wikipedia.segment import PASSAGES

TEXT = "Imagine was sung by John Lennon in 1971."
FOUND: dict[str, Any] = {
    **dict.fromkeys(("subject", "property", "object", "unit", "page", "title", "side", "surface"), ""),
    **{"sentence": TEXT, "premise": TEXT, "hypothesis": TEXT, "score": 1.0, "index": 0, "passage": 2},
    **{"subject": "Q1", "property": "P175", "object": "Q2", "page": "Q1", "title": "Imagine"},
    **{"side": "subject", "surface": "John Lennon"},
}
ITEMS = [
    {"qid": "Q1", "label": "Imagine", "aliases": [], "types": []},
    {"qid": "Q2", "label": "Lennon", "aliases": ["John Lennon", "J. Lennon"], "types": []},
]


def hops(
    *evidence: dict[str, Any], params: SingleHopParams | None = None, several: tuple[tuple[str, str, int], ...] = ()
) -> tuple[list[dict[str, Any]], list[str]]:
    """(rows of READ_HOPS, reasons); several: rows of SEVERAL_VALUES."""
    passage = {
        "passage_id": "Imagine#2",
        "title": "Imagine",
        "number": 2,
        "first": 0,
        "last": 0,
        "words": 7,
        "text": TEXT,
    }
    output = statement_hops(
        EVIDENCE.table([FOUND | change for change in evidence]),
        SEVERAL_VALUES.table([dict(zip(SEVERAL_VALUES.schema.names, row, strict=True)) for row in several]),
        ENTITIES.table(ITEMS),
        PASSAGES.table([passage]),
        params=params or SingleHopParams(),
        labels={"P175": "performer"},
    )
    return output.tables["read_hops"].to_pylist(), sorted(row["reason"] for row in output.rejects.to_pylist())


def test_a_statement_asks_for_its_object() -> None:
    found, reasons = hops({})
    assert not reasons
    assert {
        name: found[0][name] for name in ("source", "given_id", "question", "answer", "answer_aliases", "text")
    } == {
        "source": "statements",
        "given_id": "Q1 P175 Q2",
        "question": "Imagine >> performer",
        "answer": "John Lennon",
        "answer_aliases": ["J. Lennon", "Lennon"],
        "text": TEXT,
    }


def test_on_the_page_of_the_object_its_label_is_the_answer() -> None:
    found, _ = hops({"side": "object", "surface": "Imagine"})
    assert found[0]["answer"] == "Lennon"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"property": "P1"}, "no_relation_label"),
        ({"subject": "Q9"}, "no_label"),
        ({"side": "object", "object": "Q9"}, "no_label"),
        ({"passage": 3}, "no_passage"),
        ({"surface": ""}, None),
    ],
)
def test_what_cannot_be_asked_is_rejected(change: dict[str, Any], reason: str | None) -> None:
    found, reasons = hops(change)
    assert reasons == ([] if reason is None else [reason])
    assert len(found) == (reason is None)


def test_several_values_are_no_one_answer() -> None:
    assert hops({}, {"object": "Q1"}) == ([], ["several_values", "several_values"])


def test_values_without_evidence_count_as_well() -> None:
    assert hops({}, several=(("Q1", "P175", 6),)) == ([], ["several_values"])
    assert len(hops({}, several=(("Q1", "P58", 6), ("Q2", "P175", 2)))[0]) == 1


def test_the_values_of_a_relation_are_counted() -> None:
    def said(subject: str, property_id: str, value: str, unit: str = "") -> dict[str, Any]:
        named = {"subject": subject, "property": property_id, "value": value, "unit": unit, "value_kind": "item"}
        return dict.fromkeys(STATEMENTS.schema.names) | named

    # Life of Brian has six screenwriters, of whom three stand here.
    rows = [*(said("Q24953", "P58", name) for name in ("Q1", "Q2", "Q3")), said("Q24953", "P57", "Q4")]
    rows += [said("Q2", "P58", "Q1"), said("Q24953", "P31", "Q5"), said("Q24953", "P31", "Q6")]
    output = several_values(STATEMENTS.table(rows), properties=frozenset(("P57", "P58")))
    assert output.tables["several_values"].to_pylist() == [{"subject": "Q24953", "property": "P58", "values": 3}]
    assert output.metrics == {"several_values": 1}
    assert several_values(STATEMENTS.empty(), properties=frozenset()).tables["several_values"].num_rows == 0


def test_no_more_answers_are_taken_than_are_allowed() -> None:
    # The surface, then the label, then the aliases; the surface is an alias too, and counts once.
    for most, aliases in ((1, []), (2, ["Lennon"]), (3, ["J. Lennon", "Lennon"]), (50, ["J. Lennon", "Lennon"])):
        found, reasons = hops({}, params=SingleHopParams(max_answers=most))
        assert not reasons
        assert (found[0]["answer"], found[0]["answer_aliases"]) == ("John Lennon", aliases)


def test_the_stage_knows_the_relations_of_the_templates() -> None:
    built = stage(load_relations())
    assert built.inputs == ("evidence", "several_values", "entities", "passages")
    assert built.templates and several_stage(load_relations()).templates
