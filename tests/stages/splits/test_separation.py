"""The check of the splits: what it counts, and what it does not let pass."""

from __future__ import annotations

import pytest

from stages.contract import StageError
from stages.splits.separated import GRAPH_SPLITS
from stages.splits.separation import SEPARATION, SeparationCheckParams, separation, stage
from tests.stages.splits.composed import question, table

ROWS = [
    question("a", ["1", "2"], ["x", "The Y"], ["p1", "p2"], "squad"),
    question("b", ["3", "4"], ["z", "y!"], ["p3", "p4"], "trex"),
    question("c", ["5", "6", "4"], ["v", "w", "y"], ["p3", "p6", "p4"], "trex"),
]


def judged(splits: dict[str, str], *, allow: bool = False):
    rows = [{"graph": name, "split": split, "stratum": ""} for name, split in splits.items()]
    return separation(table(ROWS), GRAPH_SPLITS.table(rows), params=SeparationCheckParams(allow))


def test_what_dev_and_test_share_is_counted() -> None:
    output = judged({"a": "dev", "b": "test", "c": "test"})
    assert output.tables[SEPARATION.name].to_pylist() == [
        {"kind": "answer", "value": "y", "train": 0, "dev": 1, "test": 2}
    ]
    assert output.metrics == {
        "hops_in_train_and_evaluation": 0.0,
        "answers_in_train_and_evaluation": 0.0,
        "paragraphs_in_train_and_evaluation": 0.0,
        "hops_in_dev_and_test": 0.0,
        "answers_in_dev_and_test": 1.0,
        "paragraphs_in_dev_and_test": 0.0,
        "dev_2_hops": 1.0,
        "test_2_hops": 1.0,
        "test_3_hops": 1.0,
        "dev_from_squad": 1.0,
        "test_from_trex": 2.0,
    }


def test_train_shares_nothing() -> None:
    with pytest.raises(StageError, match="1 values are in train and in dev or test, the first: answer 'y'"):
        judged({"a": "train", "b": "test", "c": "dev"})
    with pytest.raises(StageError, match="4 values"):
        judged({"b": "train", "c": "dev"})
    output = judged({"b": "train", "c": "dev"}, allow=True)
    assert output.metrics["paragraphs_in_train_and_evaluation"] == 2
    assert output.metrics["hops_in_train_and_evaluation"] == 1
    assert judged({"b": "train", "c": "train", "a": "train"}).tables[SEPARATION.name].num_rows == 0


def test_every_question_has_its_graph() -> None:
    with pytest.raises(StageError, match="1 questions have no graph"):
        judged({"a": "dev", "x": "dev"})


def test_nothing_shares_nothing() -> None:
    assert judged({}).tables[SEPARATION.name].num_rows == 0
    assert stage().inputs == ("composed_hops", "graph_splits")
