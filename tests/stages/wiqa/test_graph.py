from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.texts import Refused
from stages.wiqa.graph import (
    EDGES,
    NODES,
    PAIRS,
    PATHS,
    InfluenceGraph,
    check,
    edge_sign,
    label,
    outcome_effect,
    paths,
    question_type,
)
from tests.stages.wiqa.world import full

# The signs as the construction states them, for a Y that helps the outcome.
STATED = {"ZX": 1, "VX": -1, "XY": 1, "UY": -1, "XW": -1, "YA": 1, "YD": -1, "WA": -1, "WD": 1}


def test_signs_of_edges_are_those_stated_for_both_outcomes() -> None:
    for (source, target), sign in zip(STATED, STATED.values(), strict=True):
        assert edge_sign(source, target, "more") == sign
        flipped = -sign if target in "AD" else sign
        assert edge_sign(source, target, "less") == flipped
        assert edge_sign(source, target, "neither") == (None if target in "AD" else sign)
    assert {"".join(edge) for edge in EDGES} == set(STATED)
    assert edge_sign("Z", "Y", "more") is None


def test_a_full_graph_has_21_pairs_27_paths_and_no_path_of_more_than_three_edges() -> None:
    assert (len(PAIRS), len(PATHS)) == (21, 27)
    assert sorted({len(path) - 1 for path in PATHS}) == [1, 2, 3]
    assert len(set(PAIRS)) == 21 and len(set(PATHS)) == 27


@given(st.sets(st.sampled_from(NODES)), st.sampled_from(["more", "less", "neither"]))
def test_all_paths_of_a_pair_agree_in_length_and_in_the_product_of_their_signs(missing: set[str], affects: str) -> None:
    graph = InfluenceGraph({node: texts for node, texts in full().items() if node not in missing}, affects)
    for source, target in PAIRS:
        found = paths(graph, source, target)
        signs = []
        for path in found:
            product = 1
            for edge in itertools.pairwise(path):
                sign = edge_sign(*edge, affects)
                assert sign is not None
                product *= sign
            signs.append("more" if product > 0 else "less")
        assert len({len(path) for path in found}) <= 1
        assert set(signs) <= {label(source, target, affects)}
        assert not any(missing & set(path) for path in found)


@pytest.mark.parametrize(
    ("pair", "affects", "expected"),
    [
        ("XW", "more", "less"),
        ("ZW", "more", "less"),
        ("WD", "more", "more"),
        ("WD", "less", "less"),
        ("VD", "less", "less"),
    ],
)
def test_labels_worked_out_by_hand(pair: str, affects: str, expected: str) -> None:
    assert label(*pair, affects) == expected


def test_a_change_from_outside_the_paragraph_is_exogenous() -> None:
    assert [question_type(node) for node in "ZVXYUW"] == ["EXOGENOUS_EFFECT"] * 2 + ["INPARA_EFFECT"] * 4


def test_a_sound_graph_passes_whatever_is_missing_beside_x() -> None:
    check(InfluenceGraph(full()))
    check(InfluenceGraph({"X": ["more rain"], "W": ["less dust"]}, "neither"))


@pytest.mark.parametrize(
    ("change", "affects", "reason"),
    [
        ({"X": []}, "more", "no_x"),
        ({node: [] for node in "VZUWY"}, "more", "no_path"),
        ({"Z": ["More rain."], "V": ["more  rain"]}, "more", "repeated_in_opposite"),
        ({"Y": ["more rain"], "D": ["MORE rain"]}, "more", "repeated_in_opposite"),
        ({"Y": ["more rain"], "A": ["more rain"]}, "less", "repeated_in_opposite"),
    ],
)
def test_unsound_graphs_have_a_reason(change: dict[str, list[str]], affects: str, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        check(InfluenceGraph(full() | change, affects))
    assert refused.value.reason == reason


def test_a_text_may_repeat_on_one_side_and_in_outcomes_that_nothing_joins() -> None:
    check(InfluenceGraph(full() | {"U": ["the trees are felled"], "V": ["the trees are felled"]}))
    check(InfluenceGraph(full() | {"Y": ["more rain"], "D": ["more rain"]}, "neither"))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (("more", ""), "more"),
        (("LESS", None), "less"),
        (("", "less"), "less"),
        (("more", "more"), "more"),
        ((None, None), "neither"),
        (("-", ""), "neither"),
        (("no_effect", ""), "neither"),
    ],
)
def test_the_outcome_fields_of_a_released_graph(fields: tuple[str | None, str | None], expected: str) -> None:
    assert outcome_effect(*fields) == expected


@pytest.mark.parametrize(
    ("fields", "reason"), [(("more", "less"), "contradictory_outcome"), (("up", ""), "bad_outcome")]
)
def test_outcomes_that_say_nothing_or_two_things(fields: tuple[str, str], reason: str) -> None:
    with pytest.raises(Refused) as refused:
        outcome_effect(*fields)
    assert refused.value.reason == reason
