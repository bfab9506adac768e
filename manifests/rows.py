"""Which rows of a table were added, removed or changed between two builds, by key and column.

Both tables come in parts (see `manifests.partitions`), so memory holds one part of each
at a time; within a part DuckDB joins them by key.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from manifests.manifest import Table
from manifests.partitions import parts, quoted
from manifests.storage import Storage

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_ROW = "#row"
Row = dict[str, Any]


@dataclass(frozen=True)
class ChangedRow:
    """A row that both tables have, with (old, new) per column that differs."""

    key: Row
    columns: dict[str, tuple[Any, Any]]


@dataclass
class RowsDifference:
    """Counts of differing rows, and of changed rows per column; examples are those with the smallest keys.

    Only columns that both tables have are compared, and no inexact ones. note: why the
    rows could not be compared at all, "" where they were.
    """

    table: str
    added: int = 0
    removed: int = 0
    changed: int = 0
    columns: dict[str, int] = field(default_factory=dict)
    added_rows: list[Row] = field(default_factory=list)
    removed_rows: list[Row] = field(default_factory=list)
    changed_rows: list[ChangedRow] = field(default_factory=list)
    note: str = ""

    @property
    def equal(self) -> bool:
        return not (self.added or self.removed or self.changed or self.note)

    def as_json(self) -> dict[str, Any]:
        changed = [{"key": row.key, "columns": row.columns} for row in self.changed_rows]
        plain: dict[str, Any] = json.loads(json.dumps({**vars(self), "changed_rows": changed}, default=str))
        return plain


def rows_diff(root_a: Storage, table_a: Table, root_b: Storage, table_b: Table, limit: int = 5) -> RowsDifference:
    """Compares two published tables row by row.

    limit: examples of each kind.

    Raises:
        ManifestError: a shard is not what its manifest says.
    """
    found = RowsDifference(table_b.name)
    if table_a.key != table_b.key:
        found.note = f"keyed by {', '.join(table_a.key)} before and by {', '.join(table_b.key)} after, not comparable"
        return found
    comparison = _Comparison(table_a, table_b, limit, found)
    for before, after in parts(root_a, table_a, root_b, table_b):
        comparison.add(before, after)
    found.columns = dict(sorted(found.columns.items(), key=lambda item: (-item[1], item[0])))
    return found


class _Comparison:
    """Adds the differences of one part after another to what was found."""

    def __init__(self, a: Table, b: Table, limit: int, found: RowsDifference) -> None:
        skipped = {*a.key, *a.inexact, *b.inexact}
        self.key = a.key
        self.values = [name for name in a.schema if name in b.schema and name not in skipped]
        self.retyped = {name for name in (*self.key, *self.values) if a.schema[name] != b.schema.get(name)}
        self.limit = limit
        self.found = found

    def add(self, before: pa.Table, after: pa.Table) -> None:
        # Whoever only reports differences reads this module too.
        import duckdb

        with duckdb.connect(":memory:", config={"threads": 1}) as connection:
            connection.register("a", _numbered(before))
            connection.register("b", _numbered(after))
            connection.execute(self._joined())
            self._count(connection)
            added = after.take(self._first(connection, "b_row", "a_row IS NULL"))
            removed = before.take(self._first(connection, "a_row", "b_row IS NULL"))
            old = before.take(self._first(connection, "a_row", "changed"))
            new = after.take(self._first(connection, "b_row", "changed"))
        found = self.found
        found.added_rows = self._smallest([*found.added_rows, *added.to_pylist()])
        found.removed_rows = self._smallest([*found.removed_rows, *removed.to_pylist()])
        pairs = zip(old.to_pylist(), new.to_pylist(), strict=True)
        changed = [*found.changed_rows, *(self._changed_row(x, y) for x, y in pairs)]
        found.changed_rows = sorted(changed, key=lambda row: self._order(row.key))[: self.limit]

    def _joined(self) -> str:
        """A table of row numbers on both sides, the key, and which columns differ."""
        same_key = " AND ".join(self._same(name) for name in self.key)
        differs = ", ".join(f"NOT ({self._same(name)})" for name in self.values)
        keys = ", ".join(f"coalesce({self._of('a', n)}, {self._of('b', n)}) AS k{i}" for i, n in enumerate(self.key))
        rows = f'a."{_ROW}" AS a_row, b."{_ROW}" AS b_row'
        return (
            f"CREATE TABLE j AS SELECT *, a_row IS NOT NULL AND b_row IS NOT NULL AND list_bool_or(differs) AS changed "  # noqa: S608
            f"FROM (SELECT {rows}, {keys}, [false{', ' + differs if differs else ''}] AS differs "
            f"FROM a FULL JOIN b ON {same_key})"
        )

    def _count(self, connection: DuckDBPyConnection) -> None:
        per_column = "".join(f", count(*) FILTER (changed AND differs[{i + 2}])" for i in range(len(self.values)))
        counted = connection.sql(
            f"SELECT count(*) FILTER (a_row IS NULL), count(*) FILTER (b_row IS NULL), count(*) FILTER (changed)"  # noqa: S608
            f"{per_column} FROM j"
        ).fetchall()
        ((added, removed, changed, *columns),) = counted
        self.found.added += added
        self.found.removed += removed
        self.found.changed += changed
        named = {name: count for name, count in zip(self.values, columns, strict=True) if count}
        self.found.columns = dict(Counter(self.found.columns) + Counter(named))

    def _first(self, connection: DuckDBPyConnection, rows: str, condition: str) -> pa.Array:
        """Row numbers of the rows with the smallest keys that fulfil a condition."""
        order = ", ".join(f"k{i}" for i in range(len(self.key)))
        query = f"SELECT {rows} FROM j WHERE {condition} ORDER BY {order} LIMIT {self.limit}"  # noqa: S608
        return connection.sql(query).to_arrow_table().column(0).combine_chunks()

    def _same(self, name: str) -> str:
        return f"{self._of('a', name)} IS NOT DISTINCT FROM {self._of('b', name)}"

    def _of(self, side: str, name: str) -> str:
        column = f"{side}.{quoted(name)}"
        return f"CAST({column} AS VARCHAR)" if name in self.retyped else column

    def _changed_row(self, old: Row, new: Row) -> ChangedRow:
        differing = [name for name in self.values if self._value(name, old) != self._value(name, new)]
        return ChangedRow({name: new[name] for name in self.key}, {name: (old[name], new[name]) for name in differing})

    def _smallest(self, rows: list[Row]) -> list[Row]:
        return sorted(rows, key=self._order)[: self.limit]

    def _order(self, row: Row) -> list[tuple[bool, Any]]:
        values = (self._value(name, row) for name in self.key)
        return [(value is None, "" if value is None else value) for value in values]

    def _value(self, name: str, row: Row) -> Any:
        """A value as it is compared: NaN equals itself, and a column of two types is compared as text."""
        value = row[name]
        return str(value) if name in self.retyped or value != value else value


def _numbered(table: pa.Table) -> pa.Table:
    return table.append_column(_ROW, pa.array(range(table.num_rows), pa.int64()))
