"""Verification: does every published shard still hold what its manifest says, and what to do if not.

`verify` reads every byte, and every manifest; `repair` takes the manifests of damaged
stages away, and those that no build would take, so that the next build makes those
stages anew and takes all others from cache.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from manifests.digest import rows_digest, schema_text
from manifests.manifest import BuildManifest, ManifestError, OtherFormatError, Shard, StageManifest, Table
from manifests.registry import (
    Damage,
    MissingStageError,
    datasets,
    find_by_folder,
    latest_build,
    published_stage,
    read_build,
    stage_folder,
)
from manifests.shards import AlteredShardError, shard_bytes
from manifests.storage import Storage

Progress = Callable[[int, int], None]
T = TypeVar("T")


@dataclass(frozen=True)
class Repair:
    """What `repair` took away, and the datasets that must be built again to be whole."""

    removed: tuple[str, ...]
    rebuild: tuple[str, ...]


def verify(root: Storage, dataset: str | None = None, progress: Progress | None = None) -> list[Damage]:
    """Reads and hashes every shard that a manifest under the root lists; returns all that is wrong.

    dataset: only the newest build of this one; without it, every published stage and
        the newest build of every dataset.
    progress: called with (shards done, shards in all).

    Raises:
        ManifestError: the dataset was never built under this root, or by another version of this program.
    """
    damage: list[Damage] = []
    tables = _distinct_tables(_stages(root, dataset, damage))
    # A stage's own manifest is looked at for itself, and once for each build that names it.
    damage = list(dict.fromkeys(damage))
    total = sum(len(table.shards) for _, table in tables)
    done = 0
    for stage, table in tables:
        for shard in table.shards:
            damage += [
                _damage(root, stage, table, shard.path, problem) for problem in shard_problems(root, table, shard)
            ]
            done += 1
            if progress is not None:
                progress(done, total)
    return damage


def repair(root: Storage, damage: Iterable[Damage]) -> Repair:
    """Removes the manifests of damaged stages and manifests that cannot be read; shards stay where they are, and so
    does what is reached through a link, of which the link goes."""
    bad = set(damage)
    paths = {item.path for item in bad}
    manifests = sorted({item.path for item in bad if not item.table})
    removed = [path for path in manifests if _take(root, path[len(root.base) + 1 :])]
    rebuild = []
    for manifest in _published(root, []):
        if _lists(root, manifest, paths):
            _take(root, _own_path(manifest))
            removed.append(f"{manifest.stage} {manifest.fingerprint[:12]}")
    for dataset in datasets(root):
        build = _builds(root, dataset, [])
        if build is None or any(_lists(root, stage, paths) for stage in build.stages):
            rebuild.append(dataset)
    return Repair(tuple(removed), tuple(rebuild))


def shard_problems(root: Storage, table: Table, shard: Shard) -> list[str]:
    """All that differs between a shard and its manifest, the nearest cause alone where one implies others."""
    try:
        data = shard_bytes(root, shard)
    except AlteredShardError as error:
        return [error.problem]
    try:
        rows = pq.ParquetFile(pa.BufferReader(data)).read()
    except (pa.ArrowException, OSError) as error:
        return [f"not a readable Parquet file ({error})"]
    return _row_problems(table, shard, rows)


def _row_problems(table: Table, shard: Shard, rows: pa.Table) -> list[str]:
    found = []
    if rows.num_rows != shard.rows:
        found.append(f"{rows.num_rows} rows instead of {shard.rows}")
    if schema_text(rows.schema) != table.schema:
        found.append("another schema than the manifest says")
    elif rows_digest(rows) != shard.rows_digest:
        found.append("its rows have another digest than the manifest says")
    elif rows_digest(rows, leave_out=tuple(table.inexact)) != shard.stable_digest:
        found.append("its exact columns have another digest than the manifest says")
    return found


def _stages(root: Storage, dataset: str | None, damage: list[Damage]) -> Iterator[StageManifest]:
    if dataset is None:
        yield from _published(root, damage)
        wanted = datasets(root)
    else:
        wanted = [dataset]
    for name in wanted:
        build = _builds(root, name, damage)
        if build is not None:
            yield from build.stages
            _check_published(root, build, damage)
        elif dataset is not None and not damage:
            known = ", ".join(datasets(root)) or "no dataset at all"
            raise ManifestError(f"{root.base}: {dataset} was never built here, but {known}; check --root")


def _check_published(root: Storage, build: BuildManifest, damage: list[Damage]) -> None:
    """What a build names has to be there beside it: its stages' own manifests are what the next build goes on from."""
    for stage in build.stages:
        path = _own_path(stage)
        if root.is_blocked(path):
            continue
        try:
            published_stage(root, build, stage)
        except OtherFormatError:
            raise
        except MissingStageError as error:
            damage.append(Damage(stage.stage, "", root.full(path), error.problem))
        except ManifestError as error:
            damage.append(_unreadable(root, stage.stage, path, f"not a readable manifest: {error}"))


