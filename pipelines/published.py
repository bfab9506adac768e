"""Reads tables of a published build."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa

from manifests.digest import schema_text
from manifests.manifest import BuildManifest, ManifestError
from manifests.storage import Storage
from stages.core.contract import TableSpec
from stages.core.shards import read_shard, read_shards


def read_table(root: Storage, manifest: BuildManifest, spec: TableSpec, name: str | None = None) -> pa.Table:
    """The rows of a table. name: under which the build holds it, where that is not the spec's own.

    Raises ManifestError: the build has no such table, or has it in another shape, as an older program made it.
    """
    table = manifest.table(name or spec.name)
    if (there := table.schema) != (expected := schema_text(spec.schema)):
        columns = sorted(column for column, _ in there.items() ^ expected.items())
        raise ManifestError(
            f"{manifest.dataset} {manifest.version}: the table {name or spec.name} was made by another version of this "
            f"program and differs in {', '.join(columns)}; build it anew"
        )
    return read_shards(root, table.shards, spec.schema)


def iterate_table(
    root: Storage, manifest: BuildManifest, spec: TableSpec, columns: Sequence[str] | None = None
) -> Iterator[pa.Table]:
    """The rows of a table too large to be held at once, shard by shard. columns: which are wanted, all by default.

    Raises ManifestError: the build has no such table.
    """
    for shard in manifest.table(spec.name).shards:
        yield read_shard(root, shard, columns)
