"""Cells of CSV files against formulas."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.people.cells import guard, unguard


@given(st.one_of(st.text(), st.text(alphabet="'=+-@\t\r a")))
def test_every_cell_comes_back_and_none_is_a_formula(cell: str) -> None:
    written = guard(cell)
    assert unguard(written) == cell
    assert written[:1] not in {"=", "+", "-", "@", "\t", "\r"}
    assert written in (cell, f"'{cell}")


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"),
        ("-5 degrees", "'-5 degrees"),
        ("@home", "'@home"),
        ("\tx", "'\tx"),
        ("'=1", "''=1"),
        ("''+", "'''+"),
        ("'tis so", "'tis so"),
        ("'", "'"),
        ("a = b", "a = b"),
        ("", ""),
    ],
)
def test_only_what_may_be_a_formula_gets_an_apostrophe(cell: str, written: str) -> None:
    assert guard(cell) == written


def test_a_formula_of_a_file_that_was_never_guarded_stays() -> None:
    assert [unguard(cell) for cell in ("=1", "'tis", "x")] == ["=1", "'tis", "x"]
