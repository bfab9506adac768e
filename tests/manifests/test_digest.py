"""Digests: pinned for small tables, blind to how Arrow holds the rows, sensitive to every value."""

from __future__ import annotations

import hashlib

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manifests.digest import canonical_json, combine, fingerprint, json_digest, rows_digest, schema_text

SCHEMA = pa.schema(
    [
        ("word", pa.string()),
        ("count", pa.int64()),
        ("share", pa.float64()),
        ("seen", pa.bool_()),
        ("names", pa.list_(pa.string())),
        ("raw", pa.large_binary()),
        ("place", pa.struct([("title", pa.string()), ("index", pa.int32())])),
    ]
)
LIST = pa.list_(pa.string())
TABLE = pa.Table.from_pylist(
    [
        {"word": "sea", "count": 3, "share": 0.5, "seen": True, "names": ["a", None], "raw": b"\x00", "place": None},
        {"word": None, "count": -1, "share": None, "seen": None, "names": None, "raw": None,
         "place": {"title": None, "index": 7}},
        {"word": "é", "count": 0, "share": -0.0, "seen": False, "names": [], "raw": b"",
         "place": {"title": "x", "index": None}},
    ],
    schema=SCHEMA,
)  # fmt: skip

texts = st.none() | st.text(max_size=3)
rows = st.lists(
    st.fixed_dictionaries(
        {
            "word": texts,
            "count": st.none() | st.integers(-5, 5),
            "share": st.none() | st.floats(allow_nan=False, width=32),
            "seen": st.none() | st.booleans(),
            "names": st.none() | st.lists(texts, max_size=3),
            "raw": st.none() | st.binary(max_size=3),
            "place": st.none() | st.fixed_dictionaries({"title": texts, "index": st.none() | st.integers(0, 3)}),
        }
    ),
    max_size=6,
)


def test_digests_of_small_tables_stay_what_they_are() -> None:
    assert rows_digest(TABLE) == "eb9dfb01d163af085d7172c79897e6d3f0350402bdcf2756701521a18bdd66e2"
    assert rows_digest(TABLE.select(["word"])) == "cd2197fd856bc671696892ab84aeb06b9ccaae2570a89c625399101c11a43838"
    assert rows_digest(SCHEMA.empty_table()) == "2a19f4917a30d68caf3fc45efe74f2f88a1acd42f557713b561d2ee8d96177e8"


def test_the_digest_of_one_column_is_the_hash_of_its_parts() -> None:
    """Written out once by hand: header, validity bits, lengths, characters."""
    table = pa.table({"word": ["ab", None, "c"]})
    parts = [b"word:string:3\n", bytes([0b10100000]), (2).to_bytes(8, "little"), (1).to_bytes(8, "little"), b"abc"]
    assert rows_digest(table) == hashlib.sha256(b"".join(parts)).hexdigest()


@given(rows, st.data())
def test_chunks_slices_and_offsets_do_not_matter(rows: list[dict], data: st.DataObject) -> None:
    table = pa.Table.from_pylist(rows, schema=SCHEMA)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(rows)), max_size=3)))
    pieces = [table.slice(start, end - start) for start, end in zip([0, *cuts], [*cuts, len(rows)], strict=True)]
    chunked = pa.concat_tables(pieces)
    padded = pa.concat_tables([TABLE, table, TABLE]).combine_chunks().slice(TABLE.num_rows, len(rows))
    assert rows_digest(chunked) == rows_digest(padded) == rows_digest(table)


@given(rows, rows)
def test_tables_have_equal_digests_only_when_their_rows_are_equal(one: list[dict], two: list[dict]) -> None:
    first, second = (pa.Table.from_pylist(rows, schema=SCHEMA) for rows in (one, two))
    assert (rows_digest(first) == rows_digest(second)) == (repr(first.to_pylist()) == repr(second.to_pylist()))


@given(rows.filter(bool), st.data())
def test_any_changed_value_changes_the_digest(rows: list[dict], data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(rows) - 1))
    name = data.draw(st.sampled_from(SCHEMA.names))
    other = data.draw(st.sampled_from([row[name] for row in TABLE.to_pylist()]))
    changed = [{**row, name: other} if at == number else row for at, row in enumerate(rows)]
    before, after = (pa.Table.from_pylist(each, schema=SCHEMA) for each in (rows, changed))
    assert (rows_digest(before) != rows_digest(after)) == (repr(before.to_pylist()) != repr(after.to_pylist()))


