from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.contract import StageError
from stages.musique.graphs.tables import COMPOSED_HOPS
from stages.musique.single_hops.tables import SINGLE_HOPS
from stages.musique.splits.split_caps import SplitCapParams, capped, choose, stage
from stages.musique.splits.splits import GRAPH_SPLITS


@given(
    st.lists(st.lists(st.tuples(st.sampled_from(["entity", "page"]), st.integers(0, 3)), max_size=3), max_size=40),
    st.sampled_from([0.0, 0.1, 0.3, 1.0]),
    st.integers(1, 3),
)
def test_no_trait_has_more_than_its_share_of_what_stays(
    given_traits: list[list[tuple[str, int]]], share: float, floor: int
) -> None:
    told = {f"g{number}": frozenset(traits) for number, traits in enumerate(given_traits)}
    params = SplitCapParams(max_share=share, share_floor=floor)
    kept = choose(list(told), told, params)
    counts = Counter(trait for graph in kept for trait in told[graph])
    assert max(counts.values(), default=0) <= params.room(len(kept))
    assert set(kept) <= set(told)
    # Nothing that went could stand beside what stays.
    for graph in set(told) - set(kept):
        assert any(counts[trait] >= params.room(len(kept)) for trait in told[graph])


def test_each_split_and_shape_is_bounded_by_itself() -> None:
    graphs = {f"2hop__h:{number}_t:{number}": "dev" if number < 4 else "train" for number in range(8)}
    splits = [{"graph": graph, "split": split, "stratum": "2 h"} for graph, split in graphs.items()]
    rows = [
        {name: [] for name in COMPOSED_HOPS.schema.names}
        | {"graph": graph, "shape": "2hop", "hops": graph.removeprefix("2hop__").split("_"), "entities": [f"e{number}"]}
        | {"tokens": 4, "answer": "x"}
        for number, graph in enumerate(graphs)
    ]
    hops = [
        dict.fromkeys(SINGLE_HOPS.schema.names, "")
        | {
            "hop": f"{side}:{number}",
            "question": f"who{number} did{side}",
            "answer": f"a{number}",
            "answer_aliases": [],
        }
        | {"title": "Istanbul" if number in (0, 1, 2, 4) and side == "t" else f"p{side}{number}"}
        | {"relation": None, "subject": None, "relational": False, "answer_start": 0, "words": 1, "tokens": 1}
        for number in range(8)
        for side in "ht"
    ]
    output = capped(
        GRAPH_SPLITS.table(splits),
        COMPOSED_HOPS.table(rows),
        SINGLE_HOPS.table(hops),
        params=SplitCapParams(share_floor=2),
    )
    kept = output.tables[GRAPH_SPLITS.name].to_pylist()
    # Three of dev are of Istanbul, of which two may stay; the one of train is alone.
    assert Counter(row["split"] for row in kept) == {"dev": 3, "train": 4}
    assert [row["reason"] for row in output.rejects.to_pylist()] == ["over_share_of_split"]
    assert (output.metrics["dev_2hop"], output.metrics["train_2hop"], output.metrics["test_2hop"]) == (3, 4, 0)


def test_parameters_and_tables() -> None:
    with pytest.raises(StageError, match="max_share: expected a share from 0 to 1"):
        SplitCapParams(max_share=2)
    assert stage().outputs == (GRAPH_SPLITS,)
    assert SplitCapParams().room(100) == 5
