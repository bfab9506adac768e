"""Local files and folders that a command writes: errors with advice, and folders that appear whole or not at all."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stages.core.contract import StageError

# No space, over quota, a file larger than the disk takes.
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def writing(target: Path, option: str = "--out") -> Iterator[None]:
    """Turns what the disk says while `target` is written into a StageError with advice."""
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        raise StageError(f"{target}: cannot be written ({why}); choose another {option} or free space") from error


def write_file(path: Path, data: str | bytes, option: str = "--out") -> None:
    """Writes a file and the folders above it; an interrupt leaves the old file or none, never half of the new one.

    option: the one that chooses another place, for the message.

    Raises StageError: the disk is full, the folder cannot be written, the path is that of a folder.
    """
    with writing(path, option):
        path.parent.mkdir(parents=True, exist_ok=True)
        content = data.encode("utf-8") if isinstance(data, str) else data
        # A link is written through, and a device or a pipe is no file that could be exchanged.
        target = path.resolve()
        if target.exists() and not target.is_file():
            path.write_bytes(content)
        else:
            _write_aside(target, content)


def _write_aside(path: Path, content: bytes) -> None:
    attempt = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.new")
    try:
        attempt.write_bytes(content)
        if path.exists():
            attempt.chmod(path.stat().st_mode & 0o777)
        attempt.replace(path)
    except BaseException:
        attempt.unlink(missing_ok=True)
        raise


@contextmanager
def whole_folder(folder: Path, replace: bool = False) -> Iterator[Path]:
    """A new folder to write into, which takes the place of `folder` at the end of the `with`.

    replace: allows an existing folder to be exchanged. A kill leaves the old or the new one whole, at worst the
        old one beside it, under a name that begins like its own and ends in ".old".

    A link to a folder stays: what it leads to is exchanged.

    Raises StageError where the folder exists and may not be replaced, or cannot be written.
    """
    # As far as it goes: what a link in a circle leads to is told by the disk.
    folder = Path(os.path.realpath(folder))
    if folder.exists() and not replace:
        raise StageError(f"{folder}: already exists; choose another folder, or allow it to be replaced")
    with writing(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        attempt = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".new", dir=folder.parent))
    try:
        # Other errors of the block may be about what it reads.
        with _full(folder):
            yield attempt
        with writing(folder):
            for path in (attempt, *attempt.rglob("*")):
                # mkdtemp makes private folders; what is written here is for others to read.
                path.chmod(0o755 if path.is_dir() else 0o644)
            _exchange(attempt, folder)
    except BaseException:
        shutil.rmtree(attempt, ignore_errors=True)
        raise


@contextmanager
def _full(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        with writing(folder):
            raise


def _exchange(attempt: Path, folder: Path) -> None:
    if not folder.exists():
        attempt.rename(folder)
        return
    # A folder with content cannot be replaced in one step: the old one stands aside until the new one is there.
    aside = attempt.with_name(attempt.name.removesuffix(".new") + ".old")
    folder.rename(aside)
    try:
        attempt.rename(folder)
    except BaseException:
        if not folder.exists():
            aside.rename(folder)
        raise
    try:
        shutil.rmtree(aside)
    except KeyboardInterrupt:
        # The new one is in its place; half of the old one is of no use to anybody.
        shutil.rmtree(aside)
        raise
