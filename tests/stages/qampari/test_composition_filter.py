from dataclasses import replace

import pytest

from stages.core.memory import InMemory
from stages.facts.limits import QueryLimits
from tests.stages.qampari.world import World, entities, items, proof

FILMS = [f"Q{n}" for n in range(10, 15)]
ACTORS = ["Q30", "Q31", "Q32", "Q33", "Q34"]
# Five films of Q1: each has an actor of its own, and two of them share Q30.
WORLD = World(
    statements={
        *items("P57", "Q1", *FILMS),
        *((film, "P161", actor, "item", "") for film, actor in zip(FILMS, ACTORS, strict=True)),
        ("Q11", "P161", "Q30", "item", ""),
    },
    types=entities(FILMS, ACTORS, ("Q1",)),
    untyped=("P57",),
    outer=("P161",),
    limits=QueryLimits(min_answers=4, max_answers=20, min_share=0.8),
)


def _run(buckets: int = 1, *unproven: tuple[str, str, str]) -> InMemory:
    world = replace(WORLD, unproven=frozenset(unproven))
    return world.compositions(world.kept(buckets))


@pytest.mark.parametrize("buckets", [1, 3])
def test_a_composition_in_full(buckets: int) -> None:
    build = _run(buckets, ("Q14", "P161", "Q34"))
    assert build.rows("composed_queries") == [
        {
            "query": "P57:Q1>P161",
            "kind": "composition",
            "properties": ["P57", "P161"],
            "entities": ["Q1"],
            "entity_labels": ["label Q1"],
            "entity_aliases": [["alias Q1"]],
            "classes": [None],
            "answers": 5,
            "known": None,
            "validated": 4,
            "share": 0.8,
        }
    ]
    assert [row["answer"] for row in build.rows("composed_answers")] == ["Q30", "Q31", "Q32", "Q33"]
    assert build.rejected("qampari.composition_filter") == {("P161", "not_validated"): 1}
    assert build.metrics["qampari.composition_filter"] == {"queries": 1, "answers": 5, "validated": 4}


@pytest.mark.parametrize("buckets", [1, 3])
def test_an_answer_of_two_paths_has_both_proofs_of_each(buckets: int) -> None:
    first = _run(buckets).rows("composed_answers")[0]
    expected = [
        proof("Q10", "P57", "Q1"),
        proof("Q10", "P161", "Q30"),
        proof("Q11", "P57", "Q1"),
        proof("Q11", "P161", "Q30"),
    ]
    assert (first["query"], first["answer"], first["answer_kind"], first["unit"]) == ("P57:Q1>P161", "Q30", "item", "")
    assert [row["sentence"] for row in first["proofs"]] == [row["sentence"] for row in expected]
    assert [row["passage"] for row in first["proofs"]] == [row["passage"] for row in expected]
    assert first["scores"] == [row["score"] for row in expected]


def test_one_path_with_evidence_validates_its_answer() -> None:
    build = _run(1, ("Q10", "P161", "Q30"))
    first = build.rows("composed_answers")[0]
    assert (first["answer"], [row["subject"] for row in first["proofs"]]) == ("Q30", ["Q11", "Q11"])
    assert build.rows("composed_queries")[0]["validated"] == 5
    assert build.rejected("qampari.composition_filter") == {("P161", "path_not_validated"): 1}


def test_an_answer_counts_once_against_the_share_however_many_paths_lead_to_it() -> None:
    # Q30 fails on both of its paths: 4 of 5 answers are left, though only 4 of 6 paths.
    build = _run(1, ("Q10", "P161", "Q30"), ("Q11", "P161", "Q30"))
    assert build.rows("composed_queries")[0]["share"] == 0.8
    assert build.rejected("qampari.composition_filter") == {("P161", "not_validated"): 1}


def test_too_little_evidence_drops_the_composition() -> None:
    build = _run(1, ("Q13", "P161", "Q33"), ("Q14", "P161", "Q34"))
    assert build.rows("composed_queries") == build.rows("composed_answers") == []
    assert build.rejected("qampari.composition_filter") == {("P57:Q1>P161", "too_few_validated"): 1}


def test_literal_answers_keep_their_kind_and_unit() -> None:
    minutes = {(film, "P2047", str(90 + n), "quantity", "Q7727") for n, film in enumerate(FILMS)}
    world = replace(WORLD, statements={*items("P57", "Q1", *FILMS), *minutes}, outer=("P2047",))
    rows = world.compositions(world.kept()).rows("composed_answers")
    assert [(row["answer"], row["answer_kind"], row["unit"]) for row in rows] == [
        (str(90 + n), "quantity", "Q7727") for n in range(5)
    ]
    assert rows[0]["proofs"][1]["object"] == "90"
