"""Scorer of a folder with an ONNX cross-encoder: onnxruntime and tokenizers, no torch.

A quantised model takes the scale of its activations from everything in the batch,
padding included. Measured on the shipped int8 model with 512 pairs and one thread: in
batches of 16 a probability moves by 0.019 on average and by up to 0.45 against the
same pair alone, and 13 pairs change sides of the threshold, while alone and unpadded
it is as fast (129 pairs a second of CPU against 136). So a pair is always run alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import templates
from stages.models.scoring.folders import DIGITS, ModelError, ModelSettings, digest

# The identity of a scorer covers the files of its model.
TEMPLATES = ()

# Tokens that a pair must leave for the premise, whatever the hypothesis needs.
_ROOM = 32


@dataclass(frozen=True)
class OnnxScorer:
    """A cross-encoder from a folder that holds one model*.onnx, tokenizer.json and config.json.

    place: the folder, or None for the model that the project ships (so that a worker
        finds its own copy, wherever it is installed).
    """

    name: str
    place: str | None
    identity: str
    settings: ModelSettings

    def load(self) -> Callable[[list[str], list[str]], list[float]]:
        """The scoring function; raises ModelError where this machine's files are other ones."""
        folder = Path(self.place) if self.place is not None else shipped()
        if identity(folder, self.settings) != self.identity:
            raise ModelError(f"{folder}: not the model that the build was planned with (identity {self.identity[:12]})")
        return _Session(folder, self.settings)


def shipped() -> Path:
    """The folder of the model that comes with the project."""
    return Path(templates.__file__).resolve().parent / "models" / "evidence-nli"


def identity(folder: Path, chosen: ModelSettings) -> str:
    return digest([weights(folder), *_beside(folder)], chosen, "onnx")


def weights(folder: Path) -> Path:
    """The one ONNX file of a folder; raises ModelError on none or several."""
    found = sorted(folder.glob("model*.onnx"))
    if len(found) != 1:
        raise ModelError(f"{folder}: expected one file model*.onnx, found {[path.name for path in found]}")
    return found[0]


def _beside(folder: Path) -> list[Path]:
    paths = [folder / "config.json", folder / "tokenizer.json"]
    missing = [path.name for path in paths if not path.is_file()]
    if missing:
        raise ModelError(f"{folder}: missing {' and '.join(missing)} beside the ONNX file")
    # Large models keep their tensors in files of their own next to the graph.
    return paths + sorted(folder.glob("*.onnx.data")) + sorted(folder.glob("*.onnx_data"))


class _Session:
    """A loaded model."""

    def __init__(self, folder: Path, chosen: ModelSettings) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        self._model = onnxruntime.InferenceSession(str(weights(folder)), options, providers=["CPUExecutionProvider"])
        self._inputs = {value.name for value in self._model.get_inputs()}
        self._settings = chosen
        self._plain = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._plain.no_truncation()
        self._plain.no_padding()
        self._pair = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._pair.no_padding()
        strategy = "only_second" if chosen.hypothesis_first else "only_first"
        self._pair.enable_truncation(chosen.max_tokens, strategy=strategy, direction="left")

    def __call__(self, hypotheses: list[str], premises: list[str]) -> list[float]:
        return [self._one(*pair) for pair in zip(hypotheses, premises, strict=True)]

    def _one(self, hypothesis: str, premise: str) -> float:
        hypothesis = self._clip(hypothesis)
        texts = (hypothesis, premise) if self._settings.hypothesis_first else (premise, hypothesis)
        encoded = self._pair.encode(*texts)
        values = {
            "input_ids": encoded.ids,
            "attention_mask": encoded.attention_mask,
            "token_type_ids": encoded.type_ids,
        }
        feed = {name: np.array([ids], dtype=np.int64) for name, ids in values.items() if name in self._inputs}
        return probability(self._model.run(None, feed)[0][0], self._settings.entailment)

    def _clip(self, hypothesis: str) -> str:
        """The hypothesis, cut where it alone would leave the premise no room."""
        limit = self._settings.max_tokens - min(_ROOM, self._settings.max_tokens // 2)
        # A token stands for at least one character.
        if len(hypothesis) <= limit:
            return hypothesis
        encoded = self._plain.encode(hypothesis, add_special_tokens=False)
        if len(encoded.ids) <= limit:
            return hypothesis
        return hypothesis[: encoded.offsets[limit - 1][1]]


def probability(logits: Any, index: int) -> float:
    """The softmax share of one logit, rounded to DIGITS."""
    values = [float(value) for value in logits]
    top = max(values)
    parts = [math.exp(value - top) for value in values]
    return round(parts[index] / sum(parts), DIGITS)
