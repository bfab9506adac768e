"""Runs a baseline by name on released files, and scores it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from stages.baselines.adaboost import adaboost
from stages.baselines.encoder import EncoderParams, encoder
from stages.baselines.examples import Example, read_examples
from stages.baselines.optional import BaselineError
from stages.baselines.simple import majority, polarity
from stages.metrics.choice_files import ChoicePredictions, read_gold_choices
from stages.metrics.choices import ChoiceReport, evaluate_choices

BASELINES = {
    "majority": "the commonest label of train",
    "polarity": "a lexicon of more and less on change and effect, at random where it cannot tell",
    "adaboost": "boosted small trees over words and polarity of change and effect",
    "encoder": "a fine-tuned encoder that reads question and paragraph",
    "encoder-no-paragraph": "a fine-tuned encoder that reads the question alone",
}


@dataclass(frozen=True)
class Outcome:
    """predictions: label per ques_id; settings: what the baseline ran with; report: its scores."""

    name: str
    predictions: Mapping[str, str]
    settings: Mapping[str, Any]
    report: ChoiceReport

    def lines(self) -> str:
        """The predictions as JSON lines, in the order of the ids."""
        rows = sorted(self.predictions.items())
        return "".join(json.dumps({"ques_id": ques_id, "label": label}) + "\n" for ques_id, label in rows)

    def as_dict(self) -> dict[str, Any]:
        return {"baseline": self.name, "settings": dict(self.settings), "report": self.report.as_dict()}


def run(name: str, train: Path, asked: Path, *, seed: int = 0, model: str | None = None, **options: Any) -> Outcome:
    """Trains a baseline on one released JSONL file and scores it on another.

    name: one of BASELINES. model: folder or hub id, for the encoders. options: further fields of EncoderParams,
    or estimators and depth of adaboost.

    Raises BaselineError: an unknown name or option, a missing model or library, a file that is no release.
    """
    if name not in BASELINES:
        raise BaselineError(f"{name!r} is no baseline; there are {', '.join(BASELINES)}")
    settings = _settings(name, seed, model, options)
    questions = read_examples(asked)
    labels = _predict(name, read_examples(train), questions, settings)
    predictions = {example.ques_id: label for example, label in zip(questions, labels, strict=True)}
    report = evaluate_choices(read_gold_choices(asked), ChoicePredictions(predictions))
    return Outcome(name, predictions, settings, report)


def _settings(name: str, seed: int, model: str | None, options: Mapping[str, Any]) -> dict[str, Any]:
    allowed: set[str] = set()
    if name.startswith("encoder"):
        if model is None:
            raise BaselineError(
                f"{name}: needs a model; give --model with a folder or a hub id, such as bert-base-uncased"
            )
        allowed = set(EncoderParams.__dataclass_fields__) - {"model", "paragraph", "seed"}
    elif name == "adaboost":
        allowed = {"estimators", "depth"}
    unknown = sorted(options.keys() - allowed)
    if unknown:
        raise BaselineError(
            f"{name}: unknown option {', '.join(unknown)}; it takes {', '.join(sorted(allowed)) or 'none'}"
        )
    if name.startswith("encoder"):
        paragraph = name == "encoder"
        return asdict(EncoderParams(model=str(model), paragraph=paragraph, seed=seed, **options))
    return {"seed": seed, **options}


def _predict(name: str, train: Sequence[Example], asked: Sequence[Example], settings: Mapping[str, Any]) -> list[str]:
    if name == "majority":
        return majority(train, asked)
    if name == "polarity":
        return polarity(asked, settings["seed"])
    if name == "adaboost":
        return adaboost(train, asked, **settings)
    return encoder(train, asked, EncoderParams(**settings))
