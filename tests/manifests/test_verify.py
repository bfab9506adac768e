"""Verification on hand-made damage, one kind at a time; `tests/faults` repairs real builds."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from manifests.digest import sha256
from manifests.manifest import ManifestError, Shard, StageManifest, Table
from manifests.registry import Damage, find_stage, publish_build, publish_stage
from manifests.storage import Storage
from manifests.verify import Repair, repair, verify
from tests.manifests.made import ROWS, build, publish, stage

MADE = [
    {"id": f"Q{n}", "part": 0, "value": n, "names": [], "score": n / 3} for n in range(9)
]  # fmt: skip


@pytest.fixture
def root(tmp_path: Path) -> Storage:
    return Storage.at(tmp_path)


def published(root: Storage, buckets: int = 2) -> StageManifest:
    made = stage("made.rows", [publish(root, MADE, ROWS, buckets)])
    publish_stage(root, made)
    publish_build(root, build(made, outputs=["rows"]))
    return made


def rewritten(root: Storage, shard: Shard, rows: pa.Table) -> Shard:
    """Another file in a shard's place, with a manifest entry that knows the file but not its rows."""
    sink = pa.BufferOutputStream()
    pq.write_table(rows, sink)
    data = sink.getvalue()
    root.write_bytes(shard.path, data)
    return replace(shard, bytes=data.size, sha256=sha256(data))


def with_shard(root: Storage, made: StageManifest, shard: Shard) -> None:
    table: Table = made.tables["rows"]
    changed = replace(made, tables={"rows": replace(table, shards=[shard, *table.shards[1:]])})
    root.delete_file(f"stages/made.rows/{made.fingerprint[:20]}/manifest.json")
    publish_stage(root, changed)
    publish_build(root, build(changed, outputs=["rows"]))


def problems(root: Storage) -> list[str]:
    return [item.problem for item in verify(root)]


def test_a_whole_root_has_nothing_wrong_and_every_shard_is_looked_at_once(root: Storage) -> None:
    published(root)
    seen: list[tuple[int, int]] = []
    assert verify(root, progress=lambda done, total: seen.append((done, total))) == []
    assert seen == [(1, 2), (2, 2)]
    assert verify(root, "toy") == [] and verify(Storage.at(root.base + "/nothing")) == []


def test_rows_that_are_not_those_of_the_manifest_are_found(root: Storage) -> None:
    made = published(root)
    shard = made.tables["rows"].shards[0]
    rows = pq.read_table(root.open_input(shard.path))
    with_shard(root, made, rewritten(root, shard, rows.set_column(2, "value", pa.array([0] * len(rows)))))
    assert problems(root) == ["its rows have another digest than the manifest says"]
    with_shard(root, made, rewritten(root, shard, rows.slice(1)))
    assert problems(root) == [
        f"{len(rows) - 1} rows instead of {len(rows)}",
        "its rows have another digest than the manifest says",
    ]
    with_shard(root, made, rewritten(root, shard, rows.drop(["score"])))
    assert problems(root) == ["another schema than the manifest says"]


def test_a_file_that_is_no_parquet_is_found(root: Storage) -> None:
    made = published(root)
    shard = made.tables["rows"].shards[0]
    root.write_bytes(shard.path, b"no parquet")
    with_shard(root, made, replace(shard, bytes=10, sha256=sha256(b"no parquet")))
    (problem,) = problems(root)
    assert problem.startswith("not a readable Parquet file")


def altered(root: Storage, path: str, change: Callable[[dict], object]) -> None:
    """A manifest as another hand would leave it."""
    data = json.loads(root.read_bytes(path).to_pybytes())
    change(data)
    root.write_bytes(path, json.dumps(data).encode())


