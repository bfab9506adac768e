"""The MuSiQue pipeline: its stages, its parameters, its release, and the way of tasks and answers, on a few hops."""

from __future__ import annotations

import copy
import json
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from manifests.manifest import BuildManifest
from manifests.registry import latest_build
from manifests.storage import Storage
from pipelines.datasets import dataset
from pipelines.model import Pipeline
from pipelines.params import Values, keys, load
from pipelines.published import read_table
from pipelines.rounds import read_rounds
from stages.io.detect import ANNOTATIONS, HOPS, Inputs, SourceError
from stages.musique.composition.tables import ASKED_HOPS, MECHANICAL_QUESTIONS
from stages.musique.graphs.shapes import SHAPES
from stages.musique.release.records import COMPOSITIONS, MultihopRecord
from stages.release.format import read_records
from tests.pipelines.commands import refused, run
from tests.pipelines.parameters import must_reach_a_stage
from tests.stages.models.readers.tiny import make_tiny

MUSIQUE = dataset("musique")
DEFAULTS = load(MUSIQUE.defaults)
# `build` itself reads the first; the others say how a model is run or trained, which the lexical reader is not.
NOT_OF_STAGES = {"build.bad_records", "build.cut_sources", "build.record_bytes", "build.stall_minutes"} | {
    f"reader.{name}" for name in ("device", "epochs", "batch", "learning_rate", "bfloat16")
}
# What reaches a stage only with statements, and what names a file or a model that has to be there.
OF_STATEMENTS = {key for key in keys(DEFAULTS) if key.split(".")[0] in ("wikipedia", "evidence", "nli")}
NAMES_A_MODEL = {"reader.name", "bridges.tagger", "hops.statements"}


def pipeline(folder: Path, values: Values = DEFAULTS) -> Pipeline:
    path = folder / "hops.jsonl"
    path.write_text('{"question": "Who?", "answer": "Ada", "paragraph": "Ada."}\n')
    (answers := folder / "answers.jsonl").write_text("")
    return MUSIQUE.pipeline(values, Inputs({HOPS: (str(path),), ANNOTATIONS: (str(answers),)}))


@pytest.mark.parametrize("key", sorted(set(keys(DEFAULTS)) - NOT_OF_STAGES - OF_STATEMENTS - NAMES_A_MODEL))
def test_every_parameter_reaches_a_stage(key: str, tmp_path: Path) -> None:
    must_reach_a_stage(key, DEFAULTS, partial(pipeline, tmp_path))


@pytest.mark.parametrize(
    "setting",
    [{"epochs": 5}, {"batch": 5}, {"learning_rate": 0.5}, {"bfloat16": True}],
    ids=lambda given: next(iter(given)),
)
def test_every_parameter_of_training_reaches_the_reader(setting: Values, tmp_path: Path) -> None:
    encoder = {"name": f"train:{make_tiny(tmp_path / 'tiny', ['who'])}"}
    found = []
    for chosen in ({}, setting):
        stages = pipeline(tmp_path, DEFAULTS | {"reader": DEFAULTS["reader"] | encoder | chosen}).stages
        found.append({stage.name: stage.forms for stage in stages}["musique.tail_filter"])
    assert found[0] != found[1]


def test_a_round_that_asks_nobody_is_none_of_the_stages(tmp_path: Path) -> None:
    pipeline(tmp_path)
    made = MUSIQUE.pipeline(
        load(MUSIQUE.defaults, None, ["tasks.splits=[]"]), Inputs({HOPS: (str(tmp_path / "hops.jsonl"),)})
    )
    assert not [stage.name for stage in made.stages if stage.name.startswith("annotation.") or "drafts" in stage.name]
    composed = made.stage("musique.human_composition")
    assert (composed.inputs, composed.side) == (("asked_hops", "mechanical_questions"), ())
    assert composed.call(*(spec.empty() for spec in (ASKED_HOPS, MECHANICAL_QUESTIONS))).rejects.num_rows == 0


def test_hops_or_what_makes_them_are_needed() -> None:
    with pytest.raises(SourceError, match="no single hops, or Wikidata and Wikipedia"):
        MUSIQUE.pipeline(DEFAULTS, Inputs())


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("reader.name=nobody", "reader: 'nobody' is no reader"),
        ("reader.folds=1", "reader: folds: expected 2 or more"),
        ("bridges.tagger=en_nothing", "en_nothing"),
        ("disconnection.max_head_f1=0.0", "disconnection.max_head_f1: expected above 0"),
        ("contexts.size=3", "contexts.size: expected 5 or more"),
        ("tasks.splits=[exam]", "tasks.splits: expected some of train, dev, test, got exam"),
        ("tasks.votes=-1", "tasks.votes: expected 0 to"),
    ],
)
def test_a_value_that_cannot_be_is_named_with_its_section(setting: str, message: str, tmp_path: Path) -> None:
    pipeline(tmp_path)
    assert message in refused("plan", "musique", "--source", str(tmp_path / "hops.jsonl"), "--set", setting)


