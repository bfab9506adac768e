"""A reader that is trained: any encoder of the Hugging Face kind, fine-tuned to mark the answer's span.

Each solved question is shown with the paragraph that answers it, where the span is to
be marked, and with some of its distractors, where the first token is ("no answer
here"). So scores of different paragraphs can be compared, and the best one is the
support. What the reader knows without reading, a second copy of the encoder learns: a
layer over its first token tells the most frequent answers by the question alone. Each
of the two is trained when it is first asked.

Small encoders train on a CPU, large ones on a GPU; the code is the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

from stages.models.readers.interface import ReaderError, SolvedQuestion
from stages.models.readers.pairs import PairReader
from stages.models.readers.ready import identity as files_identity
from stages.models.readers.training import Training, TrainingParams
from stages.models.scoring.folders import ModelError
from stages.models.scoring.transformers import download

Asked = TypeVar("Asked")
Told = TypeVar("Told")


@dataclass(frozen=True)
class TransformersTrainer:
    """place: the encoder's folder; encoder: digest of its files."""

    name: str
    place: str
    encoder: str
    params: TrainingParams
    device: str = "cpu"
    learns: bool = True
    draws: bool = True

    @property
    def identity(self) -> str:
        facts = json.dumps([self.encoder, asdict(self.params)], sort_keys=True)
        return hashlib.sha256(facts.encode()).hexdigest()

    def fit(self, examples: Sequence[SolvedQuestion], seed: int = 0) -> PairReader:
        """A reader, which is fine-tuned when it is first asked. Raises ReaderError without examples, torch or
        transformers, and where the folder holds another encoder by now."""
        if not any(example.answers for example in examples):
            raise ReaderError(f"{self.name}: has to be trained, and there is no solved question to train on")
        if files_identity(Path(self.place)) != self.encoder:
            raise ReaderError(f"{self.place}: not the model that was asked for (identity {self.encoder[:12]})")
        training = Training(Path(self.place), self.device, self.params, examples, seed)
        return PairReader(_later(training.to_find), _later(training.to_recall))


def transformers_trainer(model: str, params: TrainingParams | None = None, device: str = "cpu") -> TransformersTrainer:
    """The trainer of an encoder: a folder, or the id of a hub model. Raises ReaderError where it cannot be used."""
    place = Path(model)
    try:
        folder = place if place.is_dir() else download(model)
    except ModelError as error:
        raise ReaderError(str(error)) from error
    name = place.name if place.is_dir() else model
    return TransformersTrainer(name, str(folder), files_identity(folder), params or TrainingParams(), device)


def _later(make: Callable[[], Callable[[Asked], Told]]) -> Callable[[Asked], Told]:
    """What `make` makes, made at the first call."""
    made = cache(make)
    return lambda asked: made()(asked)
