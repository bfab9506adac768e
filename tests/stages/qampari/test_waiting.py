"""The line of questions that wait for a place in dev or test."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from stages.qampari.waiting import line


def pool(*asked: tuple[str, str]) -> list[dict[str, Any]]:
    """Rows from (kind, property)."""
    return [{"query": f"q{at}", "kind": kind, "properties": [pid]} for at, (kind, pid) in enumerate(asked)]


def test_relations_take_turns() -> None:
    rows = pool(*[("simple", "P1")] * 4, *[("simple", "P2")] * 9)
    found = line(rows, {"dev": ["q0"], "test": ["q1"]}, 5.0, seed=3)
    order = {split: sorted((place, q) for q, (s, place) in found.items() if s == split) for split in ("dev", "test")}
    assert [place for place, _ in order["dev"]] == [place for place, _ in order["test"]] == [1, 2, 3, 4, 5]
    # q2 and q3 are all that P1 has left, and come in the first two of the turns.
    assert {query for places in order.values() for _, query in places[:2]} > {"q2", "q3"}


def test_the_line_is_as_long_as_its_share_and_of_the_same_kind() -> None:
    rows = pool(*[("simple", "P1")] * 10, *[("composition", "P1")] * 10)
    found = line(rows, {"dev": ["q0", "q1", "q2"], "test": []}, 0.5, seed=0)
    assert {split for split, _ in found.values()} == {"dev"}
    assert sorted(place for _, place in found.values()) == [1, 2]
    assert all(int(query[1:]) < 10 for query in found)


def test_nobody_waits_where_nobody_was_chosen_or_asked_for() -> None:
    assert line(pool(("simple", "P1")), {"dev": [], "test": []}, 1.0, seed=0) == {}
    assert line(pool(*[("simple", "P1")] * 4), {"dev": ["q0"], "test": ["q1"]}, 0.0, seed=0) == {}


@given(st.lists(st.tuples(st.sampled_from(["simple", "composition"]), st.sampled_from("ABC")), max_size=20), st.data())
def test_the_order_of_the_pool_does_not_matter(asked: list[tuple[str, str]], data: st.DataObject) -> None:
    rows = pool(*asked)
    names = [row["query"] for row in rows]
    dev = data.draw(st.sets(st.sampled_from(names)) if names else st.just(set()))
    chosen = {"dev": sorted(dev), "test": [name for name in names[:3] if name not in dev]}
    found = line(rows, chosen, 0.7, seed=1)
    assert found == line(data.draw(st.permutations(rows)), chosen, 0.7, seed=1)
    assert not found.keys() & {query for queries in chosen.values() for query in queries}
