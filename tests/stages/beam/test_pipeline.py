"""A plan on Beam: equal to the same plan in this process, to the byte, and made of what every runner has."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import apache_beam as beam
import pytest
from apache_beam.pipeline import AppliedPTransform, PipelineVisitor

from manifests.manifest import BuildManifest
from manifests.storage import Storage
from pipelines.datasets import dataset, names
from pipelines.model import Pipeline
from pipelines.params import load
from pipelines.runner import Runner
from stages.beam.options import BeamOptions
from stages.beam.pipeline import Turn
from stages.io.detect import ANNOTATIONS, detect
from tests import toy
from tests.faults.builder import digests
from tests.stages.beam.jobs import HERE, ON_BEAM

GROUPS = [toy.LINES[:3], toy.LINES[2:], ["of two files one line is the same", *toy.LINES[:1]]]


def build(root: Path, pipeline: Pipeline, options: BeamOptions) -> BuildManifest:
    return Runner(Storage.at(root), options, lambda stage, job: nullcontext()).build(pipeline, lambda step: None)


def assert_equal(one: BuildManifest, other: BuildManifest) -> None:
    assert digests(one) == digests(other)
    assert one.comparable() == other.comparable()
    told = [[(stage.rejects, stage.metrics) for stage in manifest.stages] for manifest in (one, other)]
    assert told[0] == told[1]


@pytest.mark.parametrize("buckets", [1, 4])
def test_all_shapes_are_equal_to_the_byte_here_and_on_beam(tmp_path: Path, buckets: int) -> None:
    made = toy.pipeline(toy.write_lines(tmp_path / "in", GROUPS), buckets=buckets)
    here = build(tmp_path / "here", made, HERE)
    # One line of two files holds "the" twice: 12 words, 5 kept. Another, of 4 words, stands in three places.
    assert here.stages[0].rejects == {"duplicate": 15, "too_short": 4} and here.table("scores").rows == 20
    assert_equal(here, build(tmp_path / "beam", made, ON_BEAM))


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_samples_are_equal_to_the_byte_here_and_on_beam(name: str, tmp_path: Path) -> None:
    described = dataset(name)
    inputs = detect(list(described.sample()))
    if described.sample_answers:
        inputs = inputs.plus(ANNOTATIONS, described.sample_answers())
    made = described.pipeline(load(described.defaults), inputs)
    here = build(tmp_path / "here", made, HERE)
    assert here.complete
    assert_equal(here, build(tmp_path / "beam", made, ON_BEAM))


class Leaves(PipelineVisitor):
    """The kinds of a pipeline's transforms that are made of no others."""

    def __init__(self) -> None:
        self.kinds: list[str] = []

    def visit_transform(self, node: AppliedPTransform) -> None:
        self.kinds.append(type(node.transform).__name__)


def test_a_job_is_made_of_what_every_runner_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[list[str]] = []
    ran = beam.Pipeline.run

    def look(self: beam.Pipeline) -> Any:
        leaves = Leaves()
        self.visit(leaves)
        found.append(leaves.kinds)
        return ran(self)

    monkeypatch.setattr(beam.Pipeline, "run", look)
    build(tmp_path / "out", toy.pipeline(toy.write_lines(tmp_path / "in", GROUPS)), ON_BEAM)
    assert len(found) == 6
    for kinds in found:
        start, steps = kinds[: kinds.index("GroupByKey")], kinds[kinds.index("GroupByKey") :]
        assert set(start) <= {"Impulse", "FlatMap", "ParDo"}
        assert steps == ["GroupByKey", "ParDo"] * (len(steps) // 2) and len(steps) <= 10
    assert not hasattr(Turn, "finish_bundle") or Turn.finish_bundle is beam.DoFn.finish_bundle
