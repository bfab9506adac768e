"""A shard's bytes, hashed whenever they are read: the one way to them for whoever reads a build."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa
import pyarrow.parquet as pq

from manifests.digest import sha256
from manifests.manifest import BuildManifest, ManifestError, Shard
from manifests.storage import Storage, StorageError

MENDED = "`benchwright verify --repair` drops the stage, and the next build makes it anew"


class AlteredShardError(ManifestError):
    """A shard is not the file that its manifest names. problem: what is wrong, without the path and what helps."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}: {problem}; {MENDED}")
        self.problem = problem


def shard_bytes(root: Storage, shard: Shard) -> pa.Buffer:
    """The bytes of a shard, which are those that were published.

    Raises:
        AlteredShardError: missing, no file, cut off or altered.
    """
    where = root.full(shard.path)
    try:
        data = root.read_bytes(shard.path)
    except (StorageError, OSError) as error:
        raise AlteredShardError(where, _unread(root, shard, error)) from error
    if data.size != shard.bytes:
        raise AlteredShardError(where, f"{data.size} bytes instead of {shard.bytes}")
    if sha256(data) != shard.sha256:
        raise AlteredShardError(where, "its bytes have another sha256 than the manifest says")
    return data


def shard_rows(root: Storage, shard: Shard, columns: Iterable[str] | None = None) -> pa.Table:
    """The rows of a shard; raises as `shard_bytes`. columns: which, and in which order, all by default."""
    # `read_table` gives the same rows and imports pandas.
    file = pq.ParquetFile(pa.BufferReader(shard_bytes(root, shard)))
    if columns is None:
        return file.read()
    wanted = list(columns)
    return file.read(wanted).select(wanted)


def check_shards(root: Storage, build: BuildManifest) -> None:
    """Reads and hashes every shard of a build; raises as `shard_bytes`."""
    for stage in build.stages:
        for table in stage.tables.values():
            for shard in table.shards:
                shard_bytes(root, shard)


def _unread(root: Storage, shard: Shard, error: Exception) -> str:
    if root.is_blocked(shard.path):
        return "not a file"
    return "missing" if root.size(shard.path) is None else f"cannot be read ({error})"
