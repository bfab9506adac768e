"""Two datasets in one root take from each other just what they would have made themselves."""

from __future__ import annotations

import shutil
from contextlib import nullcontext
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from manifests.manifest import BuildManifest
from manifests.storage import Storage
from pipelines.datasets import dataset, names
from pipelines.inputs import read_inputs
from pipelines.params import load
from pipelines.runner import Runner
from pipelines.samples import sample_files
from stages.beam.options import BeamOptions

WORLD = [path for path in sample_files("world") if Path(path).name in ("wikidata.json", "wikipedia.xml")]


def build(
    root: Path, name: str, sources: list[str] | None = None, settings: tuple[str, ...] = (), until: str | None = None
) -> BuildManifest:
    found = dataset(name)
    answers = found.sample_answers() if found.sample_answers and not sources else ()
    inputs = read_inputs(found, sources or found.sample(), answers)
    runner = Runner(Storage.at(root), BeamOptions(workers=1), lambda stage, job: nullcontext())
    return runner.build(found.pipeline(load(found.defaults, settings=settings), inputs), lambda step: None, until=until)


def rows(manifest: BuildManifest) -> dict[str, Any]:
    tables = {
        f"{stage.stage} {name}": table.digest for stage in manifest.stages for name, table in stage.tables.items()
    }
    return {**tables, "version": manifest.version}


def test_what_is_bound_to_a_kernel_keeps_two_datasets_apart(tmp_path: Path) -> None:
    """MuSiQue asks for facts of no typed relation, QAMPARI for some: neither may take the other's facts."""
    build(tmp_path / "both", "musique", WORLD, until="facts.statements")
    settings = ("queries.answers=all",)
    after = build(tmp_path / "both", "qampari", WORLD, settings, until="qampari.simple_queries")
    alone = build(tmp_path / "alone", "qampari", WORLD, settings, until="qampari.simple_queries")
    assert rows(after) == rows(alone)
    assert after.table("queries").rows == 124


@pytest.mark.slow
def test_every_dataset_gives_the_same_in_a_root_that_another_has_used(tmp_path: Path) -> None:
    fresh = {name: rows(build(tmp_path / name, name)) for name in names()}
    for first, second in permutations(names(), 2):
        both = tmp_path / f"{first} {second}"
        shutil.copytree(tmp_path / first, both)
        assert rows(build(both, second)) == fresh[second], (first, second)
        shutil.rmtree(both)
