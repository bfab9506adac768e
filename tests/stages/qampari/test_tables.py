import pytest

from stages.facts.tables import TRIPLE
from stages.qampari import tables


@pytest.mark.parametrize("kind", ["SIMPLE", "INTERSECTION", "COMPOSED"])
def test_every_kind_of_query_has_the_common_shape(kind: str) -> None:
    queries, answers = getattr(tables, f"{kind}_QUERIES"), getattr(tables, f"{kind}_ANSWERS")
    assert (queries.name, answers.name) == (f"{kind.lower()}_queries", f"{kind.lower()}_answers")
    for own, common in ((queries, tables.QUESTION_QUERIES), (answers, tables.QUESTION_ANSWERS)):
        assert own.schema == common.schema
        assert (own.key, own.bucket_columns, own.inexact) == (common.key, common.bucket_columns, common.inexact)


def test_queries_and_answers_of_one_query_are_in_one_bucket() -> None:
    assert tables.QUESTION_QUERIES.bucket_columns == tables.QUESTION_ANSWERS.bucket_columns == ("query",)


def test_the_evidence_columns_are_those_of_a_proof() -> None:
    names = {field.name for field in tables.EVIDENCE} - {"score"} | set(TRIPLE)
    assert names == {tables.PROOF.field(i).name for i in range(tables.PROOF.num_fields)}
