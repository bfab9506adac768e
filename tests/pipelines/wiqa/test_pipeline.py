"""The WIQA pipeline: its stages, its parameters, its release, and the way of tasks and answers."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from manifests.manifest import BuildManifest
from manifests.registry import latest_build
from manifests.storage import Storage
from pipelines.datasets import dataset
from pipelines.model import Pipeline
from pipelines.params import Values, keys, load
from pipelines.published import read_table
from pipelines.rounds import read_rounds
from stages.annotation.forms import kinds
from stages.io.detect import ANNOTATIONS, PARAGRAPHS, Inputs, SourceError
from stages.release.format import read_records
from stages.wiqa.explanations import EXPLANATIONS
from stages.wiqa.release.records import CHOICE_QUESTIONS, ChoiceRecord
from tests.pipelines.commands import build_wiqa, call, refused, run
from tests.pipelines.parameters import must_reach_a_stage

WIQA = dataset("wiqa")
DEFAULTS = load(WIQA.defaults)
# `build` itself reads it.
NOT_OF_STAGES = {"build.bad_records", "build.cut_sources", "build.record_bytes", "build.stall_minutes"}


def pipeline(folder: Path, values: Values = DEFAULTS) -> Pipeline:
    path = folder / "paragraphs.jsonl"
    path.write_text('{"para_id": "1", "topic": "rain", "sentences": ["Water rises."]}\n')
    (answers := folder / "answers.jsonl").write_text("")
    return WIQA.pipeline(values, Inputs({PARAGRAPHS: (str(path),), ANNOTATIONS: (str(answers),)}))


def latest(root: Path) -> BuildManifest:
    manifest = latest_build(Storage.at(root), "wiqa")
    assert manifest is not None
    return manifest


def questions(root: Path) -> list[dict[str, Any]]:
    return read_table(Storage.at(root), latest(root), CHOICE_QUESTIONS).to_pylist()


@pytest.mark.parametrize("key", sorted(set(keys(DEFAULTS)) - NOT_OF_STAGES))
def test_every_parameter_reaches_a_stage(key: str, tmp_path: Path) -> None:
    must_reach_a_stage(key, DEFAULTS, partial(pipeline, tmp_path))


def test_workers_of_the_second_round_are_judged_by_the_first_as_well(tmp_path: Path) -> None:
    stages = pipeline(tmp_path)
    own = ("tasks_graphs", "task_keys_graphs", "received")
    assert stages.stage("annotation.verdicts_graphs").inputs == own
    later = ("tasks_questions", "task_keys_questions", "strays_graphs", "people_marks_graphs")
    assert stages.stage("annotation.verdicts_questions").inputs == later


@pytest.mark.parametrize("answered", [False, True])
def test_a_round_that_asks_nobody_is_none_of_the_stages(answered: bool, tmp_path: Path) -> None:
    pipeline(tmp_path)
    inputs = Inputs({PARAGRAPHS: (str(tmp_path / "paragraphs.jsonl"),)})
    files = [str(tmp_path / "answers.jsonl")] if answered else []
    made = WIQA.pipeline(load(WIQA.defaults, None, ["tasks.splits=[]"]), inputs.plus(ANNOTATIONS, files))
    rounds = {
        name for name in (stage.name for stage in made.stages) if name.startswith(("annotation.", "wiqa.drafts_q"))
    }
    first = {"annotation.tasks_graphs", "annotation.verdicts_graphs"}
    second = {
        "annotation.received",
        "wiqa.drafts_questions",
        "annotation.tasks_questions",
        "annotation.verdicts_questions",
    }
    assert rounds == (first | second if answered else first)
    assert ("tasks_questions" in made.outputs) is answered
    verdicts = ("verdicts_questions",) if answered else ()
    assert made.stage("wiqa.verification").inputs == ("chosen_questions", *verdicts)


def test_a_changed_form_reruns_the_stages_that_read_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = pipeline(tmp_path)
    shutil.copytree(kinds.kinds_folder(), tmp_path / "annotation")
    monkeypatch.setattr(kinds, "kinds_folder", lambda: tmp_path / "annotation")
    path = tmp_path / "annotation" / "wiqa_question.yaml"
    path.write_text(path.read_text().replace("quota: 1000", "quota: 999"))
    after = pipeline(tmp_path)
    changed = {new.name for old, new in zip(before.stages, after.stages, strict=True) if old.templates != new.templates}
    assert changed == {"annotation.tasks_questions", "annotation.verdicts_questions"}


def test_every_stage_that_holds_a_form_names_its_files(tmp_path: Path) -> None:
    holding = 0
    for stage in pipeline(tmp_path).stages:
        for kind in forms_of(stage.kernel):
            holding += 1
            assert stage.templates.items() >= kind.digests.items(), stage.name
    assert holding == 4


def forms_of(kernel: Any) -> list[kinds.TaskKind]:
    """The task kinds that a kernel was bound to."""
    if not isinstance(kernel, partial):
        return forms_of(kernel.kernel) if hasattr(kernel, "kernel") else []
    held = [
        one for value in kernel.keywords.values() for one in (value.values() if isinstance(value, dict) else [value])
    ]
    return [one for one in held if isinstance(one, kinds.TaskKind)]


@pytest.mark.parametrize("round_name", ["graph", "question"])
def test_the_kind_of_tasks_is_a_parameter_of_their_drafts(round_name: str, tmp_path: Path) -> None:
    assert pipeline(tmp_path).stage(f"wiqa.drafts_{round_name}s").bound["params"].kind == f"wiqa_{round_name}"


def test_paragraphs_or_graphs_are_needed() -> None:
    with pytest.raises(SourceError, match="no paragraphs or influence graphs"):
        WIQA.pipeline(DEFAULTS, Inputs())


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("balance.more=-1", "balance.more: expected 0 or more, got -1"),
        ("splits.min_topics=0", "splits.min_topics: expected 1 or more, got 0"),
        ("tasks.graph_votes=-1", "tasks.graph_votes: expected 0 or more, got -1"),
        ("tasks.splits=[exam]", "tasks.splits: expected some of train, dev, test, got exam"),
    ],
)
def test_a_value_that_cannot_be_is_named_with_its_section(setting: str, message: str, wiqa_input: Path) -> None:
    assert message in refused("plan", "wiqa", "--source", str(wiqa_input), "--set", setting)


@pytest.mark.slow
def test_files_that_wiqa_does_not_read_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "input"
    folder.mkdir()
    (folder / "paragraphs.jsonl").write_text('{"para_id": "1", "topic": "rain", "sentences": ["Water rises."]}\n')
    (folder / "pages.jsonl").write_text('{"title": "Rain", "text": "Water falls."}\n')
    (folder / "notes.txt").write_text("nothing\n")
    command = (*build_wiqa(tmp_path / "root", folder), "--until", "wiqa.paragraphs_read")
    said = call(*command).stderr
    assert f"left aside: {folder}/pages.jsonl (holds prepared pages, which wiqa does not read)" in said
    assert f"left aside: {folder}/notes.txt (holds nothing that a build reads)" in said
    assert "paragraphs.jsonl" not in said


def test_answers_that_are_not_there_are_named() -> None:
    assert "--annotations /nowhere: no such file" in refused("plan", "wiqa", "--annotations", "/nowhere")
    assert "--annotations: an empty path" in refused("plan", "wiqa", "--annotations", "")


def test_a_build_that_nobody_has_answered_says_so(wiqa_root: Path) -> None:
    manifest = latest(wiqa_root)
    assert any("No answers of people were given" in note for note in manifest.notes)
    asked = questions(wiqa_root)
    assert len(asked) > 1000 and not any(row["confirmed"] for row in asked)
    metrics = {stage.stage: stage.metrics for stage in manifest.stages}
    assert metrics["wiqa.verification"] == {"confirmed": 0, "unconfirmed": len(asked)}
    graphs, verified = read_rounds(Storage.at(wiqa_root), manifest)
    assert graphs.tasks.num_rows == 16
    assert verified.tasks.num_rows == sum(row["split"] == "test" for row in asked)
    assert set(verified.tasks["redundancy"].to_pylist()) == {5}


def test_a_release_holds_what_the_table_does(wiqa_root: Path, tmp_path: Path) -> None:
    out = tmp_path / "release"
    written = run("export", "wiqa", "--root", str(wiqa_root), "--out", str(out)).split()
    assert str(out / "questions.parquet") in written and str(out / "explanations.parquet") in written
    released = {
        record.metadata.ques_id: (split, record.question.answer_label, record.hops)
        for split in ("train", "dev", "test")
        for record in read_records(out / f"{split}.jsonl", ChoiceRecord)
    }
    rows = questions(wiqa_root)
    assert released == {row["question"]: (row["split"], row["label"], row["hops"]) for row in rows}
    test = str(out / "test.jsonl")
    assert json.loads(run("evaluate", "wiqa", test, test, "--json"))["overall"]["accuracy"] == 1.0
    # A second export takes the first one's place.
    run("export", "wiqa", "--root", str(wiqa_root), "--out", str(out))


@pytest.mark.slow
def test_tasks_go_out_and_answers_come_back(wiqa_input: Path, tmp_path: Path) -> None:
    root, files = tmp_path / "root", []
    build = (*build_wiqa(root, wiqa_input), "--quiet")
    run(*build)
    for number in range(6):
        answers = tmp_path / f"answers-{number}.jsonl"
        simulate = ("simulate-crowd", "--answer", "wiqa", "--root", str(root), "--out", str(answers))
        if number == 0:
            assert run(*simulate, "--spammers", "2").startswith("16 simulated answers")
        elif "no tasks wait for workers" in refused_or_run(*simulate, "--spammers", "2"):
            break
        files += ["--annotations", str(answers)]
        run(*build, *files)
    manifest = latest(root)
    assert manifest.notes[0].startswith("Answers of people were given;")
    simulated = sum(len(Path(file).read_text().splitlines()) for file in files if file != "--annotations")
    assert manifest.notes[1].startswith(f"{simulated:,} of the answers given are by a simulated crowd")
    graphs, verified = read_rounds(Storage.at(root), manifest)
    rejects = {stage.stage: dict(stage.rejects) for stage in manifest.stages if stage.rejects}
    # Every answer finds its task: the first round leaves to the second what is not its own.
    assert not any("unknown_task" in reasons for reasons in rejects.values())
    assert graphs.annotations.num_rows == 16
    statuses = Counter(verified.verdicts["status"].to_pylist())
    assert statuses["confirmed"] / statuses.total() > 0.95 and "unconfirmed" not in statuses
    report = json.loads(run("people", "wiqa", "--root", str(root), "--json"))["rounds"][1]
    # Honest workers are right in nine of ten cases, of three labels; alpha lies near (0.82 - 1/3) / (2/3).
    assert 0.6 < report["kinds"][0]["agreement"]["alpha"] < 0.85
    rows = questions(root)
    # A majority for another answer settles a task as well, but drops its question.
    dropped = rejects.get("wiqa.verification", {}).get("other_answer", 0)
    assert sum(row["confirmed"] for row in rows) == statuses["confirmed"] - dropped
    assert {row["split"] for row in rows if row["confirmed"]} == {"test"}
    assert any(row["graph_id"].startswith("a") and row["graph_confirmed"] for row in rows)
    expert = tmp_path / "expert.jsonl"
    run("simulate-crowd", "--answer", "wiqa", "--root", str(root), "--as", "expert", "--out", str(expert))
    run(*build, *files, "--annotations", str(expert), "--set", 'people.experts=["simulated:expert"]')
    settled = Counter(read_rounds(Storage.at(root), latest(root))[0].verdicts["status"].to_pylist())
    assert settled == {"confirmed": 16}


def refused_or_run(*arguments: str) -> str:
    result = call(*arguments)
    assert result.exit_code in (0, 2)
    return result.stdout + result.stderr


@pytest.mark.slow
def test_the_sample_with_its_answers(tmp_path: Path) -> None:
    root = tmp_path / "root"
    run("build", "wiqa", "--annotations", "sample", "--root", str(root), "--workers", "1", "--quiet")
    graphs, verified = read_rounds(Storage.at(root), latest(root))
    own = "CC0-1.0 (this project's own sample)"
    told = {name: text for stage in latest(root).stages for name, text in stage.licences.items()}
    assert told == {"paragraphs": own, "graphs": own, "annotations": own}
    assert any("made up, by workers who do not exist" in note for note in latest(root).notes)
    out = tmp_path / "release"
    run("export", "wiqa", "--root", str(root), "--out", str(out))
    card = (out / "README.md").read_text()
    assert "made up, by workers who do not exist" in card and f"| graphs | {own} |" in card
    # What the sample's README tells: ten filled forms, of which eight become graphs, and answers to 27 questions.
    assert graphs.annotations.num_rows == 10
    assert len(set(verified.annotations["task"].to_pylist())) == 27
    assert len({row["graph_id"] for row in questions(root) if row["graph_id"].startswith("a")}) == 8
    refusals = {row["why"] for row in verified.workers.to_pylist() if not row["accepted"]}
    assert refusals == {"too_fast"}
    rejects = {stage.stage: stage.rejects for stage in latest(root).stages}
    assert rejects["wiqa.verification"] == {"no_majority": 2, "other_answer": 2}
    rows = questions(root)
    reasons = {row["question"]: row["label"] for row in rows if row["label"] != "no_effect"}
    told = read_table(Storage.at(root), latest(root), EXPLANATIONS).to_pylist()
    assert {row["question"]: row["label"] for row in told} == reasons
    assert any("people" in (row["change_by"], row["effect_by"]) for row in told)
    # The table of the README.
    readme = (Path(WIQA.defaults).parent / "README.md").read_text()
    for split in ("train", "dev", "test"):
        own = [row for row in rows if row["split"] == split]
        labels = Counter(row["label"] for row in own)
        counts = (
            len(own),
            *(labels[name] for name in ("more", "less", "no_effect")),
            len({row["topic"] for row in own}),
        )
        assert f"| {split} | {' | '.join(f'{count:,}' for count in counts)} |" in readme
    metrics = {stage.stage: stage.metrics for stage in latest(root).stages}
    paths, foreign = (
        int(metrics[f"wiqa.{stage}"][count])
        for stage, count in (("path_questions", "path_questions"), ("no_effect", "no_effect.no_effect_questions"))
    )
    assert f"give {paths:,} questions along" in readme and f"paths and {foreign:,} without an effect" in readme


@pytest.mark.slow
def test_all_real_paragraphs_become_tasks_and_the_real_graphs_build(shared_data: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    sources = ("propara/topics.json", "propara/emnlp18", "wiqa/real_graphs_and_questions.json")
    given = [part for name in sources for part in ("--source", str(shared_data / name))]
    run("build", "wiqa", *given, "--root", str(root), "--workers", "1", "--set", "build.buckets=2", "--quiet")
    manifest = latest(root)
    tasks = read_rounds(Storage.at(root), manifest)[0].tasks.to_pylist()
    assert len(tasks) == 488
    shown = [json.loads(task["payload"]) for task in tasks]
    assert all(row["paragraph"].startswith("1. ") and row["prompt"] and row["outcome"] for row in shown)
    metrics = {stage.stage: stage.metrics for stage in manifest.stages}
    assert metrics["wiqa.graph_files"] == {"records": 2, "bad_records": 0}
    assert metrics["wiqa.influence_graphs"]["influence_graphs.graphs"] == 2
    rows = questions(root)
    assert {row["para_id"] for row in rows} == {"1217", "127"}
    # Two topics in two splits leave no foreign change to ask about.
    assert {row["label"] for row in rows} == {"more", "less"}
    out = tmp_path / "tasks"
    run("tasks", "wiqa", "--root", str(root), "--out", str(out), "--which", "new")
    assert len((out / "wiqa_graph" / "tasks.jsonl").read_text().splitlines()) == 488


@pytest.mark.slow
def test_paragraphs_alone_are_enough_to_ask_people(tmp_path: Path) -> None:
    path = tmp_path / "paragraphs.jsonl"
    path.write_text('{"para_id": "1", "topic": "rain", "sentences": ["Water rises.", "It falls."]}\n')
    root = tmp_path / "root"
    run(*build_wiqa(root, path), "--quiet")
    assert read_rounds(Storage.at(root), latest(root))[0].tasks.num_rows == 1
    said = refused("export", "wiqa", "--root", str(root), "--out", str(tmp_path / "out"))
    assert "There is no question: wiqa.influence_graphs" in said and "benchwright tasks wiqa" in said
