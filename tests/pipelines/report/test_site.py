"""The report of builds: whole, escaped, with every record in it, and in place of nothing but an earlier report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from manifests.registry import latest_build
from manifests.storage import Storage
from pipelines.datasets import dataset
from pipelines.report.site import MARK, stage_lines, write_report
from stages.core.contract import StageError
from tests.pipelines.qampari.made_build import HOSTILE, build, query_of
from tests.pipelines.report import site_checks

QAMPARI, WIQA = dataset("qampari"), dataset("wiqa")


@pytest.fixture
def written(tmp_path: Path) -> Path:
    root = Storage.at(tmp_path / "root")
    write_report(QAMPARI, (root, build(root)), tmp_path / "site")
    return tmp_path / "site"


def test_a_report_loads_nothing_from_elsewhere_and_runs_nothing_of_its_data(written: Path) -> None:
    site_checks.check(written)
    assert sorted(site_checks.pages(written)) == [
        "funnel.html",
        "index.html",
        "plots.html",
        "records.html",
        "stages.html",
    ]
    for path in written.rglob("*"):
        if path.is_file():
            assert HOSTILE not in path.read_text(encoding="utf-8"), path
    assert HOSTILE in site_checks.records(written)[query_of(1)]["told"]["answers"]


def test_every_record_is_there_with_its_way_back(written: Path) -> None:
    found = site_checks.records(written)
    assert found.keys() == {query_of(number) for number in range(3)}
    told = found[query_of(2)]["told"]
    assert [step["name"] for step in told["steps"]][:3] == [
        "8, 12 the question in words",
        "5 query filter",
        "3, 4 answers and their evidence",
    ]
    quote = told["steps"][2]["quotes"][1]
    assert quote["text"] == ["It was directed by ", "Ada", "."]
    assert ["score", "0.875"] in quote["facts"]


def test_what_is_open_stands_on_the_first_page(written: Path) -> None:
    text = site_checks.pages(written)["index.html"].text
    assert "3 of 3 records are unconfirmed" in text and "nothing was confirmed" in text


def test_what_a_step_dropped_is_on_the_page_of_the_funnel(written: Path) -> None:
    text = " ".join(site_checks.pages(written)["funnel.html"].text.split())
    assert "3 simple queries" in text and "7 dropped, for 1 reason" in text and "low support 7" in text
    assert "the paper: 60,792 simple queries" in text


def test_a_build_of_wiqa_is_told_whole(wiqa_root: Path, tmp_path: Path) -> None:
    root = Storage.at(wiqa_root)
    manifest = latest_build(root, "wiqa")
    assert manifest is not None
    pages = write_report(WIQA, (root, manifest), tmp_path / "site")
    assert [page.name for page in pages] == ["index.html", "funnel.html", "plots.html", "records.html", "stages.html"]
    site_checks.check(tmp_path / "site")
    assert len(site_checks.records(tmp_path / "site")) == manifest.table("questions").rows
    graphs = manifest.table("graphs").rows
    assert 0 < len(list((tmp_path / "site" / "data").glob("pictures-*.js"))) <= graphs


def test_stages_name_what_they_read_and_who_made_it(wiqa_root: Path) -> None:
    manifest = latest_build(Storage.at(wiqa_root), "wiqa")
    assert manifest is not None
    lines = {line.stage.stage: line for line in stage_lines(manifest)}
    assert list(lines) == [stage.stage for stage in manifest.stages]
    assert ("graphs", "wiqa.influence_graphs") in lines["wiqa.path_questions"].reads
    table = manifest.table("graphs")
    assert ("graphs", table.rows, sum(shard.bytes for shard in table.shards)) in lines["wiqa.influence_graphs"].tables
    assert all(line.dropped == sum(line.stage.rejects.values()) for line in lines.values())


def test_another_build_is_told_apart(tmp_path: Path) -> None:
    old, new = Storage.at(tmp_path / "old"), Storage.at(tmp_path / "new")
    before, after = build(old, questions=4, answers=3), build(new, questions=3, answers=2)
    write_report(QAMPARI, (new, after), tmp_path / "site", against=(old, before))
    site_checks.check(tmp_path / "site")
    text = " ".join(site_checks.pages(tmp_path / "site")["changes.html"].text.split())
    assert "questions added 0 questions lost 1 questions changed 3 answers gained 0 answers lost 3" in text
    assert "Which films did Ada direct in 3?" in text and "Film 1.2" in text
    assert "it is in no table: its inputs are not there" in text
    write_report(QAMPARI, (new, after), tmp_path / "site", against=(new, after))
    assert "No question and no answer differs." in site_checks.pages(tmp_path / "site")["changes.html"].text


def test_a_build_that_stops_early_and_one_that_tells_nothing_of_its_records_have_the_other_pages(
    tmp_path: Path,
) -> None:
    root = Storage.at(tmp_path / "root")
    whole = build(root)
    early = replace(whole, stages=whole.stages[:1], complete=False)
    for described, manifest in ((QAMPARI, early), (replace(QAMPARI, lineage=None), whole)):
        pages = write_report(described, (root, manifest), tmp_path / "site")
        assert [page.name for page in pages] == ["index.html", "funnel.html", "stages.html"]
        site_checks.check(tmp_path / "site")
    write_report(QAMPARI, (root, early), tmp_path / "site")
    assert "The build stops early" in site_checks.pages(tmp_path / "site")["index.html"].text
    with pytest.raises(StageError, match="nothing to hold --against"):
        write_report(replace(QAMPARI, lineage=None), (root, whole), tmp_path / "site", against=(root, whole))


def test_only_a_report_is_replaced(written: Path, tmp_path: Path) -> None:
    root = Storage.at(tmp_path / "root")
    manifest = build(root, questions=2)
    (written / "data" / "trails-99.js").write_text("old")
    write_report(QAMPARI, (root, manifest), written)
    assert len(site_checks.records(written)) == 2
    assert not (written / "data" / "trails-99.js").exists()
    (own := tmp_path / "own").mkdir()
    (own / "thesis.txt").write_text("mine")
    with pytest.raises(StageError, match=f"own: holds files, and no {MARK} as a report has it; nothing was written"):
        write_report(QAMPARI, (root, manifest), own)
    assert (own / "thesis.txt").read_text() == "mine"
    with pytest.raises(StageError, match=r"thesis\.txt: not a folder"):
        write_report(QAMPARI, (root, manifest), own / "thesis.txt")


def test_the_same_build_gives_the_same_bytes(written: Path, tmp_path: Path) -> None:
    root = Storage.at(tmp_path / "again")
    write_report(QAMPARI, (root, build(root)), tmp_path / "other")
    ours = {path.relative_to(written): path.read_bytes() for path in written.rglob("*") if path.is_file()}
    theirs = {
        path.relative_to(tmp_path / "other"): path.read_bytes()
        for path in (tmp_path / "other").rglob("*")
        if path.is_file()
    }
    assert ours == theirs
