"""What a build says of splits that no question fell to: counts out of metrics, and each dataset's notes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from manifests.manifest import BuildManifest
from pipelines.datasets import dataset, names
from pipelines.gaps import Stages, counted, empty, no_splits
from pipelines.ifqa import pipeline as ifqa
from pipelines.musique import pipeline as musique
from pipelines.qampari import pipeline as qampari
from pipelines.wiqa import pipeline as wiqa

BASELINES = Path(__file__).resolve().parents[2] / "manifests" / "baselines"


def stages(name: str, **metrics: Mapping[str, float]) -> Stages:
    """The stages of a committed sample build, with other metrics for some ("splits_topics" is splits.topics)."""
    path = BASELINES / f"{name}-sample.json"
    found = {stage.stage: stage for stage in BuildManifest.from_dict(json.loads(path.read_bytes()), str(path)).stages}
    for stage, values in metrics.items():
        key = stage.replace("_", ".", 1)
        found[key] = replace(found[key], metrics=values)
    return found


def test_counts_and_empty_splits() -> None:
    found = stages("musique", splits_separated={"train": 3.0, "dev": 0.0})
    by_split = {split: [split] for split in ("train", "dev", "test")}
    assert counted(found, "splits.separated", by_split) == {"train": 3, "dev": 0, "test": 0}
    assert counted({}, "splits.separated", by_split) == {}
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
        influence_balance=balance | {"train_taken": 38.0, "test_taken": 0.0},
        splits_topics={"train_topics": 1.0, "dev_topics": 1.0, "test_topics": 0.0},
    )
    paragraphs = found["processes.paragraphs"]
    tables = {"paragraphs": replace(paragraphs.tables["paragraphs"], rows=0)}
    found = {**found, "processes.paragraphs": replace(paragraphs, rejects={"no_topic": 488}, tables=tables)}
    assert wiqa.gaps(found) == [
        "All 488 paragraphs lack a topic and are left out: add their topics.json with --source.",
        "There is no test set: 2 topics have questions, and no topic may be in two splits.",
        "There are no questions without an effect in train and dev: they take a change from another topic of the same "
        "split (topics: train 1, dev 1).",
    ]


def test_the_others() -> None:
    grouped = {"full_train": 1.0, "few_dev": 1.0}
    assert [note.partition(":")[0] for note in ifqa.gaps(stages("ifqa", splits_grouped=grouped))] == [
        "There is no dev and no test set in full",
        "There is no train and no test set in few",
    ]
    (note,) = musique.gaps(stages("musique", splits_separated={"train": 9.0, "test": 1.0}))
    assert note.startswith("There is no dev set: too few questions")
    (note,) = qampari.gaps(stages("qampari", splits_relations={"train_simple": 9.0, "dev_composition": 1.0}))
    assert note.startswith("There is no test set: too few questions")
