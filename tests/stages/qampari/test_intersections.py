import pytest

from stages.facts.limits import QueryLimits
from stages.qampari.overlaps import OverlapParams
from stages.qampari.shared_answers import SharedParams
from tests.stages.qampari.world import World, answer_sets, entities, items, proof

FILMS = [f"Q{n}" for n in range(10, 22)]
LIMITS = QueryLimits(min_answers=5, max_answers=20, min_share=0.8)


def _world(*statements: tuple[str, str, list[str]], **options: object) -> World:
    rows = {row for property_, entity, films in statements for row in items(property_, entity, *films)}
    known = entities(FILMS, (entity for _, entity, _ in statements))
    return World(rows, known, untyped=("P57", "P58"), limits=LIMITS, **options)


def _answers(world: World, buckets: int = 1) -> dict[str, set[str]]:
    return answer_sets(world.intersections(world.kept(buckets)), "intersection_answers")


OVERLAPPING = _world(("P57", "Q1", FILMS[:8]), ("P58", "Q2", FILMS[3:10]))


@pytest.mark.parametrize("buckets", [1, 3])
def test_an_intersection_in_full(buckets: int) -> None:
    build = OVERLAPPING.intersections(OVERLAPPING.kept(buckets))
    assert build.rows("intersection_queries") == [
        {
            "query": "P57:Q1&P58:Q2",
            "kind": "intersection",
            "properties": ["P57", "P58"],
            "entities": ["Q1", "Q2"],
            "entity_labels": ["label Q1", "label Q2"],
            "entity_aliases": [["alias Q1"], ["alias Q2"]],
            "classes": [None, None],
            "answers": 5,
            "known": None,
            "validated": 5,
            "share": 1.0,
        }
    ]
    rows = build.rows("intersection_answers")
    assert [row["answer"] for row in rows] == FILMS[3:8]
    expected = [proof(FILMS[3], "P57", "Q1"), proof(FILMS[3], "P58", "Q2")]
    assert [p["sentence"] for p in rows[0]["proofs"]] == [p["sentence"] for p in expected]
    assert rows[0]["scores"] == [p["score"] for p in expected]
    assert build.metrics["qampari.intersections"] == {"queries": 1, "answers": 5}


def test_four_common_answers_are_too_few() -> None:
    assert _answers(_world(("P57", "Q1", FILMS[:7]), ("P58", "Q2", FILMS[3:10]))) == {}


@pytest.mark.parametrize(
    ("first", "second", "detail"),
    [
        (slice(0, 5), slice(0, 9), "the second part has all answers of the first"),
        (slice(0, 9), slice(2, 8), "the first part has all answers of the second"),
        (slice(0, 6), slice(0, 6), "both parts have the same answers"),
    ],
)
def test_a_part_that_contains_the_other_makes_no_intersection(first: slice, second: slice, detail: str) -> None:
    from stages.qampari.intersections import intersections

    world = _world(("P57", "Q1", FILMS[first]), ("P58", "Q2", FILMS[second]))
    build = world.intersections(world.kept())
    assert build.rows("intersection_queries") == build.rows("intersection_answers") == []
    [reject] = intersections(build.tables["pair_parts"], build.tables["pair_proofs"]).rejects.to_pylist()
    assert reject == {"key": "P57:Q1&P58:Q2", "reason": "subset", "detail": detail, "count": 1}


def test_only_validated_answers_are_common() -> None:
    # Five films are in both parts, but one of them has evidence for one part only.
    world = _world(
        ("P57", "Q1", FILMS[:8]),
        ("P58", "Q2", FILMS[3:10]),
        unproven=frozenset({(FILMS[5], "P57", "Q1")}),
    )
    assert _answers(world) == {}


def test_unvalidated_answers_do_not_hide_a_subset() -> None:
    # Without its unproven tenth film the first part is contained in the second.
    world = _world(
        ("P57", "Q1", FILMS[:6]),
        ("P58", "Q2", FILMS[1:10]),
        unproven=frozenset({(FILMS[0], "P57", "Q1")}),
    )
    build = world.intersections(world.kept())
    assert build.rejected("qampari.intersections") == {("P57:Q1&P58:Q2", "subset"): 1}


@pytest.mark.parametrize("allowed", [True, False])
def test_the_same_relation_with_two_entities(allowed: bool) -> None:
    world = _world(("P57", "Q1", FILMS[:8]), ("P57", "Q2", FILMS[3:10]), overlap=OverlapParams(same_relation=allowed))
    assert _answers(world) == ({"P57:Q1&P57:Q2": set(FILMS[3:8])} if allowed else {})


def test_the_same_entity_in_two_relations() -> None:
    assert _answers(_world(("P57", "Q1", FILMS[:8]), ("P58", "Q1", FILMS[3:10]))) == {"P57:Q1&P58:Q1": set(FILMS[3:8])}


def test_hot_answers_are_answers_of_the_pairs_that_others_make() -> None:
    # Three queries share the films 3 to 7; the first two share film 8 besides, which alone is not hot.
    three = (("P57", "Q1", FILMS[:9]), ("P57", "Q2", FILMS[3:11]), ("P58", "Q3", [*FILMS[3:8], *FILMS[11:]]))
    world = _world(*three, shared=SharedParams(max_queries_per_answer=2))
    build = world.intersections(world.kept())
    assert answer_sets(build, "intersection_answers") == {"P57:Q1&P57:Q2": set(FILMS[3:9])}
    assert build.rejected("qampari.shared_answers") == {(film, "hot_answer"): 3 for film in FILMS[3:8]}
    assert set(_answers(_world(*three))) == {"P57:Q1&P57:Q2", "P57:Q1&P58:Q3", "P57:Q2&P58:Q3"}
