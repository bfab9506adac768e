"""The whole chain from statements to answer sets against plain Python, on random graphs in random buckets."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stages.core.memory import InMemory
from stages.facts.limits import QueryLimits
from stages.qampari.overlaps import OverlapParams
from stages.qampari.shared_answers import SharedParams
from tests.stages.qampari import brute
from tests.stages.qampari.world import World, answer_sets, stable

QIDS = tuple(f"Q{n}" for n in range(1, 12))
TYPES = ("T1", "T2", "T3")
ANCESTORS = {"T1": ("C1",), "T2": ("C1", "C2"), "C2": ("C2",)}


def _statement(subject: int, property_: int, value: int) -> tuple[str, str, str, str, str]:
    if property_ == 5:
        return QIDS[subject], "P5", str(value % 4), "quantity", ("", "Q100", "Q101")[value // 4]
    return QIDS[subject], f"P{property_}", QIDS[value % len(QIDS)], "item", ""


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """A dense graph of eleven entities and six relations with limits that all of its queries are near to."""
    numbers = st.tuples(st.integers(0, 10), st.sampled_from([1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6]), st.integers(0, 10))
    statements = {_statement(*row) for row in draw(st.lists(numbers, min_size=60, max_size=300, unique=True))}
    seed, rate = draw(st.integers(0, 99)), draw(st.sampled_from([0, 10, 30, 60]))
    triples = {row[:3] for row in statements}
    return World(
        statements=statements,
        types={qid: tuple(t for t in TYPES if stable(qid, t, seed) % 2) for qid in QIDS if stable(qid, seed) % 9},
        untyped=("P1", "P2"),
        typed={"P3": ("C1", "C2"), "P4": ("C2",)},
        outer=("P1", "P3", "P5", "P6"),
        ancestors=ANCESTORS,
        breadths=draw(st.sampled_from([{}, {"C1": 1, "C2": 2}])),
        pages=frozenset(qid for qid in QIDS if stable(seed, qid) % 4),
        answers=draw(st.sampled_from(["all", "own_page"])),
        unproven=frozenset(triple for triple in triples if stable(triple, seed) % 100 < rate),
        limits=draw(st.sampled_from([QueryLimits(2, 5, 0.6), QueryLimits(2, 8, 0.8), QueryLimits(1, 3, 0.5)])),
        shared=SharedParams(max_queries_per_answer=draw(st.sampled_from([3, 6, 50]))),
        overlap=OverlapParams(min_answers=draw(st.integers(1, 2)), same_relation=draw(st.booleans())),
    )


def run(world: World, buckets: int, seed: int) -> InMemory:
    build = world.kept(buckets, seed)
    return world.compositions(world.intersections(build))


def check(world: World, build: InMemory) -> None:
    simple = {row["query"]: set() for row in build.rows("queries")}
    for row in build.rows("query_answers"):
        simple[row["query"]].add(row["subject"])
    assert simple == brute.simple_sets(world)
    assert answer_sets(build, "simple_answers") == brute.kept_sets(world)
    assert answer_sets(build, "intersection_answers") == brute.intersections(world)
    found: dict[str, Any] = {row["query"]: ({}, row["answers"]) for row in build.rows("composed_queries")}
    for row in build.rows("composed_answers"):
        middles = {proof["subject"] for proof in row["proofs"][1::2]}
        assert middles == {proof["subject"] for proof in row["proofs"][::2]}
        assert {proof["object"] for proof in row["proofs"][1::2]} == {row["answer"]}
        found[row["query"]][0][row["answer"], row["unit"]] = middles
    assert found == brute.compositions(world)


@given(worlds(), st.integers(1, 3), st.integers(0, 9))
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_answer_set_is_what_plain_python_finds(world: World, buckets: int, seed: int) -> None:
    check(world, run(world, buckets, seed))


@pytest.mark.slow
@given(worlds(), st.integers(1, 5), st.integers(0, 9))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_answer_set_on_many_worlds(world: World, buckets: int, seed: int) -> None:
    check(world, run(world, buckets, seed))


FINAL = tuple(f"{kind}_{rows}" for kind in ("simple", "intersection", "composed") for rows in ("queries", "answers"))


@given(worlds(), st.integers(2, 4), st.integers(0, 9))
@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
def test_order_and_buckets_change_no_row(world: World, buckets: int, seed: int) -> None:
    one, other = run(world, 1, 0), run(world, buckets, seed)
    for name in FINAL:
        assert one.tables[name].equals(other.tables[name]), name
    # A cut by bucket depends on the buckets, so hot objects and values are no part of the comparison.
    assert _rejected(one) == _rejected(other)


def _rejected(build: InMemory) -> dict[tuple[str, str, str], int]:
    found = {stage: build.rejected(stage).items() for stage in build.rejects}
    return {(stage, *key): n for stage, items in found.items() for key, n in items if "hot" not in key[1]}
