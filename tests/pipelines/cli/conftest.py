"""Two builds of the built-in sample that tests of commands look at: its first stages, and all of it."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest

from tests.pipelines.commands import run

UNTIL = "wikipedia.redirects"


@pytest.fixture(scope="session")
def small_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root with the first four stages of QAMPARI; tests only read it."""
    root = tmp_path_factory.mktemp("small")
    run("build", "qampari", "--root", str(root), "--until", UNTIL, "--workers", "1", "--quiet")
    return root


@pytest.fixture(scope="session")
def sample_root(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A root with the whole sample build, made once for all of pytest's processes; tests only read it."""
    base = tmp_path_factory.getbasetemp()
    root = (base if worker_id == "master" else base.parent) / "whole-sample"
    with (root.with_suffix(".lock")).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        run("build", "qampari", "--root", str(root), "--quiet")
    return root
