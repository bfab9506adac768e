"""Columns of tables: how schemas declare them, and a few of them read row by row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa


def values(table: pa.Table, *names: str) -> Iterator[tuple[Any, ...]]:
    """The values of some columns, row by row, in the order of the names."""
    return zip(*(table[name].to_pylist() for name in names), strict=True)


def text(name: str) -> pa.Field:
    return pa.field(name, pa.string(), nullable=False)


def texts(name: str) -> pa.Field:
    return pa.field(name, pa.list_(pa.string()), nullable=False)


def number(name: str) -> pa.Field:
    return pa.field(name, pa.int32(), nullable=False)


def flag(name: str) -> pa.Field:
    return pa.field(name, pa.bool_(), nullable=False)
