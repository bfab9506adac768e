import pytest

from stages.facts.limits import QueryLimits
from stages.qampari.simple_queries import KindRelations
from tests.stages.qampari.world import World, entities, items

FILM, BOOK = "Q11424", "Q571"
LIMITS = QueryLimits(min_answers=3, max_answers=4, min_share=0.8)
FIVE = ("Q11", "Q12", "Q13", "Q14", "Q15")
WORLD = World(
    statements={
        *items("P57", "Q1", *FIVE),
        *items("P57", "Q2", *FIVE, "Q16"),
        *items("P57", "Q3", *FIVE[:2]),
        *items("P57", "Q404", *FIVE),
        *items("P136", "Q1", *FIVE),
    },
    types={**entities(("Q1", "Q2", "Q3", "Q16")), **dict.fromkeys(FIVE[:4], (FILM,)), FIVE[4]: (FILM, BOOK)},
    untyped=("P57",),
    typed={"P136": (FILM, BOOK)},
    ancestors={FILM: (FILM,), BOOK: (BOOK,)},
    limits=LIMITS,
)


@pytest.mark.parametrize("buckets", [1, 4])
def test_queries_within_the_limits(buckets: int) -> None:
    build = WORLD.simple(buckets)
    assert build.rows("queries") == [
        {
            "query": f"P136:Q1:{FILM}",
            "property": "P136",
            "entity": "Q1",
            "answer_class": FILM,
            "entity_label": "label Q1",
            "entity_aliases": ["alias Q1"],
            "answers": 5,
            "known": 5,
        },
        {
            "query": "P57:Q1",
            "property": "P57",
            "entity": "Q1",
            "answer_class": None,
            "entity_label": "label Q1",
            "entity_aliases": ["alias Q1"],
            "answers": 5,
            "known": 5,
        },
    ]
    assert build.rejected("qampari.simple_queries") == {
        ("P57", "too_few_answers"): 1,
        ("P57", "too_many_answers"): 1,
        ("P57", "no_entity_label"): 1,
        ("P136", "too_few_answers"): 1,
    }
    assert build.metrics["qampari.simple_queries"] == {"untyped_queries": 1, "typed_queries": 1, "answers": 10}


def test_the_answers_are_the_subjects_of_the_statements() -> None:
    rows = [tuple(row.values()) for row in WORLD.simple().rows("query_answers")]
    assert rows == [
        *((f"P136:Q1:{FILM}", qid, "P136", "Q1") for qid in FIVE),
        *(("P57:Q1", qid, "P57", "Q1") for qid in FIVE),
    ]


def test_no_query_asks_which_member_of_a_class_is_one() -> None:
    world = World(
        {*items("P31", FILM, *FIVE), *items("P31", "Q3", *FIVE)},
        {**dict.fromkeys(FIVE, (FILM,)), **entities((FILM, "Q3"))},
        typed={"P31": (FILM,)},
        ancestors={FILM: (FILM,)},
        limits=LIMITS,
    )
    build = world.simple(buckets=2)
    assert [row["query"] for row in build.rows("queries")] == [f"P31:Q3:{FILM}"]
    assert build.rejected("qampari.simple_queries") == {("P31", "own_class"): 1}


def test_a_relation_of_kinds_is_not_asked_of_what_questions_ask_for() -> None:
    # Which creative work is a film? says nothing; which one is an animated film (Q202866)? does.
    work = "Q17537576"
    world = World(
        {*items("P31", FILM, *FIVE), *items("P31", "Q202866", *FIVE), *items("P136", FILM, *FIVE)},
        {**dict.fromkeys(FIVE, (FILM,)), **entities((FILM, "Q202866"))},
        typed={"P31": (work,), "P136": (work,)},
        ancestors={FILM: (work,), "Q202866": (FILM, work)},
        kinds=KindRelations(("P31",), (FILM, work)),
        limits=LIMITS,
    )
    build = world.simple()
    assert [row["query"] for row in build.rows("queries")] == [f"P136:{FILM}:{work}", f"P31:Q202866:{work}"]
    assert build.rejected("qampari.simple_queries") == {("P31", "own_class"): 1}


def test_a_relation_of_kinds_asks_for_a_class_only_of_its_kinds() -> None:
    # These cities are run by companies, and a company is a business: yet no city is a kind of it.
    city, settlement, business = "Q515", "Q486972", "Q4830453"
    world = World(
        items("P31", city, *FIVE),
        {**dict.fromkeys(FIVE, (city, "Q783794")), **entities((city,))},
        typed={"P31": (settlement, business)},
        ancestors={city: (settlement,), "Q783794": (business,)},
        kinds=KindRelations(("P31",), (settlement, business)),
        limits=LIMITS,
    )
    build = world.simple()
    assert [row["query"] for row in build.rows("queries")] == [f"P31:{city}:{settlement}"]
    assert build.rejected("qampari.simple_queries") == {("P31", "other_class"): 1}