def test_what_lies_under_a_null_does_not_matter() -> None:
    hidden = pa.StringArray.from_buffers(
        2, pa.py_buffer(b"\x00\x00\x00\x00\x01\x00\x00\x00\x03\x00\x00\x00"), pa.py_buffer(b"abc"),
        pa.py_buffer(b"\x01"), 1,
    )  # fmt: skip
    assert hidden.to_pylist() == ["a", None]
    assert rows_digest(pa.table({"x": hidden})) == rows_digest(pa.table({"x": ["a", None]}))


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (pa.table({"x": ["ab", "c"]}), pa.table({"x": ["a", "bc"]})),
        (pa.table({"x": [["a"], ["b"]]}), pa.table({"x": [["a", "b"], []]})),
        (pa.table({"x": [""]}), pa.table({"x": pa.array([None], pa.string())})),
        (pa.table({"x": pa.array([[]], LIST)}), pa.table({"x": pa.array([None], LIST)})),
        (pa.table({"x": [1, 2]}), pa.table({"x": [2, 1]})),
        (pa.table({"x": [1]}), pa.table({"y": [1]})),
        (pa.table({"x": pa.array([1], pa.int64())}), pa.table({"x": pa.array([1], pa.int32())})),
        (pa.table({"x": [1], "y": [2]}), pa.table({"y": [2], "x": [1]})),
        (pa.table({"x": ["1"]}), pa.table({"x": pa.array(["1"], pa.large_string())})),
    ],
)  # fmt: skip
def test_tables_that_look_alike_differ(one: pa.Table, two: pa.Table) -> None:
    assert rows_digest(one) != rows_digest(two)


def test_left_out_columns_do_not_count() -> None:
    changed = TABLE.set_column(2, "share", pa.array([1.0, 2.0, 3.0]))
    assert rows_digest(TABLE, ("share",)) == rows_digest(changed, ("share",)) == rows_digest(TABLE.drop(["share"]))
    assert rows_digest(TABLE) != rows_digest(changed)


def test_a_type_without_a_defined_digest_is_refused() -> None:
    table = pa.table({"x": pa.array(["a"]).dictionary_encode()})
    with pytest.raises(TypeError, match="no digest is defined for columns of type dictionary"):
        rows_digest(table)


def test_json_digests_follow_the_value_and_not_the_order_of_keys() -> None:
    assert canonical_json({"b": [1, "é"], "a": None}) == '{"a":null,"b":[1,"é"]}'
    assert json_digest({"b": 1, "a": 2}) == json_digest({"a": 2, "b": 1}) == fingerprint({"a": 2, "b": 1})
    assert json_digest({"a": 1}) != json_digest({"a": "1"})
    assert json_digest({}) == hashlib.sha256(b"{}").hexdigest()


def test_the_digest_of_a_table_is_that_of_its_shards_in_order() -> None:
    assert combine(["a", "b"]) == hashlib.sha256(b"a\nb").hexdigest() != combine(["b", "a"])


def test_a_schema_is_told_in_column_order() -> None:
    assert list(schema_text(SCHEMA).items())[:2] == [("word", "string"), ("count", "int64")]
    assert schema_text(SCHEMA)["names"] == "list<string>"
    assert schema_text(SCHEMA)["place"] == "struct<title: string, index: int32>"


def test_a_table_keeps_its_digest_and_schema_through_a_parquet_file() -> None:
    """Parquet renames the elements of lists, at any depth."""
    deep = pa.list_(pa.struct([("inner", pa.list_(pa.list_(pa.string())))]))
    table = TABLE.append_column("deep", pa.array([[{"inner": [["x"], []]}], None, []], deep))
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink)
    read = pq.read_table(pa.BufferReader(sink.getvalue()))
    assert str(read.schema.field("names").type) != str(table.schema.field("names").type)
    assert rows_digest(read) == rows_digest(table) and schema_text(read.schema) == schema_text(table.schema)
