"""`tasks` and `people` over a build that nobody has answered yet."""

from __future__ import annotations

import json
import logging
import shutil
from pathlib import Path

import pytest

from manifests.registry import latest_build
from manifests.storage import Storage
from pipelines.cli.people import people
from pipelines.datasets import dataset
from stages.annotation.label_studio_server import TOKEN
from stages.annotation.reports.report import Costs
from tests.pipelines.commands import build_wiqa, refused, run
from tests.tools.small_label_studio import small_label_studio


def test_all_open_tasks_are_written_for_both_platforms(wiqa_root: Path, tmp_path: Path) -> None:
    said = run("tasks", "wiqa", "--root", str(wiqa_root), "--out", str(tmp_path / "out"))
    assert "wiqa_graph: 16 tasks" in said
    assert "note: answers to the round 'graphs' change what 'questions' asks" in said
    folder = tmp_path / "out" / "wiqa_graph"
    lines = (folder / "tasks.jsonl").read_text().splitlines()
    sent = json.loads((folder / "label_studio" / "votes-1" / "001.json").read_text())
    assert {json.loads(line)["task"] for line in lines} == {task["data"]["task"] for task in sent}
    assert len(lines) == 16
    assert (folder / "mturk" / "votes-1" / "001.csv").read_text().count("\n") >= 17
    assert (tmp_path / "out" / "wiqa_question" / "label_studio" / "votes-5" / "001.json").is_file()


def test_one_platform_and_one_kind(wiqa_root: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    where = ("--root", str(wiqa_root), "--out", str(out))
    said = run("tasks", "wiqa", *where, "--platform", "mturk", "--kind", "wiqa_graph", "--batch", "10")
    assert "note:" not in said
    assert sorted(path.name for path in out.iterdir()) == ["wiqa_graph"]
    assert not (out / "wiqa_graph" / "label_studio").exists()
    assert sorted(path.name for path in (out / "wiqa_graph" / "mturk" / "votes-1").iterdir()) == ["001.csv", "002.csv"]
    batches = json.loads((out / "wiqa_graph" / "settings.json").read_text())["batches"]
    assert batches == {"mturk/votes-1/001.csv": 10, "mturk/votes-1/002.csv": 6}


@pytest.mark.parametrize("name", ["label_studio", "label-studio"])
def test_a_platform_goes_by_the_name_of_its_folder(name: str, wiqa_root: Path, tmp_path: Path) -> None:
    where = ("--root", str(wiqa_root), "--out", str(tmp_path / "out"), "--kind", "wiqa_graph")
    run("tasks", "wiqa", *where, "--platform", name)
    assert sorted(path.name for path in (tmp_path / "out" / "wiqa_graph").iterdir() if path.is_dir()) == [
        "label_studio"
    ]


def test_what_no_one_waits_for_is_not_written(wiqa_root: Path, tmp_path: Path) -> None:
    where = ("--root", str(wiqa_root), "--out", str(tmp_path / "out"))
    assert "nothing to send: no open tasks for an expert" in run("tasks", "wiqa", *where, "--for", "expert")
    assert "nothing to send: no tasks again for a worker" in run("tasks", "wiqa", *where, "--which", "again")
    assert not (tmp_path / "out").exists()


def test_refusals_name_the_option(wiqa_root: Path, tmp_path: Path) -> None:
    where = ("--root", str(wiqa_root), "--out", str(tmp_path / "out"))
    assert "--kind ifqa_writing: no such tasks" in refused("tasks", "wiqa", *where, "--kind", "ifqa_writing")
    assert "holds no build of wiqa" in refused("tasks", "wiqa", "--root", str(tmp_path), "--out", str(tmp_path / "x"))
    assert "name a folder with --out, or a Label Studio server with --push" in refused("tasks", "wiqa", *where[:2])
    pushed = ("--push", "https://label-studio.example.org")
    assert "--platform: goes with --out" in refused("tasks", "wiqa", *where[:2], *pushed, "--platform", "mturk")
    assert "already exists" in refused("tasks", "wiqa", "--root", str(wiqa_root), "--out", str(tmp_path))
    assert "experts see what workers" in refused("tasks", "wiqa", *where, "--which", "new", "--for", "expert")


@pytest.mark.network
def test_tasks_are_pushed_to_a_server_and_the_token_is_not_shown(
    wiqa_root: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    pytest.importorskip("label_studio_sdk", reason="needs the extra 'annotation'")
    token = "0123456789abcdef0123456789abcdef01234567"  # noqa: S105 (of a server that lives for one test)
    caplog.set_level(logging.DEBUG)
    with small_label_studio(token) as small:
        where = ("tasks", "wiqa", "--root", str(wiqa_root), "--kind", "wiqa_graph", "--push", small.url)
        monkeypatch.delenv(TOKEN, raising=False)
        assert f"set {TOKEN} to an access token" in refused(*where)
        monkeypatch.setenv(TOKEN, "f" * 40)
        assert f"refuses the token in {TOKEN}" in refused(*where)
        monkeypatch.setenv(TOKEN, token)
        said = run(*where)
        assert said == f"wiqa_graph: 16 tasks in {small.url}/projects/1, 1 vote each (16 new)\n"
        assert "(0 new)" in run(*where)
        small.token = token[::-1]
        again = refused(*where)
    assert token not in said + again + caplog.text and "f" * 40 not in caplog.text


def test_a_report_without_any_answer(wiqa_root: Path) -> None:
    said = run("people", "wiqa", "--root", str(wiqa_root))
    assert "16 unconfirmed" in said
    assert "workers: 0 accepted; refused: none" in said
    rounds = json.loads(run("people", "wiqa", "--root", str(wiqa_root), "--fee", "0", "--redo", "0", "--json"))[
        "rounds"
    ]
    assert [one["round"] for one in rounds] == ["graphs", "questions"]
    [graphs] = rounds[0]["kinds"]
    # Sixteen forms at 0.90, and an expert at 30 an hour on one of them (5 % rounded up) for the expected 360 seconds.
    assert graphs["whole"]["total"] == graphs["left"]["total"] == 16 * 0.90 + 30 * 360 / 3600
    assert graphs["agreement"] is None


def test_the_shown_defaults_are_those_of_the_report() -> None:
    defaults = {option.name: option.default for option in people.params}
    costs = (Costs.fee, Costs.redo, Costs.checked, Costs.expert_pay_per_hour)
    assert tuple(defaults[name] for name in ("fee", "redo", "checked", "expert_pay")) == costs


def test_a_round_without_tasks_says_why(wiqa_root: Path, wiqa_input: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(wiqa_root, root)
    run(*build_wiqa(root, wiqa_input), "--set", "tasks.splits=[]", "--quiet")
    text = run("people", "wiqa", "--root", str(root))
    assert "no tasks: no question is in a split of tasks.splits, and only those are asked anew" in text
    manifest = latest_build(Storage.at(root), "wiqa")
    assert manifest is not None
    manifest.parameters["tasks"]["splits"] = ["test"]
    explain = dataset("wiqa").no_tasks
    assert explain is not None
    assert explain(manifest, "questions") == "no question is in test, and only those are asked anew"
