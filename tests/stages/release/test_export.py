"""Writing a release: its files, their order, all or nothing, and what it never overwrites."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from stages.core.contract import StageError
from stages.ifqa.release.records import CounterfactualRecord
from stages.io import folders
from stages.qampari.metrics.metrics import evaluate
from stages.qampari.release.format import Answer, AnswersRecord, Proof
from stages.qampari.release.records import LAYOUT, RECORDS, SIDECAR, release
from stages.release.card import CardText
from stages.release.corpus import Collection
from stages.release.export import LISTING, Layout, Release, SplitFile, export_release, files_in
from stages.release.format import ReleaseError, read_records

TEXT = CardText("toy", "About it.", "0.1.0", {"Wikidata": "CC0"})
OTHER = replace(TEXT, description="About something else.")
TWO = Layout(CounterfactualRecord, ("own.parquet",), "counterfactuals.md", ("full", "few"), "json")


def record(number: int, split: str) -> AnswersRecord:
    qid = f"{number}__wikidata_simple__{split}"
    proof = Proof("Text.", "https://en.wikipedia.org/wiki/T", f"{qid}__0__0")
    return AnswersRecord([], f"Which {number}?", [Answer("Jaws\u2028", f"{qid}__0", ["Jaws\u2028"], "", [proof])], qid)


def made(*items: AnswersRecord) -> Release:
    rows = [
        {"qid": item.qid, "query": item.qid, "split": item.split, "kind": item.kind, "record": item.line()}
        for item in items
    ]
    return release(RECORDS.table(rows), SIDECAR.empty(), Collection([{"_id": "T#0", "title": "T", "text": "Text."}]))


# Of a release without a question.
EMPTY = ["README.md", "corpus.jsonl", "croissant.json", "queries.jsonl", "sidecar.parquet"]
MADE = [record(10, "dev"), record(2, "dev"), record(0, "test")]


def names(folder: Path) -> list[str]:
    return [str(path) for path in files_in(folder)]


def test_files_of_a_release(tmp_path: Path) -> None:
    folder = tmp_path / "out" / "release"
    written = export_release(made(*MADE), folder, TEXT)
    tables = ["parquet/dev.parquet", "parquet/test.parquet"]
    tasks = ["lm_eval/benchwright_toy.yaml", "lm_eval/tasks.py"]
    beside = ["queries.jsonl", "sidecar.parquet", "test.jsonl"]
    assert names(folder) == ["README.md", "corpus.jsonl", "croissant.json", "dev.jsonl", *tasks, *tables, *beside]
    assert written == [folder / name for name in names(folder)]
    assert read_records(folder / "dev.jsonl", AnswersRecord) == [MADE[0], MADE[1]]
    nested = pq.read_table(folder / "parquet" / "dev.parquet").to_pylist()
    assert nested == [json.loads(item.line()) for item in (MADE[0], MADE[1])]
    assert "# toy\n\nAbout it.\n" in (folder / "README.md").read_text()
    assert pq.read_table(folder / "sidecar.parquet").schema.names == SIDECAR.schema.names
    assert evaluate(folder / "dev.jsonl", folder / "dev.jsonl", resamples=1).overall["f1"] == 1.0
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["release"]


def test_what_its_maker_says_of_a_release_is_what_hubs_and_loaders_read(tmp_path: Path) -> None:
    own = {"name": "My league", "version": "2.1.0", "licence": "CC BY 4.0", "citation": "Me: My league. 2026."}
    export_release(made(*MADE), tmp_path / "release", replace(TEXT, own=own))
    block = yaml.safe_load((tmp_path / "release" / "README.md").read_text().split("---\n")[1])
    assert (block["pretty_name"], block["license"]) == ("My league", "cc-by-4.0")
    said = json.loads((tmp_path / "release" / "croissant.json").read_text())
    assert (said["name"], said["version"], said["license"]) == ("toy", "2.1.0", ["CC BY 4.0"])
    assert said["citeAs"] == "Me: My league. 2026."


def test_several_benchmarks_have_folders_and_may_be_arrays_with_tables_of_their_own(tmp_path: Path) -> None:
    facts = dict.fromkeys(("splits", "kinds", "questions", "confirmed", "repeated"), "")
    lines = [CounterfactualRecord(n, "If?", ["a"], ["b"]).line() for n in (1, 2)]
    own = pa.table({"n": [1, 2]})
    some = Release(TWO, [SplitFile("few", "dev", lines, own)], facts, {"own.parquet": own})
    for text in (TEXT, OTHER):
        export_release(some, tmp_path / "release", text)
    folder = tmp_path / "release"
    assert names(folder) == ["README.md", "croissant.json", "few/dev.json", "own.parquet", "parquet/few/dev.parquet"]
    assert (folder / "few" / "dev.json").read_text() == f"[\n{lines[0]},\n{lines[1]}\n]\n"
    assert pq.read_table(folder / "own.parquet").equals(own)
    assert pq.read_table(folder / "parquet" / "few" / "dev.parquet").equals(own)
    few = {path for path in TWO.known("toy") if "few" in path}
    splits = ("train", "dev", "test")
    tables = {f"parquet/few/{split}.parquet" for split in splits}
    assert few == {"few", "parquet/few"} | {f"few/{split}.json" for split in splits} | tables


def test_order_of_rows_makes_no_difference(tmp_path: Path) -> None:
    for name, items in (("a", MADE), ("b", MADE[::-1])):
        export_release(made(*items), tmp_path / name, TEXT)
    for path in names(tmp_path / "a"):
        assert (tmp_path / "a" / path).read_bytes() == (tmp_path / "b" / path).read_bytes()


def test_two_records_of_one_id_are_refused() -> None:
    with pytest.raises(ReleaseError, match="found several of 10__wikidata_simple__dev"):
        made(*MADE, MADE[0])


@pytest.mark.parametrize("count", [0, 1, 500, 1001])
def test_lines_and_table_hold_the_same_records_whatever_their_number(tmp_path: Path, count: int) -> None:
    lines = [record(number, "dev").line() for number in range(count)]
    facts = made(*MADE).facts
    export_release(Release(LAYOUT, [SplitFile("", "dev", lines)], facts), tmp_path / "release", TEXT)
    qids = pq.read_table(tmp_path / "release" / "parquet" / "dev.parquet")["qid"].to_pylist()
    assert qids == [json.loads(line)["qid"] for line in lines]
    assert (tmp_path / "release" / "dev.jsonl").read_text().split("\n")[:-1] == lines


def test_an_earlier_release_is_exchanged_whole(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    (folder / "parquet").mkdir(parents=True)
    export_release(made(*MADE), folder, TEXT)
    export_release(made(*MADE[:1]), folder, OTHER)
    assert "something else" in (folder / "README.md").read_text()
    assert not (folder / "test.jsonl").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


@pytest.mark.parametrize("force", [False, True])
def test_a_folder_that_holds_anything_else_is_never_replaced(tmp_path: Path, force: bool) -> None:
    folder = tmp_path / "release"
    export_release(made(*MADE), folder, TEXT)
    (folder / "parquet" / "mine.parquet").write_text("precious")
    with pytest.raises(ReleaseError, match=r"holds parquet/mine\.parquet, which is no part of a release"):
        export_release(made(*MADE), folder, OTHER, force)
    assert (folder / "parquet" / "mine.parquet").read_text() == "precious"
    with pytest.raises(ReleaseError, match="not a folder"):
        export_release(made(*MADE), folder / "README.md", OTHER, force)


def test_files_that_no_export_wrote_stay_unless_forced(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    folder.mkdir()
    (folder / "README.md").write_text("my own")
    said = r"holds README\.md, which no export of this version wrote; nothing was written; .+ --force"
    with pytest.raises(ReleaseError, match=said):
        export_release(made(*MADE), folder, TEXT)
    assert (folder / "README.md").read_text() == "my own"
    export_release(made(), folder, TEXT, force=True)
    digests = {name: sha256((folder / name).read_bytes()).hexdigest() for name in EMPTY}
    assert json.loads((folder / LISTING).read_text()) == {"files": digests}


def test_a_changed_file_and_a_lost_listing_are_told(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    export_release(made(*MADE), folder, TEXT)
    card = (folder / "README.md").read_text()
    (folder / "README.md").write_text(f"{card} and a word of mine")
    with pytest.raises(ReleaseError, match=r"README\.md, which was changed since it was exported"):
        export_release(made(*MADE), folder, TEXT)
    (folder / "README.md").write_text(card)
    export_release(made(*MADE), folder, TEXT)
    for listing in ("", "[]", '{"files": 1}', "{}"):
        (folder / LISTING).write_text(listing)
        with pytest.raises(ReleaseError, match="no export of this version wrote"):
            export_release(made(*MADE), folder, TEXT)


def test_a_failure_leaves_the_old_release_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "release"
    export_release(made(*MADE), folder, TEXT)
    with pytest.raises(json.JSONDecodeError):
        export_release(replace(made(*MADE), splits=[SplitFile("", "dev", ["{"])]), folder, OTHER)
    assert len(read_records(folder / "dev.jsonl", AnswersRecord)) == 2

    def refuse(attempt: Path, target: Path) -> None:
        raise OSError("no space")

    monkeypatch.setattr(folders, "_exchange", refuse)
    with pytest.raises(StageError, match=r"cannot be written \(no space\)"):
        export_release(made(*MADE), folder, OTHER)
    assert "About it." in (folder / "README.md").read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_an_empty_release_has_a_card_and_no_split(tmp_path: Path) -> None:
    export_release(made(), tmp_path / "release", TEXT)
    assert names(tmp_path / "release") == EMPTY
