"""Files of questions: each record comes with the name of its file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from manifests.digest import sha256
from stages.core.contract import StageError
from stages.ifqa.source import NAMED_RECORDS, QuestionFiles


def named(*paths: Path) -> list[tuple[str, str]]:
    source = QuestionFiles(tuple(map(str, paths)))
    tables = [table for part in source.parts() for table in source.read(part)]
    assert all(table.schema.equals(NAMED_RECORDS) for table in tables)
    rows = [row for table in tables for row in table.to_pylist()]
    return [(row["file"], json.loads(row["data"])["question"]) for row in rows]


def test_records_carry_the_name_of_their_file(tmp_path: Path) -> None:
    train, dev = tmp_path / "full_train.json", tmp_path / "dev.part.jsonl"
    train.write_text('[{"question": "a"}, {"question": "b"}]')
    dev.write_text('{"question": "c"}\n{"question": "d"}\n')
    assert sorted(named(train, dev)) == [("dev", "c"), ("dev", "d"), ("full_train", "a"), ("full_train", "b")]
    assert QuestionFiles((str(train),)).identity() == {"questions:full_train": sha256(train.read_bytes())}
    assert QuestionFiles((str(train),)).licences() == {"questions": "not stated by the file"}


def test_files_of_one_name_are_told_apart_by_what_they_hold(tmp_path: Path) -> None:
    paths = [tmp_path / folder / "q.json" for folder in ("a", "b")]
    for number, path in enumerate(paths):
        path.parent.mkdir()
        path.write_text(f'[{{"question": "{number}"}}]')
    digests = [sha256(path.read_bytes())[:8] for path in paths]
    assert sorted(named(*paths)) == sorted((f"q-{digest}", str(number)) for number, digest in enumerate(digests))


def test_there_must_be_a_file() -> None:
    with pytest.raises(StageError, match="questions: no file given"):
        QuestionFiles(())
