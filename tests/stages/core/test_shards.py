"""Shards: buckets that never move, order from content alone, bytes from rows alone."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manifests.storage import Storage
from stages.core.contract import StageError, TableSpec
from stages.core.shards import (
    DamagedShard,
    bucket_numbers,
    buckets_for,
    conform,
    parquet_bytes,
    read_shard,
    read_shards,
    sort_bucket,
    split,
    write_shard,
)

SCHEMA = pa.schema(
    [pa.field("qid", pa.string(), nullable=False), ("part", pa.int64()), ("names", pa.list_(pa.string()))]
)
SPEC = TableSpec("rows", SCHEMA, key=("qid", "part"), on_duplicate="reject")
STRICT = TableSpec("rows", SCHEMA, key=("qid", "part"))

ids = st.sampled_from(["Q1", "Q2", "Q42", "é", "", "Q1\x1f0", "\x00"])
rows = st.lists(
    st.fixed_dictionaries(
        {
            "qid": ids,
            "part": st.none() | st.integers(-1, 2),
            "names": st.none() | st.lists(st.none() | st.text("ab", max_size=2), max_size=2),
        }
    ),
    max_size=12,
)


def as_set(table: pa.Table) -> list[str]:
    return sorted(map(repr, table.to_pylist()))


def test_bucket_numbers_never_change() -> None:
    """Pinned: a published table stays readable by the key only while these hold."""
    ids = pa.table(
        {"qid": ["Q42", "Q1", "Q8877", "P57", "Amélie", "", None, "Q42"], "part": [0, 1, 2, 3, 4, 5, 6, None]}
    )
    assert bucket_numbers(ids, ["qid"], 16).tolist() == [5, 14, 8, 10, 9, 6, 9, 5]
    assert bucket_numbers(ids, ["qid"], 1000).tolist() == [677, 102, 416, 282, 81, 774, 57, 677]
    assert bucket_numbers(ids, ["part"], 1000).tolist() == [234, 966, 110, 609, 832, 903, 631, 57]
    assert bucket_numbers(ids, ["qid", "part"], 1000).tolist() == [660, 828, 407, 278, 549, 13, 274, 118]
    assert bucket_numbers(ids, ["qid"], 1).tolist() == [0] * 8


@given(rows, st.integers(1, 9))
def test_a_bucket_depends_on_the_values_of_its_columns_alone(rows: list[dict], buckets: int) -> None:
    table = SPEC.table(rows)
    numbers = bucket_numbers(table, ["qid", "part"], buckets)
    seen: dict[str, int] = {}
    for row, number in zip(rows, numbers.tolist(), strict=True):
        assert 0 <= number < buckets
        assert seen.setdefault(repr((row["qid"], row["part"])), number) == number
    wider = table.set_column(0, "qid", table.column("qid").cast(pa.large_string()))
    wider = wider.set_column(1, "part", table.column("part").cast(pa.string()))
    assert bucket_numbers(wider, ["qid", "part"], buckets).tolist() == numbers.tolist()


@given(rows, st.integers(1, 9))
def test_a_split_is_a_partition(rows: list[dict], buckets: int) -> None:
    table = SPEC.table(rows)
    parts = split(table, ["qid"], buckets)
    assert all(part.num_rows and part.schema == SCHEMA for part in parts.values())
    assert sorted(row for part in parts.values() for row in as_set(part)) == as_set(table)
    for number, part in parts.items():
        assert set(bucket_numbers(part, ["qid"], buckets)) == {number}


@given(rows, st.data())
def test_the_order_and_grouping_of_rows_change_no_byte(rows: list[dict], data: st.DataObject) -> None:
    other = data.draw(st.permutations(rows))
    cut = data.draw(st.integers(0, len(rows)))
    one = sort_bucket([SPEC.table(rows)], SPEC, "s")
    two = sort_bucket([SPEC.table(other[:cut]), SPEC.table(other[cut:])], SPEC, "s")
    assert parquet_bytes(one.rows).equals(parquet_bytes(two.rows))
    assert as_set(one.rejects) == as_set(two.rejects)


@given(rows)
def test_of_each_key_one_row_is_kept_and_every_other_is_a_reject(rows: list[dict]) -> None:
    done = sort_bucket([SPEC.table(rows)], SPEC, "s")
    kept = [repr((row["qid"], row["part"])) for row in done.rows.to_pylist()]
    assert len(kept) == len(set(kept)) == len({repr((row["qid"], row["part"])) for row in rows})
    assert set(as_set(done.rows)) <= set(as_set(SPEC.table(rows)))
    assert done.rows.num_rows + done.rejects.num_rows == len(rows)
    assert set(done.rejects.column("reason").to_pylist()) <= {"duplicate"}


def test_which_duplicate_stays_is_decided_by_content() -> None:
    rows = [
        {"qid": "Q1", "part": 0, "names": ["b"]},
        {"qid": "Q1", "part": 0, "names": ["a"]},
        {"qid": "Q1", "part": 0, "names": ["a"]},
    ]
    done = sort_bucket([SPEC.table(rows)], SPEC, "s")
    assert done.rows.to_pylist() == [{"qid": "Q1", "part": 0, "names": ["a"]}]
    assert sorted((row["key"], row["detail"]) for row in done.rejects.to_pylist()) == [
        ("Q1 0", "rows: differs in names"),
        ("Q1 0", "rows: identical"),
    ]


def test_duplicates_of_any_type_are_compared_nan_and_bytes_among_them() -> None:
    schema = pa.schema([("k", pa.string()), ("share", pa.float64()), ("raw", pa.binary()), ("day", pa.date32())])
    spec = TableSpec("odd", schema, ("k",), on_duplicate="reject")
    rows = [{"k": "a", "share": float("nan"), "raw": b"\xff", "day": None}] * 2 + [
        {"k": "a", "share": 1.0, "raw": b"\xff", "day": None}
    ]
    one, two = (sort_bucket([spec.table(each)], spec, "s") for each in (rows, rows[::-1]))
    assert one.rows.to_pylist() == two.rows.to_pylist() == [rows[2]]
    assert one.rejects.column("detail").to_pylist() == ["odd: differs in share"] * 2


@given(st.lists(st.tuples(st.none() | ids, st.integers(0, 9)), max_size=12), st.integers(0, 12))
def test_counts_of_one_key_are_added_up(pairs: list[tuple[str | None, int]], cut: int) -> None:
    spec = TableSpec("counts", pa.schema([("k", pa.string()), ("n", pa.int64())]), ("k",), on_duplicate="sum")
    rows = [{"k": key, "n": count} for key, count in pairs]
    expected: Counter[str | None] = Counter()
    for key, count in pairs:
        expected[key] += count
    done = sort_bucket([spec.table(rows[:cut]), spec.table(rows[cut:])], spec, "s")
    found = [(row["k"], row["n"]) for row in done.rows.to_pylist()]
    assert found == sorted(expected.items(), key=lambda pair: (pair[0] is None, (pair[0] or "").encode()))
    assert (done.added, done.rejects.num_rows) == (len(pairs) - len(expected), 0)


def test_a_repeated_key_stops_a_stage_that_allows_none_and_shows_both_rows() -> None:
    rows = [{"qid": "Q1", "part": 0, "names": ["x"]}, {"qid": "Q1", "part": 0, "names": ["y"]}]
    with pytest.raises(StageError, match=r"stage s, table rows: key \('qid', 'part'\) occurs twice: .*'x'.* and .*'y'"):
        sort_bucket([STRICT.table(rows)], STRICT, "s")


def test_rows_are_in_key_order_with_nulls_last() -> None:
    rows = [{"qid": "b", "part": 2}, {"qid": "b", "part": None}, {"qid": "a", "part": 9}, {"qid": "b", "part": -1}]
    done = sort_bucket([STRICT.table(rows)], STRICT, "s")
    assert [(row["qid"], row["part"]) for row in done.rows.to_pylist()] == [("a", 9), ("b", -1), ("b", 2), ("b", None)]


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (pa.table({"qid": ["Q1"], "part": [1]}), r"columns missing \['names'\], not declared \[\]"),
        (
            pa.table({"qid": ["Q1"], "part": [1], "names": [["a"]], "x": [1]}),
            r"columns missing \[\], not declared \['x'\]",
        ),
        (pa.table({"qid": ["Q1"], "part": ["one"], "names": [["a"]]}), r"rows do not fit the schema: .*one"),
        (pa.table({"qid": pa.array([None], pa.string()), "part": [1], "names": [["a"]]}), r"rows do not fit.*qid"),
        (SPEC.table([{"qid": None, "part": 1}]), r"column qid holds nulls and may not"),
    ],
)
def test_rows_that_do_not_fit_are_named(table: pa.Table, words: str) -> None:
    with pytest.raises(StageError, match=f"stage s, table rows: {words}"):
        conform(table, SPEC, "s")


def test_columns_in_another_order_or_a_wider_type_are_brought_into_the_declared_form() -> None:
    table = pa.table({"names": [["a"]], "part": pa.array([1], pa.int32()), "qid": pa.array(["Q1"], pa.large_string())})
    assert conform(table, SPEC, "s").schema == SCHEMA


@given(rows)
def test_a_shard_comes_back_as_it_was_written(rows: list[dict]) -> None:
    with pytest.MonkeyPatch.context() as patched:
        files: dict[str, bytes] = {}
        patched.setattr(Storage, "write_bytes", lambda self, path, data, durable=False: files.update({path: data}))
        patched.setattr(Storage, "read_bytes", lambda self, path: files[path])
        root = Storage.at("nowhere")
        table = sort_bucket([SPEC.table(rows)], SPEC, "s").rows
        shard = write_shard(root, "a.parquet", table, SPEC)
        assert read_shard(root, shard).equals(table)
        assert read_shard(root, shard, ["qid"]).column_names == ["qid"]
        assert shard.rows == table.num_rows and shard.bytes == len(files["a.parquet"])


def test_chunks_and_slices_change_no_byte() -> None:
    table = pa.table({"qid": [f"Q{n:06}" for n in range(70_000)], "part": range(70_000)})
    chunked = pa.concat_tables([table.slice(start, 999) for start in range(0, 70_000, 999)])
    assert parquet_bytes(chunked).equals(parquet_bytes(table))
    assert pq.ParquetFile(pa.BufferReader(parquet_bytes(table))).num_row_groups == 2


def test_inexact_columns_stay_out_of_the_stable_digest_alone(tmp_path: Path) -> None:
    spec = TableSpec("s", pa.schema([("pair", pa.string()), ("score", pa.float32())]), ("pair",), inexact=("score",))
    root = Storage.at(tmp_path)
    one, two = (write_shard(root, "x", spec.table([{"pair": "a", "score": s}]), spec) for s in (0.5, 0.25))
    assert one.stable_digest == two.stable_digest and one.rows_digest != two.rows_digest


def test_several_shards_are_read_in_their_order_and_none_is_an_empty_table(tmp_path: Path) -> None:
    root = Storage.at(tmp_path)
    shards = [write_shard(root, name, SPEC.table([{"qid": name, "part": 1}]), SPEC) for name in ("b", "a")]
    assert read_shards(root, shards, SCHEMA).column("qid").to_pylist() == ["b", "a"]
    assert read_shards(root, [], SCHEMA).equals(SCHEMA.empty_table())


def test_a_shard_of_equal_length_and_other_bytes_is_refused(tmp_path: Path) -> None:
    root = Storage.at(tmp_path)
    shard = write_shard(root, "x", SPEC.table([{"qid": "a", "part": 1}]), SPEC)
    root.write_bytes("x", b"x" * shard.bytes)
    with pytest.raises(DamagedShard, match=r"x: its bytes have another sha256 than .*; `benchwright verify --repair`"):
        read_shard(root, shard)
    root.delete_file("x")
    with pytest.raises(DamagedShard, match=r"x: missing; `benchwright verify --repair`"):
        read_shard(root, shard)


def test_buckets_are_chosen_by_the_bytes_that_a_stage_reads() -> None:
    mib = 1 << 20
    sizes = {0: 1, 1: 1, 4 * mib: 1, 4 * mib + 1: 2, 8 * mib: 2, 8 * mib + 1: 4, 20 * mib: 8, 1 << 50: 4096}
    assert {stored: buckets_for(stored) for stored in sizes} == sizes
