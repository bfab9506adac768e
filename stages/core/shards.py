"""Shards: which bucket a row belongs to, how a bucket becomes a Parquet file, and back.

The bucket of a row is a hash of its key columns modulo the number of buckets, a
parameter of the build. Within a shard rows are sorted by the table's key. Both depend
on the rows alone, so the same rows give the same bytes whoever computed them where.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from manifests.digest import rows_digest, sha256
from manifests.manifest import Shard
from manifests.shards import AlteredShardError, shard_rows
from manifests.storage import Storage
from stages.core.contract import StageError, TableSpec
from stages.core.rejects import Rejects

# Writer options are part of the bytes; changing one changes every shard digest.
_PARQUET = {"compression": "zstd", "compression_level": 3, "version": "2.6", "write_statistics": True}
_ROW_GROUP = 64 * 1024
# Stored bytes that a bucket is made of; as Python rows they take about a hundred times as much memory.
_BUCKET_BYTES = 4 << 20
_MOST_BUCKETS = 4096
_SEPARATOR = "\x1f"


class DamagedShard(StageError):
    """A shard's bytes are not those that its manifest lists."""


@dataclass(frozen=True)
class Sorted:
    """One bucket, ready to be written: its rows in key order and the duplicates left out.

    added: rows that are no rows of their own now, having been added to others.
    """

    rows: pa.Table
    rejects: pa.Table
    added: int = 0


