"""Columns as they are declared, and tables row by row."""

from __future__ import annotations

import pyarrow as pa
import pytest

from stages.core.columns import flag, number, text, texts, values
from stages.core.contract import TableSpec


def test_rows_hold_the_named_columns_in_their_order() -> None:
    table = pa.table({"a": [1, 2], "b": ["x", None], "c": [[1], []]})
    assert list(values(table, "b", "a")) == [("x", 1), (None, 2)]
    assert list(values(table.slice(0, 0), "c")) == []
    with pytest.raises(KeyError):
        values(table, "d")


def test_a_field_helper_makes_a_column_without_nulls() -> None:
    fields = [text("a"), texts("b"), number("c"), flag("d")]
    assert [field.type for field in fields] == [pa.string(), pa.list_(pa.string()), pa.int32(), pa.bool_()]
    assert not any(field.nullable for field in fields)
    assert TableSpec(name="t", schema=pa.schema(fields), key=("a",)).empty().num_rows == 0
