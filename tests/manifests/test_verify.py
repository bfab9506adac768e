"""Verification on hand-made damage, one kind at a time; `tests/faults` repairs real builds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from manifests.digest import sha256
from manifests.manifest import ManifestError, Shard, StageManifest, Table
from manifests.registry import publish_build, publish_stage
from manifests.storage import Storage
from manifests.verify import Repair, repair, verify
from tests.manifests.made import ROWS, A, build, publish, stage

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


def test_a_manifest_that_contradicts_itself_is_found_and_taken_away(root: Storage) -> None:
    made = published(root)
    table = made.tables["rows"]
    wrong = replace(made, tables={"rows": replace(table, rows=table.rows + 1, digest=A, stable_digest=A)})
    root.delete_file(f"stages/made.rows/{made.fingerprint[:20]}/manifest.json")
    publish_stage(root, wrong)
    publish_build(root, build(wrong, outputs=["rows"]))
    found = verify(root)
    assert [item.problem for item in found] == [
        "the rows of its shards do not add up to its own",
        "its digest is not that of its shards",
        "its stable digest is not that of its shards",
    ]
    assert repair(root, found).removed == (f"made.rows {made.fingerprint[:12]}",)


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
