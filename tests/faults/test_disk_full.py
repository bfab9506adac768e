"""A disk that fills up: the error says so and what helps, and the earlier build stays whole."""

from __future__ import annotations

import errno
import resource
from pathlib import Path

import pytest

from manifests.storage import Storage, StorageError
from manifests.verify import verify
from tests import toy
from tests.faults import builder

# Writes of the stage up to its manifest; after it comes the build's own.
STAGE_IS_PUBLISHED = 10
FULL = "No space left on device"


def fill_up_after(monkeypatch: pytest.MonkeyPatch, writes: int) -> None:
    """Every write but the first few fails half way, as on a full disk."""
    original = Path.open
    left = [writes]

    class Full:
        def __init__(self, file) -> None:
            self.file = file

        def __enter__(self):
            return self

        def __exit__(self, *error: object) -> None:
            self.file.close()

        def write(self, data: bytes) -> None:
            self.file.write(memoryview(data).cast("B")[:10])
            raise OSError(errno.ENOSPC, FULL)

    def open_on_a_full_disk(path: Path, mode: str = "r", *arguments, **keywords):
        file = original(path, mode, *arguments, **keywords)
        left[0] -= mode == "wb"
        return Full(file) if mode == "wb" and left[0] < 0 else file

    monkeypatch.setattr(Path, "open", open_on_a_full_disk)


@pytest.mark.parametrize("writes", [0, 2, 4, 8, 9, 10, 11])
def test_a_full_disk_stops_the_build_with_a_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    root = tmp_path / "root"
    old = toy.write_lines(tmp_path / "old", [toy.LINES])
    new = toy.write_lines(tmp_path / "new", [toy.LINES[:2], ["a new line"]])
    earlier = builder.build(str(root), old, until="toy.words")
    files = [path for path in Storage.at(root).files() if not path.startswith("builds/")]
    with (
        monkeypatch.context() as patched,
        pytest.raises(Exception, match=f"{FULL}.*choose another --root or free space"),
    ):
        fill_up_after(patched, writes)
        builder.build(str(root), new, until="toy.words")
    assert builder.latest(root).version == earlier.version
    assert verify(Storage.at(root)) == []
    left = [path for path in Storage.at(root).files("stages") if path not in files]
    published = any(path.endswith("/manifest.json") for path in left)
    assert published == (writes >= STAGE_IS_PUBLISHED) and (left == []) != published
    again = builder.build(str(root), new, until="toy.words")
    fresh = builder.build(str(tmp_path / "fresh"), new, until="toy.words")
    assert again.version == fresh.version and builder.digests(again) == builder.digests(fresh)


def build_with_small_files(root: str, paths: list[str], report: str) -> None:
    """A build under a real limit of the system: no file may grow over 700 bytes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (700, 700))
    try:
        builder.build(root, paths, "toy.words")
    except Exception as error:
        Path(report).write_text(f"{type(error).__name__}: {error}"[-600:])
        raise SystemExit(3) from error


def test_a_limit_of_the_system_is_reported_like_a_full_disk(tmp_path: Path) -> None:
    paths, report = toy.write_lines(tmp_path / "in", [toy.LINES]), tmp_path / "report"
    assert builder.run(build_with_small_files, str(tmp_path / "root"), paths, str(report)) == 3
    assert "File too large); choose another --root or free space" in report.read_text()
    assert Storage.at(tmp_path / "root").files() == []


def test_a_file_where_a_folder_is_wanted_is_reported(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(StorageError, match="taken/file: cannot be written"):
        Storage.at(tmp_path).write_bytes("taken/file", b"x")
