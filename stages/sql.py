"""SQL over Arrow tables inside a kernel: one single-threaded DuckDB connection per call.

A kernel already runs once per bucket on each worker, so DuckDB's own threads would
only compete with them. Row order of a result is not defined; shards are sorted by
their key when they are written.
"""

from __future__ import annotations

import duckdb
import pyarrow as pa


def sql(query: str, **tables: pa.Table) -> pa.Table:
    """The result of one query in which each keyword names a table."""
    with duckdb.connect(":memory:", config={"threads": 1}) as connection:
        for name, table in tables.items():
            connection.register(name, table)
        return connection.sql(query).to_arrow_table()
