"""Row differences: against a plain dictionary comparison, over any layout of the two tables."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manifests import partitions
from manifests.manifest import ManifestError
from manifests.rows import ChangedRow, rows_diff
from manifests.storage import Storage
from stages.core.contract import TableSpec
from stages.core.shards import bucket_numbers
from tests.manifests.made import ROWS, publish


def row(name: str, part: int = 0, value: int | None = 1, names: list | None = None, score: float = 0.5) -> dict:
    return {"id": name, "part": part, "value": value, "names": names, "score": score}


BEFORE = [row("Q1"), row("Q1", 1), row("Q2", value=None), row("Q3", names=["a", "b"]), row("Q4"), row("Q5")]
AFTER = [row("Q1"), row("Q1", 2), row("Q2", value=2), row("Q3", value=7, names=["a"]), row("Q4", score=0.6), row("Q6")]


@pytest.mark.parametrize(("one", "two"), [(1, 1), (4, 4), (4, 6), (1, 5), (7, 2)])
def test_added_removed_and_changed_rows_are_found_in_any_layout(tmp_path: Path, one: int, two: int) -> None:
    a, b = Storage.at(tmp_path / "a"), Storage.at(tmp_path / "b")
    found = rows_diff(a, publish(a, BEFORE, ROWS, one), b, publish(b, AFTER, ROWS, two))
    assert (found.added, found.removed, found.changed) == (2, 2, 2)
    assert found.columns == {"value": 2, "names": 1}
    assert found.added_rows == [row("Q1", 2), row("Q6")]
    assert found.removed_rows == [row("Q1", 1), row("Q5")]
    assert found.changed_rows == [
        ChangedRow({"id": "Q2", "part": 0}, {"value": (None, 2)}),
        ChangedRow({"id": "Q3", "part": 0}, {"value": (1, 7), "names": (["a", "b"], ["a"])}),
    ]
    assert not found.equal


def test_examples_are_the_smallest_keys_and_no_more_than_asked_for(tmp_path: Path) -> None:
    root = Storage.at(tmp_path)
    one = publish(root.sub("a"), [row(f"Q{n:03}") for n in range(100)], ROWS, 8)
    two = publish(root.sub("b"), [row(f"Q{n:03}", value=2) for n in range(50, 150)], ROWS, 8)
    found = rows_diff(root.sub("a"), one, root.sub("b"), two, limit=2)
    assert (found.added, found.removed, found.changed) == (50, 50, 50)
    assert [item["id"] for item in found.removed_rows] == ["Q000", "Q001"]
    assert [item["id"] for item in found.added_rows] == ["Q100", "Q101"]
    assert [item.key["id"] for item in found.changed_rows] == ["Q050", "Q051"]


def test_a_row_that_moved_to_another_shard_is_changed_and_not_added(tmp_path: Path) -> None:
    by_value = TableSpec("rows", ROWS.schema, ROWS.key, bucket_by=("value",))
    a, b = Storage.at(tmp_path / "a"), Storage.at(tmp_path / "b")
    before, after = ([row(f"Q{n}", value=v) for n in range(20)] for v in (1, 2))
    found = rows_diff(a, publish(a, before, by_value, 4), b, publish(b, after, by_value, 4))
    assert (found.added, found.removed, found.changed, found.columns) == (0, 0, 20, {"value": 20})


def test_equal_shards_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = Storage.at(tmp_path / "a"), Storage.at(tmp_path / "b")
    rows = [row(f"Q{n}") for n in range(40)]
    one, two = publish(a, rows, ROWS, 8), publish(b, [*rows[:-1], row("Q39", value=9)], ROWS, 8)
    read: list[str] = []
    real = Storage.read_bytes
    monkeypatch.setattr(Storage, "read_bytes", lambda self, path: (read.append(path), real(self, path))[1])
    assert rows_diff(a, one, b, two).changed == 1 and len(read) == 2
    assert rows_diff(a, one, a, one).equal and len(read) == 2


def test_equal_shards_of_unlike_layouts_hide_no_row(tmp_path: Path) -> None:
    """All of one side's shards are found on the other side, which has one more row."""
    a, b = Storage.at(tmp_path / "a"), Storage.at(tmp_path / "b")
    one = publish(a, [row("Q1")], ROWS, 1)
    here = bucket_numbers(pa.table({"id": [f"Q{n}" for n in range(9)]}), ["id"], 2)
    other = f"Q{next(n for n in range(9) if here[n] != here[1])}"
    two = publish(b, [row("Q1"), row(other)], ROWS, 2)
    assert [shard.rows for shard in two.shards] == [1, 1]
    forth, back = rows_diff(a, one, b, two), rows_diff(b, two, a, one)
    assert (forth.added, forth.removed, forth.changed) == (1, 0, 0) and forth.added_rows == [row(other)]
    assert (back.added, back.removed, back.changed) == (0, 1, 0)


