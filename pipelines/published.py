"""Where published builds lie, and the tables of one."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

import pyarrow as pa

from manifests.diff import load
from manifests.digest import schema_text
from manifests.manifest import BuildManifest, ManifestError
from manifests.marks import tags
from manifests.registry import builds_of, datasets, latest_build, whole_build
from manifests.storage import Storage, StorageError
from stages.core.contract import StageError, TableSpec
from stages.core.shards import read_shard, read_shards

DEFAULT_ROOT = "out"
_LEAST_DIGITS = 4


def open_root(root: str) -> Storage:
    """The storage of --root.

    Raises:
        StorageError: it is empty, the name of a file, or an address that cannot be used.
    """
    if not root.strip():
        raise StorageError("--root is empty; name a folder, s3://bucket/path or gs://bucket/path")
    storage = Storage.at(root)
    if storage.exists(""):
        raise StorageError(f"--root {root}: a file; name a folder, which need not exist yet")
    return storage


def need_build(root: Storage, dataset: str) -> BuildManifest:
    """The latest build of a dataset under a root, whose stages are there as it names them.

    Raises:
        StageError: it was never built there.
        ManifestError: its manifest, or that of a stage, is missing or altered.
    """
    manifest = latest_build(root, dataset)
    if manifest is None:
        there = ", ".join(name for name in datasets(root) if root.files(f"builds/{name}")) or "nothing"
        where = shlex.quote(root.base) if root.is_local else "..."
        raise StageError(
            f"{root.base} holds no build of {dataset} (it holds {there}); "
            f"run `benchwright build {dataset} --root {where}` first, or name another --root"
        )
    return whole_build(root, manifest)


def load_build(argument: str, dataset: str | None = None) -> tuple[BuildManifest, Storage | None]:
    """A build as `diff` and `report --against` name it: a root, a manifest file, or ROOT#NAME.

    NAME: a dataset, of which the latest build is meant, or a tag or the first digits of a version, of the dataset
        or of the only one that has such a build.

    Raises:
        ManifestError, StorageError: as `manifests.diff.load`.
        StageError: no build is called so, or builds of several datasets are.
    """
    address, _, named = argument.partition("#")
    root = Storage.at(address)
    known = [] if root.exists("") else datasets(root)
    if not known or not named or named in known:
        return load(argument, dataset)
    having = [name for name in known if _called(root, name, named)]
    if dataset is None and len(having) != 1:
        told = f"builds of {' and '.join(having)} are called so" if having else f"no build of {named} here"
        raise StageError(f"{address}: {told}; it has {', '.join(known)}, name one with --dataset")
    return whole_build(root, find_build(root, dataset or having[0], named)), root


def find_build(root: Storage, dataset: str, named: str) -> BuildManifest:
    """The build of a dataset with this tag, or whose version begins so (with four digits or more).

    Raises:
        StageError: there is none, or several versions begin so.
    """
    found = _called(root, dataset, named)
    if len(found) == 1:
        return found[0]
    versions = dict.fromkeys(build.version for _, build in builds_of(root, dataset))
    there = ", ".join([*tags(root, dataset), *versions]) or "none"
    what = f"{len(found)} builds" if found else "no build"
    raise StageError(f"{root.base} has {what} of {dataset} called {named!r}; its names and versions are {there}")


def _called(root: Storage, dataset: str, named: str) -> list[BuildManifest]:
    known = {build.version: build for _, build in builds_of(root, dataset)}
    wanted = tags(root, dataset).get(named, named)
    return [build for version, build in known.items() if len(wanted) >= _LEAST_DIGITS and version.startswith(wanted)]


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