def test_a_triple_of_two_queries_is_in_one_bucket() -> None:
    from stages.qampari.simple_queries import QUERY_ANSWERS

    assert QUERY_ANSWERS.bucket_columns == ("subject", "property", "object")


def test_no_facts_make_no_queries() -> None:
    build = World(set(), {}, untyped=("P57",)).simple(buckets=2)
    assert build.rows("queries") == build.rows("query_answers") == []
    assert not build.rejects


def test_a_kind_of_which_no_class_is_known_is_asked_about() -> None:
    # Republic (Q7270) is a kind of territory, but the entities at hand may lack the edges between them.
    territory = "Q4835091"
    world = World(
        items("P31", "Q7270", *FIVE),
        {**dict.fromkeys(FIVE, ("Q7270", "Q6256")), **entities(("Q7270",))},
        typed={"P31": (territory,)},
        ancestors={"Q6256": (territory,)},
        kinds=KindRelations(("P31",), (territory,)),
        limits=LIMITS,
    )
    build = world.simple()
    assert [row["query"] for row in build.rows("queries")] == [f"P31:Q7270:{territory}"]
    assert not build.rejects


def test_all_known_answers_are_counted_with_those_that_have_no_page() -> None:
    # Of r(Q1) five have a page and two have none; of the two that are no entities nothing is known.
    more = ("Q21", "Q22")
    world = World(
        items("P57", "Q1", *FIVE, *more, "Q98", "Q99") | items("P136", "Q1", *FIVE, *more),
        {**dict.fromkeys((*FIVE, more[0]), (FILM,)), more[1]: (FILM, BOOK), **entities(("Q1",))},
        untyped=("P57",),
        typed={"P136": (FILM, BOOK)},
        ancestors={FILM: (FILM,), BOOK: (BOOK,)},
        pages=frozenset(FIVE),
        answers="own_page",
        limits=LIMITS,
    )
    for buckets in (1, 3):
        rows = world.simple(buckets).rows("queries")
        assert [(row["query"], row["answers"], row["known"]) for row in rows] == [
            (f"P136:Q1:{FILM}", 5, 7),
            ("P57:Q1", 5, 7),
        ]


def test_a_list_that_holds_too_small_a_part_of_what_is_known_is_not_begun() -> None:
    world = World(
        items("P57", "Q1", *FIVE, "Q21") | items("P57", "Q2", *FIVE, "Q21", "Q22"),
        entities((*FIVE, "Q21", "Q22", "Q1", "Q2")),
        untyped=("P57",),
        pages=frozenset(FIVE),
        answers="own_page",
        limits=QueryLimits(3, 4, 0.8, min_known_share=0.8),
    )
    # 5 of 6 are enough, 5 of 7 are not.
    build = world.simple()
    assert [row["query"] for row in build.rows("queries")] == ["P57:Q1"]
    assert build.rejected("qampari.simple_queries") == {("P57", "low_known_share"): 1}


def test_a_kind_of_more_things_than_can_be_listed_is_not_asked_about_though_few_have_a_page() -> None:
    city, settlement, more = "Q515", "Q486972", ("Q21", "Q22")
    world = World(
        items("P31", city, *FIVE, *more) | items("P31", "Q200250", *FIVE),
        {**dict.fromkeys((*FIVE, *more), (settlement,)), **entities((city, "Q200250"))},
        typed={"P31": (settlement,)},
        ancestors={settlement: (settlement,)},
        kinds=KindRelations(("P31",), (settlement,)),
        pages=frozenset(FIVE),
        answers="own_page",
        limits=LIMITS,
    )
    build = world.simple()
    assert LIMITS.most == 5
    assert [row["query"] for row in build.rows("queries")] == [f"P31:Q200250:{settlement}"]
    assert build.rejected("qampari.simple_queries") == {("P31", "common_kind"): 1}


def test_nobody_asks_which_one_is_a_largest() -> None:
    settlement = "Q486972"
    world = World(
        items("P31", "Q51929311", *FIVE) | items("P6", "Q51929311", *FIVE),
        {**dict.fromkeys(FIVE, (settlement,)), **entities(("Q51929311",))},
        typed={"P31": (settlement,), "P6": (settlement,)},
        ancestors={settlement: (settlement,)},
        kinds=KindRelations(("P31",), (settlement,), ("label",)),
        limits=LIMITS,
    )
    # The label here is "label Q51929311", and its first word says that nobody would ask.
    build = world.simple()
    assert [row["query"] for row in build.rows("queries")] == [f"P6:Q51929311:{settlement}"]
    assert build.rejected("qampari.simple_queries") == {("P31", "superlative_kind"): 1}
