"""The people stages in a real build: drafts, a crowd's answers in files, verdicts and what is left to do."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from manifests.manifest import BuildManifest
from manifests.storage import Storage
from pipelines.model import Pipeline
from pipelines.runner import Runner
from stages.annotation import received, tasks, verdicts
from stages.annotation.platforms.source import Annotations
from stages.annotation.redo import AGAIN, REDO, outstanding
from stages.annotation.simulation.crowd import make_crowd
from stages.annotation.simulation.crowd_answers import annotate, records
from stages.annotation.tables import ANNOTATIONS, DRAFTS, TASK_KEYS, TASKS, VERDICTS, WORKERS
from stages.annotation.tasks import TaskParams
from stages.annotation.verdicts import RoundParams
from stages.beam.options import BeamOptions
from stages.core.contract import Map, Output, Stage, TableSpec
from stages.core.shards import read_shards
from tests.people_samples import ANSWER, KINDS, neutral_record, write_lines
from tests.stages.annotation.test_tasks import plantable

KIND = {ANSWER: KINDS[ANSWER]}
COUNT = 120
BAD = {f"q{number}" for number in range(8)}


@dataclass(frozen=True)
class Drafts:
    """A source of drafts, each with a wrong answer at hand."""

    schema: pa.Schema = DRAFTS.schema
    paths: tuple[str, ...] = ()

    def parts(self) -> list[int]:
        return list(range(0, COUNT, 40))

    def read(self, part: int) -> Iterator[pa.Table]:
        yield DRAFTS.table([plantable(f"q{number}") | {"redundancy": 3} for number in range(part, part + 40)])

    def identity(self) -> Mapping[str, str]:
        return {"drafts": "0" * 64}

    def licences(self) -> Mapping[str, str]:
        return {}


def _build(root: Path, *files: str, buckets: int = 3) -> tuple[BuildManifest, Any]:
    drafted = Stage("toy.drafts", Map(), lambda table: Output({DRAFTS.name: table}), (DRAFTS,), source=Drafts())
    answers = (received.stage(Annotations(files)),) if files else ()
    settled = verdicts.stage(KIND, RoundParams(), "received" if files else None)
    stages = (drafted, tasks.stage(KIND, TaskParams("toy", attention_check_share=0.25)), *answers, settled)
    runner = Runner(Storage.at(root), BeamOptions(workers=1), lambda stage, job: nullcontext())
    manifest = runner.build(Pipeline("toy", stages, (VERDICTS.name,), {}, {}, buckets), lambda step: None)

    def read(spec: TableSpec) -> list[dict[str, Any]]:
        found = read_shards(Storage.at(root), manifest.table(spec.name).shards, spec.schema).to_pylist()
        return sorted(found, key=lambda row: [row[name] for name in spec.key])

    return manifest, read


def test_answers_reach_their_tasks_whatever_the_buckets(tmp_path: Path) -> None:
    _, read = _build(tmp_path / "root")
    ids = [row["task"] for row in read(TASK_KEYS) if not row["attention_check"]]
    given = [neutral_record(task, worker) for task in ids for worker in ("ann", "bob")]
    bad = [neutral_record("f" * 32), neutral_record(ids[0], "eve", answers={"verdict": "perhaps"})]
    one = write_lines(tmp_path / "one.jsonl", [*given[:25], bad[0]])
    two = write_lines(tmp_path / "two.jsonl", [*given[20:], bad[1]])
    manifest, read = _build(tmp_path / "a", one, two, buckets=1)
    rows = read(ANNOTATIONS)
    assert [(row["task"], row["worker"]) for row in rows] == sorted((task, w) for task in ids for w in ("ann", "bob"))
    assert {row["answers"] for row in rows} == {json.dumps({"verdict": ["correct"]}, separators=(",", ":"))}
    rejects = {stage.stage: dict(stage.rejects) for stage in manifest.stages if stage.rejects}
    assert rejects == {
        "annotation.received": {"duplicate": 5},
        "annotation.verdicts": {"unknown_choice": 1, "unknown_task": 1},
    }
    assert _build(tmp_path / "b", two, one, buckets=5)[1](ANNOTATIONS) == rows


@pytest.mark.slow
def test_a_build_without_answers_and_then_with_them(tmp_path: Path) -> None:
    _, read = _build(tmp_path / "root")
    assert Counter(row["status"] for row in read(VERDICTS)) == {"unconfirmed": COUNT}
    assert read(ANNOTATIONS) == read(WORKERS) == read(REDO) == []

    crowd, keys = make_crowd(9, accuracy=1.0, spammers=2), read(TASK_KEYS)
    truth = {
        key["task"]: {"verdict": ["incorrect" if key["origin"] in BAD else "correct"]}
        for key in keys
        if not key["attention_check"]
    }
    said = records(annotate(read(TASKS), keys, KINDS, crowd, truths=truth))
    manifest, read = _build(tmp_path / "root", write_lines(tmp_path / "answers.jsonl", said))

    workers = {row["worker"]: row["why"] for row in read(WORKERS)}
    assert {name for name, why in workers.items() if why} == {worker.name for worker in crowd if worker.bias == 1}
    statuses = {row["origin"]: row["status"] for row in read(VERDICTS)}
    assert len(statuses) == COUNT
    # All votes that count are right, so nothing good is refused, and every refusal waits for an expert.
    assert {statuses[origin] for origin in BAD} <= {"needs_expert", "needs_vote"}
    assert set(statuses.values()) <= {"confirmed", "needs_expert", "needs_vote"}
    redo = read(REDO)
    assert {row["why"] for row in redo} <= {"rejected_work", "refused", "sampled"}
    tables = (spec.table(read(spec)) for spec in (TASKS, TASK_KEYS, ANNOTATIONS, REDO))
    again = outstanding(*tables, which=AGAIN)
    assert again.num_rows >= sum(row["who"] == "worker" for row in redo)
    (judged,) = (stage for stage in manifest.stages if stage.stage == "annotation.verdicts")
    assert judged.rejects["rejected_worker"] == judged.metrics["left_out"] > 0
