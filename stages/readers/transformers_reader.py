"""A reader that is trained: any encoder of the Hugging Face kind, fine-tuned to mark the answer's span.

Each solved question is shown with the paragraph that answers it, where the span is to
be marked, and with some of its distractors, where the first token is ("no answer
here"). So scores of different paragraphs can be compared, and the best one is the
support. Beside that, a layer over the first token learns the most frequent answers by
the question alone: this is what the reader knows without reading.

Small encoders train on a CPU, large ones on a GPU; the code is the same.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from stages.readers.interface import NOTHING, Example, Passage, Prediction, ReaderError
from stages.readers.pairs import PairReader
from stages.readers.ready import identity as files_identity
from stages.readers.torch_spans import TorchSpans, needed
from stages.scoring.folders import ModelError
from stages.scoring.transformers import download


@dataclass(frozen=True)
class TrainingParams:
    """distractors: shown per question and epoch; answers: how many of the most frequent ones are learnt by heart;
    warm_up: share of the steps in which the learning rate rises."""

    epochs: int = 2
    batch: int = 16
    learning_rate: float = 3e-5
    weight_decay: float = 0.01
    warm_up: float = 0.1
    distractors: int = 1
    answers: int = 2000

    def __post_init__(self) -> None:
        for name in ("epochs", "batch"):
            if getattr(self, name) < 1:
                raise ReaderError(f"{name}: expected 1 or more, got {getattr(self, name)}")
        for name in ("distractors", "answers"):
            if getattr(self, name) < 0:
                raise ReaderError(f"{name}: expected 0 or more, got {getattr(self, name)}")
        if not 0 < self.learning_rate < 1 or not 0 <= self.warm_up <= 1:
            raise ReaderError("learning_rate: expected between 0 and 1; warm_up: expected 0 to 1")


@dataclass(frozen=True)
class TransformersTrainer:
    """place: the encoder's folder; encoder: digest of its files."""

    name: str
    place: str
    encoder: str
    params: TrainingParams = TrainingParams()
    device: str = "cpu"
    learns: bool = True
    draws: bool = True

    @property
    def identity(self) -> str:
        facts = json.dumps([self.encoder, asdict(self.params)], sort_keys=True)
        return hashlib.sha256(facts.encode()).hexdigest()

    def fit(self, examples: Sequence[Example], seed: int = 0) -> PairReader:
        """A reader after fine-tuning. Raises ReaderError without examples, torch or transformers."""
        if not any(example.answers for example in examples):
            raise ReaderError(f"{self.name}: has to be trained, and there is no solved question to train on")
        if files_identity(Path(self.place)) != self.encoder:
            raise ReaderError(f"{self.place}: not the model that was asked for (identity {self.encoder[:12]})")
        return _Training(self, examples, seed).run()


def transformers_trainer(model: str, params: TrainingParams | None = None, device: str = "cpu") -> TransformersTrainer:
    """The trainer of an encoder: a folder, or the id of a hub model. Raises ReaderError where it cannot be used."""
    place = Path(model)
    try:
        folder = place if place.is_dir() else download(model)
    except ModelError as error:
        raise ReaderError(str(error)) from error
    name = place.name if place.is_dir() else model
    return TransformersTrainer(name, str(folder), files_identity(folder), params or TrainingParams(), device)


class _Shown(NamedTuple):
    """A question with a paragraph. answer: characters of the answer in it, None where it has none."""

    question: str
    passage: Passage
    answer: tuple[int, int] | None
    by_heart: int | None


def shown(examples: Sequence[Example], known: dict[str, int], distractors: int, chance: random.Random) -> list[_Shown]:
    """What is shown in one epoch, in its order."""
    found = []
    for example in examples:
        for place in example.support:
            span = place_of(example.context[place].text, example.answers)
            if span is not None:
                by_heart = known.get(example.answers[0])
                found.append(_Shown(example.question, example.context[place], span, by_heart))
        others = [passage for place, passage in enumerate(example.context) if place not in example.support]
        for passage in chance.sample(others, min(distractors, len(others))):
            found.append(_Shown(example.question, passage, None, None))
    chance.shuffle(found)
    return found


def place_of(text: str, answers: Sequence[str]) -> tuple[int, int] | None:
    """Where the first of the answers that the text has stands in it."""
    for answer in answers:
        at = text.find(answer) if answer else -1
        if at >= 0:
            return at, at + len(answer)
    return None


def frequent(examples: Sequence[Example], most: int) -> list[str]:
    """The answers to learn by heart: the most frequent ones, of those that answer more than one question."""
    counts = Counter(example.answers[0] for example in examples if example.answers)
    ranked = sorted(counts, key=lambda answer: (-counts[answer], answer))
    return [answer for answer in ranked[:most] if counts[answer] > 1]


