"""Taking graphs within caps: small cases by hand, and that nothing is left that could still be taken."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from stages.musique.graphs.greedy import (
    OVER_ENTITY,
    OVER_HOP,
    OVER_SHARE,
    OVER_TARGET,
    PART,
    SAME,
    Caps,
    NumberedGraph,
    parts,
    take,
)

HOPS = st.sets(st.integers(0, 7), min_size=2, max_size=4).map(lambda hops: tuple(sorted(hops)))
ENTITIES = st.sets(st.integers(0, 4), min_size=1, max_size=3).map(lambda names: tuple(sorted(names)))

TRAITS = st.sets(st.integers(0, 3), max_size=3).map(lambda names: tuple(sorted(names)))

PAIRS = [("a", (1, 2), 1), ("b", (3, 4), 2), ("c", (11, 12), 3), ("d", (13, 14), 1)]


def graph(*hops: int, entities: tuple[int, ...] = (), shape: str = "") -> NumberedGraph:
    return NumberedGraph("-".join(map(str, hops)), shape or f"{len(hops)}hop", hops, entities)


@given(
    st.lists(st.tuples(HOPS, ENTITIES, TRAITS), max_size=25),
    st.integers(1, 4),
    st.integers(1, 4),
    st.integers(1, 5),
    st.sampled_from([Caps(9, 9), Caps(9, 9, 0.0, 1), Caps(9, 9, 0.34, 1), Caps(9, 9, 0.5, 2)]),
)
def test_what_is_not_taken_could_not_be(
    drawn: list[tuple[tuple[int, ...], ...]], per_entity: int, per_hop: int, target: int, shares: Caps
) -> None:
    caps = Caps(per_entity, per_hop, shares.share, shares.floor)
    every = [NumberedGraph(str(at), f"{len(row[0])}hop", *row) for at, row in enumerate(drawn)]
    queues = {shape: [one for one in every if one.shape == shape] for shape in ("2hop", "3hop", "4hop")}
    taken, left = take(queues, dict.fromkeys(queues, target), caps)
    shapes = Counter(one.shape for one in taken)
    assert sum(left.values()) + len(taken) == len(every)
    assert not broken(taken, caps)
    assert all(count <= target for count in shapes.values())
    for one in every:
        inside = any(set(one.hops) <= set(other.hops) for other in taken if other is not one)
        smaller = [other for other in taken if other is not one and set(other.hops) <= set(one.hops)]
        if one in taken:
            assert not inside
        else:
            instead = [*(other for other in taken if other not in smaller), one]
            assert inside or shapes[one.shape] == target or broken(instead, caps)


def broken(graphs: list[NumberedGraph], caps: Caps) -> bool:
    """Whether graphs exceed a cap, counted from the beginning."""
    entities = Counter(name for one in graphs for name in one.entities)
    hops = Counter(hop for one in graphs for hop in one.hops)
    if max(entities.values(), default=0) > caps.per_entity or max(hops.values(), default=0) > caps.per_hop:
        return True
    for shape in {one.shape for one in graphs}:
        alike = [one for one in graphs if one.shape == shape]
        most = max(Counter(trait for one in alike for trait in one.traits).values(), default=0)
        if most > caps.floor and most > caps.share * len(alike):
            return True
    return False


def test_a_smaller_question_goes_for_the_larger_that_holds_it() -> None:
    queues = {"2hop": [graph(1, 3), graph(5, 6)], "3hop": [graph(1, 2, 3)], "4hop": [graph(1, 2, 3, 4)]}
    taken, left = take(queues, {"2hop": 9, "3hop": 1, "4hop": 1}, Caps(9, 9))
    assert sorted(one.name for one in taken) == ["1-2-3-4", "5-6"]
    assert left == {("2hop", PART): 1, ("3hop", PART): 1}


def test_room_that_a_larger_question_makes_is_used() -> None:
    # Hop 1 is full with (1, 4) and (1, 3), so (1, 5) waits until (1, 3, 4) takes the place of both.
    queues = {"2hop": [graph(1, 4), graph(1, 3), graph(1, 5)], "3hop": [graph(7, 8, 9), graph(1, 3, 4)]}
    taken, left = take(queues, {"2hop": 15, "3hop": 5}, Caps(9, 2))
    assert sorted(one.name for one in taken) == ["1-3-4", "1-5", "7-8-9"]
    assert left == {("2hop", PART): 2}


def test_shapes_take_turns_by_how_far_they_are() -> None:
    twos = [graph(at, at + 1) for at in range(0, 40, 2)]
    threes = [graph(at, at + 1, at + 2) for at in range(100, 160, 3)]
    shared = [NumberedGraph(one.name, one.shape, one.hops, (1,)) for one in [*twos, *threes]]
    queues = {"2hop": shared[:20], "3hop": shared[20:]}
    taken, left = take(queues, {"2hop": 20, "3hop": 5}, Caps(10, 9))
    assert Counter(one.shape for one in taken) == {"2hop": 8, "3hop": 2}
    assert left == {("2hop", OVER_ENTITY): 12, ("3hop", OVER_ENTITY): 18}


def test_reasons() -> None:
    queues = {"2hop": [graph(1, 2), graph(1, 2), graph(1, 3), graph(4, 5), graph(6, 7)]}
    taken, left = take(queues, {"2hop": 2}, Caps(9, 1))
    assert [one.name for one in taken] == ["1-2", "4-5"]
    assert left == {("2hop", SAME): 1, ("2hop", OVER_TARGET): 2}
    assert take(queues, {"2hop": 4}, Caps(9, 1))[1] == {("2hop", SAME): 1, ("2hop", OVER_HOP): 1}
    assert take({"2hop": []}, {"2hop": 0}, Caps(1, 1)) == ([], Counter())


def test_no_trait_is_that_of_more_than_its_share() -> None:
    # Nine alike and eleven others: half of the twenty would be ten, but 2 of 5 are eight of twenty at most.
    alike = [NumberedGraph(f"a{at}", "2hop", (at, at + 50), (), (1,)) for at in range(9)]
    others = [NumberedGraph(f"b{at}", "2hop", (at + 100, at + 200), (), (at + 2,)) for at in range(11)]
    taken, left = take({"2hop": [*alike, *others]}, {"2hop": 99}, Caps(9, 9, 0.5, 1))
    assert (len(taken), left) == (20, {})
    taken, left = take({"2hop": [*alike, *others]}, {"2hop": 99}, Caps(9, 9, 0.4, 1))
    assert Counter(one.traits == (1,) for one in taken) == {False: 11, True: 7}
    assert left == {("2hop", OVER_SHARE): 2}
    assert len(take({"2hop": alike}, {"2hop": 99}, Caps(9, 9, 0.0, 3))[0]) == 3


def test_a_larger_question_waits_where_too_many_alike_would_be_left() -> None:
    pairs = [NumberedGraph(name, "2hop", hops, (), (trait,)) for name, hops, trait in PAIRS]
    queues = {"2hop": pairs, "3hop": [graph(7, 8, 9), graph(3, 4, 5)]}
    # Two of four are alike, half of them; if the larger took the place of b, it would be two of three.
    taken, left = take(queues, {"2hop": 99, "3hop": 2}, Caps(9, 9, 0.5, 1))
    assert sorted(one.name for one in taken) == ["7-8-9", "a", "b", "c", "d"]
    assert left == {("3hop", OVER_SHARE): 1}
    taken, left = take(queues, {"2hop": 99, "3hop": 2}, Caps(9, 9, 0.7, 1))
    assert sorted(one.name for one in taken) == ["3-4-5", "7-8-9", "a", "c", "d"]
    assert left == {("2hop", PART): 1}


def test_parts_are_two_or_more_but_not_all() -> None:
    assert list(parts((1, 2))) == []
    assert list(parts((1, 2, 3))) == [(1, 2), (1, 3), (2, 3)]
    assert len(list(parts((1, 2, 3, 4)))) == 10
