"""Spill files: rows between two steps of one stage, written once and read by bucket.

One worker's output for all tables and buckets goes to one file, as IPC streams one
after another; what moves through the shuffle is only the place of each stream. So a
shuffle's memory does not follow the size of the data, on any runner.
"""

from __future__ import annotations

import io
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from manifests.storage import Storage
from stages.core.contract import StageError

_OPTIONS = pa.ipc.IpcWriteOptions(compression="lz4")


@dataclass(frozen=True)
class Spill:
    """Where the rows of one table and bucket stand."""

    path: str
    offset: int
    length: int
    rows: int


def write_spill(storage: Storage, folder: str, tables: Sequence[pa.Table]) -> list[Spill]:
    """Writes tables to one new file of the folder; one Spill per table, in order.

    The name is new at every call: a repeated attempt never touches what an earlier one wrote.
    """
    sink = io.BytesIO()
    ends = [0]
    for table in tables:
        with pa.ipc.new_stream(sink, table.schema, options=_OPTIONS) as writer:
            writer.write_table(table)
        ends.append(sink.tell())
    path = f"{folder}/{uuid.uuid4().hex}.arrows"
    storage.write_bytes(path, sink.getbuffer())
    return [
        Spill(path, start, end - start, table.num_rows)
        for table, start, end in zip(tables, ends[:-1], ends[1:], strict=True)
    ]


def read_spill(storage: Storage, spill: Spill) -> pa.Table:
    """The rows of one table and bucket.

    Raises:
        StageError: they are not all there.
    """
    try:
        with storage.open_input(spill.path) as file:
            file.seek(spill.offset)
            table = pa.ipc.open_stream(file.read_buffer(spill.length)).read_all()
    except (pa.ArrowInvalid, OSError) as error:
        raise StageError(f"{storage.full(spill.path)}: is not there in full ({error}); build again") from error
    # A stream that is cut between two of its messages only looks shorter.
    if table.num_rows != spill.rows:
        held = f"{table.num_rows:,} of {spill.rows:,} rows"
        raise StageError(f"{storage.full(spill.path)}: holds {held} that were written; build again")
    return table


def read_spills(storage: Storage, spills: Sequence[Spill], schema: pa.Schema) -> pa.Table:
    return pa.concat_tables([schema.empty_table(), *(read_spill(storage, spill) for spill in spills)])
