"""Where manifests live under a root, and how one is published.

    stages/{stage}/{fingerprint}/manifest.json       the result of a stage, written last
    stages/{stage}/{fingerprint}/{attempt}/...       the files it names
    builds/{dataset}/{version}.json                  one build
    builds/{dataset}/latest.json                     the newest one

A manifest is published in one atomic write after all that it names is in place, so
whoever reads it finds everything or nothing. Two builders of one stage write to
attempts of their own; the first to publish wins, and the second must agree with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from manifests.digest import fingerprint as made_of
from manifests.manifest import BuildManifest, ManifestError, OtherFormatError, StageManifest, Table, dumps, loads
from manifests.storage import Storage, StorageError

SHORT = 20
_MENDED = "; `benchwright verify --repair` takes it away, and the next build makes it anew"


class MissingStageError(ManifestError):
    """A build names a stage that is not published as it says. problem: what is wrong, without the path."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}; build it again, which takes all that is whole from what is there")
        self.problem = problem


@dataclass(frozen=True)
class Damage:
    """A shard that is not what its manifest says, or a manifest that cannot be read (then without a table)."""

    stage: str
    table: str
    path: str
    problem: str

    def __str__(self) -> str:
        owner = f" (table {self.table} of stage {self.stage})" if self.table else ""
        return f"{self.path}: {self.problem}{owner}"


def stage_folder(stage: str, fingerprint: str) -> str:
    return f"stages/{stage}/{fingerprint[:SHORT]}"


def find_stage(root: Storage, stage: str, fingerprint: str) -> StageManifest | None:
    """The published manifest of a stage, or None.

    Raises:
        ManifestError: there is one, but it cannot be read or is not of this stage.
    """
    found = find_by_folder(root, stage, fingerprint[:SHORT])
    if found is not None and found.fingerprint != fingerprint:
        path = root.full(f"{stage_folder(stage, fingerprint)}/manifest.json")
        raise ManifestError(f"{path}: holds the fingerprint {found.fingerprint}, expected {fingerprint}{_MENDED}")
    return found


def publish_stage(root: Storage, manifest: StageManifest) -> StageManifest:
    """Makes a finished stage visible; returns what is published under its fingerprint now.

    Raises:
        ManifestError: another builder published different rows for the same fingerprint.
    """
    earlier = find_stage(root, manifest.stage, manifest.fingerprint)
    if earlier is not None and not quick_damage(root, earlier):
        _must_agree(earlier, manifest)
        return earlier
    path = f"{stage_folder(manifest.stage, manifest.fingerprint)}/manifest.json"
    data = manifest.to_dict()
    StageManifest.from_dict(data, root.full(path))
    root.write_bytes(path, dumps(data), durable=True)
    return manifest


def unpublish_stage(root: Storage, manifest: StageManifest) -> None:
    """Takes a stage's manifest away, so that the next build makes the stage anew."""
    root.delete_file(f"{stage_folder(manifest.stage, manifest.fingerprint)}/manifest.json")


def published_stages(root: Storage, stage: str) -> list[StageManifest]:
    """All published results of one stage, by fingerprint."""
    found = (find_by_folder(root, stage, folder) for folder in root.folders(f"stages/{stage}"))
    return [manifest for manifest in found if manifest is not None]


def find_by_folder(root: Storage, stage: str, folder: str) -> StageManifest | None:
    """The manifest in a folder of a stage, or None.

    Raises:
        ManifestError: it cannot be read, or is that of another stage or fingerprint than its place says.
    """
    path = f"stages/{stage}/{folder}/manifest.json"
    if not root.exists(path):
        return None
    with _told():
        manifest = StageManifest.from_dict(_loaded(root, path), root.full(path))
        place = f"stages/{stage}/{folder}"
        if stage_folder(manifest.stage, manifest.fingerprint) != place:
            raise ManifestError(
                f"{root.full(path)}: holds {manifest.stage} {manifest.fingerprint} in the folder {place}"
            )
        identity = manifest.run.get("identity")
        if identity is not None and made_of(identity) != manifest.fingerprint:
            raise ManifestError(f"{root.full(path)}: its fingerprint is not that of what the stage depends on")
    return manifest


def _loaded(root: Storage, path: str) -> dict[str, Any]:
    try:
        data = root.read_bytes(path).to_pybytes()
    except (StorageError, OSError) as error:
        raise ManifestError(f"{root.full(path)}: cannot be read ({error})") from error
    return loads(data, root.full(path))


