"""Datasets are found by their folders."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from pipelines import datasets
from pipelines.datasets import dataset, names
from pipelines.inputs import read_inputs
from pipelines.params import load
from stages.core.contract import StageError


def test_every_folder_with_a_pipeline_is_a_dataset(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert "qampari" in names()
    for name in ("b", "a", "no_dataset"):
        (tmp_path / name).mkdir()
    (tmp_path / "a" / "pipeline.py").touch()
    (tmp_path / "b" / "pipeline.py").touch()
    monkeypatch.setattr(datasets, "HERE", tmp_path)
    assert names() == ["a", "b"]
    with pytest.raises(StageError, match="no dataset 'no_dataset'; there are a, b"):
        dataset("no_dataset")


def test_a_pipeline_that_describes_no_dataset_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("pipelines.half.pipeline")
    module.DATASET = "half"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(datasets, "names", lambda: ["half"])
    with pytest.raises(StageError, match="pipelines/half/pipeline.py: DATASET is not a Dataset"):
        dataset("half")


@pytest.mark.parametrize("name", names())
def test_a_dataset_is_named_like_its_folder_and_has_a_sample(name: str) -> None:
    found = dataset(name)
    assert found.name == name and found.defaults.is_file()
    assert found.title.startswith(name.upper()) or found.title[0].isupper()
    assert all(Path(path).is_file() for path in found.sample())


@pytest.mark.parametrize("name", names())
def test_the_papers_steps_name_stages_and_tables_that_there_are(name: str) -> None:
    found = dataset(name)
    answers = found.sample_answers() if found.sample_answers else ()
    pipeline = found.pipeline(load(found.defaults), read_inputs(found, found.sample(), answers))
    stages = {stage.name for stage in pipeline.stages}
    assert 8 <= len(found.paper) <= 18
    for step in found.paper:
        assert step.stages[-1] in stages, step
        for tables in filter(None, (step.takes, step.gives)):
            assert any(table in pipeline.schemas for table in tables.split("|")), step
