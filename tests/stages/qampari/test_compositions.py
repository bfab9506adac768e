import pytest

from stages.core.memory import InMemory
from stages.facts.limits import QueryLimits
from stages.qampari.composition_hops import HOPS
from stages.qampari.compositions import COMPOSITION_ANSWERS, stage

LIMITS = QueryLimits(min_answers=3, max_answers=4, min_share=0.8)
Hop = tuple[str, str, str]


def _run(*hops: Hop, kind: str = "item", buckets: int = 1, units: tuple[str, ...] = ()) -> InMemory:
    """hops: middle entity, relation, value; all from the query P57:Q1."""
    rows = [
        {
            "inner_query": "P57:Q1",
            "entity": "Q1",
            "subject": middle,
            "property": relation,
            "object": value,
            "answer_kind": kind,
            "unit": units[n] if units else "",
        }
        for n, (middle, relation, value) in enumerate(hops)
    ]
    return InMemory({"hops": HOPS.table(rows)}, buckets).run(stage(LIMITS))


@pytest.mark.parametrize("buckets", [1, 3])
def test_a_composition_with_every_path_to_its_answers(buckets: int) -> None:
    build = _run(
        ("Q10", "P161", "Q30"),
        ("Q11", "P161", "Q30"),
        ("Q11", "P161", "Q31"),
        ("Q12", "P161", "Q32"),
        ("Q10", "P58", "Q40"),
        buckets=buckets,
    )
    rows = build.rows("composition_answers")
    assert {row["query"] for row in rows} == {"P57:Q1>P161"}
    assert [(row["subject"], row["object"]) for row in rows] == [
        ("Q10", "Q30"),
        ("Q11", "Q30"),
        ("Q11", "Q31"),
        ("Q12", "Q32"),
    ]
    assert build.rejected("qampari.compositions") == {("P58", "too_few_answers"): 1}
    assert build.metrics["qampari.compositions"] == {"queries": 1, "paths": 4, "with_entity": 0}


def test_several_paths_to_one_answer_are_one_answer() -> None:
    build = _run(*((f"Q{n}", "P161", "Q30") for n in range(10, 20)))
    assert build.rejected("qampari.compositions") == {("P161", "too_few_answers"): 1}


@pytest.mark.parametrize(("answers", "kept"), [(2, False), (3, True), (5, True), (6, False)])
def test_the_number_of_answers_at_its_edges(answers: int, kept: bool) -> None:
    assert LIMITS.most == 5
    build = _run(*(("Q10", "P161", f"Q{n}") for n in range(30, 30 + answers)))
    assert len(build.rows("composition_answers")) == (answers if kept else 0)
    reason = "too_few_answers" if answers < 3 else "too_many_answers"
    assert build.rejected("qampari.compositions") == ({} if kept else {("P161", reason): 1})


def test_amounts_in_two_units_are_two_answers() -> None:
    metres_and_feet = (("Q10", "P2048", "3"), ("Q11", "P2048", "3"), ("Q12", "P2048", "4"))
    two = _run(*metres_and_feet, kind="quantity", units=("Q11573", "Q11573", "Q11573"))
    three = _run(*metres_and_feet, kind="quantity", units=("Q11573", "Q3710", ""))
    assert (len(two.rows("composition_answers")), len(three.rows("composition_answers"))) == (0, 3)


def test_one_entity_may_have_one_amount_in_two_units() -> None:
    build = _run(*[("Q10", "P2048", "100")] * 3, kind="quantity", units=("Q11573", "Q3710", ""))
    assert [(row["object"], row["unit"]) for row in build.rows("composition_answers")] == [
        ("100", ""),
        ("100", "Q11573"),
        ("100", "Q3710"),
    ]


def test_a_relation_that_only_leads_back_makes_no_composition() -> None:
    build = _run(
        ("Q10", "P1344", "Q1"),
        ("Q10", "P1344", "Q31"),
        ("Q11", "P1344", "Q1"),
        ("Q11", "P1344", "Q32"),
    )
    assert build.rows("composition_answers") == []
    assert build.rejected("qampari.compositions") == {("P57:Q1>P1344", "returns_entity"): 1}


def test_the_entity_is_a_true_answer_where_some_paths_do_not_lead_back() -> None:
    # Who wrote the films directed by Q1? Q1 wrote one of them.
    build = _run(("Q10", "P58", "Q1"), ("Q11", "P58", "Q31"), ("Q12", "P58", "Q32"))
    assert [row["object"] for row in build.rows("composition_answers")] == ["Q1", "Q31", "Q32"]
    assert build.metrics["qampari.compositions"]["with_entity"] == 1
    assert not build.rejects


def test_a_literal_that_reads_like_the_entity_is_not_the_entity() -> None:
    build = _run(("Q10", "P528", "Q1"), ("Q10", "P528", "b"), ("Q10", "P528", "c"), kind="string")
    assert len(build.rows("composition_answers")) == 3


def test_all_rows_of_a_triple_are_in_one_bucket() -> None:
    assert COMPOSITION_ANSWERS.bucket_columns == ("subject", "property", "object")