CHANGES: dict[str, Callable[[dict], object]] = {
    "fingerprint": lambda stage: stage.update(fingerprint="f" * 64),
    "rows": lambda stage: stage["tables"]["rows"].update(rows=8),
    "shards": lambda stage: stage["tables"]["rows"]["shards"].pop(),
    "key": lambda stage: stage["tables"]["rows"].update(key=["id"]),
    "bucket_by": lambda stage: stage["tables"]["rows"].update(bucket_by=["part"]),
    "rejects": lambda stage: stage["rejects"].update(too_short=1),
    "metrics": lambda stage: stage["metrics"].clear(),
    "licences": lambda stage: stage.update(licences={"lines": "none"}),
    "parameters": lambda stage: stage["parameters"].update(shortest=9),
    "run": lambda stage: stage["run"].update(finished="2020-01-01"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_an_altered_manifest_of_a_stage_is_found_and_taken_away(root: Storage, what: str) -> None:
    made = published(root)
    path = f"stages/made.rows/{made.fingerprint[:20]}/manifest.json"
    altered(root, path, CHANGES[what])
    with pytest.raises(ManifestError, match="altered after it was written.*; `benchwright verify --repair` takes it"):
        find_stage(root, made.stage, made.fingerprint)
    (found,) = verify(root)
    assert (found.path, found.table) == (root.full(path), "") and "altered after it was written" in found.problem
    assert repair(root, [found]) == Repair((root.full(path),), ("toy",))
    assert find_stage(root, made.stage, made.fingerprint) is None
    publish_stage(root, made)
    assert verify(root) == []


@pytest.mark.parametrize("name", ["latest", "version"])
@pytest.mark.parametrize("what", [*CHANGES, "notes", "version"])
def test_an_altered_manifest_of_a_build_is_found_and_taken_away(root: Storage, what: str, name: str) -> None:
    made = build(published(root), outputs=["rows"])
    path = f"builds/toy/{made.version if name == 'version' else name}.json"
    own = {"notes": lambda data: data["notes"].append("x"), "version": lambda data: data.update(version="0" * 16)}
    altered(root, path, own[what] if what in own else lambda data: CHANGES[what](data["stages"][0]))
    (found,) = verify(root)
    assert (found.path, found.table) == (root.full(path), "") and "altered after it was written" in found.problem
    assert repair(root, [found]) == Repair((root.full(path),), ("toy",) if name == "latest" else ())
    publish_build(root, made)
    assert verify(root) == []


@pytest.mark.parametrize("place", ["stages/made.rows/{}/manifest.json", "builds/toy/latest.json"])
@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_what_stands_in_a_manifests_place_is_found_and_taken_away(root: Storage, place: str, kind: str) -> None:
    made = published(root)
    path = Path(root.full(place.format(made.fingerprint[:20])))
    path.unlink()
    (path / "x").mkdir(parents=True) if kind == "folder" else os.mkfifo(path)
    (found,) = verify(root)
    assert (found.path, found.problem) == (str(path), "not a file")
    repair(root, [found])
    publish_stage(root, made)
    publish_build(root, build(made, outputs=["rows"]))
    assert verify(root) == []


def test_a_manifest_under_another_name_goes_alone(root: Storage) -> None:
    made = published(root)
    shutil.copytree(root.full(f"stages/made.rows/{made.fingerprint[:20]}"), root.full("stages/made.rows/copy of it"))
    (found,) = verify(root)
    assert "in the folder stages/made.rows/copy of it" in found.problem
    assert repair(root, [found]).removed == (root.full("stages/made.rows/copy of it/manifest.json"),)
    assert verify(root) == [] and find_stage(root, made.stage, made.fingerprint) == made


def test_a_pipe_in_a_shards_place_does_not_hang(root: Storage) -> None:
    made = published(root)
    shard = Path(root.full(made.tables["rows"].shards[0].path))
    shard.unlink()
    os.mkfifo(shard)
    (found,) = verify(root)
    assert (found.path, found.problem) == (str(shard), "not a file")


@pytest.mark.parametrize("name", [b"a\\b", b"new\nline", b"\xff\xfe", b"..x", "ä ö".encode(), b"-rf", b"%2e%2e"])
def test_odd_names_of_folders_do_not_stop_it(root: Storage, name: bytes) -> None:
    made = published(root)
    for place in ("stages", "stages/made.rows", f"stages/made.rows/{made.fingerprint[:20]}", "builds", "builds/toy"):
        folder = os.fsencode(root.full(place)) + b"/" + name
        os.mkdir(folder)  # noqa: PTH102 (a Path would be no help with bytes)
        with open(folder + b"/" + name, "wb"):  # noqa: PTH123
            pass
    assert verify(root) == [] == verify(root, "toy")


@pytest.mark.parametrize("place", ["stages/made.rows", "stages/made.other", "builds/made", "builds/other"])
def test_repair_takes_links_and_nothing_behind_them(tmp_path: Path, place: str) -> None:
    theirs, ours = Storage.at(tmp_path / "theirs"), Storage.at(tmp_path / "ours")
    made = published(theirs)
    published(ours)
    target = Path(theirs.full(f"stages/{made.stage}" if place.startswith("stages") else "builds/made"))
    if not target.exists():
        target = next(Path(theirs.full("builds")).iterdir())
    link = Path(ours.full(place))
    if link.exists():
        shutil.rmtree(link)
    link.symlink_to(target)
    shard = Path(theirs.full(made.tables["rows"].shards[0].path))
    shard.write_bytes(shard.read_bytes() + b"x")
    before = sorted(path for path in Path(theirs.base).rglob("*"))
    repair(ours, verify(ours))
    assert sorted(path for path in Path(theirs.base).rglob("*")) == before


def test_a_link_to_itself_stops_nothing(root: Storage) -> None:
    published(root)
    for folder in ("stages", "builds"):
        Path(root.full(f"{folder}/loop")).symlink_to("loop")
    assert verify(root) == []


def test_repair_leaves_whole_stages_alone(root: Storage) -> None:
    made = published(root)
    other = stage("made.other", [])
    publish_stage(root, other)
    root.delete_file(made.tables["rows"].shards[1].path)
    found = verify(root)
    assert repair(root, found) == Repair((f"made.rows {made.fingerprint[:12]}",), ("toy",))
    assert root.folders("stages") == ["made.other", "made.rows"]
    assert [path for path in root.files("stages") if path.endswith("manifest.json")] == [
        f"stages/made.other/{other.fingerprint[:20]}/manifest.json"
    ]
    assert repair(root, []) == Repair((), ())


def test_a_build_manifest_that_cannot_be_read_is_damage_too(root: Storage) -> None:
    published(root)
    root.write_bytes("builds/toy/latest.json", b"{")
    found = verify(root)
    assert [str(item).split(" (")[0] for item in found] == [
        f"{root.base}/builds/toy/latest.json: not a readable manifest: {root.base}/builds/toy/latest.json: not JSON"
    ]
    assert verify(root, "toy") == found
    assert repair(root, found) == Repair((f"{root.base}/builds/toy/latest.json",), ("toy",))
    assert verify(root) == []


def test_a_dataset_that_was_never_built_is_an_error(root: Storage) -> None:
    with pytest.raises(ManifestError, match="other was never built here, but no dataset at all; check --root"):
        verify(root, "other")
    published(root)
    with pytest.raises(ManifestError, match="other was never built here, but toy; check --root"):
        verify(root, "other")


def test_a_lost_manifest_of_a_stage_is_damage_of_the_builds_that_are_made_of_it(root: Storage) -> None:
    made = published(root)
    path = f"stages/made.rows/{made.fingerprint[:20]}/manifest.json"
    root.delete_file(path)
    version = build(made, outputs=["rows"]).version
    found = [Damage("made.rows", "", root.full(path), f"missing, though the build toy {version} is made of it")]
    assert verify(root) == found and verify(root, "toy") == found
    assert repair(root, found) == Repair((), ("toy",))
    publish_stage(root, made)
    assert verify(root) == []


def test_a_manifest_of_a_stage_with_other_rows_than_the_build_is_found_and_taken_away(root: Storage) -> None:
    made = published(root)
    path = f"stages/made.rows/{made.fingerprint[:20]}/manifest.json"
    root.delete_file(path)
    other = publish(Storage.at(root.full("other")), MADE[:3], ROWS, 1)
    publish_stage(root, replace(made, tables={"rows": other}))
    (found,) = verify(root, "toy")
    assert found.path == root.full(path) and found.problem.startswith("names other rows of rows than the build toy ")
    assert repair(root, [found]) == Repair((root.full(path),), ("toy",))


def test_an_altered_manifest_of_a_stage_is_found_by_the_dataset_too(root: Storage) -> None:
    made = published(root)
    path = f"stages/made.rows/{made.fingerprint[:20]}/manifest.json"
    altered(root, path, CHANGES["metrics"])
    assert verify(root, "toy") == verify(root) and len(verify(root)) == 1
