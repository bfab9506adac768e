"""Two builds of one dataset at once under one root: both end well, and nothing is mixed."""

from __future__ import annotations

from pathlib import Path

import pytest

from manifests.manifest import BuildManifest, ManifestError, StageManifest
from manifests.registry import find_stage, publish_stage
from manifests.storage import Storage
from manifests.verify import verify
from stages.beam import executor
from tests import toy
from tests.faults import builder


def attempts(stage: StageManifest) -> set[str]:
    """The attempt folders that a manifest's shards lie in."""
    return {shard.path.split("/")[3] for table in stage.tables.values() for shard in table.shards}


def whole(manifest: BuildManifest) -> bool:
    return all(len(attempts(stage)) == 1 for stage in manifest.stages)


@pytest.mark.slow
def test_two_processes_that_build_the_same_end_with_equal_manifests(tmp_path: Path) -> None:
    paths = toy.write_lines(tmp_path / "in", [toy.LINES])
    root = tmp_path / "root"
    both = [builder.build_in_process(str(root), paths, None, 2) for _ in range(2)]
    for process in both:
        process.join(timeout=120)
    assert [process.exitcode for process in both] == [0, 0]
    alone = builder.build(str(tmp_path / "alone"), paths, buckets=2)
    manifest = builder.latest(root)
    assert manifest.version == alone.version and builder.digests(manifest) == builder.digests(alone)
    assert whole(manifest)
    assert verify(Storage.at(root)) == []
    again = builder.build(str(root), paths, buckets=2)
    assert builder.digests(again) == builder.digests(alone)


def test_the_second_to_finish_takes_what_the_first_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = toy.write_lines(tmp_path / "in", [toy.LINES])
    root = str(tmp_path / "root")
    real = executor.execute
    first: list[BuildManifest] = []

    def overtaken(*job):
        result = real(*job)
        monkeypatch.setattr(executor, "execute", real)
        first.append(builder.build(root, paths, until="toy.words"))
        return result

    monkeypatch.setattr(executor, "execute", overtaken)
    second = builder.build(root, paths, until="toy.words")
    assert attempts(second.stages[0]) == attempts(first[0].stages[0])
    assert second.version == first[0].version
    folder = Path(root) / "stages" / "toy.words"
    (result,) = folder.iterdir()
    assert sorted(path.name for path in result.iterdir()) == sorted([*attempts(second.stages[0]), "manifest.json"])


def test_a_stage_that_is_not_deterministic_replaces_nothing(tmp_path: Path) -> None:
    root = Storage.at(tmp_path / "root")
    paths = toy.write_lines(tmp_path / "in", [toy.LINES])
    stage = builder.build(root, paths, until="toy.words").stages[0]
    other = builder.build(str(tmp_path / "other"), toy.write_lines(tmp_path / "in2", [["else"]]), until="toy.words")
    claimed = StageManifest(**{**vars(other.stages[0]), "fingerprint": stage.fingerprint})
    with pytest.raises(ManifestError, match="published different rows in words, rejects; the stage is not determ"):
        publish_stage(root, claimed)
    found = find_stage(root, "toy.words", stage.fingerprint)
    assert found is not None and found.tables == stage.tables and found.code == stage.code
