"""Masked tails among likely paragraphs."""

from __future__ import annotations

import pytest

from stages.core.contract import StageError
from stages.musique.disconnection.tail_contexts import TailContextParams, query, stage
from tests.stages.musique.disconnection.samples import bridge, bridges, hop, hops

HOPS = hops(
    hop("mine", "when did [MASK] open", "1902", "The mine opened in 1902."),
    hop("bridge", "when was the bridge of Nils opened", "1887", "The bridge opened in 1887."),
    hop("river", "who sails", "Ann", "Ann sails the river."),
    hop("song", "who sings", "Bo", "Bo sings."),
)


def found(params: TailContextParams) -> dict[tuple[str, str], list[str]]:
    pairs = bridges(
        bridge("river", "bridge", "when was the bridge of [MASK] opened"),
        bridge("song", "bridge", "when was the bridge of [MASK] opened"),
        bridge("song", "bridge", "when was the [MASK] of Nils opened"),
        bridge("mine", "song", "[MASK] >> it"),
    )
    output = stage(params).call(pairs, HOPS)
    return {(row["tail"], row["masked"]): row["paragraphs"] for row in output.tables["masked_tails"].to_pylist()}


def test_a_masked_tail_stands_once_with_its_paragraph_and_those_that_share_its_words() -> None:
    contexts = found(TailContextParams(1))
    assert len(contexts) == 3
    # "opened" is all that the question shares with another paragraph.
    assert sorted(contexts["bridge", "when was the bridge of [MASK] opened"]) == ["p-bridge", "p-mine"]


def test_contexts_are_filled_up_where_words_lead_nowhere() -> None:
    for distractors in (0, 1, 2, 3, 9):
        for (tail, _), paragraphs in found(TailContextParams(distractors)).items():
            assert len(paragraphs) == len(set(paragraphs)) == min(4, distractors + 1)
            assert f"p-{tail}" in paragraphs


def test_the_order_depends_on_the_seed_alone() -> None:
    assert found(TailContextParams(3)) == found(TailContextParams(3))
    orders = {tuple(found(TailContextParams(3, seed))["song", "[MASK] >> it"]) for seed in range(8)}
    assert len(orders) > 3


def test_neither_mask_nor_arrow_is_searched_for() -> None:
    assert query("[MASK] >> performer") == "performer"


def test_refusals() -> None:
    with pytest.raises(StageError, match="distractors"):
        TailContextParams(-1)
