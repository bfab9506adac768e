"""Folders that appear whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from stages.contract import StageError
from stages.io.folders import whole_folder


def test_a_folder_appears_at_the_end(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "out"
    with whole_folder(target) as place:
        (place / "a").write_text("1")
        assert not target.exists()
    assert (target / "a").read_text() == "1"
    assert target.stat().st_mode & 0o777 == 0o755
    assert [path.name for path in target.parent.iterdir()] == ["out"]


def test_an_error_leaves_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "out"
    with whole_folder(target) as place:
        (place / "a").write_text("1")
    with pytest.raises(RuntimeError), whole_folder(target, replace=True) as place:
        (place / "a").write_text("2")
        raise RuntimeError
    assert (target / "a").read_text() == "1"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_replacing_must_be_allowed(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.mkdir()
    (target / "old").write_text("1")
    with pytest.raises(StageError, match="already exists"), whole_folder(target):
        pytest.fail("the body must not run")
    with whole_folder(target, replace=True) as place:
        (place / "new").write_text("2")
    assert [path.name for path in target.iterdir()] == ["new"]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
