"""Taking graphs within caps: small cases by hand, and that nothing is left that could still be taken."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from stages.graphs.greedy import OVER_ENTITY, OVER_HOP, OVER_TARGET, PART, SAME, Graph, parts, take

HOPS = st.sets(st.integers(0, 7), min_size=2, max_size=4).map(lambda hops: tuple(sorted(hops)))
ENTITIES = st.sets(st.integers(0, 4), min_size=1, max_size=3).map(lambda names: tuple(sorted(names)))


def graph(*hops: int, entities: tuple[int, ...] = (), shape: str = "") -> Graph:
    return Graph("-".join(map(str, hops)), shape or f"{len(hops)}hop", hops, entities)


@given(st.lists(st.tuples(HOPS, ENTITIES), max_size=25), st.integers(1, 4), st.integers(1, 4), st.integers(1, 5))
def test_what_is_not_taken_could_not_be(
    drawn: list[tuple[tuple[int, ...], tuple[int, ...]]], per_entity: int, per_hop: int, target: int
) -> None:
    every = [Graph(str(at), f"{len(hops)}hop", hops, entities) for at, (hops, entities) in enumerate(drawn)]
    queues = {shape: [one for one in every if one.shape == shape] for shape in ("2hop", "3hop", "4hop")}
    taken, left = take(queues, dict.fromkeys(queues, target), per_entity, per_hop)
    entities = Counter(name for one in taken for name in one.entities)
    hops = Counter(hop for one in taken for hop in one.hops)
    shapes = Counter(one.shape for one in taken)
    assert sum(left.values()) + len(taken) == len(every)
    for one in every:
        inside = any(set(one.hops) <= set(other.hops) for other in taken if other is not one)
        fits = all(entities[name] < per_entity for name in one.entities) and all(
            hops[hop] < per_hop for hop in one.hops
        )
        assert one in taken or inside or not fits or shapes[one.shape] == target
        assert not (one in taken and inside)
    assert all(count <= per_entity for count in entities.values())
    assert all(count <= per_hop for count in hops.values())
    assert all(count <= target for count in shapes.values())


def test_a_smaller_question_goes_for_the_larger_that_holds_it() -> None:
    queues = {"2hop": [graph(1, 3), graph(5, 6)], "3hop": [graph(1, 2, 3)], "4hop": [graph(1, 2, 3, 4)]}
    taken, left = take(queues, {"2hop": 9, "3hop": 1, "4hop": 1}, 9, 9)
    assert sorted(one.name for one in taken) == ["1-2-3-4", "5-6"]
    assert left == {("2hop", PART): 1, ("3hop", PART): 1}


def test_room_that_a_larger_question_makes_is_used() -> None:
    # Hop 1 is full with (1, 4) and (1, 3), so (1, 5) waits until (1, 3, 4) takes the place of both.
    queues = {"2hop": [graph(1, 4), graph(1, 3), graph(1, 5)], "3hop": [graph(7, 8, 9), graph(1, 3, 4)]}
    taken, left = take(queues, {"2hop": 15, "3hop": 5}, 9, 2)
    assert sorted(one.name for one in taken) == ["1-3-4", "1-5", "7-8-9"]
    assert left == {("2hop", PART): 2}


def test_shapes_take_turns_by_how_far_they_are() -> None:
    twos = [graph(at, at + 1) for at in range(0, 40, 2)]
    threes = [graph(at, at + 1, at + 2) for at in range(100, 160, 3)]
    shared = [Graph(one.name, one.shape, one.hops, (1,)) for one in [*twos, *threes]]
    queues = {"2hop": shared[:20], "3hop": shared[20:]}
    taken, left = take(queues, {"2hop": 20, "3hop": 5}, 10, 9)
    assert Counter(one.shape for one in taken) == {"2hop": 8, "3hop": 2}
    assert left == {("2hop", OVER_ENTITY): 12, ("3hop", OVER_ENTITY): 18}


def test_reasons() -> None:
    queues = {"2hop": [graph(1, 2), graph(1, 2), graph(1, 3), graph(4, 5), graph(6, 7)]}
    taken, left = take(queues, {"2hop": 2}, 9, 1)
    assert [one.name for one in taken] == ["1-2", "4-5"]
    assert left == {("2hop", SAME): 1, ("2hop", OVER_TARGET): 2}
    assert take(queues, {"2hop": 4}, 9, 1)[1] == {("2hop", SAME): 1, ("2hop", OVER_HOP): 1}
    assert take({"2hop": []}, {"2hop": 0}, 1, 1) == ([], Counter())


def test_parts_are_two_or_more_but_not_all() -> None:
    assert list(parts((1, 2))) == []
    assert list(parts((1, 2, 3))) == [(1, 2), (1, 3), (2, 3)]
    assert len(list(parts((1, 2, 3, 4)))) == 10
