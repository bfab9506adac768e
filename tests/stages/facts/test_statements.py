from dataclasses import replace

import pytest

from stages.core.contract import StageError
from stages.core.memory import InMemory
from stages.facts import completeness, statements
from stages.facts.answer_kinds import AnswerKinds
from stages.facts.limits import QueryLimits
from tests.stages.qampari.world import World, entities, items

FILM, BOOK = "Q11424", "Q571"
# One film, one book, one that is both, one of a type that leads nowhere.
WORLD = World(
    statements={
        *items("P57", "Q8877", "Q1", "Q2"),
        *items("P136", "Q188473", "Q1", "Q2", "Q3", "Q4"),
        *items("P57", "Q1", "Q1"),
        *items("P57", "Q8877", "Q99"),
        *items("P9999", "Q5", "Q1", "Q2"),
        ("Q1", "P57", "1975", "time", ""),
    },
    types={"Q1": ("Q24862",), "Q2": (BOOK,), "Q3": ("Q24862", BOOK), "Q4": ("Q5",), "Q8877": ()},
    untyped=("P57",),
    typed={"P136": (FILM, BOOK)},
    ancestors={"Q24862": (FILM,), BOOK: (BOOK,), FILM: (FILM,)},
    pages=frozenset({"Q1", "Q3"}),
)


def _run(world: World, buckets: int = 1) -> InMemory:
    choice = completeness.CorpusParams(answers=world.answers)
    stage = statements.stage(world.limits, kinds=world.answer_kinds, templates={})
    return world.build(buckets).run(completeness.stage(choice), stage)


@pytest.mark.parametrize("buckets", [1, 3])
def test_facts_of_all_answers(buckets: int) -> None:
    build = _run(WORLD, buckets)
    assert [tuple(row.values()) for row in build.rows("facts")] == [
        ("Q1", "P136", "Q188473", [FILM]),
        ("Q1", "P57", "Q8877", []),
        ("Q2", "P136", "Q188473", [BOOK]),
        ("Q2", "P57", "Q8877", []),
        ("Q3", "P136", "Q188473", [FILM, BOOK]),
    ]
    assert build.rejected("facts.statements") == {
        ("P9999", "no_template"): 2,
        ("P57", "literal_value"): 1,
        ("P57", "own_object"): 1,
        ("P57", "no_subject_entity"): 1,
        ("P136", "no_class"): 1,
    }
    assert build.metrics["facts.statements"] == {"statements": 11, "facts": 5}


def test_facts_of_a_partial_corpus_have_subjects_with_a_page() -> None:
    build = _run(replace(WORLD, answers="auto"))
    assert {row["subject"] for row in build.rows("facts")} == {"Q1", "Q3"}
    assert build.rejected("facts.statements")["P57", "no_page"] == 1
    # Q2 and Q4 have none, and that is said before their class is looked at.
    assert build.rejected("facts.statements")["P136", "no_page"] == 2
    assert ("P136", "no_class") not in build.rejected("facts.statements")


@pytest.mark.parametrize("buckets", [1, 3])
def test_every_statement_is_a_fact_or_a_reject(buckets: int) -> None:
    build = _run(WORLD, buckets)
    assert len(build.rows("facts")) + sum(build.rejected("facts.statements").values()) == len(WORLD.statements)


def test_a_hot_object_keeps_one_fact_more_than_a_query_may_have() -> None:
    people = [f"Q{n}" for n in range(10, 30)]
    world = World(items("P31", "Q5", *people), entities(people), untyped=("P31",), limits=QueryLimits(2, 4, 0.8))
    build = _run(world)
    assert world.limits.most == 5
    assert [row["subject"] for row in build.rows("facts")] == ["Q10", "Q11", "Q12", "Q13", "Q14", "Q15"]
    assert build.rejected("facts.statements") == {("P31", "hot_object"): 14}


def test_a_hot_class_takes_nothing_from_the_other_classes_of_its_object() -> None:
    films, books = [f"Q{n}" for n in range(10, 20)], [f"Q{n}" for n in range(18, 23)]
    types = {qid: tuple(c for c, group in ((FILM, films), (BOOK, books)) if qid in group) for qid in {*films, *books}}
    world = World(
        items("P136", "Q1", *types),
        types,
        typed={"P136": (FILM, BOOK)},
        ancestors={FILM: (FILM,), BOOK: (BOOK,)},
        limits=QueryLimits(2, 4, 0.8),
    )
    kept = {row["subject"] for row in _run(world).rows("facts")}
    # Six films show that there are too many; all five books stay, and two of these are films as well.
    assert kept == {"Q10", "Q11", "Q12", "Q13", "Q14", "Q15", *books}


def test_a_relation_is_typed_or_untyped_and_a_typed_one_has_classes() -> None:
    with pytest.raises(StageError, match="P57"):
        statements.stage(kinds=AnswerKinds({"P57": (FILM,)}, {"P57": None}), templates={})
    with pytest.raises(StageError, match="P136"):
        statements.stage(kinds=AnswerKinds({"P136": ()}), templates={})


def test_the_templates_digests_reach_the_stage() -> None:
    stage = statements.stage(kinds=AnswerKinds(untyped={"P57": None}), templates={"simple.yaml": "0" * 64})
    assert stage.templates == {"simple.yaml": "0" * 64}
    assert stage.bound["limits"] == QueryLimits()


@pytest.mark.parametrize("buckets", [1, 3])
def test_answers_without_a_page_are_counted_by_relation_object_and_class(buckets: int) -> None:
    build = _run(replace(WORLD, answers="own_page"), buckets)
    counted: dict[tuple[str, str, str], int] = {}
    for row in build.rows("pageless_facts"):
        key = (row["property"], row["object"], row["class"])
        counted[key] = counted.get(key, 0) + row["facts"]
    # Q2 is a book; Q4 is no answer of P136, since it is of no class that is asked for.
    assert counted == {("P57", "Q8877", ""): 1, ("P136", "Q188473", BOOK): 1}


def test_who_competed_is_answered_by_people_and_not_by_teams() -> None:
    world = World(
        items("P641", "Q5372", "Q1", "Q2", "Q3", "Q4"),
        {"Q1": ("Q5",), "Q2": ("Q13393265",), "Q3": (), "Q4": ("Q777",)},
        untyped=("P641",),
        nouns={"P641": "Q5"},
        sorts={"Q5": ("person",), "Q12973014": ("organisation/sport",)},
        class_sorts=(("Q5", "person", 0), ("Q13393265", "organisation/sport", 1)),
    )
    build = _run(world)
    # Nothing is known of Q3, and nothing against Q4.
    assert [row["subject"] for row in build.rows("facts")] == ["Q1", "Q3", "Q4"]
    assert build.rejected("facts.statements") == {("P641", "other_kind"): 1}
