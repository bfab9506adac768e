"""Removing old builds and what broken-off ones left: only what no manifest names, and only what is old."""

from __future__ import annotations

import os
import shutil
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from manifests.manifest import BuildManifest, ManifestError
from manifests.registry import latest_build
from manifests.storage import Storage
from manifests.verify import verify
from pipelines.housekeeping import (
    Dropped,
    _finished,
    drop_builds,
    linked_folders,
    live_bytes,
    remove_requests,
    remove_sources,
    remove_unused,
)
from stages.beam import executor
from tests import toy
from tests.faults import builder
from tests.manifests.made import stage


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    builder.build(str(root), toy.write_lines(tmp_path / "in", [toy.LINES]), until="toy.counts")
    return root


def left_behind(root: Path, name: str = "0123456789ab") -> Path:
    stage = next((root / "stages" / "toy.words").iterdir())
    attempt = stage / name
    (attempt / "words").mkdir(parents=True)
    (attempt / "words" / "00000.parquet").write_bytes(b"cut off")
    return attempt


def test_an_attempt_that_no_manifest_names_goes_and_all_else_stays(root: Path) -> None:
    attempt, storage = left_behind(root), Storage.at(root)
    assert remove_unused(storage, hours=1) == []
    assert attempt.exists()
    relative = str(attempt.relative_to(root))
    assert remove_unused(storage, hours=0, dry_run=True) == [relative] and attempt.exists()
    assert remove_unused(storage, hours=0) == [relative] and not attempt.exists()
    assert remove_unused(storage, hours=0) == []
    assert verify(storage) == []


def test_files_of_live_sources_go_once_no_build_is_made_from_them(root: Path) -> None:
    storage = Storage.at(root)
    manifest = latest_build(storage, "toy")
    assert manifest is not None
    read = next(digest for stage in manifest.stages for digest in stage.inputs.values())[:16]
    for path in (f"sources/{read}/wikidata.json", "sources/0123456789abcdef/wikidata.json", "requests/ab/abc.zst"):
        storage.write_bytes(path, b"12345")
    assert live_bytes(storage) == {"requests": 5, "sources": 10}
    assert remove_sources(storage, hours=1) == remove_requests(storage, hours=1) == []
    assert remove_sources(storage, hours=0, dry_run=True) == ["sources/0123456789abcdef"]
    assert remove_sources(storage, hours=0) == ["sources/0123456789abcdef"]
    assert remove_sources(storage, hours=0) == [] and storage.folders("sources") == [read]
    assert remove_requests(storage, hours=0, dry_run=True) == ["requests"] and storage.files("requests")
    assert remove_requests(storage, hours=0) == ["requests"] and remove_requests(storage, hours=0) == []
    assert live_bytes(storage) == {"sources": 5}


def test_an_empty_folder_of_an_attempt_is_old(root: Path) -> None:
    attempt = left_behind(root)
    shutil.rmtree(attempt / "words")
    assert remove_unused(Storage.at(root), hours=100) == [str(attempt.relative_to(root))]


def test_what_only_a_build_names_stays(root: Path) -> None:
    # Where two builders met, the stage's manifest names one attempt, and the other's build its own.
    storage = Storage.at(root)
    manifest = next((root / "stages" / "toy.words").glob("*/manifest.json"))
    manifest.unlink()
    assert remove_unused(storage, hours=0) == []
    (found,) = verify(storage)
    assert (found.path, found.table) == (str(manifest), "")
    assert found.problem.startswith("missing, though the build toy")


def test_nothing_goes_where_a_manifest_cannot_be_read(root: Path) -> None:
    attempt = left_behind(root)
    (root / "builds" / "toy" / "latest.json").write_text("{")
    with pytest.raises(ManifestError, match=r"latest\.json"):
        remove_unused(Storage.at(root), hours=0)
    assert attempt.exists()


@pytest.mark.parametrize("hours", [-1.0, float("nan"), float("inf"), 1e300])
def test_an_age_that_is_none_is_refused(root: Path, hours: float) -> None:
    with pytest.raises(ValueError, match="expected from 0 to 1,000,000"):
        remove_unused(Storage.at(root), hours)


