"""Rejects: collected one by one or by column, always in the one schema."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.rejects import DETAIL_LIMIT, REJECTS_SCHEMA, Rejects, clip, empty_rejects
from stages.core.texts import Refused


def test_rejects_added_in_every_way_stand_in_one_table() -> None:
    inner = Rejects()
    inner.add("Q3", "no_label")
    rejects = Rejects()
    rejects.add("Q1", "ended", "in 1969")
    rejects.add("P57", "no_template", count=7)
    rejects.add_all(pa.chunked_array([["Q4"], [], ["Q5"]]), "too_few", "2 of 5")
    rejects.add_all(pa.array([], pa.large_string()), "never")
    rejects.extend(inner.table())
    table = rejects.table()
    assert table.schema == REJECTS_SCHEMA
    assert [tuple(row.values()) for row in table.to_pylist()] == [
        ("Q1", "ended", "in 1969", 1),
        ("P57", "no_template", "", 7),
        ("Q4", "too_few", "2 of 5", 1),
        ("Q5", "too_few", "2 of 5", 1),
        ("Q3", "no_label", "", 1),
    ]


def test_no_rejects_are_an_empty_table_of_the_schema() -> None:
    assert Rejects().table().equals(empty_rejects()) and empty_rejects().schema == REJECTS_SCHEMA


def test_what_is_refused_is_a_reject_under_its_key_and_nothing_else_is_caught() -> None:
    rejects = Rejects()
    with rejects.catch("Q1"):
        raise Refused("too_slow", "more than 3 steps")
    with rejects.catch("Q2"):
        pass
    with pytest.raises(ValueError, match="a fault of the code"), rejects.catch("Q3"):
        raise ValueError("a fault of the code")
    assert [tuple(row.values()) for row in rejects.table().to_pylist()] == [("Q1", "too_slow", "more than 3 steps", 1)]


@given(st.text())
def test_a_detail_is_one_short_line(text: str) -> None:
    line = clip(text)
    assert len(line) <= DETAIL_LIMIT and len(line.splitlines()) <= 1
    assert clip(line) == line


def test_a_long_detail_says_that_it_was_cut() -> None:
    assert clip("x" * DETAIL_LIMIT) == "x" * DETAIL_LIMIT
    assert clip("x" * (DETAIL_LIMIT + 1)) == "x" * (DETAIL_LIMIT - 1) + "…"
    assert clip(" a\n\tb ") == "a b"
