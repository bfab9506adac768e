"""Small moves between SQL results and what a kernel returns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pyarrow as pa

from stages.core.contract import TableSpec
from stages.core.rejects import REJECTS_SCHEMA


def fit(spec: TableSpec, table: pa.Table) -> pa.Table:
    """The table's columns in the order and the types of the spec."""
    return table.select(spec.schema.names).cast(spec.schema)


def as_rejects(table: pa.Table) -> pa.Table:
    """A table with the columns of the rejects, in any order and any integer type, as rejects."""
    return table.select(REJECTS_SCHEMA.names).cast(REJECTS_SCHEMA)


def column(name: str, values: Iterable[str]) -> pa.Table:
    """One text column as a table, sorted and without repeats."""
    return pa.table({name: pa.array(sorted(set(values)), pa.string())})


def typed_table(typed: Mapping[str, tuple[str, ...]]) -> pa.Table:
    """The answer classes of typed relations as a table (property, class)."""
    pairs = sorted({(pid, qid) for pid, classes in typed.items() for qid in classes})
    return pa.table(
        {
            "property": pa.array([pid for pid, _ in pairs], pa.string()),
            "class": pa.array([qid for _, qid in pairs], pa.string()),
        }
    )


def total(table: pa.Table, name: str) -> float:
    """The sum of an integer column, 0 for an empty table."""
    return float(sum(table[name].to_pylist()))
