import pytest

from stages.core.contract import StageError
from stages.core.memory import InMemory
from stages.facts.limits import QueryLimits
from stages.qampari.query_filter import QueryFilterParams, kept
from tests.stages.qampari.world import World, entities, items, proof

PEOPLE = [f"Q{n}" for n in range(10, 22)]


def _world(answers: int, validated: int, limits: QueryLimits) -> World:
    people = PEOPLE[:answers]
    unproven = frozenset((qid, "P57", "Q1") for qid in people[validated:])
    statements = items("P57", "Q1", *people)
    return World(statements, entities(people, ("Q1",)), untyped=("P57",), unproven=unproven, limits=limits)


@pytest.mark.parametrize(
    ("answers", "validated", "limits", "reason"),
    [
        (5, 5, QueryLimits(), None),
        (5, 4, QueryLimits(), "too_few_validated"),
        # Exactly 80 per cent is enough.
        (10, 8, QueryLimits(), None),
        (10, 7, QueryLimits(), "low_support"),
        (12, 9, QueryLimits(), "low_support"),
        (12, 10, QueryLimits(), None),
        (10, 8, QueryLimits(5, 8, 0.8), None),
        (10, 9, QueryLimits(5, 8, 0.8), "too_many_validated"),
        (5, 0, QueryLimits(), "too_few_validated"),
    ],
)
def test_the_filter_at_its_edges(answers: int, validated: int, limits: QueryLimits, reason: str | None) -> None:
    build = _world(answers, validated, limits).kept()
    kept = reason is None
    assert len(build.rows("simple_queries")) == kept
    assert len(build.rows("simple_answers")) == (validated if kept else 0)
    expected = {("P57:Q1", reason): 1} if reason else {}
    if kept and validated < answers:
        expected["P57", "not_validated"] = answers - validated
    assert build.rejected("qampari.query_filter") == expected


def _eight_of_ten(buckets: int) -> InMemory:
    return _world(10, 8, QueryLimits()).kept(buckets)


@pytest.mark.parametrize("buckets", [1, 3])
def test_a_kept_query_in_full(buckets: int) -> None:
    assert _eight_of_ten(buckets).rows("simple_queries") == [
        {
            "query": "P57:Q1",
            "kind": "simple",
            "properties": ["P57"],
            "entities": ["Q1"],
            "entity_labels": ["label Q1"],
            "entity_aliases": [["alias Q1"]],
            "classes": [None],
            "answers": 10,
            "known": 10,
            "validated": 8,
            "share": 0.8,
        }
    ]
    assert _eight_of_ten(buckets).metrics["qampari.query_filter"] == {
        "queries": 1,
        "answers": 10,
        "validated": 8,
        "known": 10,
        "hold_80_percent_of_known": 1,
    }


def test_a_kept_answer_carries_its_triple_and_the_sentence() -> None:
    answer = _eight_of_ten(1).rows("simple_answers")[0]
    evidence = proof("Q10", "P57", "Q1")
    names = ("subject", "property", "object", "title", "passage", "index", "sentence")
    assert answer == {
        "query": "P57:Q1",
        "answer": "Q10",
        "answer_kind": "item",
        "unit": "",
        "proofs": [{name: evidence[name] for name in names}],
        "scores": [evidence["score"]],
    }


def test_the_reject_says_how_many_were_validated() -> None:
    build = _world(10, 7, QueryLimits()).kept()
    tables = (build.tables[name] for name in ("queries", "judged_answers", "class_ancestors"))
    output = kept(*tables, params=QueryFilterParams(), breadths={})
    assert output.rejects.to_pylist() == [
        {"key": "P57:Q1", "reason": "low_support", "detail": "7 of 10 answers validated", "count": 1}
    ]


FILM, WORK, BOOK = "Q11424", "Q17537576", "Q571"


def _typed(*unproven: str, **how: object) -> World:
    """Eleven works of one genre: ten films, and Q21, which is a book."""
    types = dict.fromkeys(PEOPLE[:10], (FILM,)) | {"Q21": (BOOK,), "Q1": ()}
    return World(
        items("P136", "Q1", *PEOPLE[:10], "Q21"),
        types,
        typed={"P136": (FILM, WORK)},
        ancestors={FILM: (FILM, WORK), BOOK: (WORK,)},
        breadths={FILM: 1, WORK: 3},
        unproven=frozenset((qid, "P136", "Q1") for qid in unproven),
        **how,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("buckets", [1, 4])
def test_of_two_classes_with_the_same_validated_answers_the_narrower_stays(buckets: int) -> None:
    build = _typed("Q21").kept(buckets)
    assert [row["query"] for row in build.rows("simple_queries")] == [f"P136:Q1:{FILM}"]
    assert {row["query"] for row in build.rows("simple_answers")} == {f"P136:Q1:{FILM}"}
    assert build.rejected("qampari.query_filter") == {(f"P136:Q1:{WORK}", "same_answers"): 1}
    assert build.metrics["qampari.query_filter"]["validated"] == 10


def test_one_answer_more_makes_another_question() -> None:
    build = _typed().kept()
    assert [row["validated"] for row in build.rows("simple_queries")] == [10, 11]
    assert not build.rejected("qampari.query_filter")


def test_both_stay_where_they_are_to_stay() -> None:
    build = _typed("Q21", same_answers="keep").kept()
    assert len(build.rows("simple_queries")) == 2
    with pytest.raises(StageError, match="'some', but has to be drop or keep"):
        QueryFilterParams(same_answers="some")
