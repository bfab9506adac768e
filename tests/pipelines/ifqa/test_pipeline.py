"""The IfQA pipeline: its stages and parameters, the way of tasks and answers, its release, and the real files."""

from __future__ import annotations

import json
import re
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
from stages.ifqa.release.records import COUNTERFACTUAL_RECORDS, CounterfactualRecord
from stages.io.detect import ANNOTATIONS, ASKED, PAGES, Inputs, SourceError
from stages.normalise import Kind
from stages.release.format import read_records
from tests.pipelines.commands import refused, run
from tests.pipelines.parameters import must_reach_a_stage

IFQA = dataset("ifqa")
DEFAULTS = load(IFQA.defaults)
# `build` itself reads it.
NOT_OF_STAGES = {"build.bad_records", "build.cut_sources", "build.record_bytes", "build.stall_minutes"}
ISO_DATE = re.compile(r"-?\d{4}-\d{2}(?:-\d{2})?")
PLACES = ("Arden", "Bexley", "Corvin", "Dunmore", "Elsham", "Farlow", "Granby", "Holt")
STORY = (
    "The {place} {thing} was originally planned as a wooden hall for {year}, but because the river rose that spring "
    "the council was forced to wait. Work began instead in {later}, and due to a shortage of stone it was delayed by "
    "some months. When it finally opened, {place} celebrated for three days. The builder, who had almost abandoned it, "
    "was rewarded with a medal. As a result of the delay the town lost its fair to a neighbour, which would otherwise "
    "have gone elsewhere. A fire destroyed the roof, and the owners decided not to rebuild it."
)


def write_pages(folder: Path) -> Path:
    pages = [
        {"title": f"{place} {thing}", "text": STORY.format(place=place, thing=thing, year=1850 + n, later=1852 + n)}
        for n, place in enumerate(PLACES)
        for thing in ("bridge", "mill", "school")
    ]
    path = folder / "pages.jsonl"
    path.write_text("".join(f"{json.dumps(page)}\n" for page in pages))
    return path


def write_questions(folder: Path) -> Path:
    rows = [
        {
            "idx": number,
            "question": f"If {place} had waited, when would it have opened?",
            "answers": [f"{number + 1} July 1850", "later"],
            "context": [f"{place} opened on {number + 1} June 1850."],
        }
        for number, place in enumerate(PLACES)
    ]
    path = folder / "full_train.json"
    path.write_text(json.dumps([*rows, rows[0] | {"idx": 90}, rows[1] | {"idx": 91, "answers": ["A"]}]))
    return path


def pipeline(folder: Path, values: Values = DEFAULTS) -> Pipeline:
    pages, asked = str(write_pages(folder)), str(write_questions(folder))
    (answers := folder / "answers.jsonl").write_text("")
    return IFQA.pipeline(values, Inputs({PAGES: (pages,), ASKED: (asked,), ANNOTATIONS: (str(answers),)}))


def latest(root: Path) -> BuildManifest:
    manifest = latest_build(Storage.at(root), "ifqa")
    assert manifest is not None
    return manifest


def records(root: Path) -> list[dict[str, Any]]:
    return read_table(Storage.at(root), latest(root), COUNTERFACTUAL_RECORDS).to_pylist()


def command(root: Path, *sources: Path) -> tuple[str, ...]:
    given = [part for source in sources for part in ("--source", str(source))]
    few = ("--workers", "1", "--set", "build.buckets=2", "--set", "build.bad_records=0.5", "--quiet")
    return ("build", "ifqa", *given, "--root", str(root), *few)


@pytest.mark.parametrize("key", sorted(set(keys(DEFAULTS)) - NOT_OF_STAGES))
def test_every_parameter_reaches_a_stage(key: str, tmp_path: Path) -> None:
    must_reach_a_stage(key, DEFAULTS, partial(pipeline, tmp_path))


def test_pages_or_questions_are_needed() -> None:
    with pytest.raises(SourceError, match="no Wikipedia pages or questions about passages"):
        IFQA.pipeline(DEFAULTS, Inputs())


def test_questions_from_files_need_neither_pages_nor_tagger(tmp_path: Path) -> None:
    made = IFQA.pipeline(DEFAULTS, Inputs({ASKED: (str(write_questions(tmp_path)),)}))
    assert not any(stage.name.startswith(("ifqa.passages", "ifqa.screening")) for stage in made.stages)
    tasks = [stage.name for stage in made.stages if stage.name.startswith("annotation.tasks")]
    assert tasks == ["annotation.tasks_verification"]


def test_parameters_are_refused_by_their_own_names(tmp_path: Path) -> None:
    given = ("--source", str(write_questions(tmp_path)))
    said = refused("plan", "ifqa", *given, "--set", "tasks.verification_votes=-1")
    assert "tasks.verification_votes: expected 0 to 99, got -1" in said
    assert "splits.run: expected 0 or more" in refused("plan", "ifqa", *given, "--set", "splits.run=-1")


