"""Which scorer a name stands for."""

from __future__ import annotations

from pathlib import Path

import pytest

from stages.facts.thresholds import load_thresholds
from stages.models.scoring import transformers
from stages.models.scoring.onnx import OnnxScorer, shipped
from stages.models.scoring.resolve import scorer


def test_the_shipped_model_and_its_folder_are_one_model() -> None:
    by_name, by_folder = scorer(), scorer(str(shipped()))
    assert isinstance(by_name, OnnxScorer)
    assert by_name.name == by_folder.name == "evidence-nli"
    assert by_name.identity == by_folder.identity


def test_the_installed_thresholds_belong_to_the_shipped_model() -> None:
    assert load_thresholds().model == scorer().identity


def test_a_hub_id_is_resolved_to_its_snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "config.json").write_text('{"id2label": {"0": "entailment"}}')
    (tmp_path / "model.safetensors").touch()
    monkeypatch.setattr(transformers, "download", lambda model: tmp_path)
    found = scorer("some/model", device="cuda")
    assert isinstance(found, transformers.TransformersScorer)
    assert (found.name, found.place, found.device) == ("some/model", str(tmp_path), "cuda")
