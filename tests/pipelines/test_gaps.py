"""What a build says of splits that no question fell to: counts out of metrics, and each dataset's notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from manifests.manifest import BuildManifest, StageManifest, loads
from pipelines.datasets import dataset, names
from pipelines.gaps import Stages, counted, empty, no_questions, no_splits, no_way, waits_for_people, why_nothing
from pipelines.ifqa import pipeline as ifqa
from pipelines.musique import pipeline as musique
from pipelines.qampari import pipeline as qampari
from pipelines.wiqa import pipeline as wiqa
from stages.annotation.received import RECEIVED

BASELINES = Path(__file__).resolve().parents[2] / "manifests" / "baselines"


def stages(name: str, **metrics: Mapping[str, float]) -> Stages:
    """The stages of a committed sample build, with other metrics for some ("splits_topics" is wiqa.splits)."""
    path = BASELINES / f"{name}-sample.json"
    found = {
        stage.stage: stage for stage in BuildManifest.from_dict(loads(path.read_bytes(), str(path)), str(path)).stages
    }
    for stage, values in metrics.items():
        key = stage.replace("_", ".", 1)
        found[key] = replace(found[key], metrics=values)
    return found


def test_counts_and_empty_splits() -> None:
    found = stages("musique", musique_splits={"train": 3.0, "dev": 0.0})
    by_split = {split: [split] for split in ("train", "dev", "test")}
    assert counted(found, "musique.splits", by_split) == {"train": 3, "dev": 0, "test": 0}
    assert counted({}, "musique.splits", by_split) == {}
    assert empty({"train": 3, "dev": 0, "test": 0}) == ["dev", "test"]
    assert empty({"train": 0, "dev": 0, "test": 0}) == empty({}) == []
    assert no_splits({"train": 3, "dev": 0, "test": 0}, "too few") == ["There is no dev and no test set: too few."]
    assert no_splits({"train": 3, "dev": 1, "test": 1}, "too few") == []


@pytest.mark.parametrize("name", names())
def test_the_samples_lack_nothing(name: str) -> None:
    gaps = {"qampari": qampari.gaps, "wiqa": wiqa.gaps, "ifqa": ifqa.gaps, "musique": musique.gaps}[name]
    assert list(gaps(stages(name))) == [] and list(gaps({})) == []
    assert dataset(name).name == name


def test_wiqa_of_two_topics() -> None:
    """The counts of a build from ProPara's grids and the two graphs of the paper's repository."""
    balance = {"dev_less": 13.0, "dev_more": 13.0, "dev_taken": 26.0, "train_less": 19.0, "train_more": 19.0}
    found = stages(
        "wiqa",
        wiqa_balancing=balance | {"train_taken": 38.0, "test_taken": 0.0},
        wiqa_splits={"train_topics": 1.0, "dev_topics": 1.0, "test_topics": 0.0},
    )
    paragraphs = found["wiqa.paragraphs"]
    tables = {"paragraphs": replace(paragraphs.tables["paragraphs"], rows=0)}
    found = {**found, "wiqa.paragraphs": replace(paragraphs, rejects={"no_topic": 488}, tables=tables)}
    assert wiqa.gaps(found) == [
        "All 488 paragraphs lack a topic and are left out: add their topics.json with --source.",
        "There is no test set: 2 topics have questions, and no topic may be in two splits.",
        "There are no questions without an effect in train and dev: they take a change from another topic of the same "
        "split (topics: train 1, dev 1).",
    ]


def test_the_others() -> None:
    grouped = {"full_train": 1.0, "few_dev": 1.0}
    assert [note.partition(":")[0] for note in ifqa.gaps(stages("ifqa", ifqa_splits=grouped))] == [
        "There is no dev and no test set in full",
        "There is no train and no test set in few",
    ]
    (note,) = musique.gaps(stages("musique", musique_splits={"train": 9.0, "test": 1.0}))
    assert note.startswith("There is no dev set: too few questions")
    shapes = {"dev_2hop": 60.0, "dev_3hop1": 9.0, "dev_3hop2": 12.0, "test_2hop": 20.0}
    small = stages("musique")
    small["musique.split_caps"] = replace(small["musique.splits"], metrics=shapes)
    (note,) = musique.gaps(small)
    assert note.startswith("Fewer than 10 questions in dev: 3hop1 9, 4hop1 0, 4hop2 0, 4hop3 0. Longer questions need")
    (note,) = qampari.gaps(stages("qampari", qampari_splits={"train_simple": 9.0, "dev_composition": 1.0}))
    assert note.startswith("There is no test set: too few questions")


def makes(stage: StageManifest, table: str) -> bool:
    """Whether a stage publishes a table, or makes it on the way."""
    return table in stage.tables or any(metric.endswith(f".rows.{table}") for metric in stage.metrics)


def emptied(name: str, first: str, dropped: Mapping[str, int]) -> BuildManifest:
    """A committed sample build of which nothing is left from a table on: all that follows is empty, too."""
    path = BASELINES / f"{name}-sample.json"
    build = BuildManifest.from_dict(loads(path.read_bytes(), str(path)), str(path))
    found, lost = [], False
    for stage in build.stages:
        here = makes(stage, first)
        # A chain that publishes the first empty table still had rows on the way to it.
        within = lost or (here and first not in stage.tables)
        lost = lost or here
        tables = {table: replace(one, rows=0) if lost else one for table, one in stage.tables.items()}
        metrics = {metric: 0 if within and ".rows." in metric else value for metric, value in stage.metrics.items()}
        found.append(replace(stage, tables=tables, rejects=dict(dropped if here else {}), metrics=metrics))
    gaps = {"qampari": qampari, "wiqa": wiqa, "ifqa": ifqa, "musique": musique}[name].gaps
    notes = gaps({stage.stage: stage for stage in found})
    return replace(build, stages=found, notes=list(notes))


BUILD = BuildManifest("toy", {}, {}, [], [])
PATHS = [
    (name, table)
    for name, module in (("qampari", qampari), ("wiqa", wiqa), ("ifqa", ifqa), ("musique", musique))
    for table in module.PATH
]


@pytest.mark.parametrize(("name", "table"), PATHS)
def test_a_build_without_questions_names_the_stage_that_lost_them_and_its_reasons(name: str, table: str) -> None:
    build = emptied(name, table, {"b": 1, "a": 1, "most": 1200, "c": 1, "d": 1, "e": 1})
    # Where a later stage publishes the table's next version, the first is the one that lost all.
    stage = next(one.stage for one in build.stages if makes(one, table))
    note = build.notes[0]
    assert note.startswith(f"There is no question: {stage} left no row in {table} (dropped: most 1,200, a 1, b 1, ")
    assert ", d 1, others 1); " in note
    assert why_nothing(build) == note and note.endswith(".")


def test_what_left_a_stage_nothing_to_read_is_told_with_it() -> None:
    build = emptied("wiqa", "raw_graphs", {"no_paragraph": 3})
    assert build.notes[0].startswith(
        "There is no question: wiqa.influence_graphs left no row in graphs (dropped: no_paragraph 3); "
        "give influence graphs"
    )


def test_an_unfinished_build_has_no_way_on_from_the_first_table_that_is_empty() -> None:
    found = {stage.stage: stage for stage in emptied("qampari", "queries", {"too_few_answers": 7}).stages}
    begun = {name: found[name] for name in list(found)[: list(found).index("qampari.simple_queries") + 1]}
    assert no_way("qampari", begun, qampari.PATH) == (
        "There is no question: qampari.simple_queries left no row in queries (dropped: too_few_answers 7); give more "
        "entities of a class, or lower --set queries.min_answers=N. The stages after it were not run."
    )
    before = {name: stage for name, stage in begun.items() if name != "qampari.simple_queries"}
    assert no_way("qampari", before, qampari.PATH) == "" == no_way("qampari", {}, qampari.PATH)
    # What people are asked is worth building, and what other input may stand for decides nothing.
    assert no_way("wiqa", stages("wiqa"), wiqa.NEEDED) == ""
    asking = {stage.stage: stage for stage in emptied("wiqa", "graphs", {}).stages}
    received = asking["annotation.received"]
    asking["annotation.received"] = replace(received, tables={"received": replace(received.tables["received"], rows=0)})
    assert waits_for_people(replace(BUILD, stages=list(asking.values()))) and no_way("wiqa", asking, wiqa.NEEDED) == ""
    assert no_way("wiqa", {stage.stage: stage for stage in emptied("wiqa", "graphs", {}).stages}, wiqa.NEEDED) != ""
    assert set(wiqa.PATH) - set(wiqa.NEEDED) == {"paragraphs"} and set(musique.PATH) - set(musique.NEEDED) == {
        "read_hops"
    }


def without_rows(stage: StageManifest, *names: str) -> StageManifest:
    """The stage as if some of its tables had been left empty."""
    return replace(stage, tables={name: replace(t, rows=0) if name in names else t for name, t in stage.tables.items()})


def test_a_build_that_waits_for_people_says_so() -> None:
    path = BASELINES / "qampari-sample.json"
    answered = BuildManifest.from_dict(loads(path.read_bytes(), str(path)), str(path))
    assert not waits_for_people(answered)
    # As it would be before anybody answered.
    build = replace(answered, stages=[without_rows(one, RECEIVED.name) for one in answered.stages])
    assert waits_for_people(build) and why_nothing(build) == ""
    records = [stage for stage in build.stages if "records" in stage.tables]
    left = [stage for stage in build.stages if stage not in records]
    none = [without_rows(one, *one.tables) for one in records]
    found = {stage.stage: stage for stage in [*left, *none]}
    (note,) = no_questions("qampari", found, {})
    assert note == (
        "There is no question: qampari.records left no row in records (dropped: nothing); look at the stages before "
        "it; or send out the tasks (`benchwright tasks qampari`) and build with --annotations."
    )
    assert no_questions("qampari", {stage.stage: stage for stage in left}, {}) == []
    older = replace(build, stages=[*left, *none], notes=[])
    assert why_nothing(older) == "There is no question: its table records is empty."
