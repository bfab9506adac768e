"""The contract: stages and tables that make no sense are refused when they are made."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from stages.core.contract import Join, Map, Output, Score, Stage, StageError, TableSpec, Whole
from stages.core.rejects import REJECTS_SCHEMA
from tests.toy import COUNTS, SCORES, WORDS, LengthScorer, Lines

SCHEMA = pa.schema([("word", pa.string()), ("count", pa.int64())])


def test_a_table_is_bucketed_by_its_first_key_column_unless_it_says_otherwise() -> None:
    assert TableSpec("t", SCHEMA, ("count", "word")).bucket_columns == ("count",)
    assert TableSpec("t", SCHEMA, ("word",), bucket_by=("count", "word")).bucket_columns == ("count", "word")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"key": ()}, "table t: a key of at least one column"),
        ({"key": ("other",)}, r"table t: columns \['other'\] are not in its schema"),
        ({"bucket_by": ("x",)}, r"\['x'\] are not in its schema"),
        ({"inexact": ("x",)}, r"\['x'\] are not in its schema"),
        ({"on_duplicate": "keep"}, r"on_duplicate is 'raise', 'reject' or 'sum', not 'keep'"),
        (
            {"on_duplicate": "sum", "key": ("count",)},
            r"columns \['word'\] are to be added up, and are no whole numbers",
        ),
    ],
)
def test_a_table_that_makes_no_sense_is_refused(changed: dict[str, Any], words: str) -> None:
    with pytest.raises(StageError, match=words):
        TableSpec(**{"name": "t", "schema": SCHEMA, "key": ("word",), **changed})


def test_rows_take_the_declared_schema() -> None:
    spec = TableSpec("t", SCHEMA, ("word",))
    assert spec.empty().schema == SCHEMA and spec.empty().num_rows == 0
    assert spec.table([{"word": "a"}]).to_pylist() == [{"word": "a", "count": None}]


def kernel(*tables: pa.Table) -> Output:
    return Output({})


@pytest.mark.parametrize(
    ("made", "words"),
    [
        ({"shape": Map()}, "needs either input tables or a source"),
        ({"shape": Map(), "inputs": ("words",), "source": Lines(())}, "needs either input tables or a source"),
        ({"shape": Join((("word",),)), "inputs": ("words", "counts")}, "one tuple of join columns per input, got 1"),
        ({"shape": Score("pair", "a", "b"), "inputs": ("pairs",)}, "a scorer goes with the Score shape"),
        ({"shape": Whole(), "inputs": ("words",), "scorer": LengthScorer()}, "a scorer goes with the Score shape"),
        ({"shape": Map(), "inputs": ("words",), "outputs": (WORDS, WORDS)}, "two output tables of one name"),
    ],
)
def test_a_stage_that_makes_no_sense_is_refused(made: dict[str, Any], words: str) -> None:
    with pytest.raises(StageError, match=f"stage a.b: {words}"):
        Stage(**{"name": "a.b", "kernel": kernel, "outputs": (COUNTS,), **made})


def test_an_output_has_no_rejects_and_no_metrics_unless_given() -> None:
    output = Output({})
    assert output.rejects.schema == REJECTS_SCHEMA and output.rejects.num_rows == 0 and output.metrics == {}
    assert SCORES.inexact == ("score",)
