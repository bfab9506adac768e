"""The registry: published in one write, first come first served, and damage seen without reading."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from manifests.digest import fingerprint
from manifests.manifest import ManifestError, dumps
from manifests.registry import (
    datasets,
    find_by_folder,
    find_stage,
    latest_build,
    publish_build,
    publish_stage,
    published_stages,
    quick_damage,
    read_build,
    stage_folder,
    unpublish_stage,
)
from manifests.storage import Storage
from tests.manifests.made import B, build, stage, table


@pytest.fixture
def root(tmp_path: Path) -> Storage:
    """A root in which the shard of `made.stage()` is in place."""
    storage = Storage.at(tmp_path)
    storage.write_bytes(table().shards[0].path, b"0123456789")
    return storage


def test_a_stage_is_found_by_its_fingerprint_once_published(root: Storage) -> None:
    made = stage()
    assert find_stage(root, made.stage, made.fingerprint) is None and published_stages(root, made.stage) == []
    assert publish_stage(root, made) is made
    assert find_stage(root, made.stage, made.fingerprint) == made
    assert published_stages(root, made.stage) == [made]
    unpublish_stage(root, made)
    assert find_stage(root, made.stage, made.fingerprint) is None


def test_the_first_to_publish_wins_and_the_second_is_given_what_it_published(root: Storage) -> None:
    first, second = stage(run={"host": "first"}), stage(run={"host": "second"})
    publish_stage(root, first)
    assert publish_stage(root, second) == first
    assert find_stage(root, first.stage, first.fingerprint) == first


def test_a_second_that_disagrees_is_an_error_and_replaces_nothing(root: Storage) -> None:
    first = stage()
    publish_stage(root, first)
    other = replace(first, tables={"words": table(stable=B)})
    with pytest.raises(ManifestError, match="toy.words: another build .* published different rows in words"):
        publish_stage(root, other)
    extra = replace(first, tables={**first.tables, "more": table("more")})
    with pytest.raises(ManifestError, match="different rows in more"):
        publish_stage(root, extra)
    assert find_stage(root, first.stage, first.fingerprint) == first


def test_inexact_digits_are_no_disagreement(root: Storage) -> None:
    publish_stage(root, stage())
    assert publish_stage(root, replace(stage(), tables={"words": table(digest=B)})) == stage()


def test_a_damaged_result_is_replaced(root: Storage) -> None:
    first = stage()
    publish_stage(root, first)
    root.write_bytes(table().shards[0].path, b"short")
    root.write_bytes("stages/toy.words/x/again/part-0.parquet", b"0123456789")
    shard = replace(table().shards[0], path="stages/toy.words/x/again/part-0.parquet")
    second = replace(first, tables={"words": table(shards=[shard])})
    assert publish_stage(root, second) == second == find_stage(root, first.stage, first.fingerprint)


def test_a_manifest_that_breaks_its_schema_is_never_published(root: Storage) -> None:
    with pytest.raises(ManifestError, match="rejects/too_short"):
        publish_stage(root, stage(rejects={"too_short": -1}))
    assert [path for path in root.files() if path.endswith(".json")] == []


def test_quick_damage_names_missing_shards_and_other_lengths(root: Storage) -> None:
    made = stage(tables=[table(), table("gone")])
    (damage,) = quick_damage(root, made)
    assert str(damage) == f"{root.full(table('gone').shards[0].path)}: missing (table gone of stage toy.words)"
    root.write_bytes(table().shards[0].path, b"123")
    assert [item.problem for item in quick_damage(root, made)] == ["3 bytes instead of 10", "missing"]


def test_a_manifest_in_the_wrong_folder_is_not_believed(root: Storage) -> None:
    publish_stage(root, stage())
    other = stage().fingerprint[:20] + "0" * 44
    with pytest.raises(ManifestError, match="holds the fingerprint .*, expected .*00; `benchwright verify --repair`"):
        find_stage(root, "toy.words", other)


@pytest.mark.parametrize("place", ["stages/toy.words/0123", "stages/toy.other/{}"])
def test_a_manifest_under_another_name_than_its_own_is_not_believed(root: Storage, place: str) -> None:
    made = publish_stage(root, stage())
    folder = made.fingerprint[:20]
    data = root.read_bytes(f"stages/toy.words/{folder}/manifest.json")
    root.write_bytes(f"{place.format(folder)}/manifest.json", data)
    with pytest.raises(ManifestError, match=f"holds toy.words {made.fingerprint} in the folder {place.format(folder)}"):
        find_by_folder(root, place.split("/")[1], place.format(folder).split("/")[2])


def test_a_fingerprint_is_that_of_what_the_stage_depends_on(root: Storage) -> None:
    identity = {"stage": "toy.words", "inputs": {"file 0": B}}
    made = stage(run={"identity": identity}, fingerprint=fingerprint(identity))
    publish_stage(root, made)
    assert find_stage(root, made.stage, made.fingerprint) == made
    wrong = stage(run={"identity": {**identity, "inputs": {}}}, fingerprint=fingerprint(identity))
    root.write_bytes(f"{stage_folder(made.stage, made.fingerprint)}/manifest.json", dumps(wrong.to_dict()))
    with pytest.raises(ManifestError, match="its fingerprint is not that of what the stage depends on"):
        find_stage(root, made.stage, made.fingerprint)


def test_a_build_in_another_builds_place_is_not_believed(root: Storage) -> None:
    publish_build(root, made := build(stage()))
    data = root.read_bytes("builds/toy/latest.json")
    for path in ("builds/toy/0123456789abcdef.json", "builds/other/latest.json"):
        root.write_bytes(path, data)
        with pytest.raises(ManifestError, match=f"{path}: holds the build toy {made.version}; `benchwright verify"):
            read_build(root, path)


def test_builds_are_kept_by_version_and_the_newest_is_the_latest(root: Storage) -> None:
    early, first, second = build(stage(), complete=False), build(stage()), build(stage(), notes=["again"])
    assert datasets(root) == [] and latest_build(root, "toy") is None
    publish_build(root, early)
    assert latest_build(root, "toy") == early
    publish_build(root, first)
    publish_build(root, early)
    assert latest_build(root, "toy") == first
    publish_build(root, second)
    assert datasets(root) == ["toy"] and latest_build(root, "toy") == second
    assert read_build(root, f"builds/toy/{first.version}.json") == first
    with pytest.raises(ManifestError, match="no such file"):
        read_build(root, "builds/toy/other.json")
