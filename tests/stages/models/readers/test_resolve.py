"""Readers by their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from stages.models.readers.interface import ReaderError
from stages.models.readers.lexical import LEARNT, LexicalTrainer
from stages.models.readers.resolve import trainer
from stages.models.readers.training import TrainingParams


def test_names(shared_models: Path) -> None:
    assert trainer() == trainer("lexical") == LexicalTrainer()
    assert trainer("lexical-learnt") == LEARNT
    assert trainer(str(shared_models / "reader-qa")).name == "reader-qa"


def test_other_names_say_which_there_are(tmp_path: Path) -> None:
    with pytest.raises(ReaderError, match="'bert' is no reader: there are 'lexical', 'lexical-learnt', the folder"):
        trainer("bert")
    with pytest.raises(ReaderError, match="safetensors"):
        trainer(f"train:{tmp_path}")


def test_settings_of_the_training_are_checked() -> None:
    for settings in (
        {"epochs": 0},
        {"batch": 0},
        {"distractors": -1},
        {"answers": -1},
        {"learning_rate": 0.0},
        {"heart_rate": 1.0},
        {"warm_up": 2},
    ):
        with pytest.raises(ReaderError, match=next(iter(settings))):
            TrainingParams(**settings)
