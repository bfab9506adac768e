"""The stages between drafts and annotations in a real build: any number of buckets, with and without answers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from manifests.digest import sha256
from manifests.manifest import BuildManifest
from manifests.storage import Storage
from pipelines.model import Pipeline
from pipelines.runner import Runner
from stages.beam.options import BeamOptions
from stages.contract import Map, Output, Stage
from stages.people import annotations, make, received
from stages.people.make import TaskParams, task_id
from stages.people.source import Annotations
from stages.people.tables import ANNOTATIONS, DRAFTS
from stages.shards import read_shards
from tests.people_samples import ANSWER, KINDS, neutral_record, payload, write_lines
from tests.stages.people.test_make import plantable


@dataclass(frozen=True)
class Drafts:
    """A source of so many drafts."""

    count: int
    schema: pa.Schema = DRAFTS.schema
    paths: tuple[str, ...] = ()

    def parts(self) -> list[int]:
        return list(range(self.count))

    def read(self, part: int) -> Iterator[pa.Table]:
        yield DRAFTS.table([plantable(f"q{part}")])

    def identity(self) -> Mapping[str, str]:
        return {"count": sha256(str(self.count).encode())}

    def licences(self) -> Mapping[str, str]:
        return {"drafts": "CC0-1.0"}


def pass_on(drafts: pa.Table) -> Output:
    return Output({DRAFTS.name: drafts})


def pipeline(files: tuple[str, ...], buckets: int) -> Pipeline:
    stages = (
        Stage("toy.drafts", Map(), pass_on, (DRAFTS,), source=Drafts(20)),
        make.stage({ANSWER: KINDS[ANSWER]}, TaskParams("toy")),
        received.stage(Annotations(files)),
        *annotations.stages({ANSWER: KINDS[ANSWER]}),
    )
    return Pipeline("toy", stages, ("tasks", "annotations"), {}, {}, buckets)


def build(root: Path, files: tuple[str, ...], buckets: int) -> tuple[BuildManifest, list[dict[str, Any]]]:
    runner = Runner(Storage.at(root), BeamOptions(workers=1), lambda stage, job: nullcontext())
    manifest = runner.build(pipeline(files, buckets), lambda step: None)
    found = read_shards(Storage.at(root), manifest.table("annotations").shards, ANNOTATIONS.schema)
    return manifest, sorted(found.to_pylist(), key=lambda row: (row["task"], row["worker"]))


def test_answers_reach_their_tasks_whatever_the_buckets(tmp_path: Path) -> None:
    shown = [payload(ANSWER, question=f"Which q{number}?", answer="north") for number in range(20)]
    ids = [task_id("toy", ANSWER, one) for one in shown]
    records = [neutral_record(task, worker) for task in ids for worker in ("ann", "bob")]
    bad = [neutral_record("f" * 32), neutral_record(ids[0], "eve", answers={"verdict": "perhaps"})]
    one = write_lines(tmp_path / "one.jsonl", [*records[:25], bad[0]])
    two = write_lines(tmp_path / "two.jsonl", [*records[20:], bad[1]])
    manifest, rows = build(tmp_path / "a", (one, two), 1)
    assert [(row["task"], row["worker"]) for row in rows] == sorted((task, w) for task in ids for w in ("ann", "bob"))
    assert {row["answers"] for row in rows} == {json.dumps({"verdict": ["correct"]}, separators=(",", ":"))}
    rejects = {stage.stage: dict(stage.rejects) for stage in manifest.stages if stage.rejects}
    assert rejects == {
        "people.received": {"duplicate": 5},
        "people.checked": {"unknown_choice": 1, "unknown_task": 1},
    }
    assert build(tmp_path / "b", (two, one), 5)[1] == rows


def test_a_build_without_answers_goes_on(tmp_path: Path) -> None:
    manifest, rows = build(tmp_path, (), 3)
    assert rows == []
    assert manifest.table("tasks").rows >= 20
