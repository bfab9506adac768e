"""From the name of a reader to its trainer."""

from __future__ import annotations

from pathlib import Path

from stages.models.readers.interface import ReaderError, Trainer
from stages.models.readers.lexical import LEARNT, LexicalTrainer
from stages.models.readers.ready import ready
from stages.models.readers.training import TrainingParams
from stages.models.readers.transformers_reader import transformers_trainer

LEXICAL = LexicalTrainer().name
WITHOUT_MODEL = {trainer.name: trainer for trainer in (LexicalTrainer(), LEARNT)}
"""The readers that need no model, by name."""
TRAIN = "train:"


def trainer(name: str = LEXICAL, *, params: TrainingParams | None = None, device: str = "cpu") -> Trainer:
    """The trainer of a reader.

    name: "lexical" or "lexical-learnt" (no model); the folder of an extractive question-answering model, used as it
        is; or "train:" and an encoder (a folder, or a hub id such as train:bert-base-uncased), which is fine-tuned.
    params: of the fine-tuning. device: for torch only ("cpu", "cuda", ...).

    Raises ReaderError where there is no such reader, or its model cannot be used.
    """
    if name in WITHOUT_MODEL:
        return WITHOUT_MODEL[name]
    if name.startswith(TRAIN):
        return transformers_trainer(name.removeprefix(TRAIN), params, device)
    if Path(name).is_dir():
        return ready(Path(name), device)
    raise ReaderError(
        f"{name!r} is no reader: there are {', '.join(map(repr, WITHOUT_MODEL))}, the folder of an extractive "
        f"question-answering model, and {TRAIN!r} with an encoder's folder or hub id"
    )