class _Training:
    """One model being fitted."""

    def __init__(self, trainer: TransformersTrainer, examples: Sequence[Example], seed: int) -> None:
        self._params, self._device = trainer.params, trainer.device
        self._examples, self._seed = [example for example in examples if example.answers], seed
        self._torch: Any = needed("torch")
        self._torch.set_num_threads(1)
        # The new layers and what is dropped out are drawn from this.
        self._torch.manual_seed(seed)
        self._spans = TorchSpans.load(Path(trainer.place), trainer.device, batch=trainer.params.batch)
        self._answers = frequent(self._examples, self._params.answers)
        width = self._spans.model.config.hidden_size
        self._by_heart = self._torch.nn.Linear(width, max(1, len(self._answers))).to(trainer.device)

    def run(self) -> PairReader:
        params, chance = self._params, random.Random(self._seed)  # noqa: S311 (an order, no secret)
        known = {answer: number for number, answer in enumerate(self._answers)}
        epochs = [shown(self._examples, known, params.distractors, chance) for _ in range(params.epochs)]
        steps = sum(-(-len(epoch) // params.batch) for epoch in epochs)
        optimizer, schedule = self._optimizer(steps)
        self._spans.model.train()
        for epoch in epochs:
            for start in range(0, len(epoch), params.batch):
                self._loss(epoch[start : start + params.batch]).backward()
                self._torch.nn.utils.clip_grad_norm_(self._spans.model.parameters(), 1.0)
                optimizer.step()
                schedule.step()
                optimizer.zero_grad()
        return PairReader(self._spans.find, self._recall() if self._answers else _nothing)

    def _optimizer(self, steps: int) -> tuple[Any, Any]:
        weights = [*self._spans.model.parameters(), *self._by_heart.parameters()]
        optimizer = self._torch.optim.AdamW(
            weights, lr=self._params.learning_rate, weight_decay=self._params.weight_decay
        )
        rise = int(self._params.warm_up * steps)
        return optimizer, needed("transformers").get_linear_schedule_with_warmup(optimizer, rise, steps)

    def _loss(self, batch: Sequence[_Shown]) -> Any:
        encoded = self._spans.encode([(item.question, item.passage.text) for item in batch])
        labels = self._torch.tensor(list(_marked(encoded, batch)), device=self._device)
        loss = self._torch.nn.functional.cross_entropy
        starts, ends = self._spans.logits(encoded)
        total = (loss(starts.float(), labels[:, 0]) + loss(ends.float(), labels[:, 1])) / 2
        heart = [(item.question, item.by_heart) for item in batch if item.by_heart is not None]
        if heart:
            wanted = self._torch.tensor([number for _, number in heart], device=self._device)
            total = total + loss(self._recalled([question for question, _ in heart]), wanted)
        return total

    def _recalled(self, questions: Sequence[str]) -> Any:
        """The logits of the answers known by heart."""
        room = self._spans.room
        encoded = self._spans.tokenizer(
            list(questions), truncation=True, max_length=room, padding=True, return_tensors="pt"
        ).to(self._device)
        return self._by_heart(self._spans.model.base_model(**encoded).last_hidden_state[:, 0].float())

    def _recall(self) -> Callable[[Sequence[str]], list[Prediction]]:
        def closed(questions: Sequence[str]) -> list[Prediction]:
            self._spans.model.eval()
            found: list[Prediction] = []
            with self._torch.inference_mode():
                for start in range(0, len(questions), self._params.batch):
                    shares = self._recalled(questions[start : start + self._params.batch]).softmax(-1)
                    best = shares.max(-1)
                    for share, number in zip(best.values.tolist(), best.indices.tolist(), strict=True):
                        found.append(Prediction(self._answers[number], (), share))
            return found

        return closed


def _nothing(questions: Sequence[str]) -> list[Prediction]:
    return [NOTHING for _ in questions]


def _marked(encoded: Any, batch: Sequence[_Shown]) -> Iterator[tuple[int, int]]:
    """The first and last token of the answer per window; the first token twice where it is not in the window."""
    for window, pair in enumerate(encoded["overflow_to_sample_mapping"].tolist()):
        answer = batch[pair].answer
        if answer is None:
            yield 0, 0
            continue
        offsets, numbers = encoded["offset_mapping"][window].tolist(), encoded.sequence_ids(window)
        inside = [place for place, number in enumerate(numbers) if number == 1]
        within = [place for place in inside if offsets[place][0] < answer[1] and offsets[place][1] > answer[0]]
        whole = within and offsets[within[0]][0] <= answer[0] and offsets[within[-1]][1] >= answer[1]
        yield (within[0], within[-1]) if whole else (0, 0)
