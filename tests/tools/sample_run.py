"""Runs all stages of a dataset's build in memory, over some files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pipelines.datasets import dataset
from pipelines.params import load
from stages.core.memory import InMemory
from stages.io.detect import ANNOTATIONS, detect, files_of

# A sample's folder also holds words about it and what its files are made from.
_NO_RECORDS = (".md", ".yaml")


def run(name: str, given: Sequence[Path], answers: Sequence[Path] = (), *, settings: Sequence[str] = ()) -> InMemory:
    """A build from files and folders. answers: those of people's answers; settings: as --set takes them."""
    files = [path for path in files_of([str(path) for path in given]) if not path.endswith(_NO_RECORDS)]
    inputs = detect(files).plus(ANNOTATIONS, files_of([str(path) for path in answers]) if answers else [])
    found = dataset(name)
    return InMemory().run(*found.pipeline(load(found.defaults, None, settings), inputs).stages)
