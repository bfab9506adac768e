import pyarrow as pa
import pytest

from stages.core.columns import number, text
from stages.core.contract import TableSpec
from stages.core.rejects import REJECTS_SCHEMA
from stages.core.rows import as_rejects, column, fit, total, typed_table

SPEC = TableSpec(name="t", schema=pa.schema([text("a"), number("n")]), key=("a",))


def test_fit_orders_and_casts_columns_and_leaves_the_others() -> None:
    table = fit(SPEC, pa.table({"n": pa.array([1], pa.int64()), "other": [0], "a": ["x"]}))
    assert table.schema == SPEC.schema
    assert table.to_pylist() == [{"a": "x", "n": 1}]


def test_fit_refuses_a_null_where_none_may_be() -> None:
    with pytest.raises(ValueError, match="null"):
        fit(SPEC, pa.table({"a": pa.array([None], pa.string()), "n": [1]}))


def test_rejects_from_columns_in_any_order() -> None:
    table = as_rejects(pa.table({"count": pa.array([2], pa.int32()), "reason": ["r"], "detail": [""], "key": ["k"]}))
    assert table.schema == REJECTS_SCHEMA
    assert table.to_pylist() == [{"key": "k", "reason": "r", "detail": "", "count": 2}]


def test_words_as_a_table_are_sorted_and_distinct() -> None:
    assert column("property", ["P2", "P1", "P2"]).to_pydict() == {"property": ["P1", "P2"]}
    assert column("property", []).schema == pa.schema([("property", pa.string())])


def test_typed_relations_as_a_table() -> None:
    assert typed_table({"P2": ("Q9", "Q1"), "P1": ("Q1",)}).to_pydict() == {
        "property": ["P1", "P2", "P2"],
        "class": ["Q1", "Q1", "Q9"],
    }
    assert typed_table({}).num_rows == 0


def test_the_total_of_a_column() -> None:
    assert total(pa.table({"n": [1, 2]}), "n") == 3.0
    assert total(pa.table({"n": pa.array([], pa.int64())}), "n") == 0.0
