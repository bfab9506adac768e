"""Runs a baseline by name on released files, and scores it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from stages.evaluation.files import Predictions, need_gold
from stages.evaluation.outcome import BaselineError, BaselineRun, choose
from stages.release.format import read_records
from stages.wiqa.baselines.classifiers import adaboost, majority, polarity
from stages.wiqa.baselines.encoder import EncoderParams, encoder
from stages.wiqa.metrics.metrics import evaluate_choices
from stages.wiqa.release.records import ChoiceRecord

BASELINES = {
    "majority": "the commonest label of train",
    "polarity": "a lexicon of more and less on change and effect, at random where it cannot tell",
    "adaboost": "boosted small trees over words and polarity of change and effect",
    "encoder": "a fine-tuned encoder that reads question and paragraph",
    "encoder-no-paragraph": "a fine-tuned encoder that reads the question alone",
}
_TUNED = {"encoder": True, "encoder-no-paragraph": False}
"""Whether the paragraph is shown."""
_FREE = tuple(field.name for field in fields(EncoderParams) if field.name not in ("model", "paragraph", "seed"))
_OPTIONS = {"adaboost": ("estimators", "depth"), **dict.fromkeys(_TUNED, _FREE)}


def run(name: str, train: Path, asked: Path, *, seed: int = 0, model: str | None = None, **options: Any) -> BaselineRun:
    """Trains a baseline on one released JSONL file and scores it on another.

    name: one of BASELINES. model: folder or hub id, for the encoders. options: further fields of EncoderParams,
    or estimators and depth of adaboost.

    Raises BaselineError: an unknown name or option, a missing model or library; ReleaseError: a file is no release.
    """
    settings = _settings(name, seed, model, options)
    questions = _read(asked)
    labels = _predict(name, _read(train), questions, settings)
    predictions = dict(zip((question.identity for question in questions), labels, strict=True))
    report = evaluate_choices(questions, Predictions(predictions))
    return BaselineRun(name, [{"ques_id": key, "label": label} for key, label in predictions.items()], settings, report)


def _read(path: Path) -> list[ChoiceRecord]:
    """The questions of a released file, at least one, in the order of their ids."""
    return sorted(need_gold(path, read_records(path, ChoiceRecord)), key=lambda question: question.identity)


def _settings(name: str, seed: int, model: str | None, options: Mapping[str, Any]) -> dict[str, Any]:
    if name in _TUNED and model is None:
        raise BaselineError(f"{name}: needs a model; give --model with a folder or a hub id, such as bert-base-uncased")
    choose(name, BASELINES, options, _OPTIONS)
    if name in _TUNED:
        return asdict(EncoderParams(model=str(model), paragraph=_TUNED[name], seed=seed, **options))
    return {"seed": seed, **options}


def _predict(
    name: str, train: Sequence[ChoiceRecord], asked: Sequence[ChoiceRecord], settings: Mapping[str, Any]
) -> list[str]:
    if name == "majority":
        return majority(train, asked)
    if name == "polarity":
        return polarity(asked, settings["seed"])
    if name == "adaboost":
        return adaboost(train, asked, **settings)
    return encoder(train, asked, EncoderParams(**settings))
