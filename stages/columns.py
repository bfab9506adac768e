"""Tables row by row, for kernels that need a few of the columns only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa


def values(table: pa.Table, *names: str) -> Iterator[tuple[Any, ...]]:
    """The values of some columns, row by row, in the order of the names."""
    return zip(*(table[name].to_pylist() for name in names), strict=True)
