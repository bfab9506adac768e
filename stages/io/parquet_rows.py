"""The rows of a Parquet file one by one, in bounded memory, each for itself readable or not.

A few kilobytes can stand for gigabytes: a text that every row repeats is stored once, and
an empty one packs to nothing. So texts stay the dictionaries that they are stored as, as many
rows are decoded at a time as the file's own figures allow, and of these as many are made into
values as make up some megabytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from manifests.storage import open_input

MAGIC = b"PAR1"
MAX_ROWS = 1000
MAX_SLICE_BYTES = 4 * 1024 * 1024
# Of what one batch holds before its rows are made: by the file's own figures, which cannot tell how even its rows are.
_MAX_BATCH_BYTES = 64 * 1024 * 1024
# Texts of people pack to a third or a tenth. Of a page of Parquet nothing can be told before it is unpacked, and it
# may hold a whole row group.
_MOST_PACKED, _BOMB_BYTES = 200, 256 * 1024 * 1024

Row = dict[str, Any]


def is_parquet(uri: str) -> bool:
    """Raises StorageError: there is no such file."""
    with open_input(uri) as file:
        return file.read(len(MAGIC)) == MAGIC


def column_names(uri: str) -> list[str]:
    """The columns of a Parquet file; none where its own description cannot be read, which `read_rows` tells of.

    Raises StorageError: there is no such file.
    """
    with open_input(uri) as file:
        try:
            return list(pq.ParquetFile(file).schema_arrow.names)
        except (pa.ArrowException, OSError):
            return []


def read_rows(uri: str, columns: Sequence[str], max_bytes: int) -> Iterator[tuple[Row, str]]:
    """(values by column, "") of each row, or ({}, "reason: detail").

    columns: those of them that the file has are read. Texts, numbers and truth values come as such, anything else as
        a list with the name of its type.
    max_bytes: of all texts of one row.

    Errors: bad_encoding (a text of the row is not UTF-8), oversized_row, oversized_group (it would unpack to far more
    than texts do), and bad_parquet for the rest of a row group, or for the whole file where its own description cannot
    be read.

    Raises:
        StorageError: there is no such file.
    """
    with open_input(uri) as file:
        try:
            found = pq.ParquetFile(file)
            wanted = [name for name in columns if name in found.schema_arrow.names]
            texts = [name for name in wanted if _is_text(found.schema_arrow.field(name).type)]
            parquet = pq.ParquetFile(file, read_dictionary=texts, page_checksum_verification=True)
        except (pa.ArrowException, OSError) as error:
            yield {}, f"bad_parquet: {error}"
            return
        for number in range(parquet.num_row_groups):
            where = f"row group {number + 1} of {parquet.num_row_groups}"
            try:
                unpacked, packed, rows = _figures(parquet.metadata.row_group(number), wanted)
                if unpacked > max(_BOMB_BYTES, _MOST_PACKED * packed):
                    yield {}, f"oversized_group: {where}: {unpacked:,} bytes out of {packed:,}, for {rows:,} rows"
                    continue
                at_once = max(1, min(MAX_ROWS, _MAX_BATCH_BYTES * rows // max(unpacked, 1)))
                for batch in parquet.iter_batches(at_once, row_groups=[number], columns=wanted):
                    yield from _rows(batch, max_bytes)
            except (pa.ArrowException, OSError) as error:
                yield {}, f"bad_parquet: {where}: {error}"


def _figures(group: pq.RowGroupMetaData, columns: Sequence[str]) -> tuple[int, int, int]:
    """Bytes unpacked and packed of some columns of a row group, as the file tells them, and its rows."""
    chunks = [group.column(at) for at in range(group.num_columns)]
    own = [chunk for chunk in chunks if chunk.path_in_schema.split(".")[0] in columns]
    return (
        sum(chunk.total_uncompressed_size for chunk in own),
        sum(chunk.total_compressed_size for chunk in own),
        group.num_rows,
    )


def _is_text(kind: pa.DataType) -> bool:
    values = kind.value_type if pa.types.is_dictionary(kind) else kind
    return bool(pa.types.is_string(values) or pa.types.is_large_string(values))


def _rows(batch: pa.RecordBatch, max_bytes: int) -> Iterator[tuple[Row, str]]:
    columns = dict(zip(batch.schema.names, map(_stored, batch.columns), strict=True))
    sizes = np.zeros(batch.num_rows, dtype=np.int64)
    for column in columns.values():
        sizes += _sizes(column)
    start = 0
    for end in _ends(sizes.tolist(), min(MAX_SLICE_BYTES, max_bytes)):
        if end - start == 1 and sizes[start] > max_bytes:
            yield {}, f"oversized_row: {sizes[start]} bytes, the limit is {max_bytes}"
        else:
            values = {name: _values(column.slice(start, end - start)) for name, column in columns.items()}
            yield from (_row(values, at) for at in range(end - start))
        start = end


def _ends(sizes: Sequence[int], most: int) -> Iterator[int]:
    """Where runs of rows end that have `most` bytes at most; a row of more is a run of its own."""
    start = held = 0
    for at, size in enumerate(sizes):
        if at > start and held + size > most:
            yield at
            start, held = at, 0
        held += size
    if sizes:
        yield len(sizes)


def _stored(column: pa.Array) -> pa.Array:
    """A column with its texts as bytes, which nobody has checked yet."""
    kind = column.type
    if not _is_text(kind):
        return column
    if not pa.types.is_dictionary(kind):
        return column.cast(pa.large_string()).cast(pa.large_binary())
    words = column.dictionary.cast(pa.large_string()).cast(pa.large_binary())
    return pa.DictionaryArray.from_arrays(column.indices, words)


def _sizes(column: pa.Array) -> np.ndarray:
    """Bytes of each value of a column of texts, 0 of all others."""
    if pa.types.is_dictionary(column.type) and pa.types.is_large_binary(column.type.value_type):
        lengths = pc.binary_length(column.dictionary).take(column.indices)
    elif pa.types.is_large_binary(column.type):
        lengths = pc.binary_length(column)
    else:
        return np.zeros(len(column), dtype=np.int64)
    return np.asarray(pc.fill_null(lengths, 0).to_numpy(zero_copy_only=False), dtype=np.int64)


def _values(column: pa.Array) -> list[Any]:
    kind = column.type
    if pa.types.is_dictionary(kind) and pa.types.is_large_binary(kind.value_type):
        return column.dictionary.take(column.indices).to_pylist()
    plain = pa.types.is_large_binary(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind)
    if plain or pa.types.is_boolean(kind) or pa.types.is_null(kind):
        return column.to_pylist()
    return [[str(kind)] if valid else None for valid in column.is_valid().to_pylist()]


def _row(values: dict[str, list[Any]], at: int) -> tuple[Row, str]:
    row: Row = {}
    for name, column in values.items():
        value = column[at]
        try:
            row[name] = value.decode() if isinstance(value, bytes) else value
        except UnicodeDecodeError as fault:
            return {}, f"bad_encoding: {name} is not UTF-8 ({fault.reason}) | {value[:80].decode('utf-8', 'replace')}"
    return row, ""
