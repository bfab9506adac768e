"""Writing a release: files, order, all or nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from stages.contract import StageError
from stages.io import folders
from stages.metrics.answers import evaluate
from stages.release.export import export_release
from stages.release.format import Answer, Proof, Record, ReleaseError, encode_record, read_release
from stages.release.records import RECORDS, SIDECAR


def record(number: int, split: str) -> Record:
    qid = f"{number}__wikidata_simple__{split}"
    proof = Proof("Text.", "https://en.wikipedia.org/wiki/T", f"{qid}__0__0")
    return Record([], f"Which {number}?", [Answer("Jaws\u2028", f"{qid}__0", ["Jaws\u2028"], "", [proof])], qid)


def table(made: list[Record]) -> pa.Table:
    return RECORDS.table(
        [
            {
                "qid": item.qid,
                "query": item.qid,
                "split": item.split,
                "kind": item.kind,
                "record": encode_record(item),
            }
            for item in made
        ]
    )


MADE = [record(10, "dev"), record(2, "dev"), record(0, "test")]


def test_files_of_a_release(tmp_path: Path) -> None:
    exported = export_release(table(MADE), SIDECAR.empty(), tmp_path / "out" / "release", "# Card\n")
    assert exported.questions == {"dev": 2, "test": 1}
    assert exported.files == (
        "README.md",
        "dev.jsonl",
        "parquet/dev.parquet",
        "parquet/test.parquet",
        "sidecar.parquet",
        "test.jsonl",
    )
    folder = exported.folder
    assert read_release(folder / "dev.jsonl") == [MADE[0], MADE[1]]
    nested = pq.read_table(folder / "parquet" / "dev.parquet").to_pylist()
    assert nested == [json.loads(encode_record(item)) for item in (MADE[0], MADE[1])]
    assert (folder / "README.md").read_text() == "# Card\n"
    assert pq.read_table(folder / "sidecar.parquet").schema.names == SIDECAR.schema.names
    assert evaluate(folder / "dev.jsonl", folder / "dev.jsonl", resamples=1).overall.f1 == 1.0
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["release"]


def test_order_of_rows_makes_no_difference(tmp_path: Path) -> None:
    for name, rows in (("a", MADE), ("b", MADE[::-1])):
        export_release(table(rows), SIDECAR.empty(), tmp_path / name, "")
    for path in ("dev.jsonl", "test.jsonl", "parquet/dev.parquet", "sidecar.parquet"):
        assert (tmp_path / "a" / path).read_bytes() == (tmp_path / "b" / path).read_bytes()


def test_two_records_of_one_id_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match="found several of 10__wikidata_simple__dev"):
        export_release(table([*MADE, MADE[0]]), SIDECAR.empty(), tmp_path / "release", "")
    assert not (tmp_path / "release").exists()


def test_an_existing_folder_is_replaced_only_when_allowed(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    export_release(table(MADE), SIDECAR.empty(), folder, "old")
    with pytest.raises(ReleaseError, match="release: already exists"):
        export_release(table(MADE[:1]), SIDECAR.empty(), folder, "new")
    assert (folder / "README.md").read_text() == "old"
    export_release(table(MADE[:1]), SIDECAR.empty(), folder, "new", replace=True)
    assert (folder / "README.md").read_text() == "new"
    assert not (folder / "test.jsonl").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_a_folder_that_holds_anything_else_is_never_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    (folder / "parquet").mkdir(parents=True)
    export_release(table(MADE), SIDECAR.empty(), folder, "into an empty one", replace=True)
    (folder / "parquet" / "mine.parquet").write_text("precious")
    with pytest.raises(ReleaseError, match=r"holds parquet/mine\.parquet, which is no part of a release"):
        export_release(table(MADE), SIDECAR.empty(), folder, "new", replace=True)
    assert (folder / "parquet" / "mine.parquet").read_text() == "precious"
    with pytest.raises(ReleaseError, match="not a folder"):
        export_release(table(MADE), SIDECAR.empty(), folder / "README.md", "new", replace=True)


def test_a_failure_leaves_the_old_release_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "release"
    export_release(table(MADE), SIDECAR.empty(), folder, "old")
    broken = table(MADE).set_column(4, RECORDS.schema.field("record"), pa.array(["{"] * 3, pa.large_string()))
    with pytest.raises(json.JSONDecodeError):
        export_release(broken, SIDECAR.empty(), folder, "new", replace=True)
    assert len(read_release(folder / "dev.jsonl")) == 2

    def refuse(attempt: Path, target: Path) -> None:
        raise OSError("no space")

    monkeypatch.setattr(folders, "_exchange", refuse)
    with pytest.raises(StageError, match=r"cannot be written \(no space\)"):
        export_release(table(MADE), SIDECAR.empty(), folder, "new", replace=True)
    assert (folder / "README.md").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_an_empty_release_has_a_card_and_no_split(tmp_path: Path) -> None:
    exported = export_release(RECORDS.empty(), SIDECAR.empty(), tmp_path / "release", "")
    assert exported.questions == {}
    assert exported.files == ("README.md", "sidecar.parquet")
