"""Cleaning: one question per text, caps per relation."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.contract import StageError
from stages.qampari.cleaning import QUESTIONS, CleanParams, clean, stage
from stages.qampari.questions import RENDERED_QUESTIONS

Row = tuple[str, str, str, list[str]]
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["simple", "composition"]),
        st.sampled_from(["who", "what", "where", "when"]),
        st.sampled_from(["x", "y"]),
        st.lists(st.sampled_from(["P1", "P2", "P3"]), min_size=1, max_size=2),
    ),
    max_size=30,
)


def rendered(rows: list[Row]) -> pa.Table:
    return RENDERED_QUESTIONS.table(
        [
            {
                "query": f"q{number:02}",
                "kind": kind,
                "question": f"{normal.title()}?",
                "normal": normal,
                "properties": properties,
                "entities": ["Q1"],
                "entity_labels": ["x"],
                "entity_aliases": [[]],
                "classes": [None],
                "answers": 5,
                "answer_set": answers,
            }
            for number, (kind, normal, answers, properties) in enumerate(rows)
        ]
    )


def test_same_text_and_answers_keep_one() -> None:
    table = rendered(
        [
            ("composition", "who", "x", ["P1", "P2"]),
            ("simple", "who", "x", ["P3"]),
            ("simple", "who", "x", ["P1"]),
            ("simple", "what", "x", ["P1"]),
        ]
    )
    output = clean(table, params=CleanParams())
    assert output.tables[QUESTIONS.name]["query"].to_pylist() == ["q01", "q03"]
    assert [(row["key"], row["reason"], row["detail"]) for row in output.rejects.to_pylist()] == [
        ("q02", "duplicate_question", "q01"),
        ("q00", "duplicate_question", "q01"),
    ]
    assert output.metrics == {"simple_questions": 2.0, "intersection_questions": 0.0, "composition_questions": 0.0}


def test_same_text_and_other_answers_keep_none() -> None:
    rows: list[Row] = [("simple", "who", answers, ["P1"]) for answers in ("x", "x", "y")]
    output = clean(rendered(rows), params=CleanParams())
    assert output.tables[QUESTIONS.name].num_rows == 0
    assert Counter(output.rejects["reason"].to_pylist()) == {"ambiguous_question": 3}


def test_caps_are_per_kind_and_seeded() -> None:
    rows: list[Row] = [("simple", f"s{number}", "x", ["P1"]) for number in range(20)]
    rows += [("composition", f"c{number}", "x", ["P1", f"P{number}"]) for number in range(2, 12)]
    kept = [
        clean(rendered(rows), params=CleanParams(max_per_relation=3, seed=seed)).tables[QUESTIONS.name]
        for seed in range(5)
    ]
    assert all(Counter(table["kind"].to_pylist()) == {"simple": 3, "composition": 3} for table in kept)
    assert len({tuple(table["query"].to_pylist()) for table in kept}) > 1
    output = clean(rendered(rows), params=CleanParams(max_per_relation=3))
    assert set(output.rejects["detail"].to_pylist()) == {"P1"}
    assert clean(rendered(rows), params=CleanParams(max_per_relation=None)).rejects.num_rows == 0


@given(ROWS, st.integers(1, 4) | st.none(), st.randoms())
def test_no_duplicates_no_excess_no_order(rows: list[Row], limit: int | None, random) -> None:
    table = rendered(rows)
    params = CleanParams(max_per_relation=limit)
    output = clean(table, params=params)
    kept = output.tables[QUESTIONS.name]
    assert kept.num_rows + output.rejects.num_rows == len(rows)
    assert len(set(kept["normal"].to_pylist())) == kept.num_rows
    uses = Counter((row["kind"], pid) for row in kept.to_pylist() for pid in set(row["properties"]))
    assert limit is None or max(uses.values(), default=0) <= limit
    order = list(range(len(rows)))
    random.shuffle(order)
    again = clean(table.take(pa.array(order, pa.int64())), params=params)
    assert again.tables[QUESTIONS.name].sort_by("query").equals(kept.sort_by("query"))
    assert again.rejects.equals(output.rejects)


def test_params_are_checked() -> None:
    with pytest.raises(StageError, match="max_per_relation: expected at least 1"):
        CleanParams(max_per_relation=0)
    assert stage().outputs == (QUESTIONS,)
