"""Candidates: against all graphs that small random collections allow, found by trying every choice of hops."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.core.contract import StageError
from stages.musique.graphs.candidate_graphs import candidates, stage
from stages.musique.graphs.params import ReasoningGraphParams
from stages.musique.graphs.shapes import BY_NAME, SHAPES, Shape
from stages.musique.graphs.tables import CANDIDATE_GRAPHS
from tests.stages.musique.graphs.world import World, bridge, hop, random_world

EVERY = ReasoningGraphParams(
    hop2=9999, hop3_1=9999, hop3_2=9999, hop4_1=9999, hop4_2=9999, hop4_3=9999, max_per_entity=9999, fan=99
)


def found(world: World, params: ReasoningGraphParams = EVERY, chance: Random | None = None) -> list[dict[str, Any]]:
    table = candidates(*world.tables(chance), params=params).tables[CANDIDATE_GRAPHS.name]
    return table.sort_by("graph").to_pylist()


def oracle(world: World) -> set[tuple[str, tuple[str, ...]]]:
    graphs = set()
    for shape in SHAPES:
        for chosen in permutations(world.hops, shape.level):
            edges = [(chosen[head - 1], chosen[tail - 1]) for head, tail in shape.edges]
            if all(edge in world.bridges for edge in edges) and all_sound(world, shape, chosen):
                graphs.add((shape.name, chosen))
    return graphs


def all_sound(world: World, shape: Shape, chosen: tuple[str, ...]) -> bool:
    """Whether a graph and all that it grew out of are sound."""
    if not sound(world, shape, chosen):
        return False
    if not shape.parent:
        return True
    parent = BY_NAME[shape.parent]
    added = dict(zip(shape.built, range(shape.level), strict=True))
    first = [chosen[number - 1] for number in sorted(added, key=added.__getitem__)[:-1]]
    return all_sound(world, parent, tuple(first[parent.built.index(number)] for number in range(1, shape.level)))


def sound(world: World, shape: Shape, chosen: tuple[str, ...]) -> bool:
    rows = [world.hops[name] for name in chosen]
    if any(len({row[column] for row in rows}) < len(rows) for column in ("paragraph", "answer")):
        return False
    texts = [list(row["question"]) for row in rows]
    places: dict[int, list[int]] = {}
    for head, tail in shape.edges:
        used = world.bridges[chosen[head - 1], chosen[tail - 1]]
        if "|" in texts[tail - 1][used["start"] : used["end"]]:
            return False
        texts[tail - 1][used["start"] : used["end"]] = "|" * (used["end"] - used["start"])
        places.setdefault(tail, []).append(used["start"])
    if shape.name in ("3hop2", "4hop2") and places[3] != sorted(places[3]):
        return False
    words = [f" {''.join(text).replace('|', ' | ')} " for text in texts]
    return not any(f" {row['answer']} " in text for row in rows for text in words)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 12))
def test_all_sound_graphs_of_the_six_shapes_are_found(seed: int, size: int) -> None:
    world = random_world(seed, size)
    rows = found(world)
    assert {(row["shape"], tuple(row["hops"])) for row in rows} == oracle(world)
    assert len({row["graph"] for row in rows}) == len(rows)


def test_a_larger_world_has_every_shape() -> None:
    world = random_world(0, 14)
    rows = found(world)
    assert {(row["shape"], tuple(row["hops"])) for row in rows} == oracle(world)
    assert set(Counter(row["shape"] for row in rows)) == {shape.name for shape in SHAPES}


def test_edges_tell_where_each_answer_is_asked_about() -> None:
    world = random_world(0, 14)
    for row in found(world):
        shape = next(shape for shape in SHAPES if shape.name == row["shape"])
        assert row["graph"] == f"{row['shape']}__{'_'.join(row['hops'])}"
        assert [(edge["from"], edge["to"]) for edge in row["edges"]] == list(shape.edges)
        assert row["tokens"] == sum(world.hops[name]["tokens"] for name in row["hops"])
        for edge, entity in zip(row["edges"], row["entities"], strict=True):
            head, tail = (world.hops[row["hops"][edge[end] - 1]] for end in ("from", "to"))
            assert tail["question"][edge["start"] : edge["end"]] == head["answer"]
            assert entity == head["answer"].lower()


@given(st.integers(0, 10**6), st.randoms(use_true_random=False))
@settings(max_examples=4, deadline=None)
def test_a_draw_is_part_of_all_and_depends_on_the_seed_alone(seed: int, chance: Random) -> None:
    world = random_world(seed, 10)
    few = ReasoningGraphParams(
        hop2=2, hop3_1=1, hop3_2=1, hop4_1=1, hop4_2=1, hop4_3=1, oversample=3, max_per_entity=2, fan=2
    )
    drawn = found(world, few)
    every = found(world)
    assert all(row in every for row in drawn)
    assert found(world, few, chance) == drawn
    counts = Counter(row["shape"] for row in drawn)
    assert all(counts[shape] <= 3 * target for shape, target in few.targets.items())
    two = Counter(row["shape"] for row in every)["2hop"]
    assert counts["2hop"] == min(two, 6) or max(Counter(row["entities"][0] for row in drawn).values()) == 6


def test_a_popular_entity_takes_its_turn() -> None:
    hops = [hop(f"s:h{at}", f"which town {at}", "Rome", f"p{at}") for at in range(20)]
    hops += [hop("s:x", "which river", "Oder", "px"), hop("s:y", "what joins the Oder", "Warta", "py")]
    hops += [hop(f"s:t{at}", f"who left Rome in {at}", f"End {at}", f"q{at}") for at in range(20)]
    rows = {row["hop"]: row for row in hops}
    pairs = [(f"s:h{a}", f"s:t{b}", 9) for a in range(20) for b in range(20)] + [("s:x", "s:y", 15)]
    world = World(rows, {(a, b): bridge(rows[a], rows[b], at) for a, b, at in pairs})
    drawn = found(world, ReasoningGraphParams(hop2=2, hop3_1=0, hop3_2=0, hop4_1=0, hop4_2=0, hop4_3=0, oversample=2))
    assert Counter(row["entities"][0] for row in drawn) == {"rome": 3, "oder": 1}


def test_what_is_left_out_is_counted() -> None:
    rows = {
        "s:a": hop("s:a", "who leads", "Ann", "p1"),
        "s:b": hop("s:b", "where does Ann live", "Rome", "p2"),
        "s:c": hop("s:c", "when was Ann in Rome", "Ann", "p3"),
        "s:d": hop("s:d", "when did Ann sing, Ann", "then", "p4"),
        "s:e": hop("s:e", "what did Ann do", "much", "p1"),
    }
    pairs = [("s:a", tail) for tail in ("s:b", "s:c", "s:d", "s:e")]
    world = World(rows, {(a, b): bridge(rows[a], rows[b], rows[b]["question"].index("Ann")) for a, b in pairs})
    output = candidates(*world.tables(), params=ReasoningGraphParams(report_short_tokens=5))
    assert [row["graph"] for row in output.tables[CANDIDATE_GRAPHS.name].to_pylist()] == ["2hop__s:a_s:b"]
    reasons = {row["reason"]: row["count"] for row in output.rejects.to_pylist()}
    assert reasons == {"repeated_answer": 1, "answer_in_question": 1, "repeated_paragraph": 1}
    assert output.metrics["2hop_over_length"] == 1


def test_no_two_steps_are_on_one_page() -> None:
    rows = {
        "s:a": hop("s:a", "who leads", "Ann", "p1"),
        "s:b": hop("s:b", "where does Ann live", "Rome", "p2"),
        "s:c": hop("s:c", "what does Ann eat", "figs", "p3") | {"title": "P1"},
        "s:d": hop("s:d", "what does Ann drink", "tea", "p4") | {"title": ""},
    }
    pairs = [("s:a", tail) for tail in ("s:b", "s:c", "s:d")]
    world = World(rows, {(a, b): bridge(rows[a], rows[b], rows[b]["question"].index("Ann")) for a, b in pairs})
    output = candidates(*world.tables(), params=ReasoningGraphParams())
    names = {row["graph"] for row in output.tables[CANDIDATE_GRAPHS.name].to_pylist()}
    assert names == {"2hop__s:a_s:b", "2hop__s:a_s:d"}
    assert {row["reason"]: row["count"] for row in output.rejects.to_pylist()} == {"repeated_page": 1}


def test_limits_of_length() -> None:
    world = random_world(0, 14)
    every = found(world)
    kept = found(world, ReasoningGraphParams(**(vars(EVERY) | {"short_tokens": 9, "long_tokens": 12})))
    assert kept == [row for row in every if row["tokens"] <= (12 if row["shape"][0] == "4" else 9)]
    short = found(world, ReasoningGraphParams(**(vars(EVERY) | {"hop_tokens": 4})))
    assert short == [row for row in every if all(world.hops[name]["tokens"] <= 4 for name in row["hops"])]
    assert 0 < len(short) < len(every)


def test_only_wanted_shapes_come() -> None:
    world = random_world(0, 14)
    none = dict.fromkeys(("hop2", "hop3_1", "hop3_2", "hop4_1", "hop4_2", "hop4_3"), 0)
    assert {row["shape"] for row in found(world, ReasoningGraphParams(**(vars(EVERY) | none | {"hop4_3": 99})))} == {
        "4hop3"
    }
    assert found(world, ReasoningGraphParams(**(vars(EVERY) | none))) == []
    assert found(World({}, {})) == []


def test_params_are_checked_and_the_stage_reads_kept_bridges() -> None:
    with pytest.raises(StageError, match="fan: expected 1 or more, got 0"):
        ReasoningGraphParams(fan=0)
    assert stage().inputs == ("kept_bridges", "single_hops")
    assert stage(bridges="bridges").inputs[0] == "bridges"
