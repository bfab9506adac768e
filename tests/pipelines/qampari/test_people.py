"""The sample with people in the loop, through the commands: build, tasks, simulated answers, build again."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from manifests.manifest import BuildManifest
from manifests.registry import latest_build
from manifests.storage import Storage
from pipelines.cli import main
from pipelines.published import read_table
from stages.annotation.tables import TASK_KEYS
from stages.qampari.release.records import RECORDS, SIDECAR

pytestmark = pytest.mark.slow
SETTINGS = (
    "splits.dev=20",
    "splits.test=20",
    "people.expert_refused=false",
    "people.expert_right=0",
    "people.check_share=0",
)


def run(*arguments: str) -> str:
    result = CliRunner().invoke(main, [*arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def build(root: Path, *annotations: Path) -> BuildManifest:
    settings = [part for setting in SETTINGS for part in ("--set", setting)]
    answers = [part for path in annotations for part in ("--annotations", str(path))]
    run("build", "qampari", "--root", str(root), "--workers", "1", "--quiet", *settings, *answers)
    manifest = latest_build(Storage.at(root), "qampari")
    assert manifest is not None
    return manifest


def answered(root: Path, path: Path) -> Path:
    crowd = ("--workers", "9", "--accuracy", "1.0", "--right-share", "0.8")
    run("simulate-crowd", "--answer", "qampari", "--root", str(root), "--out", str(path), *crowd)
    return path


def test_from_tasks_to_a_release_that_people_have_seen(tmp_path: Path) -> None:
    root = tmp_path / "root"
    storage = Storage.at(root)
    plain = build(root)
    before = {row["query"]: row for row in read_table(storage, plain, RECORDS).to_pylist()}
    assert set(read_table(storage, plain, SIDECAR)["confirmed"].to_pylist()) == {False}
    assert any("unconfirmed" in note for note in plain.notes)
    written = run("tasks", "qampari", "--root", str(root), "--out", str(tmp_path / "tasks"))
    lines = (tmp_path / "tasks" / "qampari_answer" / "tasks.jsonl").read_text(encoding="utf-8").splitlines()
    keys = read_table(storage, plain, TASK_KEYS, f"{TASK_KEYS.name}_answers")
    assert {json.loads(line)["task"] for line in lines} == set(keys["task"].to_pylist())
    checks = sum(keys["attention_check"].to_pylist())
    assert 0.05 < checks / len(lines) < 0.15
    assert "qampari_paraphrase" in written

    first = answered(root, tmp_path / "first.jsonl")
    judged = build(root, first)
    after = {row["query"]: row for row in read_table(storage, judged, RECORDS).to_pylist()}
    metrics = {stage.stage: dict(stage.metrics) for stage in judged.stages}
    rejects = {stage.stage: dict(stage.rejects) for stage in judged.stages}
    refused = rejects["qampari.judged"]["refused_by_people"]
    verdicts = metrics["annotation.verdicts_answers"]
    assert refused == verdicts["refused"] > 0
    assert verdicts["refused"] + verdicts["confirmed"] == len(lines) - checks
    # Some questions are left with too few answers, and others of the same kind stand in their places.
    replaced = metrics["qampari.replacement_answers"]
    assert replaced["lost"] == metrics["qampari.judged"]["replacing"] + replaced["short"] > 0
    gone = before.keys() - after.keys()
    assert len(gone) == replaced["lost"]
    assert not {row["qid"] for row in after.values() if row["query"] not in before} & {
        row["qid"] for row in before.values()
    }
    sizes = Counter((row["split"], row["kind"]) for row in after.values())
    assert all(
        count <= Counter((row["split"], row["kind"]) for row in before.values())[group]
        for group, count in sizes.items()
    )
    for query in before.keys() & after.keys():
        old, new = (json.loads(rows[query]["record"]) for rows in (before, after))
        shown = [one["answer_text"] for one in old["answer_list"]]
        assert [text for text in shown if text in {one["answer_text"] for one in new["answer_list"]}] == [
            one["answer_text"] for one in new["answer_list"]
        ]
    # What was confirmed is so for every triple of a question that was judged; train is not judged.
    side = read_table(storage, judged, SIDECAR).to_pylist()
    new_ones = after.keys() - before.keys()
    assert all(row["confirmed"] == (row["split"] != "train" and row["query"] not in new_ones) for row in side)

    second = answered(root, tmp_path / "second.jsonl")
    final = build(root, first, second)
    (last,) = (dict(stage.metrics) for stage in final.stages if stage.stage == "qampari.judged")
    assert last["confirmed"] > metrics["qampari.judged"]["confirmed"]
