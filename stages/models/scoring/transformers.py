"""Scorer of any Hugging Face sequence classifier: a folder, or the id of a hub model.

Only safetensors weights are read: a pickle can run code while it is loaded. torch and
transformers are imported when a model is loaded, so nothing else needs them.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from stages.models.scoring.folders import ModelError, ModelSettings, digest
from stages.models.scoring.onnx import probability

# What a model needs besides its weights: tokenizer and configuration, never code or pickles.
_FILES = ("*.safetensors", "*.safetensors.index.json", "*.json", "*.txt", "*.model")
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")


@dataclass(frozen=True)
class TransformersScorer:
    """A sequence classifier read by the transformers library.

    place: the folder of the model, on this machine.
    device: where torch runs it ("cpu", "cuda", "cuda:1", ...).
    """

    name: str
    place: str
    identity: str
    settings: ModelSettings
    device: str = "cpu"

    def load(self) -> Callable[[list[str], list[str]], list[float]]:
        """The scoring function; raises ModelError where this machine's files are other ones."""
        folder = Path(self.place)
        if identity(folder, self.settings) != self.identity:
            raise ModelError(f"{folder}: not the model that the build was planned with (identity {self.identity[:12]})")
        return _Model(folder, self.settings, self.device)


def identity(folder: Path, chosen: ModelSettings) -> str:
    return digest(files(folder), chosen, "transformers")


def files(folder: Path) -> list[Path]:
    """The files that make the model; raises ModelError where no safetensors weights lie in the folder."""
    if not any(folder.glob("*.safetensors")):
        pickles = sorted(path.name for pattern in _PICKLES for path in folder.glob(pattern))
        found = f"only pickled weights ({', '.join(pickles)})" if pickles else "no weights"
        raise ModelError(
            f"{folder}: {found}; safetensors weights are needed, because a pickle may run code when it is loaded. "
            "Convert the model with save_pretrained(..., safe_serialization=True)"
        )
    return sorted({path for pattern in _FILES for path in folder.glob(pattern) if path.is_file()})


def download(model: str) -> Path:
    """The local snapshot of a hub model, fetched once by the hub's own client and cache."""
    hub = require("huggingface_hub")
    try:
        return Path(hub.snapshot_download(model, allow_patterns=list(_FILES)))
    except Exception as error:
        raise ModelError(
            f"model {model!r} is no folder here and could not be fetched from the hub "
            f"({type(error).__name__}: {error}); check its name, or give the folder of a downloaded model"
        ) from error


def require(module: str) -> ModuleType:
    """An optional library; its absence names the extra that brings it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ModelError(
            f"{module} is not installed ({error}); models other than the shipped one need the extra benchwright[models]"
        ) from error


@contextmanager
def quiet(library: Any) -> Iterator[None]:
    """Without the library's bars, and its reports on weights that a new task begins anew."""
    logging = library.utils.logging
    before, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(before)
        if bars:
            logging.enable_progress_bar()


class _Model:
    """A loaded model."""

    def __init__(self, folder: Path, chosen: ModelSettings, device: str) -> None:
        self._torch: Any = require("torch")
        library: Any = require("transformers")
        self._torch.set_num_threads(1)
        self._tokenizer = library.AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
        # The end of the premise is the sentence itself; what goes before it may be cut.
        self._tokenizer.truncation_side = "left"
        self._model = library.AutoModelForSequenceClassification.from_pretrained(
            str(folder), local_files_only=True, use_safetensors=True
        )
        self._model = self._model.to(device).eval()
        self._device = device
        self._settings = chosen

    def __call__(self, hypotheses: list[str], premises: list[str]) -> list[float]:
        with self._torch.inference_mode():
            return [self._one(*pair) for pair in zip(hypotheses, premises, strict=True)]

    def _one(self, hypothesis: str, premise: str) -> float:
        hypothesis = self._clip(hypothesis)
        first = self._settings.hypothesis_first
        texts = (hypothesis, premise) if first else (premise, hypothesis)
        encoded = self._tokenizer(
            *texts,
            truncation="only_second" if first else "only_first",
            max_length=self._settings.max_tokens,
            return_tensors="pt",
        ).to(self._device)
        return probability(self._model(**encoded).logits[0].float().cpu().tolist(), self._settings.entailment)

    def _clip(self, hypothesis: str) -> str:
        limit = self._settings.max_tokens // 2
        if len(hypothesis) <= limit:
            return hypothesis
        encoded = self._tokenizer(hypothesis, add_special_tokens=False, return_offsets_mapping=True, truncation=False)
        offsets = encoded["offset_mapping"]
        return hypothesis if len(offsets) <= limit else hypothesis[: offsets[limit - 1][1]]