def three_builds(root: Path, folder: Path) -> list[BuildManifest]:
    """Builds of three inputs; the last but one stops early, and so the one before it stays the latest until then."""
    sources = [toy.write_lines(folder / str(number), [[f"words of {number}"]]) for number in range(3)]
    stops = (None, "toy.words", None)
    return [builder.build(str(root), paths, until=until) for paths, until in zip(sources, stops, strict=True)]


def stage_folders(root: Path) -> set[str]:
    return {str(path.parent.relative_to(root)) for path in root.glob("stages/*/*/manifest.json")}


def folders_of(build: BuildManifest) -> set[str]:
    return {f"stages/{stage.stage}/{stage.fingerprint[:20]}" for stage in build.stages}


def test_old_builds_go_with_all_that_only_they_need(tmp_path: Path) -> None:
    root, storage = tmp_path / "root", Storage.at(tmp_path / "root")
    first, second, third = three_builds(root, tmp_path)
    gone = folders_of(first) - folders_of(second) - folders_of(third)
    expected = Dropped((f"toy {first.version}",), tuple(sorted(gone)))
    assert drop_builds(storage, keep=2, hours=0, dry_run=True) == expected
    assert stage_folders(root) == folders_of(first) | folders_of(second) | folders_of(third)
    assert drop_builds(storage, keep=2, hours=0) == expected
    assert stage_folders(root) == folders_of(second) | folders_of(third)
    assert {path.rpartition("/")[0] for path in remove_unused(storage, hours=0)} == gone
    assert not any((root / folder).exists() for folder in gone)
    assert verify(storage) == []
    assert drop_builds(storage, keep=2, hours=0) == Dropped()
    assert builder.build(str(root), toy.write_lines(tmp_path / "2", [["words of 2"]])).version == third.version


def test_the_latest_whole_build_stays_behind_newer_ones_that_stop_early(tmp_path: Path) -> None:
    root, storage = tmp_path / "root", Storage.at(tmp_path / "root")
    whole = builder.build(str(root), toy.write_lines(tmp_path / "whole", [["a whole one"]]))
    early = [
        builder.build(str(root), toy.write_lines(tmp_path / word, [[word]]), until="toy.words") for word in ("b", "c")
    ]
    assert drop_builds(storage, keep=1, hours=0).builds == (f"toy {early[0].version}",)
    assert stage_folders(root) == folders_of(whole) | folders_of(early[1])
    assert latest_build(storage, "toy") == whole


def test_what_a_build_that_is_running_may_need_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The second build takes the first stage from the cache; an hour-old clean runs before it has read a row of it.
    root, storage = tmp_path / "root", Storage.at(tmp_path / "root")
    paths = toy.write_lines(tmp_path / "in", [toy.LINES])
    words = builder.build(str(root), paths, until="toy.words").stages[0]
    builder.build(str(root), toy.write_lines(tmp_path / "other", [["newer"]]))
    real = executor.execute

    def cleaned_before(*job):
        monkeypatch.setattr(executor, "execute", real)
        monkeypatch.setattr("pipelines.housekeeping._finished", lambda manifest: _long_ago())
        assert f"stages/toy.words/{words.fingerprint[:20]}" in drop_builds(storage, keep=1, hours=1).stages
        assert not remove_unused(storage, hours=1)
        return real(*job)

    monkeypatch.setattr(executor, "execute", cleaned_before)
    build = builder.build(str(root), paths)
    assert remove_unused(storage, hours=0) == []
    assert verify(storage) == [] and latest_build(storage, "toy") == build


def test_files_of_a_dropped_stage_go_when_it_was_dropped_long_enough_ago(tmp_path: Path) -> None:
    root, storage = tmp_path / "root", Storage.at(tmp_path / "root")
    first, *_ = three_builds(root, tmp_path)
    for path in root.rglob("*"):
        os.utime(path, (time.time() - 7200,) * 2)
    dropped = drop_builds(storage, keep=1, hours=0)
    assert set(dropped.stages) >= folders_of(first) - folders_of(builder.latest(root))
    assert remove_unused(storage, hours=1) == []
    for folder in dropped.stages:
        os.utime(root / folder / "dropped", (time.time() - 7200,) * 2)
    assert {path.rpartition("/")[0] for path in remove_unused(storage, hours=1)} == set(dropped.stages)
    assert not list(root.rglob("dropped"))


