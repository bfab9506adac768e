"""Selection: what the chosen questions say, and that they keep the promises on random collections."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from stages.core.contract import Output
from stages.musique.composition.grammar import load_grammar
from stages.musique.composition.words import Known, compose
from stages.musique.graphs.candidate_graphs import candidates
from stages.musique.graphs.graph_selection import select, stage, steps
from stages.musique.graphs.params import ReasoningGraphParams
from stages.musique.graphs.tables import CANDIDATE_GRAPHS, COMPOSED_HOPS
from tests.stages.musique.graphs.world import World, bridge, hop, random_world

FEW = ReasoningGraphParams(hop2=9, hop3_1=5, hop3_2=3, hop4_1=2, hop4_2=2, hop4_3=2, max_per_entity=4, max_per_hop=3)


def selected(world: World, params: ReasoningGraphParams, chance: Random | None = None) -> Output:
    drawn = candidates(*world.tables(), params=params).tables[CANDIDATE_GRAPHS.name]
    if chance:
        drawn = drawn.take(chance.sample(range(drawn.num_rows), drawn.num_rows))
    return select(drawn, world.tables(chance)[1], params=params)


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 10**6), st.randoms(use_true_random=False))
def test_caps_targets_and_parts(seed: int, chance: Random) -> None:
    world = random_world(seed, 16)
    output = selected(world, FEW)
    rows = output.tables[COMPOSED_HOPS.name].sort_by("graph").to_pylist()
    entities = Counter(entity for row in rows for entity in set(row["entities"]))
    hops = Counter(name for row in rows for name in row["hops"])
    sets = [frozenset(row["hops"]) for row in rows]
    shapes = Counter(row["shape"] for row in rows)
    assert max(entities.values(), default=0) <= 4
    assert max(hops.values(), default=0) <= 3
    assert not any(one <= other for one in sets for other in sets if one is not other)
    assert all(shapes[shape] <= target for shape, target in FEW.targets.items())
    again = selected(world, FEW, chance)
    assert again.tables[COMPOSED_HOPS.name].sort_by("graph").to_pylist() == rows
    assert output.metrics["graphs"] == len(rows)


def test_a_question_tells_its_steps_and_all_that_its_hops_know() -> None:
    first = hop("a:1", "who wrote Rain", "Ann", "p1")
    second = hop("b:2", "which town has rain", "Rome", "p2")
    last = hop("c:3", "when was Ann born in Rome", "1900", "p3")
    rows = {row["hop"]: row for row in (first, second, last)}
    world = World(rows, {("a:1", "c:3"): bridge(first, last, 9), ("b:2", "c:3"): bridge(second, last, 21)})
    (row,) = selected(world, ReasoningGraphParams()).tables[COMPOSED_HOPS.name].to_pylist()
    assert row == {
        "graph": "3hop2__a:1_b:2_c:3",
        "shape": "3hop2",
        "hops": ["a:1", "b:2", "c:3"],
        "edges": [{"from": 1, "to": 3, "start": 9, "end": 12}, {"from": 2, "to": 3, "start": 21, "end": 25}],
        "entities": ["ann", "rome"],
        "tokens": 13,
        "question_steps": ["who wrote Rain", "which town has rain", "when was #1 born in #2"],
        "hop_answers": ["Ann", "Rome", "1900"],
        "hop_aliases": [["Ann of old"], ["Rome of old"], ["1900 of old"]],
        "paragraphs": ["p1", "p2", "p3"],
        "sources": ["a", "b", "c"],
        "answer": "1900",
        "answer_aliases": ["1900 of old"],
    }


def test_steps_are_numbered_wherever_they_are_asked_about() -> None:
    edges = [{"from": 1, "to": 2, "start": 0, "end": 1}, {"from": 2, "to": 4, "start": 7, "end": 9}]
    edges.append({"from": 3, "to": 4, "start": 0, "end": 3})
    assert steps(["q", "a >> r", "s", "ccc of bb?"], edges) == ["q", "#1 >> r", "s", "#3 of #2?"]
    assert steps(["q", "x"], []) == ["q", "x"]


def test_only_a_step_is_called_by_its_number() -> None:
    edges = [{"from": 1, "to": 2, "start": 5, "end": 8}]
    asked = steps(["who had the #1 hit of 1980", "when Ada was born, was it #1?"], edges)
    assert asked == ["who had the No. 1 hit of 1980", "when #1 was born, was it No. 1?"]
    found = compose([asked[0], "when was #1 born"], Known({}, {}), load_grammar())
    assert found.question == "When was the one that had the No. 1 hit of 1980 born?"


def test_nothing_comes_of_nothing() -> None:
    assert selected(World({}, {}), FEW).tables[COMPOSED_HOPS.name].num_rows == 0
    assert stage().outputs == (COMPOSED_HOPS,)
