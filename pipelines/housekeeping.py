"""Removes what broken-off builds left under a root: attempts that no manifest names.

A build that is still running looks just the same, so whatever is younger than a given
age is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from pyarrow import fs

from manifests.manifest import StageManifest
from manifests.registry import datasets, find_by_folder, read_build
from manifests.storage import Storage

_MOST_HOURS = 1_000_000


def remove_unused(root: Storage, hours: float, dry_run: bool = False) -> list[str]:
    """Folders of attempts without a manifest that names them; removed unless dry_run. Returns their paths.

    Raises:
        ValueError: no such age.
    """
    if not 0 <= hours <= _MOST_HOURS:
        raise ValueError(f"an age of {hours} hours; expected from 0 to {_MOST_HOURS:,}")
    oldest = datetime.now(UTC) - timedelta(hours=hours)
    used = {_attempt(path) for manifest in _manifests(root) for path in _shards(manifest)}
    attempts = (
        f"stages/{stage}/{folder}/{attempt}"
        for stage in root.folders("stages")
        for folder in root.folders(f"stages/{stage}")
        for attempt in root.folders(f"stages/{stage}/{folder}")
    )
    unused = [path for path in attempts if path not in used and _newest(root, path) < oldest]
    if not dry_run:
        for path in unused:
            root.delete_folder(path)
    return unused


def _manifests(root: Storage) -> Iterator[StageManifest]:
    """All that is published: where two builders met, a build may name shards that the stage's manifest does not."""
    for stage in root.folders("stages"):
        for folder in root.folders(f"stages/{stage}"):
            manifest = find_by_folder(root, stage, folder)
            if manifest is not None:
                yield manifest
    for dataset in datasets(root):
        for path in root.files(f"builds/{dataset}"):
            if path.endswith(".json"):
                yield from read_build(root, path).stages


def _shards(manifest: StageManifest) -> Iterator[str]:
    return (shard.path for table in manifest.tables.values() for shard in table.shards)


def _attempt(shard: str) -> str:
    """stages/{stage}/{fingerprint}/{attempt}, of a shard's path."""
    return "/".join(shard.split("/")[:4])


def _newest(root: Storage, path: str) -> datetime:
    """When something last changed in a folder; a folder without files counts as old."""
    found = root.filesystem.get_file_info(fs.FileSelector(root.full(path), recursive=True))
    times = [info.mtime.astimezone(UTC) for info in found if info.mtime is not None]
    return max(times, default=datetime.min.replace(tzinfo=UTC))
