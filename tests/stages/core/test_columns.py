"""Tables row by row."""

from __future__ import annotations

import pyarrow as pa
import pytest

from stages.core.columns import values


def test_rows_hold_the_named_columns_in_their_order() -> None:
    table = pa.table({"a": [1, 2], "b": ["x", None], "c": [[1], []]})
    assert list(values(table, "b", "a")) == [("x", 1), (None, 2)]
    assert list(values(table.slice(0, 0), "c")) == []
    with pytest.raises(KeyError):
        values(table, "d")
