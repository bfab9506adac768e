"""The folder of a release: what may lie in it, all or nothing, and records as lines and as a table."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from stages.release.folders import LISTING, config_paths, files_in, make_config, release_folder, write_records
from stages.release.format import ReleaseError

KNOWN = config_paths(("full", "few"), "json")


def test_a_config_has_its_released_files_and_tables() -> None:
    few = {path for path in KNOWN if "few" in path}
    splits = ("train", "dev", "test")
    tables = {f"parquet/few/{split}.parquet" for split in splits}
    assert few == {"few", "parquet/few"} | {f"few/{split}.json" for split in splits} | tables
    assert KNOWN - few == {"README.md", "parquet"} | {path.replace("few", "full") for path in few}


def test_an_earlier_release_is_exchanged_and_nothing_else_is(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    for card in ("first", "second"):
        with release_folder(folder, KNOWN, card) as attempt:
            released, _ = make_config(attempt, "full")
            (released / "dev.json").write_text(card)
    assert files_in(folder) == [Path("README.md"), Path("full/dev.json")]
    assert {(folder / path).read_text() for path in files_in(folder)} == {"second"}
    (folder / "full" / "notes.json").touch()
    with pytest.raises(ReleaseError, match=r"holds full/notes\.json"), release_folder(folder, KNOWN, "third"):
        raise AssertionError("nothing is to be written")
    assert (folder / "README.md").read_text() == "second"


def test_a_release_that_fails_leaves_the_earlier_one(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    with release_folder(folder, KNOWN, "first"):
        pass
    with pytest.raises(OSError, match="full disk"), release_folder(folder, KNOWN, "second"):
        raise OSError("full disk")
    assert [path.name for path in tmp_path.iterdir()] == ["release"]
    assert (folder / "README.md").read_text() == "first"


def test_files_that_no_export_wrote_stay_unless_forced(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    folder.mkdir()
    (folder / "README.md").write_text("my own")
    (folder / "full").mkdir()
    said = r"holds README\.md, which no export of this version wrote; nothing was written; .+ --force"
    with pytest.raises(ReleaseError, match=said), release_folder(folder, KNOWN, "card"):
        raise AssertionError("nothing is to be written")
    assert (folder / "README.md").read_text() == "my own"
    with release_folder(folder, KNOWN, "card", force=True):
        pass
    assert [path.name for path in folder.iterdir() if path.is_file()].count("README.md") == 1
    assert (folder / "README.md").read_text() == "card"
    assert json.loads((folder / LISTING).read_text()) == {"files": {"README.md": sha256(b"card").hexdigest()}}


def test_a_changed_file_and_a_lost_listing_are_told(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    with release_folder(folder, KNOWN, "first"):
        pass
    (folder / "README.md").write_text("first, and a word of mine")
    said = r"README\.md, which was changed since it was exported"
    with pytest.raises(ReleaseError, match=said), release_folder(folder, KNOWN, "second"):
        raise AssertionError("nothing is to be written")
    (folder / "README.md").write_text("first")
    with release_folder(folder, KNOWN, "second"):
        pass
    for listing in ("", "[]", '{"files": 1}', "{}"):
        (folder / LISTING).write_text(listing)
        said = "no export of this version wrote"
        with pytest.raises(ReleaseError, match=said), release_folder(folder, KNOWN, "third"):
            raise AssertionError("nothing is to be written")


def test_nothing_else_is_replaced_even_where_it_is_forced(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    said = r"holds notes\.txt"
    with pytest.raises(ReleaseError, match=said), release_folder(tmp_path, KNOWN, "card", force=True):
        raise AssertionError("nothing is to be written")


def test_lines_and_table_hold_the_same_records_whatever_their_number(tmp_path: Path) -> None:
    lines, table = tmp_path / "a.jsonl", tmp_path / "a.parquet"
    for count in (0, 1, 500, 1001):
        write_records((f'{{"n": {n}}}' for n in range(count)), lines, table, pa.schema([("n", pa.int64())]))
        assert pq.read_table(table)["n"].to_pylist() == list(range(count))
        assert len(lines.read_text().splitlines()) == count
