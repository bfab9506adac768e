"""How a reader is fine-tuned: one copy of an encoder learns to mark answers, another to tell the frequent ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from stages.core.alive import alive
from stages.models.readers.interface import NOTHING, Prediction, ReaderError, ReaderPassage, SolvedQuestion
from stages.models.readers.pairs import SpanFound
from stages.models.readers.shown import Shown, batches, frequent, marked, shown
from stages.models.readers.torch_spans import TorchSpans, needed

Item = TypeVar("Item")


@dataclass(frozen=True)
class TrainingParams:
    """distractors: shown per question and epoch; answers: how many of the most frequent ones are learnt by heart;
    warm_up: share of the steps in which the learning rate rises; heart_rate: learning rate of the new layer that tells
    answers by heart; bfloat16: computes with fewer digits, in half the time where the processor can."""

    epochs: int = 2
    batch: int = 16
    learning_rate: float = 3e-5
    weight_decay: float = 0.01
    warm_up: float = 0.1
    distractors: int = 1
    answers: int = 2000
    heart_rate: float = 1e-3
    bfloat16: bool = False

    def __post_init__(self) -> None:
        for name in ("epochs", "batch"):
            if getattr(self, name) < 1:
                raise ReaderError(f"{name}: expected 1 or more, got {getattr(self, name)}")
        for name in ("distractors", "answers"):
            if getattr(self, name) < 0:
                raise ReaderError(f"{name}: expected 0 or more, got {getattr(self, name)}")
        for name in ("learning_rate", "heart_rate"):
            if not 0 < getattr(self, name) < 1:
                raise ReaderError(f"{name}: expected between 0 and 1, got {getattr(self, name)}")
        if not 0 <= self.warm_up <= 1:
            raise ReaderError(f"warm_up: expected 0 to 1, got {self.warm_up}")


class Training:
    """Fits the copies of one encoder. Neither depends on whether or when the other is fitted."""

    def __init__(
        self, encoder: Path, device: str, params: TrainingParams, examples: Sequence[SolvedQuestion], seed: int
    ) -> None:
        self._encoder, self._device, self._params, self._seed = encoder, device, params, seed
        self._examples = [example for example in examples if example.answers]
        self._torch: Any = needed("torch")
        needed("transformers")

    def to_find(self) -> Callable[[Sequence[tuple[str, ReaderPassage]]], list[SpanFound]]:
        """Learns to mark answers in paragraphs."""
        spans, chance = self._copy(), random.Random(self._seed)  # noqa: S311 (an order, no secret)
        steps: list[list[Shown]] = []
        for _ in range(self._params.epochs):
            steps += batches(shown(self._examples, self._params.distractors, chance), self._params.batch, chance)
        self._fit(spans, None, steps, lambda batch: self._span_loss(spans, batch))

        def find(pairs: Sequence[tuple[str, ReaderPassage]]) -> list[SpanFound]:
            with self._digits():
                return spans.find(pairs)

        return find

    def to_recall(self) -> Callable[[Sequence[str]], list[Prediction]]:
        """Learns the most frequent answers by heart."""
        answers = frequent(self._examples, self._params.answers)
        if not answers:
            return lambda questions: [NOTHING for _ in questions]
        spans, chance = self._copy(), random.Random(self._seed)  # noqa: S311 (an order, no secret)
        layer = self._torch.nn.Linear(spans.model.config.hidden_size, len(answers)).to(self._device)
        number = {answer: place for place, answer in enumerate(answers)}
        known = [(item.question, number[item.answers[0]]) for item in self._examples if item.answers[0] in number]
        steps: list[Sequence[tuple[str, int]]] = []
        for _ in range(self._params.epochs):
            chance.shuffle(known)
            steps += _cut(known, self._params.batch)
        self._fit(spans, layer, steps, lambda batch: self._heart_loss(spans, layer, batch))
        return lambda questions: list(self._recalled(spans, layer, answers, questions))

    def _copy(self) -> TorchSpans:
        # Sums of floats depend on how many threads share them.
        self._torch.set_num_threads(1)
        # The new layers and what is dropped out are drawn from this.
        self._torch.manual_seed(self._seed)
        return TorchSpans.load(self._encoder, self._device, batch=self._params.batch)

    def _digits(self) -> AbstractContextManager[Any]:
        kind = self._torch.device(self._device).type
        found: AbstractContextManager[Any] = self._torch.autocast(
            kind, dtype=self._torch.bfloat16, enabled=self._params.bfloat16
        )
        return found

    def _fit(self, spans: TorchSpans, layer: Any, steps: Sequence[Item], loss: Callable[[Item], Any]) -> None:
        """Takes the steps one after the other. layer: trained beside the encoder, if any."""
        weights = [*spans.model.parameters(), *(layer.parameters() if layer else ())]
        optimizer, schedule = self._optimizer(spans, layer, len(steps))
        spans.model.train()
        for step in steps:
            alive()
            with self._digits():
                value = loss(step)
            value.backward()
            self._torch.nn.utils.clip_grad_norm_(weights, 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
        spans.model.eval()

    def _optimizer(self, spans: TorchSpans, layer: Any, steps: int) -> tuple[Any, Any]:
        params = self._params
        groups = [{"params": list(spans.model.parameters()), "lr": params.learning_rate}]
        if layer:
            groups.append({"params": list(layer.parameters()), "lr": params.heart_rate})
        optimizer = self._torch.optim.AdamW(groups, weight_decay=params.weight_decay)
        rise = int(params.warm_up * steps)
        return optimizer, needed("transformers").get_linear_schedule_with_warmup(optimizer, rise, steps)

    def _span_loss(self, spans: TorchSpans, batch: Sequence[Shown]) -> Any:
        encoded = spans.encode([(item.question, item.passage.text) for item in batch])
        labels = self._torch.tensor(list(marked(encoded, batch)), device=self._device)
        loss = self._torch.nn.functional.cross_entropy
        starts, ends = spans.logits(encoded)
        return (loss(starts.float(), labels[:, 0]) + loss(ends.float(), labels[:, 1])) / 2

    def _heart_loss(self, spans: TorchSpans, layer: Any, batch: Sequence[tuple[str, int]]) -> Any:
        wanted = self._torch.tensor([number for _, number in batch], device=self._device)
        told = layer(spans.first([question for question, _ in batch]).float())
        return self._torch.nn.functional.cross_entropy(told.float(), wanted)

    def _recalled(
        self, spans: TorchSpans, layer: Any, answers: Sequence[str], questions: Sequence[str]
    ) -> Iterator[Prediction]:
        with self._torch.inference_mode(), self._digits():
            for batch in _cut(questions, self._params.batch):
                best = layer(spans.first(batch).float()).float().softmax(-1).max(-1)
                for share, number in zip(best.values.tolist(), best.indices.tolist(), strict=True):
                    yield Prediction(answers[number], (), share)


def _cut(items: Sequence[Item], size: int) -> list[Sequence[Item]]:
    return [items[start : start + size] for start in range(0, len(items), size)]
