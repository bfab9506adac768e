"""Runs all stages of a build of counterfactual questions in one process, as `tests.tools.processes_run` does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pipelines.ifqa.pipeline import DATASET
from pipelines.params import load
from stages.io.detect import ANNOTATIONS, detect, files_of
from tests.tools.processes_run import Run


def run(given: Sequence[Path], answers: Sequence[Path] = (), *, settings: Sequence[str] = ()) -> Run:
    """A build from files and folders. answers: those of people's answers; settings: as --set takes them."""
    files = [path for path in files_of([str(path) for path in given]) if not path.endswith(".md")]
    inputs = detect(files).plus(ANNOTATIONS, files_of([str(path) for path in answers]) if answers else [])
    done = Run()
    for stage in DATASET.pipeline(load(DATASET.defaults, None, settings), inputs).stages:
        done.do(stage)
    return done
