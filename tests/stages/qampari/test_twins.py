"""Which train questions have nearly the answers of a tested one: by hand, and against every pair."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stages.qampari.twins import ANSWER_FORMS, twins

SETS = st.lists(st.frozensets(st.integers(-4, 4), max_size=6), max_size=8)


def table(sets: dict[str, frozenset[int]]):
    return ANSWER_FORMS.table([{"query": query, "forms": sorted(forms)} for query, forms in sets.items()])


def test_what_is_in_common_is_held_against_the_bound() -> None:
    forms = table(
        {"a": frozenset(range(5)), "b": frozenset(range(1, 6)), "c": frozenset(range(5)), "d": frozenset({9})}
    )
    # a and b: 4 of both, 6 of either; a and c are equal.
    assert twins(forms, ["a"], ["b", "d"], 0.6) == {"a": "b"}
    assert twins(forms, ["a"], ["b", "d"], 0.67) == {}
    assert twins(forms, ["a", "d"], ["c", "b"], 0.6) == {"a": "b"}
    assert twins(forms, ["a"], ["c"], 1.0) == {}
    assert twins(forms, ["a"], [], 0.1) == twins(ANSWER_FORMS.empty(), ["a"], ["b"], 0.1) == {}


@given(SETS, st.sampled_from([0.25, 0.5, 0.8, 1.0]))
def test_the_join_finds_what_comparing_all_pairs_finds(sets: list[frozenset[int]], most: float) -> None:
    named = {f"q{number}": forms for number, forms in enumerate(sets)}
    train, tested = sorted(named)[::2], sorted(named)[1::2]
    expected = {}
    for query in train:
        near = [t for t in tested if len(named[query] & named[t]) > most * len(named[query] | named[t])]
        if near:
            expected[query] = min(near)
    assert twins(table(named), train, tested, most) == expected