def _published(root: Storage, damage: list[Damage]) -> Iterator[StageManifest]:
    for stage in root.folders("stages"):
        for folder in root.folders(f"stages/{stage}"):
            manifest = _read(
                root,
                stage,
                f"stages/{stage}/{folder}/manifest.json",
                damage,
                partial(find_by_folder, root, stage, folder),
            )
            if manifest is not None:
                yield manifest


def _builds(root: Storage, dataset: str, damage: list[Damage]) -> BuildManifest | None:
    """The newest build of a dataset; the manifests of its older ones are only read."""
    there = {
        *root.files(f"builds/{dataset}"),
        *(f"builds/{dataset}/{name}" for name in root.folders(f"builds/{dataset}")),
    }
    for path in sorted(there):
        if path.endswith(".json") and path != f"builds/{dataset}/latest.json":
            _read(root, "", path, damage, partial(read_build, root, path))
    return _read(root, "", f"builds/{dataset}/latest.json", damage, partial(latest_build, root, dataset))


def _read(root: Storage, stage: str, path: str, damage: list[Damage], read: Callable[[], T | None]) -> T | None:
    """A manifest, or None where there is none or one that no build would take: that is damage."""
    if root.is_blocked(path):
        damage.append(_unreadable(root, stage, path, "not a file"))
        return None
    try:
        return read()
    except OtherFormatError:
        raise
    except ManifestError as error:
        damage.append(_unreadable(root, stage, path, f"not a readable manifest: {error}"))
        return None


def _distinct_tables(stages: Iterable[StageManifest]) -> list[tuple[StageManifest, Table]]:
    """Each table once, although a stage's own manifest and several builds may list it."""
    found = {
        tuple((shard.path, shard.sha256) for shard in table.shards): (stage, table)
        for stage in stages
        for table in stage.tables.values()
    }
    return [found[paths] for paths in sorted(found)]


def _lists(root: Storage, manifest: StageManifest, paths: set[str]) -> bool:
    shards = (shard.path for table in manifest.tables.values() for shard in table.shards)
    return any(root.full(path) in paths for path in (_own_path(manifest), *shards))


def _own_path(manifest: StageManifest) -> str:
    return f"{stage_folder(manifest.stage, manifest.fingerprint)}/manifest.json"


def _take(root: Storage, path: str) -> bool:
    """Takes a manifest away; where a link leads to it, the link alone: what lies behind may be another root's.

    Whether anything was there.
    """
    if link := root.link_above(path):
        root.delete_folder(link)
    # What stands in a manifest's place and is no file keeps a build from publishing just as well.
    elif root.is_folder(path):
        root.delete_folder(path)
    else:
        try:
            root.delete_file(path)
        except FileNotFoundError:
            return False
    return True


def _damage(root: Storage, stage: StageManifest, table: Table, path: str, problem: str) -> Damage:
    return Damage(stage.stage, table.name, root.full(path), problem)


def _unreadable(root: Storage, stage: str, path: str, problem: str) -> Damage:
    return Damage(stage, "", root.full(path), problem)