@contextmanager
def _told() -> Iterator[None]:
    """Says of a manifest that is of no use what helps; that of another version is of use to that version."""
    try:
        yield
    except OtherFormatError:
        raise
    except ManifestError as error:
        raise ManifestError(f"{error}{_MENDED}") from error


def quick_damage(root: Storage, manifest: StageManifest) -> list[Damage]:
    """Missing shards and shards of another length: a look at the folder, no reading."""
    damage = []
    for table in manifest.tables.values():
        for shard in table.shards:
            size = root.size(shard.path)
            if size != shard.bytes:
                problem = "missing" if size is None else f"{size} bytes instead of {shard.bytes}"
                damage.append(Damage(manifest.stage, table.name, root.full(shard.path), problem))
    return damage


def publish_build(root: Storage, manifest: BuildManifest) -> None:
    """Writes a build's manifest under its version, then points `latest` at it.

    A build that stops early does not take the place of a whole one.
    """
    data = manifest.to_dict()
    where = f"builds/{manifest.dataset}"
    BuildManifest.from_dict(data, root.full(where))
    written = dumps(data)
    root.write_bytes(f"{where}/{manifest.version}.json", written, durable=True)
    before = latest_build(root, manifest.dataset)
    if manifest.complete or before is None or not before.complete:
        root.write_bytes(f"{where}/latest.json", written, durable=True)


def latest_build(root: Storage, dataset: str) -> BuildManifest | None:
    path = f"builds/{dataset}/latest.json"
    return read_build(root, path) if root.exists(path) else None


def whole_build(root: Storage, build: BuildManifest) -> BuildManifest:
    """A build whose stages are published as it names them: what every reader of a build goes through.

    Raises:
        ManifestError: a stage's own manifest is missing, altered, or names other rows.
    """
    for stage in build.stages:
        published_stage(root, build, stage)
    return build


def published_stage(root: Storage, build: BuildManifest, stage: StageManifest) -> StageManifest:
    """A stage's own manifest, which has the rows that a build names.

    Raises:
        MissingStageError: it is not there, or names other rows.
        ManifestError: it cannot be read.
    """
    found = find_stage(root, stage.stage, stage.fingerprint)
    path = root.full(f"{stage_folder(stage.stage, stage.fingerprint)}/manifest.json")
    if found is None:
        raise MissingStageError(path, f"missing, though the build {build.dataset} {build.version} is made of it")
    if differing := _differing(stage, found):
        rows = f"other rows of {', '.join(differing)} than the build {build.dataset} {build.version}"
        raise MissingStageError(path, f"names {rows}")
    return found


def read_build(root: Storage, path: str) -> BuildManifest:
    """A build manifest at a path under a root.

    Raises:
        ManifestError: it is not there, not a build manifest, or that of another build than its place says.
    """
    if not root.exists(path):
        raise ManifestError(f"{root.full(path)}: no such file")
    with _told():
        manifest = BuildManifest.from_dict(_loaded(root, path), root.full(path))
        if path not in (f"builds/{manifest.dataset}/{name}.json" for name in ("latest", manifest.version)):
            raise ManifestError(f"{root.full(path)}: holds the build {manifest.dataset} {manifest.version}")
    return manifest


def builds_of(root: Storage, dataset: str) -> list[tuple[str, BuildManifest]]:
    """All builds of a dataset that are kept under a root, each once, with its path.

    Raises:
        ManifestError: one cannot be read.
    """
    paths = [path for path in root.files(f"builds/{dataset}") if path.endswith(".json")]
    return [(path, read_build(root, path)) for path in paths if not path.endswith("/latest.json")]


def datasets(root: Storage) -> list[str]:
    """Names of the datasets that were built under a root."""
    return root.folders("builds")


def _must_agree(earlier: StageManifest, manifest: StageManifest) -> None:
    if differing := _differing(manifest, earlier):
        raise ManifestError(
            f"stage {manifest.stage}: another build with the same fingerprint {manifest.fingerprint[:SHORT]} published "
            f"different rows in {', '.join(differing)}; the stage is not deterministic, and nothing was replaced"
        )


def _differing(manifest: StageManifest, other: StageManifest) -> list[str]:
    """Tables of which another manifest of the same stage names other rows, or none."""
    return [name for name, table in manifest.tables.items() if not _same_rows(table, other.tables.get(name))]


def _same_rows(table: Table, other: Table | None) -> bool:
    return other is not None and table.stable_digest == other.stable_digest
