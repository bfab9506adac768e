"""Two builds' tables in parts that can be compared one by one: equal keys are in equal parts.

Equal shards cancel out unread. The others are paired by number where both tables are
laid out alike, and otherwise both are split by key into temporary files.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pyarrow as pa

from manifests.manifest import Shard, Table
from manifests.shards import shard_rows
from manifests.storage import Storage

_MOST_PARTS = 64


def parts(root_a: Storage, a: Table, root_b: Storage, b: Table) -> Iterator[tuple[pa.Table, pa.Table]]:
    """All rows that may differ, as (rows of a, rows of b) with equal keys in the same part.

    Raises:
        AlteredShardError: a shard is not what its manifest says.
    """
    return _pairs(root_a, a, root_b, b) if _same_layout(a, b) else _repartitioned(root_a, a, root_b, b)


def quoted(name: str) -> str:
    """A column name as DuckDB reads it."""
    return '"' + name.replace('"', '""') + '"'


def _same_layout(a: Table, b: Table) -> bool:
    """Whether equal keys stand in shards of equal number, so that shards can be compared in pairs."""
    types = all(a.schema[name] == b.schema.get(name) for name in a.bucket_by)
    by_key = set(a.bucket_by) <= set(a.key)
    return a.bucket_by == b.bucket_by and len(a.shards) == len(b.shards) and by_key and types


def _pairs(root_a: Storage, a: Table, root_b: Storage, b: Table) -> Iterator[tuple[pa.Table, pa.Table]]:
    for old, new in zip(a.shards, b.shards, strict=True):
        if _digest(a, b, old) != _digest(a, b, new):
            yield shard_rows(root_a, old), shard_rows(root_b, new)


def _repartitioned(root_a: Storage, a: Table, root_b: Storage, b: Table) -> Iterator[tuple[pa.Table, pa.Table]]:
    """Both tables by a hash of the key. Keys are unique, so two shards with the same rows match nothing else."""
    common = Counter(_digest(a, b, x) for x in a.shards) & Counter(_digest(a, b, x) for x in b.shards)
    olds = _without(a.shards, [_digest(a, b, shard) for shard in a.shards], common)
    news = _without(b.shards, [_digest(a, b, shard) for shard in b.shards], common)
    count = min(_MOST_PARTS, max(len(olds), len(news), 1))
    with tempfile.TemporaryDirectory(prefix="benchwright-diff-") as folder:
        before = _spread(_rows(root_a, a, olds), a.key, count, Path(folder) / "a")
        after = _spread(_rows(root_b, b, news), b.key, count, Path(folder) / "b")
        for old, new in zip(before, after, strict=True):
            yield _stored(old), _stored(new)


def _without(shards: Sequence[Shard], digests: Sequence[str], common: Counter[str]) -> list[Shard]:
    left = Counter(common)
    kept = []
    for shard, digest in zip(shards, digests, strict=True):
        if left[digest]:
            left[digest] -= 1
        else:
            kept.append(shard)
    return kept


def _rows(root: Storage, table: Table, shards: Sequence[Shard]) -> Iterator[pa.Table]:
    """The rows of some shards of a table; of none, a table without rows that has the columns."""
    yield shard_rows(root, table.shards[0]).slice(0, 0)
    for shard in shards:
        yield shard_rows(root, shard)


def _spread(tables: Iterable[pa.Table], key: Sequence[str], count: int, folder: Path) -> list[Path]:
    """Writes rows to one file per part, by a hash of their key as text."""
    import duckdb

    folder.mkdir()
    paths = [folder / f"{part}.arrow" for part in range(count)]
    hashed = ", ".join(f"CAST({quoted(name)} AS VARCHAR)" for name in key)
    with ExitStack() as stack, duckdb.connect(":memory:", config={"threads": 1}) as connection:
        writers: list[pa.ipc.RecordBatchFileWriter] = []
        for table in tables:
            if not writers:
                writers = [stack.enter_context(pa.ipc.new_file(str(path), table.schema)) for path in paths]
            connection.register("t", table)
            query = f"SELECT hash({hashed}) % {count} AS part FROM t"  # noqa: S608
            numbers = connection.sql(query).to_arrow_table().column(0).to_numpy()
            for part, writer in enumerate(writers):
                writer.write_table(table.filter(pa.array(numbers == part)))
    return paths


def _stored(path: Path) -> pa.Table:
    with pa.OSFile(str(path)) as file:
        return pa.ipc.open_file(file).read_all()


def _digest(a: Table, b: Table, shard: Shard) -> str:
    return shard.stable_digest if a.inexact == b.inexact else shard.rows_digest