def test_columns_that_one_side_lacks_are_not_compared_and_other_types_are_compared_as_text(tmp_path: Path) -> None:
    a, b = Storage.at(tmp_path / "a"), Storage.at(tmp_path / "b")
    old = TableSpec("rows", pa.schema([("id", pa.int64()), ("value", pa.int64()), ("gone", pa.int64())]), ("id",))
    new = TableSpec("rows", pa.schema([("id", pa.string()), ("value", pa.string()), ("come", pa.int64())]), ("id",))
    one = publish(a, [{"id": 1, "value": 1, "gone": 1}, {"id": 2, "value": 2, "gone": 1}], old, 2)
    two = publish(b, [{"id": "1", "value": "1", "come": 1}, {"id": "2", "value": "3", "come": 1}], new, 2)
    found = rows_diff(a, one, b, two)
    assert (found.added, found.removed, found.changed, found.columns) == (0, 0, 1, {"value": 1})
    assert found.changed_rows == [ChangedRow({"id": "2"}, {"value": (2, "3")})]


def test_tables_of_other_keys_are_not_compared(tmp_path: Path) -> None:
    root = Storage.at(tmp_path)
    one = publish(root, [row("Q1")], ROWS, 1)
    two = publish(root, [row("Q1")], TableSpec("rows", ROWS.schema, ("id",)), 1)
    found = rows_diff(root, one, root, two)
    assert found.note == "keyed by id, part before and by id after, not comparable" and not found.equal


def test_a_damaged_shard_is_an_error(tmp_path: Path) -> None:
    a, b = Storage.at(tmp_path / "a"), Storage.at(tmp_path / "b")
    one, two = publish(a, BEFORE, ROWS, 1), publish(b, AFTER, ROWS, 1)
    b.write_bytes(two.shards[0].path, b"x" * two.shards[0].bytes)
    with pytest.raises(ManifestError, match="another sha256 than the manifest says; `benchwright verify"):
        rows_diff(a, one, b, two)


def test_odd_names_and_values_are_compared(tmp_path: Path) -> None:
    spec = TableSpec(
        "rows",
        pa.schema([('a "quoted" name', pa.string()), ("select", pa.float64()), ("raw", pa.binary())]),
        ('a "quoted" name',),
    )
    a, b = Storage.at(tmp_path / "a"), Storage.at(tmp_path / "b")
    name, nan = 'a "quoted" name', float("nan")
    one = publish(a, [{name: "x", "select": nan, "raw": b"\x00"}, {name: "y", "select": nan, "raw": b"1"}], spec, 1)
    two = publish(b, [{name: "x", "select": nan, "raw": b"\x00"}, {name: "y", "select": 1.0, "raw": b"1"}], spec, 1)
    found = rows_diff(a, one, b, two)
    assert found.columns == {"select": 1} and found.changed == 1
    assert found.as_json()["changed_rows"][0]["key"] == {name: "y"}


keys = st.tuples(st.sampled_from(["Q1", "Q2", "Q3", "Q4"]), st.integers(0, 1))
values = st.tuples(
    st.none() | st.integers(0, 2), st.none() | st.lists(st.none() | st.text("ab", max_size=1), max_size=2)
)
tables = st.dictionaries(keys, values, max_size=8)


@settings(max_examples=60, deadline=None)
@given(tables, tables, st.integers(1, 4), st.integers(1, 4), st.integers(1, 3))
def test_it_agrees_with_a_comparison_of_dictionaries(
    one: dict[Any, Any], two: dict[Any, Any], buckets_one: int, buckets_two: int, most: int
) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patched:
        patched.setattr(partitions, "_MOST_PARTS", most)
        a, b = Storage.at(f"{folder}/a"), Storage.at(f"{folder}/b")
        rows = [[row(*key, *value) for key, value in side.items()] for side in (one, two)]
        found = rows_diff(
            a, publish(a, rows[0], ROWS, buckets_one), b, publish(b, rows[1], ROWS, buckets_two), limit=99
        )
    changed = sorted(key for key in one.keys() & two.keys() if one[key] != two[key])
    assert [(item["id"], item["part"]) for item in found.added_rows] == sorted(two.keys() - one.keys())
    assert [(item["id"], item["part"]) for item in found.removed_rows] == sorted(one.keys() - two.keys())
    assert [tuple(item.key.values()) for item in found.changed_rows] == changed
    assert found.columns == {
        name: count
        for name, count in sorted(
            ((name, sum(one[k][i] != two[k][i] for k in changed)) for i, name in enumerate(["value", "names"])),
            key=lambda item: (-item[1], item[0]),
        )
        if count
    }
