"""Fine-tuning of an encoder (BERT and its like) on the questions, with or without their paragraphs.

Any sequence classifier that transformers can load from safetensors will do. Training is
plain: AdamW, linear warm-up and decay, batches in a seeded order.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stages.core.alive import alive
from stages.evaluation.outcome import BaselineError, require
from stages.models.scoring.folders import ModelError
from stages.models.scoring.transformers import download, quiet
from stages.wiqa.release.records import LABELS, ChoiceRecord

EXTRA = "models"


@dataclass(frozen=True)
class EncoderParams:
    """model: a folder or a hub id; paragraph: show the paragraph beside the question; max_tokens: of both together;
    warm_up: share of the steps in which the learning rate rises."""

    model: str
    paragraph: bool = True
    seed: int = 0
    epochs: int = 3
    batch: int = 16
    learning_rate: float = 2e-5
    weight_decay: float = 0.01
    warm_up: float = 0.1
    max_tokens: int = 256
    device: str = "cpu"

    def __post_init__(self) -> None:
        for name in ("epochs", "batch", "max_tokens"):
            if getattr(self, name) < 1:
                raise BaselineError(f"{name}: expected 1 or more, got {getattr(self, name)}")
        if not 0 < self.learning_rate < 1 or not 0 <= self.warm_up <= 1:
            raise BaselineError("learning_rate: expected between 0 and 1; warm_up: expected 0 to 1")


def encoder(train: Sequence[ChoiceRecord], asked: Sequence[ChoiceRecord], params: EncoderParams) -> list[str]:
    """Predicted labels after fine-tuning on `train`.

    Raises BaselineError without torch or transformers, or where the model cannot be loaded.
    """
    tuned = _Encoder(params)
    tuned.fit(train)
    return tuned.predict(asked)


class _Encoder:
    """A model with its tokenizer, and how it is trained."""

    def __init__(self, params: EncoderParams) -> None:
        self._params = params
        self._torch: Any = require("torch", EXTRA)
        library: Any = require("transformers", EXTRA)
        self._torch.manual_seed(params.seed)
        place = _folder(params.model)
        try:
            with quiet(library):
                self._tokenizer = library.AutoTokenizer.from_pretrained(str(place), local_files_only=True)
                self._model = library.AutoModelForSequenceClassification.from_pretrained(
                    str(place),
                    local_files_only=True,
                    use_safetensors=True,
                    num_labels=len(LABELS),
                    id2label=dict(enumerate(LABELS)),
                    label2id={label: number for number, label in enumerate(LABELS)},
                    ignore_mismatched_sizes=True,
                ).to(params.device)
        except (OSError, ValueError) as error:
            raise BaselineError(
                f"model {params.model!r} cannot be loaded: {error}; expected one that transformers can train, "
                "with its weights in safetensors"
            ) from error
        self._check(params)
        self._library = library

    def _check(self, params: EncoderParams) -> None:
        most = min(self._tokenizer.model_max_length, getattr(self._model.config, "max_position_embeddings", 1 << 30))
        if params.max_tokens > most:
            raise BaselineError(
                f"max_tokens: model {params.model!r} reads at most {most}, not {params.max_tokens}; "
                f"give --set max_tokens={most}"
            )
        if self._tokenizer.pad_token is None:
            raise BaselineError(f"model {params.model!r}: its tokenizer has no padding token, so it takes no batches")

    def fit(self, train: Sequence[ChoiceRecord]) -> None:
        params, model = self._params, self._model.train()
        steps = params.epochs * -(-len(train) // params.batch)
        optimizer = self._torch.optim.AdamW(
            model.parameters(), lr=params.learning_rate, weight_decay=params.weight_decay
        )
        schedule = self._library.get_linear_schedule_with_warmup(optimizer, int(params.warm_up * steps), steps)
        order = list(train)
        chance = random.Random(params.seed)  # noqa: S311 (an order, no secret)
        for _ in range(params.epochs):
            chance.shuffle(order)
            for batch in _batches(order, params.batch):
                alive()
                wanted = self._torch.tensor([LABELS.index(example.label) for example in batch], device=params.device)
                model(**self._encode(batch), labels=wanted).loss.backward()
                self._torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                schedule.step()
                optimizer.zero_grad()

    def predict(self, asked: Sequence[ChoiceRecord]) -> list[str]:
        model = self._model.eval()
        found: list[str] = []
        with self._torch.inference_mode():
            for batch in _batches(asked, self._params.batch):
                alive()
                found += [LABELS[number] for number in model(**self._encode(batch)).logits.argmax(-1).tolist()]
        return found

    def _encode(self, batch: Sequence[ChoiceRecord]) -> Any:
        stems, paragraphs = [item.question.stem for item in batch], [item.paragraph for item in batch]
        texts = (stems, paragraphs) if self._params.paragraph else (stems,)
        # The paragraph is cut before the question is.
        cut: str | bool = "only_second" if self._params.paragraph and self._fits(stems) else True
        encoded = self._tokenizer(
            *texts, truncation=cut, max_length=self._params.max_tokens, padding=True, return_tensors="pt"
        )
        return encoded.to(self._params.device)

    def _fits(self, stems: list[str]) -> bool:
        """Whether every question leaves room for some of its paragraph."""
        return all(len(ids) < self._params.max_tokens - 8 for ids in self._tokenizer(stems)["input_ids"])


def _folder(model: str) -> Path:
    place = Path(model)
    if place.is_dir():
        return place
    try:
        return download(model)
    except ModelError as error:
        raise BaselineError(str(error)) from error


def _batches(examples: Sequence[ChoiceRecord], size: int) -> Iterator[Sequence[ChoiceRecord]]:
    for start in range(0, len(examples), size):
        yield examples[start : start + size]