@pytest.mark.parametrize("step", range(1, 6))
def test_a_kill_while_builds_are_dropped_costs_nothing(
    step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, storage = tmp_path / "root", Storage.at(tmp_path / "root")
    third = three_builds(root, tmp_path)[-1]
    real, done = Storage.delete_file, []

    def delete_until(self: Storage, path: str) -> None:
        if len(done) == step:
            raise KeyboardInterrupt
        done.append(path)
        real(self, path)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Storage, "delete_file", delete_until)
        drop_builds(storage, keep=1, hours=0)
    assert verify(storage) == [] and builder.latest(root) == third
    drop_builds(storage, keep=1, hours=0)
    remove_unused(storage, hours=0)
    assert stage_folders(root) == folders_of(third) == {str(p.relative_to(root)) for p in root.glob("stages/*/*")}


def test_nothing_is_dropped_where_a_manifest_cannot_be_read(root: Path) -> None:
    (next((root / "stages" / "toy.words").iterdir()) / "manifest.json").write_text("{")
    with pytest.raises(ManifestError, match=r"manifest\.json"):
        drop_builds(Storage.at(root), keep=1, hours=0)
    with pytest.raises(ValueError, match="expected at least 1"):
        drop_builds(Storage.at(root), keep=0, hours=0)


def _long_ago() -> datetime:
    return datetime(2000, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_nothing_behind_a_linked_folder_is_removed(root: Path, tmp_path: Path, depth: int) -> None:
    attempt, storage = left_behind(root), Storage.at(root)
    linked = root.joinpath(*attempt.relative_to(root).parts[: depth + 1])
    elsewhere = tmp_path / "elsewhere"
    linked.rename(elsewhere)
    linked.symlink_to(elsewhere)
    before = sorted(elsewhere.rglob("*"))
    assert remove_unused(storage, hours=0) == []
    assert sorted(elsewhere.rglob("*")) == before and linked.is_symlink()
    assert linked_folders(storage) == [str(linked.relative_to(root))]


def test_linked_sources_answers_and_builds_are_left_alone(root: Path, tmp_path: Path) -> None:
    builder.build(str(root), [str(path) for path in sorted((tmp_path / "in").iterdir())], until="toy.total")
    storage, elsewhere = Storage.at(root), tmp_path / "elsewhere"
    for name in ("sources", "requests", "inner"):
        (elsewhere / name).mkdir(parents=True)
        (elsewhere / name / "file").write_bytes(b"12345")
    (elsewhere / "sources" / "0123456789abcdef").mkdir()
    for name in ("sources", "requests"):
        (root / name).symlink_to(elsewhere / name)
    (root / "builds" / "toy").rename(elsewhere / "toy")
    (root / "builds" / "toy").symlink_to(elsewhere / "toy")
    before = sorted(elsewhere.rglob("*"))
    assert len([path for path in before if path.parent.name == "toy"]) == 3
    assert remove_sources(storage, hours=0) == remove_requests(storage, hours=0) == []
    assert drop_builds(storage, keep=1, hours=0) == Dropped()
    assert sorted(elsewhere.rglob("*")) == before
    assert linked_folders(storage) == ["builds/toy", "requests", "sources"]


def test_links_inside_of_what_goes_are_not_followed(root: Path, tmp_path: Path) -> None:
    attempt, theirs = left_behind(root), tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "file").touch()
    (attempt / "link").symlink_to(theirs)
    assert remove_unused(Storage.at(root), hours=0) == [str(attempt.relative_to(root))]
    assert not attempt.exists() and (theirs / "file").exists()


@pytest.mark.parametrize("finished", ["2020-01-01T00:00:00", "yesterday", "", 5])
def test_a_time_without_a_zone_or_none_at_all_counts_as_old(finished: object) -> None:
    assert _finished(stage(run={"finished": finished})).year in (1, 2020)
    assert _finished(stage(run={"finished": finished})).tzinfo is not None
