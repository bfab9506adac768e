"""Tasks written out for the platforms."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from stages.annotation.export import export_tasks
from stages.annotation.forms.pages import label_studio_config
from stages.annotation.tasks import TaskParams, tasks
from stages.core.contract import StageError
from tests.people_samples import ANSWER, GRAPH, KINDS, draft_table, payload, task_row, task_table
from tests.stages.annotation.test_tasks import plantable

ROWS = [task_row(question=f"Which {number}?", redundancy=1 + number % 2) for number in range(5)]


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def test_the_files_of_a_kind(tmp_path: Path) -> None:
    done = export_tasks(task_table(*ROWS, task_row(GRAPH)), KINDS, tmp_path / "out", batch=2)
    assert done.tasks == {ANSWER: 5, GRAPH: 1}
    assert done.too_long == {ANSWER: 0, GRAPH: 0}
    assert [name.removeprefix(f"{ANSWER}/") for name in done.files if name.startswith(ANSWER)] == [
        "guide.md",
        "label_studio/config.xml",
        "label_studio/votes-1/001.json",
        "label_studio/votes-1/002.json",
        "label_studio/votes-2/001.json",
        "mturk/page.html",
        "mturk/question.xml",
        "mturk/votes-1/001.csv",
        "mturk/votes-1/002.csv",
        "mturk/votes-2/001.csv",
        "settings.json",
        "tasks.jsonl",
    ]
    home = tmp_path / "out" / ANSWER
    assert (home / "label_studio/config.xml").read_text(encoding="utf-8") == label_studio_config(KINDS[ANSWER])
    settings = read(home / "settings.json")
    assert (settings["quota_per_worker"], settings["quota_counts"]) == (2000, "tasks")
    assert settings["batches"]["label_studio/votes-1/001.json"] == 2
    assert sum(count for name, count in settings["batches"].items() if name.startswith("mturk/")) == 5
    assert (home / "guide.md").stat().st_mode & 0o777 == 0o644


def test_batches_hold_the_tasks_in_order_of_their_ids(tmp_path: Path) -> None:
    export_tasks(task_table(*reversed(ROWS)), KINDS, tmp_path / "out")
    home = tmp_path / "out" / ANSWER
    expected = sorted(row["task"] for row in ROWS if row["redundancy"] == 1)
    batch = read(home / "label_studio/votes-1/001.json")
    assert [record["data"]["task"] for record in batch] == expected
    shown = {row["task"]: json.loads(row["payload"]) for row in ROWS}
    assert batch[0] == {"data": shown[expected[0]] | {"task": expected[0]}}
    with (home / "mturk/votes-1/001.csv").open(encoding="utf-8", newline="") as file:
        assert [row["task"] for row in csv.DictReader(file)] == expected
    lines = (home / "tasks.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 5


def test_no_file_tells_which_tasks_are_attention_checks(tmp_path: Path) -> None:
    drafts = draft_table(*(plantable(f"q{number}") for number in range(30)))
    made = tasks(drafts, kinds=KINDS, params=TaskParams("toy", attention_check_share=0.5))
    export_tasks(made.tables["tasks"], KINDS, tmp_path / "out")
    home = tmp_path / "out" / ANSWER
    for path in home.rglob("*.json*"):
        text = path.read_text(encoding="utf-8")
        assert not any(
            word in text for word in ("attention_check", "attention_checks", "gold", "wrong", "origin", '"q1"')
        ), path


def test_tasks_that_mechanical_turk_would_refuse_are_listed(tmp_path: Path) -> None:
    long = task_row(page="word " * 20_000)
    done = export_tasks(task_table(ROWS[0], long), KINDS, tmp_path / "out")
    assert done.too_long == {ANSWER: 1}
    left = read(tmp_path / "out" / ANSWER / "mturk/left_out.jsonl")
    assert left["task"] == long["task"]
    assert left["bytes"] > 100_000
    assert len(read(tmp_path / "out" / ANSWER / "label_studio/votes-1/001.json")) == 2
    with (tmp_path / "out" / ANSWER / "mturk/votes-1/001.csv").open(encoding="utf-8", newline="") as file:
        assert [row["task"] for row in csv.DictReader(file)] == [ROWS[0]["task"]]


def test_the_folder_is_replaced_only_when_allowed(tmp_path: Path) -> None:
    export_tasks(task_table(*ROWS), KINDS, tmp_path / "out")
    with pytest.raises(StageError, match="already exists"):
        export_tasks(task_table(ROWS[0]), KINDS, tmp_path / "out")
    export_tasks(task_table(ROWS[0]), KINDS, tmp_path / "out", replace=True)
    assert len((tmp_path / "out" / ANSWER / "tasks.jsonl").read_text(encoding="utf-8").splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_export_that_fails_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(StageError, match="no kind 'poetry'"):
        export_tasks(task_table(task_row() | {"kind": "poetry"}), KINDS, tmp_path / "out")
    with pytest.raises(StageError, match="batch"):
        export_tasks(task_table(), KINDS, tmp_path / "out", batch=0)
    assert list(tmp_path.iterdir()) == []


def test_experts_see_what_was_answered_but_not_by_whom(tmp_path: Path) -> None:
    task = ROWS[0]["task"]
    said = [
        {"task": task, "worker": "ann", "answers": '{"verdict":["incorrect"]}'},
        {"task": task, "worker": "bob", "answers": '{"verdict":["correct"]}'},
        {"task": "f" * 32, "worker": "bob", "answers": "{}"},
    ]
    export_tasks(task_table(*ROWS), KINDS, tmp_path / "out", platforms=(), answers=said)
    lines = (tmp_path / "out" / ANSWER / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [
        {"task": task, "answers": {"verdict": ["correct"]}},
        {"task": task, "answers": {"verdict": ["incorrect"]}},
    ]
    assert not (tmp_path / "out" / ANSWER / "mturk").exists()
    assert not (tmp_path / "out" / ANSWER / "label_studio").exists()


def test_experts_find_the_form_filled_in(tmp_path: Path) -> None:
    rows = [row for row in ROWS if row["redundancy"] == 1]
    said = [
        {"task": rows[0]["task"], "worker": worker, "answers": answers}
        for worker, answers in (
            ("ann", '{"verdict":["correct"]}'),
            ("bob", '{"reason":["another town"],"verdict":["incorrect"]}'),
            ("eve", '{"verdict":["correct"]}'),
        )
    ]
    export_tasks(task_table(*rows), KINDS, tmp_path / "out", answers=said)
    batch = read(tmp_path / "out" / ANSWER / "label_studio/votes-1/001.json")
    given = {record["data"]["task"]: record.get("predictions") for record in batch}
    # Nobody has answered the others; no word of who answered this one.
    assert [name for name, predictions in given.items() if predictions] == [rows[0]["task"]]
    # Those that most people gave come first.
    verdict = {"id": "verdict", "from_name": "verdict", "to_name": "answer_text", "type": "choices"}
    reason = {"id": "reason", "from_name": "reason", "to_name": "answer_text", "type": "textarea"}
    assert given[rows[0]["task"]] == [
        {
            "model_version": "answered",
            "score": 0.6667,
            "result": [verdict | {"value": {"choices": ["correct"]}}],
        },
        {
            "model_version": "answered",
            "score": 0.3333,
            "result": [
                reason | {"value": {"text": ["another town"]}},
                verdict | {"value": {"choices": ["incorrect"]}},
            ],
        },
    ]


def test_no_tasks_give_an_empty_folder(tmp_path: Path) -> None:
    assert export_tasks(task_table(), KINDS, tmp_path / "out").files == ()
    assert payload(ANSWER).keys() == {"answer", "page", "question", "title"}
