"""Keeps a root in order: drops old builds, and removes the files that no manifest names.

A build that is still running leaves files that look just like what a broken-off one left,
and it may use what an old build made. So whatever is younger than a given age is left
alone, and what is dropped is only unpublished at first: its files go once it has been
dropped for that long, and stay if a build that was running has named them by then.

Nothing is removed that is reached through a link: a linked folder below the root is
somebody's own arrangement, and what lies behind it may belong to others. `linked_folders`
names what is left alone for that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from manifests.manifest import BuildManifest, StageManifest
from manifests.marks import begun, tags
from manifests.registry import builds_of, datasets, find_by_folder, latest_build, read_build
from manifests.storage import Storage
from pipelines.live import DIGEST_DIGITS, REQUESTS, SOURCES

MOST_HOURS = 1_000_000
_DROPPED = "dropped"
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Dropped:
    """Manifests that were taken away: of builds ("dataset version") and of stages (their folders)."""

    builds: tuple[str, ...] = ()
    stages: tuple[str, ...] = ()


def drop_builds(root: Storage, keep: int, hours: float, dry_run: bool = False) -> Dropped:
    """Drops all but the newest builds of each dataset, and the stages that none of the builds left needs.

    Builds that were given a name stay, and what unfinished ones have made.

    keep: builds of each dataset, beside its latest one.
    hours: stages that were finished within this time stay, since a build that is running may be going to name them.

    Raises:
        ValueError: no such number or age.
        ManifestError: a manifest cannot be read; nothing is dropped.
    """
    if keep < 1:
        raise ValueError(f"{keep} builds to keep; expected at least 1, as a dataset's latest build always stays")
    oldest = _oldest(hours)
    old = [path for dataset in _own(root, "builds") for path in _old_builds(root, dataset, keep)]
    left = [build for path, build in _builds(root) if path not in old]
    needed = {(stage.stage, stage.fingerprint) for build in left for stage in build.stages}
    needed |= {stage for build in begun(root) for stage in build.stages}
    folders = [
        folder
        for folder, manifest in _stages(root)
        if (manifest.stage, manifest.fingerprint) not in needed and _finished(manifest) < oldest
        if folder.rpartition("/")[2] in _own(root, f"stages/{manifest.stage}")
    ]
    if not dry_run:
        for path in old:
            root.delete_file(path)
        for folder in folders:
            # First the mark: whoever finds neither mark nor manifest would take the files for older than they are.
            root.write_bytes(f"{folder}/{_DROPPED}", b"")
            root.delete_file(f"{folder}/manifest.json")
    names = (path.removeprefix("builds/").removesuffix(".json").replace("/", " ") for path in old)
    return Dropped(tuple(names), tuple(folders))


def remove_unused(root: Storage, hours: float, dry_run: bool = False) -> list[str]:
    """Folders of attempts without a manifest that names them; removed unless dry_run. Returns their paths.

    Raises:
        ValueError: no such age.
    """
    oldest = _oldest(hours)
    used = {_attempt(path) for manifest in _manifests(root) for path in _shards(manifest)}
    unused = [path for path in _attempts(root) if path not in used and _newest(root, path) < oldest]
    if not dry_run:
        for path in unused:
            root.delete_folder(path)
        for folder in sorted({path.rpartition("/")[0] for path in unused}):
            if root.files(folder) == [f"{folder}/{_DROPPED}"]:
                root.delete_folder(folder)
    return unused


def remove_sources(root: Storage, hours: float, dry_run: bool = False) -> list[str]:
    """Folders of what live sources gave (`pipelines.live`) that no manifest was made from; removed unless dry_run.

    Raises:
        ValueError: no such age.
    """
    oldest = _oldest(hours)
    # A folder is named by how the digest of its file begins.
    read = {digest[:DIGEST_DIGITS] for manifest in _manifests(root) for digest in manifest.inputs.values()}
    folders = [f"{SOURCES}/{name}" for name in _own(root, SOURCES) if name not in read]
    return _without(root, folders, oldest, dry_run)


def remove_requests(root: Storage, hours: float, dry_run: bool = False) -> list[str]:
    """The answers of live sources, which the next build asks for again, unless some are young; as `remove_sources`."""
    oldest = _oldest(hours)
    there = [REQUESTS] if REQUESTS in _own(root) and root.files(REQUESTS) else []
    return _without(root, there, oldest, dry_run)


def linked_folders(root: Storage) -> list[str]:
    """Links to folders where `clean` would look: it looks behind none of them."""
    places = ["", "builds", "stages", SOURCES, *(f"stages/{name}" for name in _own(root, "stages"))]
    places += [f"stages/{name}/{folder}" for name in _own(root, "stages") for folder in _own(root, f"stages/{name}")]
    links = ((place, {*root.folders(place)} - {*root.folders(place, links=False)}) for place in places)
    return sorted(f"{place}/{name}".lstrip("/") for place, names in links for name in names)


def _own(root: Storage, path: str = "") -> list[str]:
    """Names of the folders in a folder that are no links; none in a folder that is reached through a link."""
    above, _, name = path.rpartition("/")
    return root.folders(path, links=False) if not path or name in _own(root, above) else []


def live_bytes(root: Storage) -> dict[str, int]:
    """Bytes of the answers of live sources, and of the files that were made of them, where there are any."""
    sizes = {name: sum(root.size(path) or 0 for path in root.files(name)) for name in (REQUESTS, SOURCES)}
    return {name: size for name, size in sizes.items() if size}


def _without(root: Storage, folders: list[str], oldest: datetime, dry_run: bool) -> list[str]:
    """Removes the old ones. A build that takes a file of an earlier one writes it anew first, which makes it young."""
    removed = []
    for path in folders:
        # Each is looked at right before it goes, since a build may have begun meanwhile.
        if _changed(root, path) < oldest:
            removed.append(path)
            if not dry_run:
                root.delete_folder(path)
    return removed


def _oldest(hours: float) -> datetime:
    if not 0 <= hours <= MOST_HOURS:
        raise ValueError(f"an age of {hours} hours; expected from 0 to {MOST_HOURS:,}")
    return datetime.now(UTC) - timedelta(hours=hours)


def _old_builds(root: Storage, dataset: str, keep: int) -> list[str]:
    """Paths of a dataset's builds beyond the newest; never that of its latest whole one."""
    latest = latest_build(root, dataset)
    kept = {*tags(root, dataset).values(), *((latest.version,) if latest else ())}
    newest = sorted(
        builds_of(root, dataset), key=lambda pair: (str(pair[1].run.get("finished", "")), pair[0]), reverse=True
    )
    return [path for path, build in newest[keep:] if build.version not in kept]


