"""A folder that appears whole or not at all."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stages.contract import StageError


@contextmanager
def whole_folder(folder: Path, replace: bool = False) -> Iterator[Path]:
    """A new folder to write into, which takes the place of `folder` at the end of the `with`.

    replace: allows an existing folder to be exchanged. A kill leaves the old or the new one whole, at worst the
        old one beside it, under a name that begins like its own and ends in ".old".

    Raises StageError where the folder exists and may not be replaced.
    """
    folder = folder.absolute()
    if folder.exists() and not replace:
        raise StageError(f"{folder}: already exists; choose another folder, or allow it to be replaced")
    folder.parent.mkdir(parents=True, exist_ok=True)
    attempt = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".new", dir=folder.parent))
    try:
        yield attempt
        for path in (attempt, *attempt.rglob("*")):
            # mkdtemp makes private folders; what is written here is for others to read.
            path.chmod(0o755 if path.is_dir() else 0o644)
        _exchange(attempt, folder)
    except BaseException:
        shutil.rmtree(attempt, ignore_errors=True)
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
    except OSError:
        aside.rename(folder)
        raise
    shutil.rmtree(aside)
