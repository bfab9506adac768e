"""All people stages in one build: drafts, a simulated crowd's answers in a file, verdicts and what is left to do."""

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

from manifests.digest import canonical_json
from manifests.manifest import BuildManifest
from manifests.storage import Storage
from pipelines.model import Pipeline
from pipelines.runner import Runner
from stages.beam.options import BeamOptions
from stages.contract import Map, Output, Stage, TableSpec, Whole
from stages.people import annotations, judge, make, marks, received, replacement, verdicts
from stages.people.crowd import make_crowd
from stages.people.crowd_answers import annotate, records
from stages.people.kinds import load_kinds
from stages.people.make import TaskParams
from stages.people.redo import REDO, next_round
from stages.people.replacement import CHOSEN, STANDINGS, ReplacementParams, standing
from stages.people.source import Annotations
from stages.people.tables import DRAFTS, TASK_KEYS, TASKS, VERDICTS, WORKERS
from stages.shards import read_shards

KIND = "qampari_answer"
KINDS = load_kinds(KIND)
QUESTIONS, ANSWERS = 20, 6
# Of four questions two answers are wrong, which leaves fewer than five.
BAD = {f"q{question} a{number}" for question in range(4) for number in (0, 1)}


@dataclass(frozen=True)
class Drafts:
    """Answers of some questions, each with a wrong one at hand."""

    paths: tuple[str, ...] = ()
    schema: pa.Schema = DRAFTS.schema

    def parts(self) -> list[int]:
        return list(range(QUESTIONS))

    def read(self, part: int) -> Iterator[pa.Table]:
        rows = []
        for number in range(ANSWERS):
            shown = {"question": f"Question {part}?", "title": "A page", "page": "What the page says."}
            rows.append(
                {
                    "origin": f"q{part} a{number}",
                    "kind": KIND,
                    "payload": canonical_json(shown | {"answer": f"Answer {number}"}),
                    "wrong_payload": canonical_json(shown | {"answer": f"Wrong answer {number}"}),
                    "wrong_gold": canonical_json({"verdict": ["incorrect"]}),
                    "gold": None,
                    "redundancy": 3,
                }
            )
        yield DRAFTS.table(rows)

    def identity(self) -> Mapping[str, str]:
        return {"drafts": "0" * 64}

    def licences(self) -> Mapping[str, str]:
        return {}


def _standings(found: pa.Table) -> Output:
    by_item: dict[str, list[str]] = {}
    for row in found.to_pylist():
        by_item.setdefault(row["origin"].split()[0], []).append(row["status"])
    names = ("valid", "refused", "pending")
    rows = [
        {"item": item, "group": "dev", "place": 0} | dict(zip(names, standing(statuses), strict=True))
        for item, statuses in by_item.items()
    ]
    return Output({STANDINGS.name: STANDINGS.table(rows)})


def _pipeline(paths: tuple[str, ...]) -> Pipeline:
    drafted = Stage("test.drafts", Map(), lambda table: Output({"drafts": table}), (DRAFTS,), source=Drafts())
    stood = Stage("test.standings", Whole(), _standings, (STANDINGS,), inputs=(VERDICTS.name,))
    stages = (
        drafted,
        make.stage(KINDS, TaskParams("qampari", planted_share=0.25)),
        received.stage(Annotations(paths)),
        *annotations.stages(KINDS),
        marks.stage(KINDS),
        judge.stage(),
        verdicts.stage(KINDS),
        stood,
        replacement.stage(ReplacementParams(targets=(("dev", 10),))),
    )
    return Pipeline("people", stages, (VERDICTS.name,), {}, {}, buckets=3)


def _build(root: Path, *paths: Path) -> tuple[BuildManifest, Any]:
    runner = Runner(Storage.at(root), BeamOptions(workers=1), lambda stage, job: nullcontext())
    manifest = runner.build(_pipeline(tuple(map(str, paths))), lambda step: None)

    def read(spec: TableSpec) -> pa.Table:
        return read_shards(Storage.at(root), manifest.table(spec.name).shards, spec.schema)

    return manifest, read


@pytest.mark.slow
def test_a_build_without_answers_and_then_with_them(tmp_path: Path) -> None:
    _, read = _build(tmp_path / "root")
    assert Counter(read(VERDICTS)["status"].to_pylist()) == {"unconfirmed": QUESTIONS * ANSWERS}
    assert read(WORKERS).num_rows == read(REDO).num_rows == 0
    assert Counter(read(CHOSEN)["state"].to_pylist()) == {"open": 10}

    crowd = make_crowd(9, accuracy=1.0, spammers=2)
    keys = {row["task"]: row for row in read(TASK_KEYS).to_pylist()}
    truth = {
        task: {"verdict": ["incorrect" if key["origin"] in BAD else "correct"]}
        for task, key in keys.items()
        if not key["injected"]
    }
    rows = annotate(read(TASKS).to_pylist(), keys.values(), KINDS, crowd, truths=truth)
    answers = tmp_path / "answers.jsonl"
    answers.write_text("\n".join(json.dumps(record) for record in records(rows)), encoding="utf-8")
    manifest, read = _build(tmp_path / "root", answers)

    workers = {row["worker"]: row["why"] for row in read(WORKERS).to_pylist()}
    assert {name for name, why in workers.items() if why} == {worker.name for worker in crowd if worker.bias == 1}
    statuses = {row["origin"]: row["status"] for row in read(VERDICTS).to_pylist()}
    assert len(statuses) == QUESTIONS * ANSWERS
    # All votes that count are right, so nothing good is refused, and every refusal waits for an expert.
    assert {statuses[origin] for origin in BAD} <= {"needs_expert", "needs_vote"}
    assert set(statuses.values()) <= {"confirmed", "needs_expert", "needs_vote"}
    redo = read(REDO).to_pylist()
    assert {row["why"] for row in redo} <= {"rejected_work", "refused", "sampled"}
    again = next_round(read(TASKS), read(TASK_KEYS), read(REDO))
    assert again.num_rows >= sum(row["who"] == "worker" for row in redo)
    (judged,) = (stage for stage in manifest.stages if stage.stage == "people.verdicts")
    assert judged.rejects["rejected_worker"] == judged.metrics["left_out"] > 0
