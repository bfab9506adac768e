"""`simulate-crowd`: the plan, and answers to the tasks of a build."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from manifests.registry import latest_build
from manifests.storage import Storage
from pipelines.published import read_table
from stages.annotation.simulation.crowd_plan import simulate
from stages.annotation.simulation.plan import CrowdParams
from stages.core.contract import TableSpec
from stages.wiqa.influence_graphs import GRAPHS
from tests.pipelines.commands import build_wiqa, call, refused, run


def test_the_plan_is_that_of_the_simulation() -> None:
    asked = ("--accuracy", "0.8", "--votes", "1", "--votes", "3", "--tasks", "50", "--seed", "4", "--workers", "9")
    asked += ("--target", "0.85")
    found = json.loads(run("simulate-crowd", *asked, "--json"))
    report = simulate(CrowdParams(votes=(1, 3), accuracies=(0.8,), target=0.85, tasks=50, seed=4, workers=9))
    assert found == json.loads(json.dumps(report.as_dict()))
    # Three votes of which at least two are right: 0.8^3 + 3 * 0.8^2 * 0.2.
    assert found["lines"][1]["right"] == pytest.approx(0.896)
    assert "right labels" in run("simulate-crowd", *asked)


def test_without_an_accuracy_several_are_planned_for() -> None:
    found = json.loads(run("simulate-crowd", "--votes", "1", "--tasks", "10", "--json"))
    # One vote of those who are right in 19 of 20 cases reaches the target, those of the others do not.
    assert [one["votes"] for one in found["best"]] == [None, None, None, 1]
    assert [line["accuracy"] for line in found["lines"]] == list(CrowdParams().accuracies)


def test_a_target_out_of_reach_is_told_by_the_exit_code() -> None:
    result = call("simulate-crowd", "--votes", "1", "--tasks", "10", "--accuracy", "0.8")
    assert result.exit_code == 1 and "95.0 % right labels are not reached by 1 votes." in result.stdout


@pytest.mark.parametrize("option", ["--accuracy", "--spread", "--target", "--seconds", "--fee", "--hours-per-worker"])
@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
def test_numbers_are_finite(option: str, value: str) -> None:
    assert f"Invalid value for '{option}': " in refused("simulate-crowd", option, value)


def test_answers_to_the_first_round_that_waits(wiqa_root: Path, tmp_path: Path) -> None:
    where = ("simulate-crowd", "--answer", "wiqa", "--root", str(wiqa_root), "--seed", "7")
    said = run(*where, "--out", str(tmp_path / "new" / "one.jsonl"))
    assert said.startswith("16 simulated answers to 16 tasks")
    run(*where, "--out", str(tmp_path / "two.jsonl"))
    lines = (tmp_path / "two.jsonl").read_text().splitlines()
    assert lines == (tmp_path / "new" / "one.jsonl").read_text().splitlines()
    # The graphs are those of the build.
    changes = {text for row in rows_of(wiqa_root, GRAPHS) for text in row["X"]}
    for line in lines:
        answers = json.loads(line)["answers"]
        assert {"X", "Y", "y_affects"} <= answers.keys() and set(answers["X"]) <= changes


@pytest.mark.slow
def test_graphs_of_which_nothing_is_known_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "paragraphs.jsonl"
    path.write_text('{"para_id": "1", "topic": "rain", "sentences": ["Water rises."]}\n')
    root, out = tmp_path / "root", str(tmp_path / "answers.jsonl")
    run(*build_wiqa(root, path), "--quiet")
    said = refused("simulate-crowd", "--answer", "wiqa", "--root", str(root), "--out", out)
    assert "only tasks of wiqa_graph wait (1)" in said and "--source" in said
    assert not Path(out).exists()


def rows_of(root: Path, spec: TableSpec) -> list[dict[str, Any]]:
    storage = Storage.at(root)
    manifest = latest_build(storage, "wiqa")
    assert manifest is not None
    return read_table(storage, manifest, spec).to_pylist()


def test_refusals(wiqa_root: Path, tmp_path: Path) -> None:
    where = ("simulate-crowd", "--answer", "wiqa", "--root", str(wiqa_root))
    there = tmp_path / "there.jsonl"
    there.write_text("")
    assert "--answer needs --out" in refused(*where)
    assert "already exists" in refused(*where, "--out", str(there))
    assert "no tasks wait for an expert" in refused(*where, "--out", str(tmp_path / "x"), "--as", "expert")
    assert "--votes belongs to the plan" in refused(*where, "--out", str(tmp_path / "x"), "--votes", "3")
    assert "--out goes with --answer" in refused("simulate-crowd", "--out", str(tmp_path / "x"))
    assert "votes need" in refused("simulate-crowd", "--workers", "2", "--votes", "3")
