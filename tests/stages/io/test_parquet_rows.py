"""Rows of Parquet files: one bad byte costs one row, and no file more memory than its texts are worth."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manifests.storage import StorageError
from stages.io.parquet_rows import MAX_SLICE_BYTES, is_parquet, read_rows

LIMIT = 64 * 1024 * 1024
TEXTS = [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())]


def write(path: Path, columns: dict[str, Any], **how: Any) -> str:
    pq.write_table(pa.table(columns), path, **how)
    return str(path)


def not_checked(values: list[bytes | None], kind: pa.DataType) -> pa.Array:
    """Texts whose bytes nobody has looked at, as other writers leave them."""
    if pa.types.is_dictionary(kind):
        words = pa.array([value for value in values if value is not None], pa.binary())
        numbers = iter(range(len(words)))
        places = pa.array([None if value is None else next(numbers) for value in values], pa.int32())
        return pa.DictionaryArray.from_arrays(places, words.view(pa.string()))
    wide = pa.types.is_large_string(kind)
    return pa.array(values, pa.large_binary() if wide else pa.binary()).view(kind)


@pytest.mark.parametrize("kind", TEXTS, ids=str)
@pytest.mark.parametrize("dictionary", [True, False])
def test_a_text_that_is_not_utf_8_costs_its_row_alone(tmp_path: Path, kind: pa.DataType, dictionary: bool) -> None:
    texts = not_checked([b"one", b"caf\xe9", None, "ü".encode()], kind)
    path = write(tmp_path / "file", {"title": ["a", "b", "c", "d"], "text": texts}, use_dictionary=dictionary)
    assert [*read_rows(path, ("title", "text", "other"), LIMIT)] == [
        ({"title": "a", "text": "one"}, ""),
        ({}, "bad_encoding: text is not UTF-8 (unexpected end of data) | caf\ufffd"),
        ({"title": "c", "text": None}, ""),
        ({"title": "d", "text": "ü"}, ""),
    ]


def test_only_texts_numbers_and_truth_values_are_made_into_values(tmp_path: Path) -> None:
    columns = {
        "a": pa.array([1, None], pa.int64()),
        "b": pa.array([0.5, None]),
        "c": pa.array([True, None]),
        "d": pa.array([None, None], pa.null()),
        "e": pa.array([[b"\xff"], None], pa.list_(pa.binary())),
        "f": pa.array([b"\xff", None], pa.binary()),
        "g": pa.array([2**60, None], pa.int64()).cast(pa.timestamp("us")),
    }
    path = write(tmp_path / "file", columns)
    assert [*read_rows(path, tuple("abcdefg"), LIMIT)] == [
        (
            {"a": 1, "b": 0.5, "c": True, "d": None, "e": ["list<element: binary>"], "f": ["binary"]}
            | {"g": ["timestamp[us]"]},
            "",
        ),
        (dict.fromkeys("abcdefg"), ""),
    ]


@given(st.lists(st.tuples(st.none() | st.text(max_size=5), st.none() | st.integers(-9, 9)), max_size=40))
def test_rows_come_back_as_they_went_in(rows: list[tuple[str | None, int | None]]) -> None:
    table = pa.table(
        {"x": pa.array([x for x, _ in rows], pa.string()), "n": pa.array([n for _, n in rows], pa.int64())}
    )
    with tempfile.TemporaryDirectory() as folder:
        pq.write_table(table, f"{folder}/file", row_group_size=7)
        found = [row for row, _ in read_rows(f"{folder}/file", ("n", "x"), LIMIT)]
    assert found == [{"n": n, "x": x} for x, n in rows]


@pytest.mark.parametrize("dictionary", [True, False])
def test_a_row_over_the_limit_is_told_and_those_beside_it_are_read(tmp_path: Path, dictionary: bool) -> None:
    path = write(tmp_path / "file", {"x": ["", "b" * 11, "c" * 10], "y": ["", "", None]}, use_dictionary=dictionary)
    assert [*read_rows(path, ("x", "y"), 10)] == [
        ({"x": "", "y": ""}, ""),
        ({}, "oversized_row: 11 bytes, the limit is 10"),
        ({"x": "c" * 10, "y": None}, ""),
    ]


def test_a_text_that_a_thousand_rows_repeat_is_held_once(tmp_path: Path) -> None:
    text = pa.DictionaryArray.from_arrays(pa.array([0] * 1000, pa.int32()), pa.array(["x" * MAX_SLICE_BYTES]))
    path = write(tmp_path / "file", {"text": text}, compression="zstd", store_schema=False)
    assert Path(path).stat().st_size < 5000
    del text
    before = pa.total_allocated_bytes()
    most = 0
    for number, (row, error) in enumerate(read_rows(path, ("text",), LIMIT)):
        assert len(row["text"]) == MAX_SLICE_BYTES and not error
        most = max(most, pa.total_allocated_bytes() - before)
        if number == 20:
            break
    assert most < 100_000_000


def test_a_row_group_that_unpacks_to_more_than_any_text_is_told_and_the_next_is_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    schema = pa.schema([("text", pa.string())])
    with pq.ParquetWriter(path, schema, compression="zstd", use_dictionary=False) as writer:
        writer.write_table(pa.table({"text": ["x" * 3_000_000] * 100}, schema=schema))
        writer.write_table(pa.table({"text": ["fine"]}, schema=schema))
    (bomb, said), fine = read_rows(str(path), ("text",), LIMIT)
    assert (bomb, fine) == ({}, ({"text": "fine"}, ""))
    assert said.startswith("oversized_group: row group 1 of 2: 300,0") and said.endswith(", for 100 rows")


def test_a_damaged_row_group_costs_itself_and_a_damaged_footer_the_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write(path, {"x": [f"{n:09}" for n in range(300)]}, row_group_size=100, use_dictionary=False, compression="zstd")
    whole = path.read_bytes()
    start = pq.read_metadata(path).row_group(1).column(0).data_page_offset
    path.write_bytes(whole[: start + 40] + b"\xff" * 40 + whole[start + 80 :])
    found = [*read_rows(str(path), ("x",), LIMIT)]
    assert [row["x"] for row, error in found if not error] == [f"{n:09}" for n in (*range(100), *range(200, 300))]
    assert found[100][1].startswith("bad_parquet: row group 2 of 3: ")
    path.write_bytes(whole[:-30])
    ((row, error),) = read_rows(str(path), ("x",), LIMIT)
    assert row == {} and error.startswith("bad_parquet: ")


def test_a_file_is_known_by_its_first_bytes(tmp_path: Path) -> None:
    assert is_parquet(write(tmp_path / "file.json", {"x": [1]}))
    (tmp_path / "file.parquet").write_bytes(b"PAR")
    assert not is_parquet(str(tmp_path / "file.parquet"))
    with pytest.raises(StorageError, match="none: no such file"):
        is_parquet(str(tmp_path / "none"))
