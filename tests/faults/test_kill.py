"""A build killed at every single step: nothing published before is hurt, and the next build ends as if unhurt."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest

from manifests.manifest import BuildManifest, Shard
from manifests.storage import Storage
from manifests.verify import verify
from tests import toy
from tests.faults import builder


@dataclass(frozen=True)
class Scene:
    """A root that holds an earlier build, changed input files, and what an undisturbed build makes of them."""

    before: Path
    paths: list[str]
    until: str | None
    version: str
    digests: dict[str, list[str]]
    make: builder.Make = toy.pipeline
    dataset: str = "toy"


def make_scene(folder: Path, until: str | None) -> Scene:
    old = toy.write_lines(folder / "old", [toy.LINES])
    new = toy.write_lines(folder / "new", [toy.LINES[:3], [*toy.LINES[3:], "a new line"]])
    before = folder / "before"
    assert builder.run(builder.build, str(before), old, until) == 0
    return after(before, new, until, folder / "whole")


def after(
    before: Path, paths: list[str], until: str | None, whole: Path, make: builder.Make = toy.pipeline, name: str = "toy"
) -> Scene:
    """What an undisturbed build of some files in `whole` makes on top of the root `before`."""
    shutil.copytree(before, whole)
    assert builder.run(builder.build, str(whole), paths, until, 1, make) == 0
    manifest = builder.latest(whole, name)
    return Scene(before, paths, until, manifest.version, builder.digests(manifest), make, name)


def die_and_go_on(scene: Scene, kind: str, step: int, root: Path) -> bool:
    """Kills a build at one step and checks all that must hold; False where it ended before that step."""
    shutil.copytree(scene.before, root)
    earlier = builder.latest(scene.before, scene.dataset)
    code = builder.run(builder.build_and_die, str(root), scene.paths, scene.until, kind, step, scene.make)
    assert code in (0, builder.KILLED)
    where = f"killed at step {step} {kind}"
    assert verify(Storage.at(root)) == [], where
    assert builder.latest(root, scene.dataset).version in (earlier.version, scene.version), where
    assert all(Storage.at(root).exists(shard.path) for shard in shards(earlier)), where
    assert builder.run(builder.build, str(root), scene.paths, scene.until, 1, scene.make) == 0, where
    manifest = builder.latest(root, scene.dataset)
    assert manifest.version == scene.version and builder.digests(manifest) == scene.digests, where
    assert verify(Storage.at(root)) == [], where
    shutil.rmtree(root)
    return code == builder.KILLED


def shards(manifest: BuildManifest) -> list[Shard]:
    return [shard for stage in manifest.stages for table in stage.tables.values() for shard in table.shards]


def sweep(scene: Scene, kind: str, folder: Path) -> int:
    """Kills at step 1, 2, ... until a build gets through; returns how many died."""
    return next(step for step in count(1) if not die_and_go_on(scene, kind, step, folder / str(step))) - 1


@pytest.fixture(scope="module")
def one_stage(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    return make_scene(tmp_path_factory.mktemp("kill"), until="toy.words")


# What there is to read; two input files, one bundle: a spill, a note of progress; a spill of duplicates; words and
# rejects, a note each; the result; the stage's manifest; the note that the build has begun; the build's manifest under
# its version and as the latest.
WRITES = 13
SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    ("kind", "steps"),
    [
        ("within a write", WRITES),
        ("before a delete", 4),
        pytest.param("before a write", WRITES, marks=SLOW),
        pytest.param("before a rename", WRITES, marks=SLOW),
    ],
)
def test_a_stage_killed_at_any_step_is_made_by_the_next_build(
    one_stage: Scene, kind: str, steps: int, tmp_path: Path
) -> None:
    assert sweep(one_stage, kind, tmp_path) == steps


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["within a write", "before a write", "before a delete"])
def test_a_whole_build_killed_at_any_step_is_finished_by_the_next(kind: str, tmp_path: Path) -> None:
    whole = make_scene(tmp_path, until=None)
    died = 0
    with ThreadPoolExecutor(2) as pool:
        steps = pool.map(lambda step: die_and_go_on(whole, kind, step, tmp_path / str(step)), range(1, 500))
        for killed in steps:
            if not killed:
                pool.shutdown(wait=False, cancel_futures=True)
                break
            died += 1
    print(f"{kind}: {died} steps")
    assert died >= len(whole.digests)
