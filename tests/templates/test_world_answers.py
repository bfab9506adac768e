"""The sample world's answers of people: what their source says, and what a build makes of them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from manifests.manifest import BuildManifest
from manifests.registry import latest_build
from manifests.storage import Storage
from pipelines.published import read_table
from pipelines.qampari.asking import ANSWERS, PARAPHRASES
from stages.annotation.tables import TASKS
from stages.qampari.release.records import RECORDS, SIDECAR
from tests.pipelines.commands import run
from tests.tools.build_world import WORLD
from tests.tools.world_answers import ANSWERS_FILE, Said, Tasks, answers_file, read
from tests.tools.world_source import SourceError

SOURCE = WORLD / "source"
FILE = WORLD / "answers" / ANSWERS_FILE
PLAY, SEA = "Which plays are there?", "Which seas are there?"


def task_rows(name: str) -> list[dict[str, Any]]:
    """The tasks of a build that asks about three answers of a question, and to reword two."""
    if name == f"tasks_{ANSWERS}":
        shown = [{"question": PLAY, "answer": answer} for answer in ("Othello", "Hamlet", "Jaws")]
    else:
        shown = [{"question": PLAY, "answers": "Hamlet"}, {"question": SEA, "answers": "Baltic Sea"}]
    return [{"task": f"{name}-{number}", "payload": json.dumps(one)} for number, one in enumerate(shown)]


def records(said: Said) -> list[dict[str, Any]]:
    return [json.loads(line) for line in answers_file(said, Tasks(task_rows)).splitlines()]


def test_a_worker_goes_through_all_that_is_asked_about_a_question() -> None:
    first = {"question": PLAY, "worker": "worker-09", "refuses": {"Jaws": "a film"}}
    said = records(Said((first, {"question": PLAY, "only": ["Hamlet"], "worker": "w"}), (), ()))
    assert [(one["task"], one["worker"], one["answers"]) for one in said] == [
        ("tasks_answers-1", "worker-09", {"verdict": "correct"}),
        ("tasks_answers-2", "worker-09", {"verdict": "incorrect", "reason": "a film"}),
        ("tasks_answers-0", "worker-09", {"verdict": "correct"}),
        ("tasks_answers-1", "w", {"verdict": "correct"}),
    ]
    assert [one["submitted"] for one in said] == [f"2024-07-01T09:0{minute}:00Z" for minute in (1, 2, 3, 4)]
    assert [one["seconds"] for one in said[:3]] == [2.0] * 3 and 30 <= said[3]["seconds"] <= 90


def test_questions_are_reworded_or_not_understood_and_odd_records_come_last() -> None:
    reworded = (
        {"question": SEA, "worker": "w", "asks": "What seas?"},
        {"question": PLAY, "worker": "v", "unclear": "?"},
    )
    odd = {"why": "missing_answer", "record": {"task": {"question": SEA}, "worker": "u", "answers": {}}}
    assert [(one["task"], one["answers"]) for one in records(Said((), reworded, (odd,)))] == [
        ("tasks_paraphrases-1", {"meaning": "clear", "paraphrase": "What seas?"}),
        ("tasks_paraphrases-0", {"meaning": "unclear", "problem": "?"}),
        ("tasks_paraphrases-1", {}),
    ]


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({"question": SEA}, "no build has anybody judge the answers of 'Which seas are there\\?'"),
        ({"question": PLAY, "only": ["Faust"]}, "no build asks anybody about .*'answer': 'Faust'"),
        ({"question": PLAY, "refuses": {"Faust": "by another"}}, "no build asks anybody about .*'answer': 'Faust'"),
    ],
)
def test_what_no_build_asks_is_named(entry: dict[str, Any], told: str) -> None:
    with pytest.raises(SourceError, match=told):
        records(Said((entry | {"worker": "w"},), (), ()))


def test_a_missing_file_of_the_source_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"judged\.yaml: "):
        read(tmp_path)


def people(root: Path) -> dict[str, dict[str, Any]]:
    """The report on each round, by its name."""
    return {one["round"]: one for one in json.loads(run("people", "qampari", "--root", str(root), "--json"))["rounds"]}


def build(root: Path, *more: str) -> BuildManifest:
    run("build", "qampari", "--root", str(root), "--workers", "1", "--quiet", *more)
    manifest = latest_build(Storage.at(root), "qampari")
    assert manifest is not None
    return manifest


@pytest.mark.slow
def test_the_file_is_that_of_the_source_and_goes_through_a_build(tmp_path: Path) -> None:
    storage = Storage.at(tmp_path)
    plain = build(tmp_path)
    assert any("are left open: all answers are as the NLI model" in note for note in plain.notes)
    tasks = Tasks(lambda name: read_table(storage, plain, TASKS, name).to_pylist())
    told = "run python -m tests.tools.build_world_answers"
    assert answers_file(read(SOURCE), tasks) == FILE.read_bytes(), told

    answered = build(tmp_path, "--annotations", "sample")
    assert not any("left open" in note for note in answered.notes)
    assert any("made up, by workers who do not exist" in note for note in answered.notes)
    reports = people(tmp_path)
    assert reports[ANSWERS]["kinds"][0]["statuses"] == {
        **{"confirmed": 72, "needs_expert": 7, "needs_vote": 16, "no_majority": 2, "unconfirmed": 1617}
    }
    workers = {one["worker"]: one for one in reports[ANSWERS]["workers"]}
    assert {name: one["why"] for name, one in workers.items() if one["why"]} == {
        **{"worker-05": "passed_wrong_answers", "worker-09": "too_fast"}
    }
    assert (workers["worker-05"]["checks_seen"], workers["worker-05"]["checks_failed"]) == (6, 6)
    rejects = {stage.stage: dict(stage.rejects) for stage in answered.stages}
    assert rejects["annotation.verdicts_answers"] == {
        **{"rejected_worker": 16, "duplicate": 1, "missing_answer": 1, "unknown_choice": 1}
    }
    assert rejects["annotation.verdicts_paraphrases"] == {"markup": 1, "unknown_task": 1}
    assert rejects["qampari.judged"] == {"no_majority": 2}
    assert rejects["qampari.paraphrasing"] == {
        **{f"paraphrasing_reworded.{reason}": 1 for reason in ("answer_in_paraphrase", "entity_dropped")}
    }
    asked = {json.loads(text)["question_text"] for text in read_table(storage, answered, RECORDS)["record"].to_pylist()}
    assert {entry["asks"] for entry in read(SOURCE).reworded if "asks" in entry} & asked == {
        "What are some paintings by Jacques-Louis David?",
        "In which places did winners of the Nobel Prize in Physics come into the world?",
        "Which people took part in the American Civil War?",
        "In which years were Hayao Miyazaki's films first shown?",
    }
    assert Counter(read_table(storage, answered, SIDECAR)["confirmed"].to_pylist())[True] > 0

    # With the one who is meant as an expert, both answers that workers differ on stay.
    settled = build(tmp_path, "--annotations", "sample", "--set", "people.experts=[worker-06]")
    last = {stage.stage: dict(stage.rejects) for stage in settled.stages}
    assert last["qampari.judged"] == {}
    assert [one["expert"] for one in people(tmp_path)[ANSWERS]["workers"] if one["worker"] == "worker-06"] == [True]
    assert settled.table(f"tasks_{PARAPHRASES}").rows == plain.table(f"tasks_{PARAPHRASES}").rows
