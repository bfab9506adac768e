"""Splits by relation: no leak, whatever the questions and their order."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.core.contract import StageError
from stages.core.splits import DEV, TEST, TRAIN
from stages.qampari.cleaning import QUESTIONS
from stages.qampari.splits import (
    CANDIDATES,
    RELATION_HALVES,
    SPLIT_QUESTIONS,
    SplitParams,
    halve,
    leaks,
    pool_of,
    split_questions,
    stage,
)
from stages.qampari.twins import ANSWER_FORMS

PIDS = st.sampled_from([f"P{number}" for number in range(1, 9)])
SIMPLE = st.tuples(st.just("simple"), PIDS.map(lambda pid: [pid]))
INTERSECTION = st.tuples(st.just("intersection"), st.lists(PIDS, min_size=2, max_size=2))
COMPOSITION = st.tuples(st.just("composition"), st.lists(PIDS | st.just("P99"), min_size=2, max_size=2, unique=True))
ASKED = st.lists(SIMPLE | SIMPLE | INTERSECTION | COMPOSITION, max_size=40)

NO_FORMS = ANSWER_FORMS.empty()


def questions(asked: list[tuple[str, list[str]]]) -> pa.Table:
    return QUESTIONS.table(
        [
            {
                "query": f"q{number:03}",
                "kind": kind,
                "question": f"Question {number}?",
                "normal": f"question {number}",
                "properties": properties,
                "entities": ["Q1"],
                "entity_labels": ["x"],
                "entity_aliases": [[]],
                "classes": [None],
                "answers": 5,
                "answer_set": str(number),
            }
            for number, (kind, properties) in enumerate(asked)
        ]
    )


def assigned(table: pa.Table, params: SplitParams) -> dict[str, dict]:
    rows = split_questions(table, NO_FORMS, params=params).tables[SPLIT_QUESTIONS.name].to_pylist()
    return {row["query"]: row for row in rows}


@pytest.mark.parametrize(
    ("kind", "properties", "pool"),
    [
        ("simple", ["P1"], TRAIN),
        ("simple", ["P2"], TEST),
        ("composition", ["P1", "P3"], TRAIN),
        ("composition", ["P1", "P2"], TEST),
        ("composition", ["P2", "P1"], TEST),
        ("composition", ["P2", "P4"], TEST),
        ("intersection", ["P1", "P3"], TRAIN),
        ("intersection", ["P2", "P4"], TEST),
        ("intersection", ["P1", "P2"], "mixed"),
        ("intersection", ["P2", "P2"], TEST),
    ],
)
def test_pools_by_hand(kind: str, properties: list[str], pool: str) -> None:
    assert pool_of(kind, properties, {"P1": TRAIN, "P2": TEST, "P3": TRAIN, "P4": TEST}) == pool


def test_halves_are_halves_of_both_groups() -> None:
    rows = [{"kind": "simple", "properties": [f"P{number}"]} for number in range(7)]
    rows += [{"kind": "composition", "properties": ["P1", f"P{number}"]} for number in range(20, 25)]
    halves = halve(rows, seed=4)
    assert Counter(halves[f"P{number}"] for number in range(7)) == {TRAIN: 4, TEST: 3}
    assert Counter(halves[f"P{number}"] for number in range(20, 25)) == {TRAIN: 2, TEST: 3}
    assert halve(rows[::-1], seed=4) == halves
    assert len({tuple(halve(rows, seed).items()) for seed in range(20)}) > 10


def test_leaks_are_found() -> None:
    halves = {"P1": TRAIN, "P2": TEST}
    rows = [
        {"query": "a", "kind": "simple", "properties": ["P2"], "split": TRAIN},
        {"query": "b", "kind": "simple", "properties": ["P1"], "split": DEV},
        {"query": "c", "kind": "composition", "properties": ["P1", "P2"], "split": TRAIN},
        {"query": "d", "kind": "composition", "properties": ["P1", "P1"], "split": TEST},
        {"query": "e", "kind": "intersection", "properties": ["P1", "P2"], "split": TEST},
        {"query": "f", "kind": "composition", "properties": ["P1", "P2"], "split": TEST},
        {"query": "g", "kind": "simple", "properties": ["P1"], "split": TRAIN},
    ]
    assert leaks(rows, halves) == [
        ("a", "P2", "test_relation_in_train"),
        ("b", "P1", "train_relation_in_test"),
        ("c", "P2", "test_relation_in_train"),
        ("d", "P1", "no_test_relation"),
        ("e", "P1", "train_relation_in_test"),
    ]


@settings(max_examples=60, deadline=None)
@given(ASKED, st.integers(0, 5), st.randoms())
def test_no_leak_and_no_order(asked: list, seed: int, random) -> None:
    table = questions(asked)
    params = SplitParams(seed=seed, max_train_per_relation=4, dev=5, test=6)
    output = split_questions(table, NO_FORMS, params=params)
    rows = output.tables[SPLIT_QUESTIONS.name].to_pylist()
    halves = {row["property"]: row["half"] for row in output.tables[RELATION_HALVES.name].to_pylist()}
    assert leaks(rows, halves) == []
    trained = {pid for row in rows if row["split"] == TRAIN for pid in row["properties"]}
    assert not trained & {pid for pid, half in halves.items() if half == TEST}
    uses = Counter(pid for row in rows if row["split"] == TRAIN for pid in set(row["properties"]))
    assert max(uses.values(), default=0) <= 4
    assert output.rejects.num_rows + len(rows) + output.metrics["waiting"] == len(asked)
    line = output.tables[CANDIDATES.name].to_pylist()
    waiting = [row for row in line if row["place"]]
    assert {row["query"] for row in line if not row["place"]} == {r["query"] for r in rows if r["split"] != TRAIN}
    assert leaks(line, halves) == []
    taken = Counter(row["number"] for row in rows if row["split"] == DEV)
    assert not [row for row in waiting if row["split"] == DEV and row["number"] in taken]
    order = list(range(len(asked)))
    random.shuffle(order)
    again = split_questions(table.take(pa.array(order, pa.int64())), NO_FORMS, params=params)
    by_query = [("query", "ascending")]
    for name in (SPLIT_QUESTIONS.name, CANDIDATES.name, RELATION_HALVES.name):
        key = [("property", "ascending")] if name == RELATION_HALVES.name else by_query
        assert again.tables[name].sort_by(key).equals(output.tables[name].sort_by(key))


@settings(max_examples=60, deadline=None)
@given(ASKED, st.integers(0, 5))
def test_dev_and_test_both_get_something(asked: list, seed: int) -> None:
    rows = assigned(questions(asked), SplitParams(seed=seed, dev=5, test=6)).values()
    sizes = Counter(row["split"] for row in rows)
    if sizes[DEV] + sizes[TEST] >= 2:
        assert sizes[DEV] and sizes[TEST]
    assert sizes[DEV] <= 5
    assert sizes[TEST] <= 6
    for split, size in sizes.items():
        assert sorted(row["number"] for row in rows if row["split"] == split) == list(range(size))


def test_two_relations_give_train_and_test() -> None:
    rows = assigned(questions([("simple", ["P1"])] * 3 + [("simple", ["P2"])] * 3), SplitParams())
    assert Counter(row["split"] for row in rows.values()) in ({TRAIN: 3, DEV: 2, TEST: 1}, {TRAIN: 3, DEV: 1, TEST: 2})


def test_relations_are_spread_evenly_over_dev_and_test() -> None:
    many = [("simple", [f"P{number % 4}"]) for number in range(400)]
    many += [("simple", ["P50"])] * 1000
    output = split_questions(
        questions(many), NO_FORMS, params=SplitParams(seed=2, dev=30, test=60, max_train_per_relation=10)
    )
    halves = output.tables[RELATION_HALVES.name].to_pylist()
    testing = [row for row in halves if row["half"] == TEST]
    assert [(row["dev"], row["test"]) for row in testing] == [(15, 30), (15, 30)]
    assert [row["train"] for row in halves if row["half"] == TRAIN] == [10, 10, 10]
    reasons = Counter(output.rejects["reason"].to_pylist())
    # Half of 90 wait, the first of each relation before the second of any.
    waiting = [row for row in output.tables[CANDIDATES.name].to_pylist() if row["place"]]
    assert Counter(row["split"] for row in waiting) == {DEV: 15, TEST: 30}
    assert sorted(row["place"] for row in waiting if row["split"] == TEST) == list(range(1, 31))
    assert sorted(row["number"] for row in waiting if row["split"] == TEST) == list(range(60, 90))
    assert set(Counter(row["properties"][0] for row in waiting).values()) == {22, 23}
    in_train = 1400 - sum(100 if row["property"] != "P50" else 1000 for row in testing)
    assert reasons == {"over_test_target": 1400 - in_train - 90 - 45, "over_train_cap": in_train - 30}


def test_metrics() -> None:
    asked = [("simple", ["P1"]), ("simple", ["P2"]), ("intersection", ["P1", "P2"]), ("composition", ["P1", "P2"])]
    output = split_questions(questions(asked), NO_FORMS, params=SplitParams())
    assert output.metrics["leaks"] == 0
    assert output.metrics["train_simple"] == 1
    assert output.metrics["dev_simple"] + output.metrics["test_simple"] == 1
    assert output.metrics["dev_composition"] + output.metrics["test_composition"] == 1
    assert output.metrics["train_relations_inside_test_compositions"] == 1
    assert output.rejects.to_pylist() == [{"key": "q002", "reason": "mixed_halves", "detail": "P1 P2", "count": 1}]


def test_nothing_in_nothing_out() -> None:
    output = split_questions(QUESTIONS.empty(), NO_FORMS, params=SplitParams())
    assert output.tables[SPLIT_QUESTIONS.name].schema.equals(SPLIT_QUESTIONS.schema)
    assert output.tables[RELATION_HALVES.name].num_rows == 0


def test_params_are_checked() -> None:
    with pytest.raises(StageError, match="dev: expected 0 or more, got -1"):
        SplitParams(dev=-1)
    assert stage().inputs == ("questions", "answer_forms")


def test_a_train_question_with_the_answers_of_a_tested_one_goes() -> None:
    # Four relations with ten questions each: each question of P1 has nine of ten answers of one of P2, and so on.
    asked = [("simple", [f"P{number % 4}"]) for number in range(40)]
    table = questions(asked)
    forms = ANSWER_FORMS.table(
        [{"query": f"q{n:03}", "forms": [1000 * (n // 4) + i for i in range(9)] + [-n - 1]} for n in range(40)]
    )
    free = split_questions(table, forms, params=SplitParams(seed=3))
    assert Counter(free.tables[SPLIT_QUESTIONS.name]["split"].to_pylist()) == {TRAIN: 20, DEV: 10, TEST: 10}
    # 9 answers of both, 11 of either: 0.818.
    for most, kept in ((0.82, 20), (0.8, 0)):
        output = split_questions(table, forms, params=SplitParams(seed=3, max_train_overlap=most))
        assert output.tables[SPLIT_QUESTIONS.name]["split"].to_pylist().count(TRAIN) == kept
        assert output.rejects["reason"].to_pylist() == ["near_test_question"] * (20 - kept)
    with pytest.raises(StageError, match="max_train_overlap: expected a share above 0, up to 1, got 0"):
        SplitParams(max_train_overlap=0)
