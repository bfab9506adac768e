import pyarrow as pa
import pytest

from stages.core.memory import InMemory
from stages.qampari.compositions import COMPOSITION_ANSWERS
from stages.qampari.simple_queries import QUERY_ANSWERS
from stages.qampari.supported_answers import JUDGED_ANSWERS, JUDGED_HOPS, stage
from tests.stages.qampari.world import EVIDENCE, proof

ANSWERS = QUERY_ANSWERS.table(
    [
        {"query": "P57:Q1", "subject": "Q11", "property": "P57", "object": "Q1"},
        {"query": "P57:Q1", "subject": "Q12", "property": "P57", "object": "Q1"},
        {"query": "P57:Q1:Q5", "subject": "Q11", "property": "P57", "object": "Q1"},
    ]
)
# The second has the subject, and the third the object of an answer, but neither is its triple.
FOUND = [proof("Q11", "P57", "Q1"), proof("Q12", "P58", "Q1"), proof("Q13", "P57", "Q1")]


@pytest.mark.parametrize("buckets", [1, 3])
def test_the_evidence_of_a_triple_serves_all_of_its_queries(buckets: int) -> None:
    tables = {"query_answers": ANSWERS, "evidence": pa.Table.from_pylist(FOUND, EVIDENCE)}
    build = InMemory(tables, buckets).run(stage())
    rows = build.rows("judged_answers")
    assert [(row["query"], row["subject"], row["validated"]) for row in rows] == [
        ("P57:Q1", "Q11", True),
        ("P57:Q1", "Q12", False),
        ("P57:Q1:Q5", "Q11", True),
    ]
    columns = ("title", "passage", "index", "sentence", "score")
    assert {name: rows[0][name] for name in columns} == {name: FOUND[0][name] for name in columns}
    assert {rows[1][name] for name in columns} == {None}
    assert build.metrics["qampari.supported_answers"] == {"answers": 3, "validated": 2}


def test_without_evidence_no_answer_is_validated() -> None:
    build = InMemory({"query_answers": ANSWERS, "evidence": EVIDENCE.empty_table()}, buckets=2).run(stage())
    assert [row["validated"] for row in build.rows("judged_answers")] == [False] * 3


def test_the_round_of_the_compositions_keeps_their_columns() -> None:
    row = {
        "query": "P57:Q1>P2048",
        "inner_query": "P57:Q1",
        "subject": "Q11",
        "property": "P2048",
        "object": "180",
        "answer_kind": "quantity",
        "unit": "Q174728",
    }
    evidence = pa.Table.from_pylist([proof("Q11", "P2048", "180", "Q174728")], EVIDENCE)
    tables = {"composition_answers": COMPOSITION_ANSWERS.table([row]), "evidence_hop": evidence}
    [judged] = InMemory(tables).run(stage("_hop")).rows("judged_hops")
    assert judged.items() >= {**row, "validated": True, "sentence": "Q11 P2048 180."}.items()


def test_evidence_of_an_amount_does_not_serve_the_same_number_in_another_unit() -> None:
    row = {"query": "q", "inner_query": "p", "subject": "Q11", "property": "P2048", "object": "100"}
    rows = [{**row, "answer_kind": "quantity", "unit": unit} for unit in ("Q11573", "Q3710")]
    evidence = pa.Table.from_pylist([proof("Q11", "P2048", "100", "Q3710")], EVIDENCE)
    tables = {"composition_answers": COMPOSITION_ANSWERS.table(rows), "evidence_hop": evidence}
    judged = InMemory(tables).run(stage("_hop")).rows("judged_hops")
    assert [(row["unit"], row["validated"]) for row in judged] == [("Q11573", False), ("Q3710", True)]


def test_names_and_buckets_of_both_rounds() -> None:
    assert (stage().name, stage("_hop").name) == ("qampari.supported_answers", "qampari.supported_answers_hop")
    assert stage("_hop").inputs == ("composition_answers", "evidence_hop")
    assert (JUDGED_ANSWERS.bucket_columns, JUDGED_HOPS.bucket_columns) == (("property", "object"), ("inner_query",))
