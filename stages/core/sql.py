"""SQL over Arrow tables inside a kernel, on one single-threaded DuckDB connection per thread.

A kernel already runs once per bucket on each worker, so DuckDB's own threads would
only compete with them. Opening a connection costs about as much as a small query, so
it stays open. Row order of a result is not defined; shards are sorted by their key
when they are written.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pyarrow as pa

from stages.core.alive import alive

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_local = threading.local()


def sql(query: str, **tables: pa.Table) -> pa.Table:
    """The result of one query in which each keyword names a table."""
    connection = _connection()
    alive()
    try:
        for name, table in tables.items():
            connection.register(name, table)
        return connection.sql(query).to_arrow_table()
    finally:
        for name in tables:
            connection.unregister(name)


def _connection() -> DuckDBPyConnection:
    # A forked process must not share its parent's connection.
    if getattr(_local, "process", None) != os.getpid():
        # Kernels are imported to describe a build, most of which may be there already.
        import duckdb

        _local.connection = duckdb.connect(":memory:", config={"threads": 1})
        # It would write into the output of whatever command runs the build, as soon as a query takes some seconds.
        _local.connection.execute("SET enable_progress_bar = false")
        _local.process = os.getpid()
    return _local.connection
