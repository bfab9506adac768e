"""Digests: of files, of parameters, and of the rows of a table.

The row digest reads Arrow values, not Parquet bytes, so it stays the same when a
later pyarrow lays the same rows out differently in a file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc


def sha256(data: bytes | pa.Buffer) -> str:
    return hashlib.sha256(data).hexdigest()


def canonical_json(value: Any) -> str:
    """JSON with sorted keys and no spaces: equal values, equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def json_digest(value: Any) -> str:
    return sha256(canonical_json(value).encode())


def schema_text(schema: pa.Schema) -> dict[str, str]:
    """Column name to type, in column order."""
    return {field.name: type_text(field.type) for field in schema}


def type_text(kind: pa.DataType) -> str:
    """A type by name. Arrow's own text also names a list's elements, and Parquet gives them another name."""
    if pa.types.is_list(kind):
        return f"list<{type_text(kind.value_type)}>"
    if pa.types.is_large_list(kind):
        return f"large_list<{type_text(kind.value_type)}>"
    if pa.types.is_struct(kind):
        return f"struct<{', '.join(f'{field.name}: {type_text(field.type)}' for field in kind)}>"
    return str(kind)


def rows_digest(table: pa.Table, leave_out: tuple[str, ...] = ()) -> str:
    """Digest of a table's rows in their order, and of its column names and types.

    leave_out: columns that do not count.

    Raises:
        TypeError: a column of a type that no table here has, such as a timestamp.
    """
    hasher = hashlib.sha256()
    for name in table.schema.names:
        if name in leave_out:
            continue
        column = table.column(name).combine_chunks()
        hasher.update(f"{name}:{type_text(column.type)}:{len(column)}\n".encode())
        _feed(hasher, column)
    return hasher.hexdigest()


def combine(digests: list[str]) -> str:
    """One digest of a table from those of its shards, in bucket order."""
    return sha256("\n".join(digests).encode())


def fingerprint(parts: Mapping[str, Any]) -> str:
    """The identity of a stage's result before it runs: a digest of all it depends on."""
    return json_digest(dict(parts))


def _feed(hasher: hashlib._Hash, array: pa.Array) -> None:
    hasher.update(np.packbits(array.is_valid().to_numpy(zero_copy_only=False)).tobytes())
    values = array.drop_null()
    kind = values.type
    if pa.types.is_struct(kind):
        for field, child in zip(kind, values.flatten(), strict=True):
            hasher.update(f"{field.name}:{type_text(field.type)}\n".encode())
            _feed(hasher, child)
    elif pa.types.is_list(kind) or pa.types.is_large_list(kind):
        hasher.update(_lengths(pc.list_value_length(values)))
        _feed(hasher, values.flatten())
    elif pa.types.is_string(kind) or pa.types.is_large_string(kind) or _is_binary(kind):
        hasher.update(_lengths(pc.binary_length(values)))
        hasher.update(_bytes_of(values))
    elif pa.types.is_boolean(kind):
        hasher.update(np.packbits(values.to_numpy(zero_copy_only=False)).tobytes())
    elif pa.types.is_integer(kind) or pa.types.is_floating(kind):
        hasher.update(np.ascontiguousarray(values.to_numpy(zero_copy_only=False)).tobytes())
    else:
        raise TypeError(f"no digest is defined for columns of type {kind}")


def _is_binary(kind: pa.DataType) -> bool:
    return bool(pa.types.is_binary(kind) or pa.types.is_large_binary(kind))


def _lengths(lengths: pa.Array) -> bytes:
    return lengths.cast(pa.int64()).to_numpy(zero_copy_only=False).tobytes()


def _bytes_of(values: pa.Array) -> memoryview | bytes:
    """The characters of a string array one after another, honouring slices."""
    wide = values.cast(pa.large_binary())
    if len(wide) == 0:
        return b""
    offsets = np.frombuffer(wide.buffers()[1], dtype=np.int64)[wide.offset : wide.offset + len(wide) + 1]
    return memoryview(wide.buffers()[2])[offsets[0] : offsets[-1]] if wide.buffers()[2] else b""
