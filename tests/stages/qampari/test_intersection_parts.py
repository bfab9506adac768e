import pytest

from stages.core.memory import InMemory
from stages.qampari import intersection_parts, overlaps, shared_answers
from tests.stages.qampari.world import World, entities, items, proof

FILMS = [f"Q{n}" for n in range(10, 20)]
WORLD = World(
    statements={*items("P57", "Q1", *FILMS[:6]), *items("P58", "Q2", *FILMS[1:])},
    types=entities(FILMS, ("Q1", "Q2")),
    untyped=("P57", "P58"),
)
PAIR = "P57:Q1&P58:Q2"


def _run(buckets: int) -> InMemory:
    return WORLD.kept(buckets).run(shared_answers.stage(), overlaps.stage(), intersection_parts.stage())


@pytest.mark.parametrize("buckets", [1, 3])
def test_each_part_is_described_and_compared_with_its_own_answers(buckets: int) -> None:
    rows = _run(buckets).rows("pair_parts")
    columns = ("pair", "position", "property", "entity", "entity_label", "answer_class", "common", "whole")
    assert [tuple(row[name] for name in columns) for row in rows] == [
        (PAIR, 0, "P57", "Q1", "label Q1", None, 5, False),
        (PAIR, 1, "P58", "Q2", "label Q2", None, 5, False),
    ]


@pytest.mark.parametrize("buckets", [1, 3])
def test_each_common_answer_has_a_proof_per_part(buckets: int) -> None:
    rows = _run(buckets).rows("pair_proofs")
    assert [(row["answer"], row["position"]) for row in rows] == [(q, n) for q in FILMS[1:6] for n in (0, 1)]
    for row in rows:
        evidence = proof(row["answer"], *(("P57", "Q1"), ("P58", "Q2"))[row["position"]])
        assert row["score"] == evidence["score"]
        assert row["proof"]["sentence"] == evidence["sentence"]


def test_a_part_that_gives_all_its_answers_is_whole() -> None:
    world = World(
        {*items("P57", "Q1", *FILMS[:6]), *items("P58", "Q2", *FILMS)},
        entities(FILMS, ("Q1", "Q2")),
        untyped=("P57", "P58"),
    )
    build = world.kept().run(shared_answers.stage(), overlaps.stage(), intersection_parts.stage())
    assert [row["whole"] for row in build.rows("pair_parts")] == [True, False]
