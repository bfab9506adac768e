"""Readers that were trained elsewhere: a folder with an extractive question-answering model.

A folder holds either one model*.onnx and tokenizer.json (no torch needed), or a model in
the Hugging Face layout with safetensors. The model takes (question, paragraph) and gives
start and end logits. Paragraphs that are longer than it can read are read in windows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from manifests.storage import file_sha256
from stages.models.readers.interface import ReaderError, ReaderPassage, SolvedQuestion
from stages.models.readers.pairs import PairReader, SpanFound, best_span
from stages.models.scoring import onnx
from stages.models.scoring import transformers as hub
from stages.models.scoring.folders import ModelError

MAX_TOKENS = 384
# Tokens that two windows of a paragraph share.
STRIDE = 128


@dataclass(frozen=True)
class ReadyTrainer:
    """A model that learns nothing more. place: its folder; device: for torch only."""

    name: str
    place: str
    identity: str
    device: str = "cpu"
    learns: bool = False
    draws: bool = False

    def fit(self, examples: Sequence[SolvedQuestion], seed: int = 0) -> PairReader:
        """The reader; raises ReaderError where the folder holds another model by now."""
        folder = Path(self.place)
        if identity(folder) != self.identity:
            raise ReaderError(f"{folder}: not the model that was asked for (identity {self.identity[:12]})")
        if any(folder.glob("*.onnx")):
            return PairReader(OnnxSpans(folder).find)
        return PairReader(_torch_spans(folder, self.device))


def ready(folder: Path, device: str = "cpu") -> ReadyTrainer:
    """The trainer of a folder. Raises ReaderError where no model lies in it."""
    return ReadyTrainer(folder.name, str(folder), identity(folder), device)


def identity(folder: Path) -> str:
    """sha256 over the files that make the model, by name, and how it is read."""
    try:
        if any(folder.glob("*.onnx")):
            files = [onnx.weights(folder), folder / "config.json", folder / "tokenizer.json"]
        else:
            files = hub.files(folder)
    except ModelError as error:
        raise ReaderError(str(error)) from error
    missing = [path.name for path in files if not path.is_file()]
    if missing:
        raise ReaderError(f"{folder}: missing {' and '.join(missing)}")
    total = hashlib.sha256(f"spans {MAX_TOKENS} {STRIDE}\n".encode())
    for path in sorted(files, key=lambda path: path.name):
        total.update(f"{path.name}\0{file_sha256(str(path))}\n".encode())
    return total.hexdigest()


class OnnxSpans:
    """A model run by onnxruntime, each window alone: a quantised model's result would depend on the padding."""

    def __init__(self, folder: Path) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        self._model = onnxruntime.InferenceSession(
            str(onnx.weights(folder)), options, providers=["CPUExecutionProvider"]
        )
        self._inputs = {value.name for value in self._model.get_inputs()}
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MAX_TOKENS, stride=STRIDE, strategy="only_second")

    def find(self, pairs: Sequence[tuple[str, ReaderPassage]]) -> list[SpanFound]:
        return [max(self._windows(question, passage), key=lambda found: found.score) for question, passage in pairs]

    def _windows(self, question: str, passage: ReaderPassage) -> Iterator[SpanFound]:
        # What leaves a paragraph no room is no question.
        encoded = self._tokenizer.encode(question[: MAX_TOKENS // 2], passage.text)
        for window in (encoded, *encoded.overflowing):
            values = {
                "input_ids": window.ids,
                "attention_mask": window.attention_mask,
                "token_type_ids": window.type_ids,
            }
            feed = {name: np.array([ids], dtype=np.int64) for name, ids in values.items() if name in self._inputs}
            starts, ends = self._model.run(None, feed)
            inside = [place for place, number in enumerate(window.sequence_ids) if number == 1]
            yield best_span(starts[0], ends[0], inside, window.offsets, passage.text)


def _torch_spans(folder: Path, device: str) -> Any:
    from stages.models.readers.torch_spans import TorchSpans

    return TorchSpans.load(folder, device, trained=True).find
