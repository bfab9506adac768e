"""The folder of a release: what may lie in it, all or nothing, and records as lines and as a table."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from stages.release.folders import config_paths, files_in, make_config, release_folder, write_records
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


def test_lines_and_table_hold_the_same_records_whatever_their_number(tmp_path: Path) -> None:
    lines, table = tmp_path / "a.jsonl", tmp_path / "a.parquet"
    for count in (0, 1, 500, 1001):
        write_records((f'{{"n": {n}}}' for n in range(count)), lines, table, pa.schema([("n", pa.int64())]))
        assert pq.read_table(table)["n"].to_pylist() == list(range(count))
        assert len(lines.read_text().splitlines()) == count
