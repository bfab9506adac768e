"""Spill files: many tables in one file, each read alone."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manifests.storage import Storage
from stages.core.contract import StageError
from stages.core.spill import read_spill, read_spills, write_spill

WORDS = pa.schema([("word", pa.string()), ("lines", pa.list_(pa.int64()))])
rows = st.fixed_dictionaries(
    {"word": st.none() | st.text(max_size=3), "lines": st.none() | st.lists(st.integers(0, 9), max_size=2)}
)
tables = st.lists(st.lists(rows, max_size=4), min_size=1, max_size=4)


@given(made=tables)
def test_every_table_of_a_file_is_read_back_alone(
    tmp_path_factory: pytest.TempPathFactory, made: list[list[dict]]
) -> None:
    root = Storage.at(tmp_path_factory.mktemp("spill"))
    written = [pa.Table.from_pylist(rows, schema=WORDS) for rows in made]
    spills = write_spill(root, "spill", written)
    assert len(root.files()) == 1 and [spill.rows for spill in spills] == list(map(len, made))
    for spill, table in reversed(list(zip(spills, written, strict=True))):
        assert read_spill(root, spill).equals(table)
    assert read_spills(root, spills, WORDS).to_pylist() == [row for rows in made for row in rows]


def test_tables_of_several_schemas_share_a_file(tmp_path: Path) -> None:
    root = Storage.at(tmp_path)
    counts = pa.table({"count": [1, 2, 3]})
    words = pa.table({"word": ["a"], "lines": [[1]]}, schema=WORDS)
    first, second = write_spill(root, "spill", [counts, words])
    assert first.path == second.path and (first.offset, second.offset) == (0, first.length)
    assert read_spill(root, second).equals(words) and read_spill(root, first).equals(counts)


def test_a_repeated_attempt_writes_a_file_of_its_own(tmp_path: Path) -> None:
    root = Storage.at(tmp_path)
    table = pa.table({"count": [1]})
    (one,), (two,) = write_spill(root, "spill", [table]), write_spill(root, "spill", [table])
    assert one.path != two.path and len(root.files("spill")) == 2


def test_no_spill_is_an_empty_table(tmp_path: Path) -> None:
    assert read_spills(Storage.at(tmp_path), [], WORDS).equals(WORDS.empty_table())


def test_a_spill_that_is_cut_anywhere_is_an_error(tmp_path: Path) -> None:
    root = Storage.at(tmp_path)
    (spill,) = write_spill(root, "spill", [pa.table({"count": [1, 2, 3]})])
    whole = root.read_bytes(spill.path).to_pybytes()
    for length in range(0, spill.length - 8):
        root.write_bytes(spill.path, whole[:length])
        with pytest.raises(StageError, match=r"arrows: (is not there in full|holds 0 of 3 rows that were written)"):
            read_spill(root, spill)
    # The last eight bytes say only that nothing more follows.
    root.write_bytes(spill.path, whole[: spill.length - 8])
    assert read_spill(root, spill).num_rows == 3