def _builds(root: Storage) -> Iterator[tuple[str, BuildManifest]]:
    for dataset in datasets(root):
        for path in root.files(f"builds/{dataset}"):
            if path.endswith(".json"):
                yield path, read_build(root, path)


def _stages(root: Storage) -> Iterator[tuple[str, StageManifest]]:
    """Published stages with their folders."""
    for stage in root.folders("stages"):
        for folder in root.folders(f"stages/{stage}"):
            manifest = find_by_folder(root, stage, folder)
            if manifest is not None:
                yield f"stages/{stage}/{folder}", manifest


def _manifests(root: Storage) -> Iterator[StageManifest]:
    """All that is published: where two builders met, a build may name shards that the stage's manifest does not."""
    yield from (manifest for _, manifest in _stages(root))
    for _, build in _builds(root):
        yield from build.stages


def _attempts(root: Storage) -> Iterator[str]:
    for stage in _own(root, "stages"):
        for folder in _own(root, f"stages/{stage}"):
            for attempt in _own(root, f"stages/{stage}/{folder}"):
                yield f"stages/{stage}/{folder}/{attempt}"


def _shards(manifest: StageManifest) -> Iterator[str]:
    return (shard.path for table in manifest.tables.values() for shard in table.shards)


def _attempt(shard: str) -> str:
    """stages/{stage}/{fingerprint}/{attempt}, of a shard's path."""
    return "/".join(shard.split("/")[:4])


def _finished(manifest: StageManifest) -> datetime:
    """When a stage was done; one that does not say so counts as old."""
    try:
        time = datetime.fromisoformat(str(manifest.run.get("finished", "")))
    except ValueError:
        return _LONG_AGO
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _newest(root: Storage, path: str) -> datetime:
    """When something last changed in a folder, or its stage was dropped; a folder without files counts as old."""
    mark = root.filesystem.get_file_info(root.full(f"{path.rpartition('/')[0]}/{_DROPPED}"))
    dropped = mark.mtime.astimezone(UTC) if mark.mtime is not None else _LONG_AGO
    return max(_changed(root, path), dropped)


def _changed(root: Storage, path: str) -> datetime:
    """When something last changed in a folder; one without files counts as old."""
    return root.changed(path) or _LONG_AGO
