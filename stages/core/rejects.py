"""Rejects: what a stage dropped, under which key, and why.

Schema: key (string), reason (string, a short fixed word), detail (string), count
(int64, how many records this row stands for). Rows equal in key, reason and detail
are summed when the rejects table is published, so a kernel may reject one record at
a time or many under one key.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa

from stages.core.texts import Refused

DETAIL_LIMIT = 200

REJECTS_SCHEMA = pa.schema(
    [
        pa.field("key", pa.string(), nullable=False),
        pa.field("reason", pa.string(), nullable=False),
        pa.field("detail", pa.string(), nullable=False),
        pa.field("count", pa.int64(), nullable=False),
    ]
)


def empty_rejects() -> pa.Table:
    return REJECTS_SCHEMA.empty_table()


class Rejects:
    """Collects rejects inside a kernel."""

    def __init__(self) -> None:
        self._rows: list[tuple[str, str, str, int]] = []
        self._tables: list[pa.Table] = []

    def add(self, key: str, reason: str, detail: str = "", count: int = 1) -> None:
        self._rows.append((key, reason, clip(detail), count))

    def add_all(self, keys: pa.Array | pa.ChunkedArray, reason: str, detail: str = "") -> None:
        """One reject per key, all for the same reason."""
        if isinstance(keys, pa.ChunkedArray):
            keys = keys.combine_chunks()
        n = len(keys)
        columns = [
            keys.cast(pa.string()),
            pa.repeat(pa.scalar(reason), n),
            pa.repeat(pa.scalar(clip(detail)), n),
            pa.repeat(pa.scalar(1, pa.int64()), n),
        ]
        self._tables.append(pa.Table.from_arrays(columns, schema=REJECTS_SCHEMA))

    def extend(self, table: pa.Table) -> None:
        self._tables.append(table.cast(REJECTS_SCHEMA))

    @contextmanager
    def catch(self, key: str) -> Iterator[None]:
        """Around the reading of one record: where that ends in Refused, the record is a reject, and the block ends."""
        try:
            yield
        except Refused as fault:
            self.add(key, fault.reason, str(fault))

    def table(self) -> pa.Table:
        own = pa.Table.from_arrays(
            [
                pa.array(column, type=field.type)
                for column, field in zip(zip(*self._rows, strict=True), REJECTS_SCHEMA, strict=True)
            ]
            if self._rows
            else [pa.array([], type=field.type) for field in REJECTS_SCHEMA],
            schema=REJECTS_SCHEMA,
        )
        return pa.concat_tables([own, *self._tables]) if self._tables else own


def clip(text: str) -> str:
    """A detail is for reading: one line, at most DETAIL_LIMIT characters."""
    line = " ".join(text.split())
    return line if len(line) <= DETAIL_LIMIT else line[: DETAIL_LIMIT - 1] + "…"
