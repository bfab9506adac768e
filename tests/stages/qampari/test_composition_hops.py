import pytest

from stages.core.memory import InMemory
from stages.facts.limits import QueryLimits
from stages.qampari import composition_hops
from tests.stages.qampari.world import World, entities, items

FILMS = [f"Q{n}" for n in range(10, 15)]
OUTER = ("P161", "P2047", "P57", "P856")
WORLD = World(
    statements={
        *items("P57", "Q1", *FILMS),
        *items("P161", "Q30", *FILMS[:2]),
        ("Q10", "P2047", "124", "quantity", "Q7727"),
        ("Q10", "P856", "https://example.org", "url", ""),
        ("Q10", "P364", "Q1860", "item", ""),
        ("Q99", "P161", "Q30", "item", ""),
    },
    types=entities(FILMS, ("Q1", "Q99")),
    untyped=("P57",),
    outer=OUTER,
)


def _run(world: World, buckets: int = 1) -> InMemory:
    params = composition_hops.CompositionHopParams(world.limits)
    return world.kept(buckets).run(composition_hops.stage(params, outer=world.outer_relations, templates={}))


@pytest.mark.parametrize("buckets", [1, 4])
def test_the_values_of_the_answers(buckets: int) -> None:
    build = _run(WORLD, buckets)
    assert [tuple(row.values()) for row in build.rows("hops")] == [
        ("P57:Q1", "Q1", "Q10", "P161", "Q30", "item", ""),
        ("P57:Q1", "Q1", "Q10", "P2047", "124", "quantity", "Q7727"),
        ("P57:Q1", "Q1", "Q11", "P161", "Q30", "item", ""),
    ]
    # P57 is in the composition set, but a relation never follows itself.
    assert build.rejected("qampari.composition_hops") == {("P364", "no_template"): 1, ("P856", "answer_kind"): 1}
    assert build.metrics["qampari.composition_hops"] == {"hops": 3}


def test_only_validated_answers_are_followed() -> None:
    people = [f"Q{n}" for n in range(10, 16)]
    world = World(
        {*items("P57", "Q1", *people), *items("P161", "Q30", *people)},
        entities(people, ("Q1",)),
        untyped=("P57",),
        outer=OUTER,
        unproven=frozenset({("Q12", "P57", "Q1")}),
    )
    assert [row["subject"] for row in _run(world).rows("hops")] == ["Q10", "Q11", "Q13", "Q14", "Q15"]


def test_an_entity_with_very_many_values_gives_one_more_than_an_answer_set_may_have() -> None:
    cast = {("Q10", "P161", f"Q{n}", "item", "") for n in range(100, 120)}
    limits = QueryLimits(min_answers=2, max_answers=5, min_share=0.8)
    world = World(
        {*items("P57", "Q1", *FILMS), *cast}, entities(FILMS, ("Q1",)), untyped=("P57",), outer=OUTER, limits=limits
    )
    build = _run(world)
    assert limits.most == 6
    assert [row["object"] for row in build.rows("hops")] == [f"Q{n}" for n in range(100, 107)]
    assert build.rejected("qampari.composition_hops") == {("P161", "hot_value"): 13}


def test_a_relation_of_kinds_is_asked_only_of_what_a_person_would_ask_it_of() -> None:
    # What kinds of thing are the buildings of an architect? is a question; of the people of a party it is none.
    buildings, people = [f"Q{n}" for n in range(10, 15)], [f"Q{n}" for n in range(20, 25)]
    building = "Q41176"
    world = World(
        {
            *items("P84", "Q1", *buildings),
            *items("P102", "Q2", *people),
            *items("P31", "Q33506", *buildings[:2]),
            *items("P31", "Q5", *people),
            *items("P138", "Q9", *people[:1]),
        },
        {**dict.fromkeys(buildings, (building,)), **entities(people, ("Q1", "Q2"))},
        untyped=("P102",),
        typed={"P84": (building,)},
        ancestors={building: (building,)},
        nouns={"P102": "Q5"},
        outer=("P138",),
        outer_of={"P31": (building,)},
    )
    build = _run(world)
    assert [(row["inner_query"], row["property"], row["object"]) for row in build.rows("hops")] == [
        ("P102:Q2", "P138", "Q9"),
        ("P84:Q1:Q41176", "P31", "Q33506"),
        ("P84:Q1:Q41176", "P31", "Q33506"),
    ]
    assert build.rejected("qampari.composition_hops")["P31", "other_subject"] == 5
