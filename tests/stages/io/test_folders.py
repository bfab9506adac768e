"""Folders that appear whole or not at all."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from stages.core.contract import StageError
from stages.io.folders import whole_folder, write_file


def test_a_folder_appears_at_the_end(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "out"
    with whole_folder(target) as place:
        (place / "a").write_text("1")
        assert not target.exists()
    assert (target / "a").read_text() == "1"
    assert target.stat().st_mode & 0o777 == 0o755
    assert [path.name for path in target.parent.iterdir()] == ["out"]


def test_what_the_disk_says_comes_with_advice(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    advice = r"cannot be written \(.+\); choose another --out or free space"
    with pytest.raises(StageError, match=advice):
        write_file(tmp_path / "file" / "x", "1")
    with pytest.raises(StageError, match=advice):
        write_file(tmp_path, b"1")
    with pytest.raises(StageError, match=advice), whole_folder(tmp_path / "file" / "x"):
        raise AssertionError("not reached")
    with pytest.raises(StageError, match=r"out: cannot be written \(No space"), whole_folder(tmp_path / "out"):
        raise OSError(errno.ENOSPC, "No space left on device")
    with pytest.raises(ConnectionError), whole_folder(tmp_path / "out"):
        raise ConnectionError("what was read is gone")
    write_file(tmp_path / "deep" / "x", "ä\r\n")
    assert (tmp_path / "deep" / "x").read_bytes() == "ä\r\n".encode()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["deep", "file"]


def test_an_interrupt_leaves_no_half_written_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(path: Path, content: bytes) -> int:
        with path.open("wb") as file:
            file.write(content[:1])
        raise KeyboardInterrupt

    write_file(tmp_path / "x", "old")
    (tmp_path / "x").chmod(0o640)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", interrupted)
        for name in ("x", "y"):
            with pytest.raises(KeyboardInterrupt):
                write_file(tmp_path / name, "new")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"x": "old"}
    write_file(tmp_path / "x", "new")
    assert (tmp_path / "x").read_text() == "new" and (tmp_path / "x").stat().st_mode & 0o777 == 0o640


def test_an_interrupted_exchange_leaves_the_old_folder_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename, target = Path.rename, tmp_path / "out"

    def interrupted(path: Path, to: Path) -> Path:
        if path.suffix == ".new":
            raise KeyboardInterrupt
        return rename(path, to)

    with whole_folder(target) as place:
        (place / "a").write_text("1")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", interrupted)
        with pytest.raises(KeyboardInterrupt), whole_folder(target, replace=True) as place:
            (place / "a").write_text("2")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert (target / "a").read_text() == "1"


def test_a_link_and_a_device_are_written_through(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_file(tmp_path / "link", "1")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "real").read_text() == "1"
    write_file(Path("/dev/null"), "1")
    assert not Path("/dev/null").is_file()


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


def test_a_link_to_a_folder_stays_and_what_it_leads_to_is_exchanged(tmp_path: Path) -> None:
    real, link = tmp_path / "disk" / "real", tmp_path / "link"
    link.symlink_to(real)
    for content in ("1", "2"):
        with whole_folder(link, replace=True) as place:
            (place / "a").write_text(content)
        assert link.is_symlink() and (real / "a").read_text() == content
    assert [path.name for path in real.parent.iterdir()] == ["real"]
    (tmp_path / "round").symlink_to(tmp_path / "round")
    with pytest.raises(StageError, match="round/x: cannot be written"), whole_folder(tmp_path / "round" / "x"):
        raise AssertionError("not reached")
