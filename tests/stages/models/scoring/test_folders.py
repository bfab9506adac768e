"""What a model folder declares, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stages.models.scoring.folders import ModelError, settings


def folder(path: Path, **config: Any) -> Path:
    (path / "config.json").write_text(json.dumps(config))
    return path


def test_defaults_are_those_of_standard_models(tmp_path: Path) -> None:
    labels = {"0": "ENTAILMENT", "1": "NEUTRAL", "2": "CONTRADICTION"}
    found = settings(folder(tmp_path, id2label=labels))
    assert (found.entailment, found.order, found.max_tokens) == (0, ("premise", "hypothesis"), 256)


def test_config_and_options(tmp_path: Path) -> None:
    path = folder(tmp_path, label2id={"no": 0, "yes": 1}, input_order=["hypothesis", "premise"], max_length=160)
    found = settings(path, entailment_label="Yes")
    assert (found.entailment, found.hypothesis_first, found.max_tokens) == (1, True, 160)
    assert settings(path, entailment_label="no", max_tokens=64).max_tokens == 64
    assert not settings(path, entailment_label="no", input_order=("premise", "hypothesis")).hypothesis_first


@pytest.mark.parametrize(
    ("config", "options", "message"),
    [
        ({"id2label": {"0": "LABEL_0", "1": "LABEL_1"}}, {}, "option entailment_label"),
        ({}, {}, "option entailment_label"),
        ({"id2label": {"0": "entailment", "1": "entails"}}, {}, "exactly once"),
        ({"id2label": {"0": "entailment"}}, {"entailment_label": "yes"}, "label 'yes'"),
        ({"id2label": {"zero": "entailment"}}, {}, r"config.json: id2label and label2id: expected .*'zero'"),
        ({"label2id": ["entailment"]}, {}, "config.json: id2label and label2id: expected"),
        ({"id2label": {"0": "entailment"}, "input_order": ["premise"]}, {}, "input_order"),
        ({"id2label": {"0": "entailment"}, "input_order": 5}, {}, "input_order is one of .* not 5"),
        ({"id2label": {"0": "entailment"}}, {"max_tokens": 4}, "at least 16"),
    ],
)
def test_refused(tmp_path: Path, config: dict[str, Any], options: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        settings(folder(tmp_path, **config), **options)


def test_broken_configs(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no config\.json"):
        settings(tmp_path)
    for content, message in (("{", "not JSON"), ("[]", "a JSON object")):
        (tmp_path / "config.json").write_text(content)
        with pytest.raises(ModelError, match=message):
            settings(tmp_path)
