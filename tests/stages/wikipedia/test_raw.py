"""Raw rows: batches and digests."""

from __future__ import annotations

import hashlib
from pathlib import Path

from stages.wikipedia import raw


def test_batches_are_cut_by_rows_and_by_characters(monkeypatch) -> None:
    monkeypatch.setattr(raw, "BATCH_ROWS", 3)
    monkeypatch.setattr(raw, "BATCH_CHARACTERS", 10)
    rows = [{"title": str(number), "text": "x" * size} for number, size in enumerate([1, 1, 1, 12, 1])]
    tables = list(raw.batches(rows))
    assert [table["title"].to_pylist() for table in tables] == [["0", "1", "2"], ["3"], ["4"]]
    assert all(table.schema == raw.RAW_SCHEMA for table in tables)


def test_digests_stand_under_file_names_whatever_the_folder(tmp_path: Path) -> None:
    for folder, content in (("a", b"one"), ("b", b"two")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "dump.xml").write_bytes(content)
    paths = [str(tmp_path / folder / "dump.xml") for folder in "ab"]
    one, two = hashlib.sha256(b"one").hexdigest(), hashlib.sha256(b"two").hexdigest()
    first, second = sorted([one, two])
    assert raw.digests(paths) == raw.digests(paths[::-1]) == {"dump.xml": first, "dump.xml (2)": second}
