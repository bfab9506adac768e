"""An extractive model on torch: how it is loaded, what it is shown, and how its logits are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from stages.core.alive import alive
from stages.models.readers.interface import ReaderError, ReaderPassage
from stages.models.readers.pairs import SpanFound, best_span
from stages.models.readers.ready import MAX_TOKENS, STRIDE
from stages.models.scoring.folders import ModelError
from stages.models.scoring.transformers import quiet, require

# What encoders call it. Without it training is a fifth faster, as no attention is written out.
_ATTENTION_DROPOUT = ("attention_probs_dropout_prob", "attention_dropout")


class TorchSpans:
    """A model and its tokenizer."""

    def __init__(self, model: Any, tokenizer: Any, device: str, batch: int = 16) -> None:
        self.torch: Any = needed("torch")
        self.model, self.tokenizer, self.device = model.to(device), tokenizer, device
        self._batch = batch

    @classmethod
    def load(cls, folder: Path, device: str = "cpu", batch: int = 16, *, trained: bool = False) -> TorchSpans:
        """The model of a folder in the Hugging Face layout, safetensors only. trained: it must have been trained to
        mark spans, where an encoder that is yet to be trained need not.

        Raises ReaderError where it cannot be loaded, or where torch or transformers is missing.
        """
        library: Any = needed("transformers")
        try:
            tokenizer = library.AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
            config = library.AutoConfig.from_pretrained(str(folder), local_files_only=True)
            for name in _ATTENTION_DROPOUT:
                if hasattr(config, name):
                    setattr(config, name, 0.0)
            with quiet(library):
                model, report = library.AutoModelForQuestionAnswering.from_pretrained(
                    str(folder), config=config, local_files_only=True, use_safetensors=True, output_loading_info=True
                )
        except (OSError, ValueError) as error:
            raise ReaderError(f"{folder}: cannot be loaded as a question-answering model: {error}") from error
        if trained and report["missing_keys"]:
            raise ReaderError(f"{folder}: was not trained to mark answers; to train it here, name it train:{folder}")
        if not tokenizer.is_fast:
            raise ReaderError(f"{folder}: its tokenizer does not tell where tokens stand; one with tokenizer.json does")
        return cls(model, tokenizer, device, batch)

    @property
    def room(self) -> int:
        """Tokens that the model reads at once."""
        most = getattr(self.model.config, "max_position_embeddings", None) or MAX_TOKENS
        return min(MAX_TOKENS, int(most) - 2)

    def encode(self, pairs: Sequence[tuple[str, str]]) -> Any:
        """Questions with windows of their paragraphs, padded; `overflow_to_sample_mapping` tells whose each is."""
        # What leaves a paragraph no room is no question.
        questions = [question[: self.room // 2] for question, _ in pairs]
        return self.tokenizer(
            questions,
            [text for _, text in pairs],
            truncation="only_second",
            max_length=self.room,
            stride=min(STRIDE, self.room // 4),
            return_overflowing_tokens=True,
            return_offsets_mapping=True,
            padding=True,
            return_tensors="pt",
        )

    def logits(self, encoded: Any) -> tuple[Any, Any]:
        inputs = {name: encoded[name].to(self.device) for name in self.tokenizer.model_input_names if name in encoded}
        output = self.model(**inputs)
        return output.start_logits, output.end_logits

    def first(self, questions: Sequence[str]) -> Any:
        """What the encoder makes of each question's first token, without a paragraph."""
        encoded = self.tokenizer(
            list(questions), truncation=True, max_length=self.room, padding=True, return_tensors="pt"
        ).to(self.device)
        return self.model.base_model(**encoded).last_hidden_state[:, 0]

    def find(self, pairs: Sequence[tuple[str, ReaderPassage]]) -> list[SpanFound]:
        """The best span for each pair; pairs of like lengths are read together."""
        self.model.eval()
        order = sorted(range(len(pairs)), key=lambda place: len(pairs[place][1].text))
        best: dict[int, SpanFound] = {}
        with self.torch.inference_mode():
            for start in range(0, len(order), self._batch):
                alive()
                places = order[start : start + self._batch]
                for place, found in self._found([pairs[place] for place in places]):
                    known = best.get(places[place])
                    if known is None or found.score > known.score:
                        best[places[place]] = found
        return [best[place] for place in range(len(pairs))]

    def _found(self, pairs: Sequence[tuple[str, ReaderPassage]]) -> Iterator[tuple[int, SpanFound]]:
        encoded = self.encode([(question, passage.text) for question, passage in pairs])
        starts, ends = (np.asarray(values.float().cpu()) for values in self.logits(encoded))
        for window, pair in enumerate(encoded["overflow_to_sample_mapping"].tolist()):
            inside = [place for place, number in enumerate(encoded.sequence_ids(window)) if number == 1]
            offsets = encoded["offset_mapping"][window].tolist()
            yield pair, best_span(starts[window], ends[window], inside, offsets, pairs[pair][1].text)


def needed(module: str) -> Any:
    """An optional library; ReaderError names the extra that brings it."""
    try:
        return require(module)
    except ModelError as error:
        raise ReaderError(f"{module} is missing; such a reader needs: pip install 'benchwright[models]'") from error
