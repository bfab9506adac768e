from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.core.contract import StageError
from stages.core.texts import form
from stages.wiqa.changes import PoolParams, changes, pool
from stages.wiqa.graph import NODES
from stages.wiqa.no_effect import NoEffectParams, no_effect
from stages.wiqa.splits import TOPIC_SPLITS
from tests.stages.wiqa.world import Row, digest, graph_row, many, run, table


def one_split(*topics: str) -> object:
    return TOPIC_SPLITS.table([{"topic": name, "split": "train", "paragraphs": 1, "size": 1} for name in topics])


def drawn(rows: list[Row], per_graph: int = 21, seed: int = 0) -> list[Row]:
    splits = one_split(*sorted({row["topic"] for row in rows}))
    graphs = table(rows)
    borrowed = pool(changes(graphs, splits, params=PoolParams()).tables["change_candidates"], params=PoolParams())
    params = NoEffectParams(seed=seed, per_graph=per_graph)
    return (
        no_effect(graphs, splits, borrowed.tables["change_pool"], params=params)
        .tables["no_effect_questions"]
        .to_pylist()
    )


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 1000), st.randoms(use_true_random=False))
def test_changes_are_foreign_to_the_paragraph_and_its_topic(seed: int, chance: random.Random) -> None:
    rows = many(topics=3)
    for row in rows:
        # Texts that many graphs share, so that forbidden draws are common.
        for node in ("Z", "V", "U"):
            row[node] = sorted(chance.sample([f"common {n}" for n in range(8)], 2))
    of_para = {row["para_id"]: row["topic"] for row in rows}
    known: dict[str, set[str]] = {}
    for row in rows:
        known.setdefault(row["para_id"], set()).update(form(text) for node in NODES for text in row[node])
    for question in drawn(rows, seed=seed):
        assert of_para[question["from_para"]] != question["topic"]
        assert form(question["change"]) not in known[question["para_id"]]
        assert form(question["effect"]) in known[question["para_id"]]
        assert (question["label"], question["hops"], question["path"]) == ("no_effect", 0, [])
        assert question["question_type"] == "OUTOFPARA_DISTRACTOR"


def test_effects_take_turns_and_no_pair_repeats_in_a_paragraph() -> None:
    found = drawn(many(topics=4), per_graph=12)
    pairs = Counter((q["para_id"], q["change"], q["effect"]) for q in found)
    assert set(pairs.values()) == {1}
    by_graph = Counter((q["graph_id"], q["effect"]) for q in found)
    # Six effects share twelve places: two each, unless a place was given up as a duplicate.
    assert max(by_graph.values()) == 2


def test_order_and_batches_do_not_matter_but_the_seed_does() -> None:
    rows = many(topics=6)
    first = run(rows)
    assert first["no_effect_questions"].num_rows > 100
    for other in (run(rows[::-1]), run(rows, shards=3), run(rows, shards=5)):
        assert digest(first["no_effect_questions"], "question") == digest(other["no_effect_questions"], "question")
    assert drawn(rows, seed=1) != drawn(rows, seed=2)


def test_a_split_with_one_topic_has_none() -> None:
    output = no_effect(
        table([graph_row()]),
        one_split("rain"),
        pool(
            changes(table([graph_row()]), one_split("rain"), params=PoolParams()).tables["change_candidates"],
            params=PoolParams(),
        ).tables["change_pool"],
        params=NoEffectParams(),
    )
    assert output.tables["no_effect_questions"].num_rows == 0
    assert output.rejects.to_pylist() == [{"key": "1 1", "reason": "no_foreign_change", "detail": "", "count": 21}]


def test_the_pool_is_bounded_and_leaves_out_what_two_topics_say() -> None:
    rows = [graph_row("1", "1", "rain", Z=["wind", "a"]), graph_row("2", "2", "snow", Z=["Wind!", "b"])]
    graphs, splits = table(rows), one_split("rain", "snow")
    found = changes(graphs, splits, params=PoolParams()).tables["change_candidates"]
    output = pool(found, params=PoolParams())
    assert output.rejects.to_pylist()[0] | {"count": 1} == {
        "key": "wind",
        "reason": "several_topics",
        "detail": "",
        "count": 1,
    }
    assert not {"wind", "Wind!"} & set(output.tables["change_pool"]["change"].to_pylist())
    few = PoolParams(pool=4)
    small = changes(graphs, splits, params=few).tables["change_candidates"]
    assert len(set(small["rank"].to_pylist())) == 4
    assert pool(small, params=few).tables["change_pool"].num_rows <= 4


@pytest.mark.parametrize("wrong", [{"per_graph": 0}, {"draws": 0}])
def test_parameters_are_checked(wrong: dict[str, int]) -> None:
    with pytest.raises(StageError, match="expected 1 or more"):
        NoEffectParams(**wrong)
    with pytest.raises(StageError, match="pool"):
        PoolParams(pool=0)
