"""The check of the splits: what it counts, and what it does not let pass."""

from __future__ import annotations

import pytest

from stages.core.contract import StageError
from stages.musique.splits.leak_check import SEPARATION, SeparationCheckParams, separation, stage
from stages.musique.splits.splits import GRAPH_SPLITS
from tests.stages.core.composed import NO_NAMES, names, pool, question, table

ROWS = [
    question("a", ["1", "2"], ["x", "The Y"], ["p1", "p2"], "squad"),
    question("b", ["3", "4"], ["z", "y!"], ["p3", "p4"], "trex"),
    question("c", ["5", "6", "4"], ["v", "w", "y"], ["p3", "p6", "p4"], "trex"),
]


def judged(splits: dict[str, str], *, allow: bool = False):
    rows = [{"graph": name, "split": split, "stratum": ""} for name, split in splits.items()]
    return separation(table(ROWS), GRAPH_SPLITS.table(rows), pool(), NO_NAMES, params=SeparationCheckParams(allow))


def test_what_dev_and_test_share_is_counted() -> None:
    output = judged({"a": "dev", "b": "test", "c": "test"})
    assert output.tables[SEPARATION.name].to_pylist() == [
        {"kind": "answer", "value": "y", "train": 0, "dev": 1, "test": 2}
    ]
    assert output.metrics == {
        "hops_in_train_and_evaluation": 0.0,
        "answers_in_train_and_evaluation": 0.0,
        "listings_in_train_and_evaluation": 0.0,
        "pages_in_train_and_evaluation": 0.0,
        "things_in_train_and_evaluation": 0.0,
        "paragraphs_in_train_and_evaluation": 0.0,
        "hops_in_dev_and_test": 0.0,
        "answers_in_dev_and_test": 1.0,
        "listings_in_dev_and_test": 0.0,
        "pages_in_dev_and_test": 0.0,
        "things_in_dev_and_test": 0.0,
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


def found(one: str, other: str, *, aliases: list[str] | None = None, spellings: bool = True) -> set[tuple[str, str]]:
    """What a train question that ends in one answer shares with a dev question that ends in another."""
    rows = [question("a", ["1", "2"], ["x", one], ["p1", "p2"]), question("b", ["3", "4"], ["z", other], ["p3", "p4"])]
    rows[0]["hop_aliases"][1] = aliases or []
    splits = [{"graph": "a", "split": "train", "stratum": ""}, {"graph": "b", "split": "dev", "stratum": ""}]
    hops = pool(["America", "USA", "States"], ["U.S.", "America"], ["Rome"])
    known = names(
        ("bombay", "Mumbai", "redirect"),
        ("bombay", "Bombay, New York", "alias"),
        ("mumbai", "Mumbai", "title"),
        ("cambridge", "Cambridge", "title"),
        ("cambridge", "Cambridge, Ontario", "title"),
        ("oxbridge", "Cambridge", "alias"),
    )
    params = SeparationCheckParams(True, spellings)
    shared = separation(table(rows), GRAPH_SPLITS.table(splits), hops, known, params=params).tables[SEPARATION.name]
    return {(row["kind"], row["value"]) for row in shared.to_pylist()}


def test_an_answer_is_one_in_every_spelling() -> None:
    assert found("USA", "Rome") == set()
    assert found("The USA!", "usa") >= {("answer", "usa")}
    assert found("São Paulo", "Sao Paulo") == {("answer", "sao paulo")}
    assert found("12 May 1990", "May 12, 1990") == {("answer", "=date 1990-05-12")}
    assert found("five", "5") == {("answer", "=number 5")}
    assert found("Spider-Man", "Spider Man") == {("answer", "spider man")}
    assert found("Rome", "Eternal City", aliases=["the Eternal City"]) == {("answer", "eternal city")}
    # One hop of the pool lists both; "U.S." and "States" are listed by no hop together.
    assert found("USA", "States") == {("listing", "America | USA | States")}
    assert found("U.S.", "States") == set()
    assert found("x", "States", aliases=["USA"]) == {("listing", "America | USA | States")}
    # Of one page both are names; a name of two pages names none, but by a better name.
    assert found("Bombay", "Mumbai") == {("page", "Mumbai"), ("thing", "Mumbai")}
    assert found("Cambridge", "Oxbridge") == set()
    # The installed list has both for one thing; what is one with a third is not one by that.
    assert found("First World War", "World War I") == {("thing", "World War I")}
    assert found("Danish", "Denmark") == {("thing", "Denmark")}
    assert found("Scots", "British") == set()


def test_other_spellings_can_be_left_aside() -> None:
    for one, other in (("USA", "States"), ("Bombay", "Mumbai"), ("Danish", "Denmark")):
        assert found(one, other, spellings=False) == set()
    assert found("Rome", "Eternal City", aliases=["Eternal City"], spellings=False) == set()
    assert found("The USA!", "usa", spellings=False) == {("answer", "usa")}


def test_every_question_has_its_graph() -> None:
    with pytest.raises(StageError, match="1 questions have no graph"):
        judged({"a": "dev", "x": "dev"})


def test_nothing_shares_nothing() -> None:
    assert judged({}).tables[SEPARATION.name].num_rows == 0
    assert stage().inputs == ("composed_hops", "graph_splits", "single_hops", "known_names")
