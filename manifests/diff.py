"""The difference between two builds: parameters, inputs, schemas, counts and the funnel.

What is true only of one run, or only of where files lie, is not compared; package
versions and digests of source files are shown as information beside the difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pyarrow import fs

from manifests.digest import canonical_json
from manifests.manifest import BuildManifest, ManifestError, StageManifest, comparable, is_rejects, loads
from manifests.registry import datasets, latest_build, whole_build
from manifests.storage import Storage

# Shown stage by stage in the funnel instead of among the changes.
COUNTS = ("rows", "rejects")
# What is compared of a table, under the name that a reader sees.
_OF_A_TABLE = {
    "schema": "schema",
    "key": "key",
    "bucket_by": "bucket_by",
    "inexact": "inexact",
    "rows": "rows",
    "content": "stable_digest",
}
# Causes before effects.
_ORDER = ("parameters", "templates", "models", "licences", "table", *_OF_A_TABLE, "rejects", "metrics")


class _Absent:
    """Stands for a value that one side does not have, since None may be a value."""

    def __repr__(self) -> str:
        return "(absent)"

    def __bool__(self) -> bool:
        return False


ABSENT = _Absent()


@dataclass(frozen=True)
class Change:
    """One value that differs. kind: parameters, templates, schema, ...; name: the key within, or "" for all of it."""

    kind: str
    name: str
    old: Any
    new: Any


@dataclass(frozen=True)
class StageChange:
    """What differs in one stage. status: added, removed or changed."""

    stage: str
    status: str
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True)
class FunnelLine:
    """Rows of one table, or rejects of one reason. None: that side has no such line."""

    stage: str
    kind: str
    name: str
    old: int | None
    new: int | None

    @property
    def delta(self) -> int:
        return (self.new or 0) - (self.old or 0)


@dataclass(frozen=True)
class Difference:
    """All that differs between builds `a` and `b` (shown as "dataset version")."""

    a: str
    b: str
    build: tuple[Change, ...] = ()
    stages: tuple[StageChange, ...] = ()
    funnel: tuple[FunnelLine, ...] = ()
    information: tuple[Change, ...] = field(default=(), compare=False)

    @property
    def equal(self) -> bool:
        """Whether nothing that is compared differs; `funnel` and `stages` tell of the same builds."""
        return not self.build and not self.stages


def diff(a: BuildManifest, b: BuildManifest) -> Difference:
    """What changed from build `a` to build `b`."""
    before = {stage.stage: stage for stage in a.stages}
    after = {stage.stage: stage for stage in b.stages}
    stages = [_stage_change(name, before.get(name), after.get(name)) for name in _in_order(before, after)]
    return Difference(
        a=f"{a.dataset} {a.version}",
        b=f"{b.dataset} {b.version}",
        build=tuple(_build_changes(a, b)),
        stages=tuple(change for change in stages if change is not None),
        funnel=tuple(_funnel(before, after)),
        information=tuple(_information(before, after)),
    )


def load(argument: str, dataset: str | None = None) -> tuple[BuildManifest, Storage | None]:
    """A build manifest from a root (its newest build) or from a manifest file; with the root, where there is one.

    dataset: which build of a root that holds several; "FOLDER#DATASET" says the same.

    Raises:
        ManifestError: nothing is there, it is not clear which build is meant, or it is not as it was published.
        StorageError: the address cannot be used.
    """
    address, _, named = argument.partition("#")
    dataset = dataset or named or None
    place = Storage.at(address)
    if place.exists(""):
        return _load_file(place)
    known = datasets(place)
    if not known:
        raise ManifestError(f"{address}: {_nothing(place)}")
    if dataset is None and len(known) == 1:
        dataset = known[0]
    if dataset is None or dataset not in known:
        wanted = f"no build of {dataset}" if dataset else "more than one build"
        raise ManifestError(f"{address}: {wanted} here; it has {', '.join(known)}; name one as FOLDER#DATASET")
    build = latest_build(place, dataset)
    if build is None:
        raise ManifestError(f"{address}: {dataset} has no finished build here; run `benchwright build {dataset}` first")
    return whole_build(place, build), place


def _nothing(place: Storage) -> str:
    """What is wrong with a place without builds."""
    if place.filesystem.get_file_info(place.base).type == fs.FileType.NotFound:
        return "no such file or folder; name a root that `benchwright build` wrote, or a manifest file"
    return "this folder holds no builds; name the one that was given to `benchwright build --root`, or a manifest file"


def _load_file(place: Storage) -> tuple[BuildManifest, Storage | None]:
    build = BuildManifest.from_dict(loads(place.read_bytes("").to_pybytes(), place.base), place.base)
    folders = place.base.split("/")
    if folders[-3:-1] == ["builds", build.dataset]:
        root = Storage(place.filesystem, "/".join(folders[:-3]))
        return whole_build(root, build), root
    return build, None


def _in_order(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """All names in the new build's order, each removed one after the name it used to follow."""
    names = list(after)
    previous = ""
    for name in before:
        if name not in after:
            names.insert(names.index(previous) + 1 if previous else 0, name)
        previous = name
    return names


