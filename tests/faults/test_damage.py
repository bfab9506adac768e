"""Shards that are cut off, altered or gone: found when building, when reading and by verify, and repaired."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from manifests.manifest import BuildManifest, Shard
from manifests.storage import Storage
from manifests.verify import repair, verify
from stages.core.contract import StageError
from stages.core.shards import DamagedShard, read_shard
from tests import toy
from tests.faults import builder

UNTIL = "toy.total"


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-7])


def alter(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


DAMAGES: dict[str, tuple[Callable[[Path], None], str]] = {
    "cut off": (cut, "bytes instead of"),
    "altered": (alter, "another sha256"),
    "missing": (Path.unlink, "missing"),
    "empty": (lambda path: path.write_bytes(b""), "0 bytes instead of"),
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str], BuildManifest]:
    folder = tmp_path_factory.mktemp("damage")
    paths = toy.write_lines(folder / "in", [toy.LINES])
    return folder / "root", paths, builder.build(str(folder / "root"), paths, UNTIL)


def counts_shard(manifest: BuildManifest) -> Shard:
    return manifest.table("counts").shards[0]


@pytest.mark.parametrize("kind", list(DAMAGES))
def test_damage_is_found_and_repaired_and_the_next_build_is_equal(
    kind: str, built: tuple[Path, list[str], BuildManifest], tmp_path: Path
) -> None:
    before, paths, manifest = built
    root = tmp_path / "root"
    shutil.copytree(before, root)
    damage, word = DAMAGES[kind]
    shard = counts_shard(manifest)
    damage(root / shard.path)
    with pytest.raises(DamagedShard, match=r"counts/part-00000.*verify --repair"):
        read_shard(Storage.at(root), shard)
    found = verify(Storage.at(root))
    assert [(item.stage, item.table, item.path) for item in found] == [
        ("toy.counts", "counts", str(root / shard.path)),
    ]
    assert word in found[0].problem
    assert verify(Storage.at(root), "toy") == found
    done = repair(Storage.at(root), found)
    assert len(done.removed) == 1 and done.removed[0].startswith("toy.counts ") and done.rebuild == ("toy",)
    again = builder.build(str(root), paths, UNTIL)
    assert again.version == manifest.version and builder.digests(again) == builder.digests(manifest)
    assert counts_shard(again).path != shard.path
    assert verify(Storage.at(root)) == []


@pytest.mark.parametrize("kind", ["cut off", "missing", "empty"])
def test_a_build_makes_a_stage_with_shards_of_another_size_anew(
    kind: str, built: tuple[Path, list[str], BuildManifest], tmp_path: Path
) -> None:
    before, paths, manifest = built
    root = tmp_path / "root"
    shutil.copytree(before, root)
    DAMAGES[kind][0](root / counts_shard(manifest).path)
    again = builder.build(str(root), paths, UNTIL)
    assert builder.digests(again) == builder.digests(manifest)
    assert verify(Storage.at(root)) == []


def test_a_build_that_reads_an_altered_shard_stops_and_says_what_helps(
    built: tuple[Path, list[str], BuildManifest], tmp_path: Path
) -> None:
    before, paths, manifest = built
    root = tmp_path / "root"
    shutil.copytree(before, root)
    alter(root / counts_shard(manifest).path)
    with pytest.raises(StageError, match="another sha256 than the manifest says; `benchwright verify --repair"):
        builder.build(str(root), paths, until="toy.lengths")
    repair(Storage.at(root), verify(Storage.at(root)))
    assert verify(Storage.at(root), "toy") != []
    again = builder.build(str(root), paths, until="toy.lengths")
    assert verify(Storage.at(root)) == []
    assert builder.digests(again)["toy.counts/counts"] == builder.digests(manifest)["toy.counts/counts"]


def test_a_stage_manifest_that_is_no_json_is_found_and_repaired(
    built: tuple[Path, list[str], BuildManifest], tmp_path: Path
) -> None:
    before, paths, manifest = built
    root = tmp_path / "root"
    shutil.copytree(before, root)
    (path,) = (root / "stages" / "toy.counts").glob("*/manifest.json")
    cut(path)
    found = verify(Storage.at(root))
    assert [(item.table, item.path) for item in found] == [("", str(path))]
    assert "not a readable manifest" in str(found[0])
    done = repair(Storage.at(root), found)
    assert done.removed == (str(path),) and done.rebuild == ("toy",)
    assert builder.build(str(root), paths, UNTIL).version == manifest.version


def nested(path: Path) -> None:
    path.write_bytes(b'{"a":' * 100_000)


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.unlink()
    (path / "inner").mkdir(parents=True)


def dangling(path: Path) -> None:
    path.unlink()
    path.symlink_to("/nowhere")


def renamed(path: Path) -> None:
    path.rename(path.with_name(f"{path.name} (1)"))


def digit(path: Path) -> None:
    """Another digit where the first one stands that is no part of a digest or a name."""
    data = path.read_bytes()
    path.write_bytes(re.sub(rb"(?<=: )\d", lambda found: b"7" if found.group() != b"7" else b"8", data, count=1))


SWEEP = [cut, alter, Path.unlink, lambda path: path.write_bytes(b""), nested, pipe, folder, dangling, renamed, digit]


@pytest.mark.parametrize("damage", SWEEP, ids=lambda damage: damage.__name__)
def test_after_repair_a_build_refuses_nothing_whatever_was_damaged(
    damage: Callable[[Path], None], built: tuple[Path, list[str], BuildManifest], tmp_path: Path
) -> None:
    """Every file of the root in turn."""
    before, paths, manifest = built
    for number, file in enumerate(sorted(path for path in before.rglob("*") if path.is_file())):
        root = tmp_path / str(number)
        shutil.copytree(before, root)
        damage(root / file.relative_to(before))
        repair(Storage.at(root), verify(Storage.at(root)))
        again = builder.build(str(root), paths, UNTIL)
        assert builder.digests(again) == builder.digests(manifest), file
        assert verify(Storage.at(root)) == [], file
        shutil.rmtree(root)
