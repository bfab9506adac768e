"""The reports of the sample builds: every record of every dataset, and what the papers' releases state."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from manifests.registry import latest_build
from manifests.storage import Storage
from pipelines.datasets import dataset
from pipelines.funnel import funnel_steps
from pipelines.lineage import Trail
from pipelines.report.counts import Counts
from tests.pipelines.commands import run
from tests.pipelines.report import site_checks

# Below this a figure is rounded away.
CLOSE = 0.06


@pytest.mark.slow
@pytest.mark.parametrize("name", ["qampari", "wiqa", "ifqa", "musique"])
def test_the_sample_is_told_whole(name: str, tmp_path: Path) -> None:
    root, site = tmp_path / "root", tmp_path / "site"
    answers = () if dataset(name).sample_answers is None else ("--annotations", "sample")
    run("build", name, "--root", str(root), "--workers", "1", "--quiet", *answers)
    run("report", name, "--root", str(root), "--out", str(site), "--against", str(root))
    site_checks.check(site)
    manifest = latest_build(Storage.at(root), name)
    assert manifest is not None
    found = site_checks.records(site)
    assert len(found) == manifest.table("records").rows
    for record in found.values():
        told = record["told"]
        assert told["answers"] and all(step["stages"] for step in told["steps"])
        assert any(step.get("quotes") for step in told["steps"])
    assert "No question and no answer differs." in site_checks.pages(site)["changes.html"].text
    text = " ".join(site_checks.pages(site)["funnel.html"].text.split())
    for step in funnel_steps(manifest, dataset(name).paper):
        dropped = sum(step.dropped.values())
        assert not dropped or f"{dropped:,} dropped" in text, step.name


def _released(data: Path) -> Iterator[tuple[str, str, Trail]]:
    """Dataset, source and measures of what was released: what the lineage modules state of it."""
    for row in json.loads((data / "qampari" / "dev_sample_500.json").read_bytes()):
        kind = {"simple": "simple", "intersection": "intersection", "comp": "composition"}
        made = row["id"].split("__")[1].partition("_")
        measures = {"answers a question": [len(row["answers"])], "words of a question": [len(row["question"].split())]}
        if made[0] == "wikidata":
            measures["kinds"] = [kind[made[2]]]  # type: ignore[list-item]
        yield "qampari", "500 released dev questions", _trail(measures)
    for name in ("full_train", "full_dev"):
        for row in json.loads((data / "ifqa" / f"{name}.json").read_bytes()):
            measures = {
                "answers a question": [len(row["answers"])],
                "words of a question": [len(row["question"].split())],
                "words of an answer": [len(answer.split()) for answer in row["answers"]],
            }
            yield "ifqa", "3,100 released questions", _trail(measures)
    for row in json.loads((data / "musique" / "train_sample_60.json").read_bytes()):
        measures = {
            "words of a question": [len(row["question"].split())],
            "words of an answer": [len(row["answer"].split())],
        }
        yield "musique", "60 released train records", _trail(measures)


def _trail(measures: dict[str, list[int]]) -> Trail:
    return Trail("k", "r", "q", (), "released", "kind", (), False, (), measures)


def test_what_is_said_of_releases_is_what_they_hold(shared_data: Path) -> None:
    counts: dict[tuple[str, str], Counts] = {}
    for name, source, trail in _released(shared_data):
        lineage = dataset(name).lineage
        assert lineage is not None
        counts.setdefault((name, source), Counts(lineage.plots)).add(trail)
    checked: Counter[str] = Counter()
    for (name, source), found in counts.items():
        for drawn in found.drawn():
            for bar in drawn.bars:
                stated = bar.shares[drawn.series.index(source)]
                assert stated == pytest.approx(bar.shares[0], abs=CLOSE), (name, drawn.title, bar.label)
                checked[name] += 1
    assert checked == {"qampari": 23, "ifqa": 23, "musique": 17}
