"""Samples: their input files and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines import samples
from pipelines.samples import sample_files
from stages.core.contract import StageError


def test_files_of_a_sample_without_what_explains_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "small"
    (folder / "source").mkdir(parents=True)
    for name in ("b.json", "a.xml", "README.md", "make.py", "source/c.yaml"):
        (folder / name).touch()
    monkeypatch.setattr(samples, "FOLDER", tmp_path)
    assert sample_files("small") == [str(folder / "a.xml"), str(folder / "b.json")]
    with pytest.raises(StageError, match="the sample 'other' is missing from .*; install the package again"):
        sample_files("other")