def _build_changes(a: BuildManifest, b: BuildManifest) -> Iterator[Change]:
    old, new = ({**build.comparable(), "stages": None} for build in (a, b))
    yield from _changes(old, new)
    common = [stage.stage for stage in a.stages], [stage.stage for stage in b.stages]
    kept = [[name for name in names if name in set(common[0]) & set(common[1])] for names in common]
    if kept[0] != kept[1]:
        yield Change("order of stages", "", kept[0], kept[1])


def _stage_change(name: str, old: StageManifest | None, new: StageManifest | None) -> StageChange | None:
    if old is None:
        return StageChange(name, "added")
    if new is None:
        return StageChange(name, "removed")
    both = sorted(old.tables.keys() & new.tables.keys())
    changes = tuple(_changes(_by_kind(old, both), _by_kind(new, both)))
    return StageChange(name, "changed", changes) if changes else None


def _by_kind(stage: StageManifest, both: list[str]) -> dict[str, Any]:
    """The compared part of a stage manifest by kind; of a table that one side lacks only that it is there."""
    data = comparable(stage)
    tables = data.pop("tables")
    data["table"] = {name: f"{table['rows']} rows" for name, table in tables.items() if name not in both}
    for kind, field_name in _OF_A_TABLE.items():
        data[kind] = {name: tables[name][field_name] for name in both}
    return {kind: data.pop(kind) for kind in _ORDER} | data


def _changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    for kind in _in_order(old, new):
        for name, before, after in _leaves(old.get(kind, ABSENT), new.get(kind, ABSENT)):
            yield Change(kind, name, before, after)


def _leaves(old: Any, new: Any, name: str = "") -> Iterator[tuple[str, Any, Any]]:
    """The innermost keys at which two values differ, with both values."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in sorted(old.keys() | new.keys()):
            inner = f"{name}.{key}" if name else str(key)
            yield from _leaves(old.get(key, ABSENT), new.get(key, ABSENT), inner)
    elif (old is ABSENT) != (new is ABSENT) or canonical_json(old) != canonical_json(new):
        yield name, old, new


def _funnel(before: Mapping[str, StageManifest], after: Mapping[str, StageManifest]) -> Iterator[FunnelLine]:
    """Lines whose count differs, in the order of the stages."""
    for name in _in_order(before, after):
        old, new = _counts(before.get(name)), _counts(after.get(name))
        for kind in COUNTS:
            for line in sorted(old[kind].keys() | new[kind].keys()):
                pair = old[kind].get(line), new[kind].get(line)
                if pair[0] != pair[1]:
                    yield FunnelLine(name, kind, line, *pair)


def _counts(stage: StageManifest | None) -> dict[str, dict[str, int]]:
    if stage is None:
        return {kind: {} for kind in COUNTS}
    return {
        "rows": {name: table.rows for name, table in stage.tables.items() if not is_rejects(name)},
        "rejects": stage.rejects,
    }


def _information(before: Mapping[str, StageManifest], after: Mapping[str, StageManifest]) -> Iterator[Change]:
    yield from _changes({"package": _packages(before)}, {"package": _packages(after)})
    yield from _changes({"source": _source_files(before)}, {"source": _source_files(after)})


def _packages(stages: Mapping[str, StageManifest]) -> dict[str, str]:
    """Versions by package; several where stages from cache were built by another."""
    versions: dict[str, set[str]] = {}
    for stage in stages.values():
        for name, version in stage.packages.items():
            versions.setdefault(name, set()).add(version)
    return {name: ", ".join(sorted(found)) for name, found in sorted(versions.items())}


def _source_files(stages: Mapping[str, StageManifest]) -> dict[str, str]:
    tables = {name for stage in stages.values() for name in stage.tables}
    return {
        f"{stage.stage} {name}": digest
        for stage in stages.values()
        for name, digest in stage.inputs.items()
        if name not in tables
    }
