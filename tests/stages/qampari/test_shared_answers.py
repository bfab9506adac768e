import pyarrow as pa
import pytest

from stages.core.contract import StageError
from stages.core.memory import InMemory
from stages.qampari.shared_answers import SharedParams, shared, stage
from stages.qampari.tables import SIMPLE_ANSWERS


def _answers(**queries: str) -> pa.Table:
    """One letter per answer."""
    rows = [
        {"query": query, "answer": answer, "answer_kind": "item", "unit": "", "proofs": [], "scores": []}
        for query, answers in queries.items()
        for answer in answers
    ]
    return SIMPLE_ANSWERS.table(rows)


def _pairs(build: InMemory) -> list[str]:
    return ["".join(row.values()) for row in build.rows("shared_answers")]


@pytest.mark.parametrize("buckets", [1, 4])
def test_each_pair_once_per_answer(buckets: int) -> None:
    build = InMemory({"simple_answers": _answers(A="xy", B="xyz", C="yw")}, buckets).run(stage())
    assert _pairs(build) == ["ABx", "ABy", "ACy", "BCy"]
    assert build.rows("hot_answers") == []
    assert not build.rejects


@pytest.mark.parametrize("buckets", [1, 4])
def test_a_hot_answer_makes_no_pairs_and_says_how_many(buckets: int) -> None:
    table = _answers(A="xy", B="xyz", C="yw", D="y")
    build = InMemory({"simple_answers": table}, buckets).run(stage(SharedParams(max_queries_per_answer=3)))
    # y is an answer of four queries: 4 * 3 / 2 pairs.
    assert _pairs(build) == ["ABx"]
    assert [row["query"] for row in build.rows("hot_answers")] == ["A", "B", "C", "D"]
    assert build.rejected("qampari.shared_answers") == {("y", "hot_answer"): 6}


def test_the_cap_itself_is_not_hot() -> None:
    output = shared(_answers(A="x", B="x"), params=SharedParams(max_queries_per_answer=2))
    assert output.tables["shared_answers"].num_rows == 1


def test_the_reject_names_the_option() -> None:
    output = shared(_answers(A="x", B="x", C="x"), params=SharedParams(max_queries_per_answer=2))
    [reject] = output.rejects.to_pylist()
    assert reject["detail"] == "an answer of 3 queries, more than max_queries_per_answer (2)"
    assert reject["count"] == 3


def test_a_cap_below_a_pair_is_refused() -> None:
    with pytest.raises(StageError, match="max_queries_per_answer is 1"):
        SharedParams(1)