def buckets_for(stored: int) -> int:
    """How many buckets a stage makes of so many stored bytes: a power of two, one for about every 4 MiB."""
    return min(_MOST_BUCKETS, 1 << max(0, (stored - 1) // _BUCKET_BYTES).bit_length())


def bucket_numbers(table: pa.Table, columns: Sequence[str], buckets: int) -> np.ndarray:
    """The bucket of each row, by the values of some columns; nulls count as a value."""
    if buckets == 1 or table.num_rows == 0:
        return np.zeros(table.num_rows, dtype=np.int64)
    parts = [pc.fill_null(table.column(name).cast(pa.string()), "\x00") for name in columns]
    joined = parts[0] if len(parts) == 1 else pc.binary_join_element_wise(*parts, _SEPARATOR)
    # Longer to import than everything else here together, and only for whoever writes.
    from pandas.util import hash_array

    hashes = hash_array(np.asarray(joined.to_pylist(), dtype=object), categorize=False)
    return (hashes % np.uint64(buckets)).astype(np.int64)


def shards_with(bucket: int, buckets: int, shards: int) -> Sequence[int]:
    """Which of a table's shards hold the rows of one bucket, where these are split into another number by one hash."""
    if shards % buckets == 0:
        return range(bucket, shards, buckets)
    return [bucket % shards] if buckets % shards == 0 else range(shards)


def split(table: pa.Table, columns: Sequence[str], buckets: int) -> dict[int, pa.Table]:
    """The rows of each bucket that has any."""
    numbers = bucket_numbers(table, columns, buckets)
    if table.num_rows == 0:
        return {}
    order = np.argsort(numbers, kind="stable")
    sorted_rows = table.take(pa.array(order))
    present, starts = np.unique(numbers[order], return_index=True)
    ends = [*starts[1:], table.num_rows]
    return {
        int(number): sorted_rows.slice(int(start), int(end - start))
        for number, start, end in zip(present, starts, ends, strict=True)
    }


def sort_bucket(tables: Iterable[pa.Table], spec: TableSpec, stage: str) -> Sorted:
    """All rows of one bucket in key order, with repeated keys treated as the table says.

    Raises:
        StageError: a key occurs twice in a table that does not allow it; shows both rows.
    """
    rows = pa.concat_tables([spec.empty(), *(conform(table, spec, stage) for table in tables)]).combine_chunks()
    rows = rows.sort_by([(name, "ascending") for name in spec.key])
    repeated = _repeats_previous(rows, spec.key)
    if not repeated.any():
        return Sorted(rows, Rejects().table())
    if spec.on_duplicate == "sum":
        return Sorted(_summed(rows, spec), Rejects().table(), added=int(repeated.sum()))
    if spec.on_duplicate == "raise":
        at = int(np.argmax(repeated))
        first, second = rows.slice(at - 1, 2).to_pylist()
        raise StageError(f"stage {stage}, table {spec.name}: key {spec.key} occurs twice: {first} and {second}")
    return _without_duplicates(rows, repeated, spec)


def conform(table: pa.Table, spec: TableSpec, stage: str) -> pa.Table:
    """The table with exactly the columns and types of its spec.

    Raises:
        StageError: a column is missing, superfluous, does not fit its type, or holds nulls where none may be.
    """
    if table.schema.equals(spec.schema):
        _check_nulls(table, spec, stage)
        return table
    if set(table.schema.names) != set(spec.schema.names):
        missing = sorted(set(spec.schema.names) - set(table.schema.names))
        extra = sorted(set(table.schema.names) - set(spec.schema.names))
        raise StageError(f"stage {stage}, table {spec.name}: columns missing {missing}, not declared {extra}")
    try:
        return table.select(spec.schema.names).cast(spec.schema)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError) as error:
        raise StageError(f"stage {stage}, table {spec.name}: rows do not fit the schema: {error}") from error


def _check_nulls(table: pa.Table, spec: TableSpec, stage: str) -> None:
    """Arrow lets nulls into columns declared without them, and Parquet would refuse them much later."""
    for field in spec.schema:
        if not field.nullable and table.column(field.name).null_count:
            raise StageError(f"stage {stage}, table {spec.name}: column {field.name} holds nulls and may not")


def write_shard(storage: Storage, path: str, rows: pa.Table, spec: TableSpec) -> Shard:
    """Writes sorted rows as one Parquet file; returns what the manifest says of it."""
    data = parquet_bytes(rows)
    # A manifest must never outlive the files that it names.
    storage.write_bytes(path, data, durable=True)
    return Shard(
        path=path,
        rows=rows.num_rows,
        bytes=data.size,
        sha256=sha256(data),
        rows_digest=rows_digest(rows),
        stable_digest=rows_digest(rows, leave_out=spec.inexact),
    )


def parquet_bytes(rows: pa.Table) -> pa.Buffer:
    sink = pa.BufferOutputStream()
    pq.write_table(rows, sink, row_group_size=_ROW_GROUP, **_PARQUET)
    return sink.getvalue()


def read_shard(storage: Storage, shard: Shard, columns: Sequence[str] | None = None) -> pa.Table:
    """The rows of a shard, after its bytes were checked against the manifest.

    Raises:
        DamagedShard: missing, truncated or altered.
    """
    try:
        return shard_rows(storage, shard, columns or None)
    except AlteredShardError as error:
        raise DamagedShard(str(error)) from error


def read_shards(storage: Storage, shards: Sequence[Shard], schema: pa.Schema) -> pa.Table:
    """Several shards one after another; an empty table of the schema where there is none."""
    return pa.concat_tables([schema.empty_table(), *(read_shard(storage, shard) for shard in shards)]).combine_chunks()


def _repeats_previous(rows: pa.Table, key: Sequence[str]) -> np.ndarray:
    """True where a row has the key of the row before it."""
    same = np.zeros(rows.num_rows, dtype=bool)
    if rows.num_rows < 2:
        return same
    equal = np.ones(rows.num_rows - 1, dtype=bool)
    for name in key:
        column = rows.column(name).combine_chunks()
        before, after = column.slice(0, len(column) - 1), column.slice(1)
        both_null = pc.and_(pc.is_null(before), pc.is_null(after))
        equal &= pc.or_(pc.fill_null(pc.equal(before, after), False), both_null).to_numpy(zero_copy_only=False)
    same[1:] = equal
    return same


def _summed(rows: pa.Table, spec: TableSpec) -> pa.Table:
    """One row per key; the other columns are sums, in key order."""
    sums = rows.group_by(list(spec.key), use_threads=False).aggregate([(name, "sum") for name in spec.added])
    sums = sums.rename_columns([*spec.key, *spec.added]).select(spec.schema.names).cast(spec.schema)
    return sums.sort_by([(name, "ascending") for name in spec.key]).combine_chunks()


def _without_duplicates(rows: pa.Table, repeated: np.ndarray, spec: TableSpec) -> Sorted:
    """Keeps one row per key; which one is decided by content, never by arrival."""
    group = np.cumsum(~repeated)
    shared = np.isin(group, group[repeated])
    rejects, kept = Rejects(), []
    by_key: dict[int, list[dict[str, object]]] = {}
    for number, row in zip(group[shared], rows.filter(pa.array(shared)).to_pylist(), strict=True):
        by_key.setdefault(int(number), []).append(row)
    for same_key in by_key.values():
        first, *others = sorted(same_key, key=_content)
        kept.append(first)
        for other in others:
            differing = [name for name in spec.schema.names if _content(other[name]) != _content(first[name])]
            detail = f"differs in {', '.join(differing)}" if differing else "identical"
            rejects.add(" ".join(str(first[name]) for name in spec.key), "duplicate", f"{spec.name}: {detail}")
    alone = rows.filter(pa.array(~shared))
    merged = pa.concat_tables([alone, spec.table(kept)]).sort_by([(name, "ascending") for name in spec.key])
    return Sorted(merged.combine_chunks(), rejects.table())


def _content(value: object) -> str:
    """Text to order and compare values by, whatever their type; NaN equals itself here."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=repr)
