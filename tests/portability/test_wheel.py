"""The wheel of a commit has the same bytes, whoever makes it, wherever and when."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SECONDS = 300


def made(repo: Path, clone: Path, umask: int) -> tuple[str, str]:
    """Name and sha256 of the wheel that `make wheel` makes in a clone."""
    env = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"}
    run = {"check": True, "timeout": SECONDS, "env": env, "umask": umask}
    subprocess.run(["git", "clone", "--quiet", str(repo), str(clone)], **run)
    binaries = clone / ".venv" / "bin"
    binaries.mkdir(parents=True)
    (binaries / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (binaries / "python").chmod(0o755)
    for done in ("main.done", "test.done"):
        (clone / ".venv" / done).touch()
    subprocess.run(["make", "--silent", "--old-file=.venv/test.done", "wheel"], cwd=clone, **run)
    (wheel,) = (clone / "dist").iterdir()
    return wheel.name, hashlib.sha256(wheel.read_bytes()).hexdigest()


@pytest.mark.slow
def test_two_clones_make_the_same_wheel(repo: Path, tmp_path: Path) -> None:
    if not (repo / ".git").exists() or shutil.which("make") is None:
        pytest.skip("needs a git checkout and make")
    first = made(repo, tmp_path / "one", 0o022)
    assert made(repo, tmp_path / "a longer name" / "two", 0o077) == first