@pytest.mark.parametrize(
    ("section", "name"),
    [("disconnection", "heads"), ("disconnection", "tails"), ("splits", "separate"), ("contexts", "retrieved")],
)
def test_a_build_without_a_control_says_that_it_is_no_release(section: str, name: str, tmp_path: Path) -> None:
    values = copy.deepcopy(DEFAULTS)
    assert not any("not for release" in note for note in pipeline(tmp_path, values).notes)
    values[section][name] = False
    assert any("not for release" in note for note in pipeline(tmp_path, values).notes)
    assert any("lexical reader" in note for note in pipeline(tmp_path, values).notes)


def test_hops_that_a_reader_must_answer_take_the_place_of_all(tmp_path: Path) -> None:
    values = copy.deepcopy(DEFAULTS)
    values["hops"]["answerable"] = True
    assert readers(tmp_path, values, "single_hops") == ["musique.copies"]
    assert readers(tmp_path, values, "merged_hops") == ["musique.narrowed_hops"]
    assert readers(tmp_path, values, "one_answer_hops") == ["musique.sound_hops"]
    assert readers(tmp_path, values, "sound_hops") == ["musique.answerable_hops"]


def test_hops_of_several_answers_are_used_where_that_is_wanted(tmp_path: Path) -> None:
    values = copy.deepcopy(DEFAULTS)
    users = readers(tmp_path, values, "sound_hops")
    assert users[0] == "musique.hop_filter_paragraphs"
    assert readers(tmp_path, values, "narrowed_hops") == ["musique.one_answer"]
    values["hops"]["one_answer"] = False
    assert readers(tmp_path, values, "narrowed_hops") == ["musique.sound_hops"]
    values["hops"]["sound"] = False
    assert readers(tmp_path, values, "merged_hops") == users


def test_bridges_whose_hops_make_no_sentence_are_used_where_that_is_wanted(tmp_path: Path) -> None:
    values = copy.deepcopy(DEFAULTS)
    assert readers(tmp_path, values, "worded_bridges") == ["musique.candidate_graphs"]
    values["composition"]["nested"] = False
    assert readers(tmp_path, values, "worded_bridges") == []
    assert "musique.candidate_graphs" in readers(tmp_path, values, "kept_bridges")


def readers(folder: Path, values: Values, table: str) -> list[str]:
    """The stages, or steps of one, that read a table."""
    steps = (step for stage in pipeline(folder, values).stages for step in stage.steps or (stage,))
    return [step.name for step in steps if table in step.inputs]


PEOPLE = ("Ada Brook", "Ben Holt", "Cleo Marsh", "Dora Finch", "Emil Stone", "Fay Wolcott", "Gus Penrose", "Hal Oakes")
TOWNS = ("Larkford", "Milverton", "Ostby", "Pellham", "Quarnton", "Ruswick", "Selbourne", "Tarnfield")
BOOKS = ("Amber", "Brass", "Crystal", "Dusty", "Empty", "Faint", "Golden", "Hidden")
LANDS = ("Norland", "Westmark", "Osteria", "Sudovia")
PADDING = "The chronicle goes on about harvests and weather for many pages and says nothing else that matters here."


def hops() -> list[dict[str, Any]]:
    """Books by people, born in towns, in lands: relations along a line, and plain questions about towns."""
    found = []

    def hop(question: str, answer: str, title: str, text: str) -> None:
        paragraph = f"{text} {PADDING}"
        found.append({"question": question, "answer": answer, "title": title, "paragraph": paragraph})

    for number, person in enumerate(PEOPLE):
        book, town, land = f"The {BOOKS[number]} Lamp", TOWNS[number], LANDS[number % len(LANDS)]
        hop(f"{book} >> author", person, book, f"{book} is a novel that {person} published after years of work.")
        hop(f"{person} >> place of birth", town, person, f"{person} was born in {town}, the child of a miller.")
        hop(f"{town} >> country", land, town, f"{town} is a town of {land} with an old bridge.")
        hop(
            f"How many mills stand in {town}?",
            f"{number + 11}",
            f"Mills of {town}",
            f"In {town} there are {number + 11} mills.",
        )
        hop(
            f"Who founded {town}?",
            f"Baron {town[:3]}",
            f"History of {town}",
            f"{town} was founded by Baron {town[:3]}.",
        )
    return found


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hops") / "hops.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in hops()))
    return path


def build(root: Path, source: Path, *more: str) -> tuple[str, ...]:
    small = ("--workers", "1", "--set", "build.buckets=2", "--set", "contexts.size=6", "--quiet")
    loose = (
        "--set",
        "disconnection.heads=false",
        "--set",
        "disconnection.tails=false",
        "--set",
        "bridges.same_type=false",
    )
    return ("build", "musique", "--source", str(source), "--root", str(root), *small, *loose, *more)


