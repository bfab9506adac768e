"""Reads tables of a published build."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa

from manifests.manifest import BuildManifest
from manifests.storage import Storage
from stages.contract import TableSpec
from stages.shards import read_shard, read_shards


def read_table(root: Storage, manifest: BuildManifest, spec: TableSpec, name: str | None = None) -> pa.Table:
    """The rows of a table. name: under which the build holds it, where that is not the spec's own.

    Raises ManifestError: the build has no such table.
    """
    return read_shards(root, manifest.table(name or spec.name).shards, spec.schema)


def iterate_table(
    root: Storage, manifest: BuildManifest, spec: TableSpec, columns: Sequence[str] | None = None
) -> Iterator[pa.Table]:
    """The rows of a table too large to be held at once, shard by shard. columns: which are wanted, all by default.

    Raises ManifestError: the build has no such table.
    """
    for shard in manifest.table(spec.name).shards:
        yield read_shard(root, shard, columns)
