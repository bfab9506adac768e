"""A small WIQA build without answers of people, shared by the tests that look at one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pipelines.commands import build_wiqa, run
from tests.stages.wiqa.test_build import source


@pytest.fixture(scope="session")
def wiqa_input(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixteen paragraphs over eight topics, with two graphs each."""
    folder = tmp_path_factory.mktemp("wiqa") / "input"
    source(folder, seed=1)
    return folder


@pytest.fixture(scope="session")
def wiqa_root(wiqa_input: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root that holds a build of them; tests only read it."""
    root = tmp_path_factory.mktemp("wiqa-root")
    run(*build_wiqa(root, wiqa_input), "--quiet")
    return root