@pytest.fixture(scope="module")
def asked_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of ten records, of which one repeats another and one has no answer; tests only read it."""
    folder = tmp_path_factory.mktemp("ifqa")
    run(*command(folder / "root", write_questions(folder)))
    return folder / "root"


def test_a_build_from_questions(asked_root: Path) -> None:
    manifest = latest(asked_root)
    assert [note.partition(":")[0] for note in manifest.notes] == ["No answers of people were given"]
    rejects = {stage.stage: dict(stage.rejects) for stage in manifest.stages if stage.rejects}
    assert rejects == {
        "ifqa.parse": {"answer_is_nothing": 1, "no_answer": 1},
        "ifqa.questions": {"repeated_question": 1},
    }
    found = {row["given_id"]: row for row in records(asked_root)}
    assert len(found) == 8 and not any(row["confirmed"] for row in found.values())
    assert found["3"]["answers"] == ["4 July 1850", "later", "1850-07-04"]
    [verification] = read_rounds(Storage.at(asked_root), manifest)
    assert verification.tasks.num_rows == 8


def test_a_release_holds_what_the_table_does(asked_root: Path, tmp_path: Path) -> None:
    out = tmp_path / "release"
    written = run("export", "ifqa", "--root", str(asked_root), "--out", str(out)).split()
    assert str(out / "corpus.jsonl") in written and str(out / "README.md") in written
    for config in ("full", "few"):
        released = {
            record.idx: (path.stem, record.answers)
            for path in (out / config).iterdir()
            for record in read_records(path, CounterfactualRecord)
        }
        assert released == {row["idx"]: (row[config], row["answers"]) for row in records(asked_root)}
    train = str(out / "full" / "train.json")
    assert json.loads(run("evaluate", "ifqa", train, train, "--json"))["overall"]["exact"] == 1.0
    found = json.loads(run("baseline", "ifqa", "bm25", str(out / "corpus.jsonl"), train, "--json"))
    assert found["report"]["corpus"] == 8 and found["report"]["missing"] == []
    assert "date" in run("analyse", "ifqa", "--root", str(asked_root))


@pytest.mark.slow
def test_people_write_and_check(tmp_path: Path) -> None:
    root, files = tmp_path / "root", []
    build = command(root, write_pages(tmp_path))
    run(*build)
    assert any("holds no question yet" in note for note in latest(root).notes)
    said = refused("export", "ifqa", "--root", str(root), "--out", "nowhere")
    assert "There is no question: ifqa.questions" in said and "send out the tasks" in said
    for number in range(2):
        answers = tmp_path / f"answers-{number}.jsonl"
        run("simulate-crowd", "--answer", "ifqa", "--root", str(root), "--out", str(answers))
        files += ["--annotations", str(answers)]
        run(*build, *files)
    manifest = latest(root)
    writing, verification = read_rounds(Storage.at(root), manifest)
    metrics = {stage.stage: stage.metrics for stage in manifest.stages}
    assert writing.tasks.num_rows == 1
    assert metrics["ifqa.writing"]["written_questions"] == verification.tasks.num_rows == 20
    rows = records(root)
    assert rows and {row["source"] for row in rows} == {"annotation"}
    # Each question is about the passage it was written under.
    assert all(row["passages"][0] in row["question"] and row["title"] in row["answers"] for row in rows)
    assert Counter(row["confirmed"] for row in rows)[True] > 0


@pytest.mark.slow
def test_the_sample_with_its_answers_gives_what_the_readme_says(tmp_path: Path) -> None:
    root = tmp_path / "root"
    run("build", "ifqa", "--annotations", "sample", "--root", str(root), "--workers", "1", "--quiet")
    rows = records(root)
    readme = " ".join((IFQA.defaults.parent / "README.md").read_text().split())
    for config in ("full", "few"):
        sizes = Counter(row[config] for row in rows)
        assert f"| {config} | {sizes['train']} | {sizes['dev']} | {sizes['test']} |" in readme
    metrics = {stage.stage: stage.metrics for stage in latest(root).stages}
    passages, screened = (int(metrics["ifqa.screening"][name]) for name in ("passages", "screened"))
    written = int(metrics["ifqa.writing"]["written_questions"])
    assert f"{passages} passages of 74 pages, of which {screened} are screened in" in readme
    assert f"people write {written} usable questions" in readme
    confirmed = sum(row["confirmed"] for row in rows)
    assert f"leave {len(rows)} questions, of which {confirmed} are confirmed" in readme
    kinds = Counter(kind for row in rows for kind in row["kinds"])
    assert f"Their {kinds.total()} answers have every kind: {kinds['date']} dates, {kinds['number']} numbers" in readme
    assert set(kinds) == {str(kind) for kind in Kind}


@pytest.mark.slow
def test_the_released_files_become_better_ones(shared_data: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    sources = [shared_data / "ifqa" / f"full_{split}.json" for split in ("train", "dev")]
    run(*command(root, *sources))
    metrics = {stage.stage: stage.metrics for stage in latest(root).stages}
    assert metrics["ifqa.records"]["records.records"] == 3068
    sizes = {name: metrics["ifqa.splits"][f"full_{name}"] for name in ("train", "dev", "test")}
    assert sizes == {"train": 1937, "dev": 566, "test": 565}
    leaks = {name: value for name, value in metrics["ifqa.leak_check"].items() if "answer" not in name}
    assert len(leaks) == 6 and not any(leaks.values())
    iso = [row for row in records(root) if any(ISO_DATE.fullmatch(answer) for answer in row["answers"])]
    assert len(iso) > 150
