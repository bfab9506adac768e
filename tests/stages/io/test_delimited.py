"""Rows of CSV and TSV files as JSON records, broken rows among them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.io.delimited import columns_of, delimited_records, is_delimited

LIMIT = 1000


def read(path: Path, limit: int = LIMIT) -> tuple[list[object], list[str]]:
    pieces = list(delimited_records(str(path), limit))
    return [json.loads(p.data) for p in pieces if p.data is not None], [p.error for p in pieces if p.error is not None]


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_every_delimiter_and_quoted_fields(tmp_path: Path, sign: str) -> None:
    path = tmp_path / "rows.gz"
    text = f'title{sign}text\r\nA{sign}"one{sign} ""two""\nthree"\r\n\r\nB{sign}\r\n'
    path.write_bytes(gzip.compress(f"\ufeff{text}".encode()))
    assert is_delimited(str(path))
    assert read(path) == ([{"title": "A", "text": f'one{sign} "two"\nthree'}, {"title": "B", "text": ""}], [])


def test_a_broken_row_costs_that_row(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_bytes(b"a,b\n1,2,3\n4,5\n6,\xff\n" + b"7," + b"x" * 2000 + b"\n8,9\n")
    rows, errors = read(path)
    assert rows == [{"a": "4", "b": "5"}, {"a": "8", "b": "9"}]
    assert [error.partition(":")[0] for error in errors] == ["broken_csv", "bad_encoding", "oversized_line"]


@pytest.mark.parametrize("text", ['{"a": 1, "b": 2}', "[1, 2]", "just text", ""])
def test_what_is_no_table(tmp_path: Path, text: str) -> None:
    (tmp_path / "file").write_text(text)
    assert not is_delimited(str(tmp_path / "file"))


@pytest.mark.parametrize(
    ("header", "columns"),
    [('"title","a ""b"""', ["title", 'a "b"']), ("s;p;o", ["s", "p", "o"]), ("", []), ("a", ["a"])],
)
def test_columns(header: str, columns: list[str]) -> None:
    assert columns_of(header) == columns


@given(st.text(max_size=300))
def test_any_header_is_read(header: str) -> None:
    assert all(isinstance(name, str) for name in columns_of(header.partition("\n")[0]))