@pytest.fixture(scope="module")
def root(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("root")
    run(*build(folder, source))
    return folder


def latest(root: Path) -> BuildManifest:
    manifest = latest_build(Storage.at(root), "musique")
    assert manifest is not None
    return manifest


def compositions(root: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = read_table(Storage.at(root), latest(root), COMPOSITIONS).to_pylist()
    return rows


@pytest.mark.slow
def test_a_release_validates_and_scores_itself(root: Path, tmp_path: Path) -> None:
    rows = compositions(root)
    assert len(rows) >= 8 and {row["shape"] for row in rows} <= {shape.name for shape in SHAPES}
    assert all(row["mechanical"] and not row["confirmed"] for row in rows)
    out = tmp_path / "release"
    written = run("export", "musique", "--root", str(root), "--out", str(out)).split()
    released = {}
    for path in map(Path, written):
        if path.suffix == ".jsonl":
            records = read_records(path, MultihopRecord)
            if path.parent.name == "ans":
                released |= {record.id: (path.stem, record.question) for record in records}
    assert released == {row["id"]: (row["split"], row["question"]) for row in rows}
    assert "not for release" in (out / "README.md").read_text()
    for config in ("ans", "full"):
        gold = str(next((out / config).glob("*.jsonl")))
        found = json.loads(run("evaluate", "musique", gold, gold, "--json"))["overall"]
        assert (found["answer_em"], found["support_f1"]) == (1.0, 1.0)


@pytest.mark.slow
def test_a_picture_shows_every_step(root: Path, tmp_path: Path) -> None:
    row = compositions(root)[0]
    run("picture", "musique", row["id"], "--root", str(root), "--out", str(tmp_path / "graph.svg"))
    texts = "".join(ET.parse(tmp_path / "graph.svg").getroot().itertext())  # noqa: S314 (our own document)
    assert row["answer"] in texts and f"Step {len(row['hops'])}" in texts
    assert "no question 'x'" in refused(
        "picture", "musique", "x", "--root", str(root), "--out", str(tmp_path / "no.svg")
    )


@pytest.mark.slow
def test_tasks_go_out_and_answers_come_back(source: Path, root: Path, tmp_path: Path) -> None:
    before = compositions(root)
    [composed] = read_rounds(Storage.at(root), latest(root))
    assert composed.tasks.num_rows == len(before)
    keys_of = {row["task"]: row["origin"] for row in composed.task_keys.to_pylist()}
    answers = tmp_path / "answers.jsonl"
    first, second, *others = sorted(keys_of)
    said = {first: {"bridges": ["some_differ"]}}
    said |= {
        task: {"bridges": ["all_same"], "question": [f"What is asked in {task[:8]}?"]} for task in (second, *others)
    }
    rows = [
        {"task": task, "worker": "w1", "answers": given, "seconds": 120.0, "started": None, "submitted": None}
        for task, given in said.items()
    ]
    answers.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    # No text waits for an expert.
    run(*build(root, source, "--annotations", str(answers), "--set", "people.check_share=0.0"))
    after = {row["id"]: row for row in compositions(root)}
    assert set(after) == {row["id"] for row in before} - {keys_of[first]}
    assert after[keys_of[second]]["question"] == f"What is asked in {second[:8]}?"
    assert all(row["confirmed"] and not row["mechanical"] for row in after.values())


@pytest.mark.slow
def test_wikidata_and_wikipedia_alone_make_questions(repo: Path, tmp_path: Path) -> None:
    world = repo / "templates" / "samples" / "world"
    given = ("--source", str(world / "wikidata.json"), "--source", str(world / "wikipedia.xml"))
    small = ("--workers", "1", "--set", "build.buckets=2", "--quiet")
    run("build", "musique", *given, "--root", str(tmp_path), *small)
    rows = compositions(tmp_path)
    assert len(rows) > 10
    assert {source for row in rows for source in row["sources"]} == {"statements"}


@pytest.mark.slow
def test_the_pool_of_real_hops_builds(shared_data: Path, tmp_path: Path) -> None:
    run(
        "build",
        "musique",
        "--source",
        str(shared_data / "singlehop" / "pool.jsonl.gz"),
        "--root",
        str(tmp_path),
        "--quiet",
    )
    rows = compositions(tmp_path)
    assert {row["shape"] for row in rows} == {shape.name for shape in SHAPES}
    assert len(rows) > 2500
    metrics = {stage.stage: stage.metrics for stage in latest(tmp_path).stages}
    assert all(
        metrics["musique.leak_check"][f"{kind}s_in_train_and_evaluation"] == 0
        for kind in ("hop", "answer", "paragraph")
    )
