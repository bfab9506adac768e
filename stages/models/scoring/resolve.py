"""From the name of a model to its scorer."""

from __future__ import annotations

from pathlib import Path

from stages.core.contract import Scorer
from stages.models.scoring import onnx, transformers
from stages.models.scoring.folders import settings

SHIPPED = "evidence-nli"


def scorer(
    model: str = SHIPPED,
    *,
    entailment_label: str | None = None,
    input_order: tuple[str, str] | None = None,
    max_tokens: int | None = None,
    device: str = "cpu",
) -> Scorer:
    """The scorer of a model, ready to be pickled; its weights are hashed here and loaded on the worker.

    model: "evidence-nli" (the shipped one), a folder with model*.onnx, a folder in the
        Hugging Face layout with safetensors, or the id of a hub model.
    entailment_label, input_order, max_tokens: override the model's own config.json.
    device: for torch only.

    Raises ModelError (a StageError) where the model cannot be used, naming the option that helps.
    """
    place = None if model == SHIPPED else Path(model)
    folder = onnx.shipped() if place is None else place if place.is_dir() else transformers.download(model)
    chosen = settings(folder, entailment_label=entailment_label, input_order=input_order, max_tokens=max_tokens)
    if place is None or any(folder.glob("*.onnx")):
        return onnx.OnnxScorer(
            name=model if place is None else folder.name,
            place=None if place is None else str(folder),
            identity=onnx.identity(folder, chosen),
            settings=chosen,
        )
    return transformers.TransformersScorer(
        name=folder.name if place is not None and place.is_dir() else model,
        place=str(folder),
        identity=transformers.identity(folder, chosen),
        settings=chosen,
        device=device,
    )
