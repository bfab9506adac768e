"""A BERT of a few thousand random weights, whose tokenizer knows a test's words."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest


def make_tiny(folder: Path, words: Iterable[str]) -> Path:
    """Writes model and tokenizer into the folder; skips the test where the libraries are missing."""
    torch: Any = pytest.importorskip("torch")
    transformers: Any = pytest.importorskip("transformers")
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *sorted(set(words))]
    (folder / "vocab.txt").write_text("\n".join(vocabulary))
    transformers.BertTokenizerFast(vocab=str(folder / "vocab.txt")).save_pretrained(folder)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=64,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    torch.manual_seed(0)
    # More threads than a tiny model has work for only wait for each other.
    torch.set_num_threads(1)
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    return folder
