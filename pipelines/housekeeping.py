"""Removes what broken-off builds left under a root: attempts that no manifest names.

A build that is still running looks just the same, so whatever is younger than a given
age is left alone.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from pyarrow import fs

from manifests.registry import find_by_folder
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
    unused = [
        path
        for stage in root.folders("stages")
        for folder in root.folders(f"stages/{stage}")
        for path in _unused_attempts(root, stage, folder)
        if _newest(root, path) < oldest
    ]
    if not dry_run:
        for path in unused:
            root.delete_folder(path)
    return unused


def _unused_attempts(root: Storage, stage: str, folder: str) -> list[str]:
    base = f"stages/{stage}/{folder}"
    manifest = find_by_folder(root, stage, folder)
    tables = manifest.tables.values() if manifest else ()
    used = {shard.path.removeprefix(f"{base}/").split("/", 1)[0] for table in tables for shard in table.shards}
    return [f"{base}/{attempt}" for attempt in root.folders(base) if attempt not in used]


def _newest(root: Storage, path: str) -> datetime:
    """When something last changed in a folder; a folder without files counts as old."""
    found = root.filesystem.get_file_info(fs.FileSelector(root.full(path), recursive=True))
    times = [info.mtime.astimezone(UTC) for info in found if info.mtime is not None]
    return max(times, default=datetime.min.replace(tzinfo=UTC))
