"""The way back of each record of a small WIQA build."""

from __future__ import annotations

from pathlib import Path

from manifests.registry import latest_build
from manifests.storage import Storage
from pipelines.published import read_table
from pipelines.wiqa.lineage import trails
from stages.wiqa.influence_graphs import GRAPHS
from stages.wiqa.release.records import CHOICE_QUESTIONS


def test_every_question_tells_its_graph_and_paragraph(wiqa_root: Path) -> None:
    root = Storage.at(wiqa_root)
    manifest = latest_build(root, "wiqa")
    assert manifest is not None
    questions = {row["question"]: row for row in read_table(root, manifest, CHOICE_QUESTIONS).to_pylist()}
    graphs = {(row["para_id"], row["graph_id"]): row for row in read_table(root, manifest, GRAPHS).to_pylist()}
    found = {trail.key: trail for trail in trails(root, manifest)}
    assert found.keys() == questions.keys()
    for key, trail in found.items():
        row = questions[key]
        graph = graphs[row["para_id"], row["graph_id"]]
        people, balance, path, picture, paragraph = trail.steps
        assert (trail.question, trail.split, trail.kind, trail.tags) == (
            row["stem"],
            row["split"],
            row["question_type"],
            (row["topic"],),
        )
        assert people.facts == (("people", "nobody has confirmed it"),)
        assert balance.facts == (("split of its topic", row["split"]),)
        said = dict(path.facts)
        assert (said["change"], said["effect"]) == (row["change"], row["effect"])
        assert path.name == ("3.3 no effect" if row["label"] == "no_effect" else "3.2 path questions")
        assert said.get("hops") == (None if row["label"] == "no_effect" else str(row["hops"]))
        assert picture.picture.startswith("<?xml") and dict(picture.facts)["graph"].split() == [
            row["para_id"],
            row["graph_id"],
        ]
        assert [quote.text for quote in paragraph.quotes] == graph["sentences"]


def test_one_question_is_told_alone(wiqa_root: Path) -> None:
    root = Storage.at(wiqa_root)
    manifest = latest_build(root, "wiqa")
    assert manifest is not None
    key = next(trails(root, manifest)).key
    assert [trail.key for trail in trails(root, manifest, {key, "nobody"})] == [key]
