"""Model folders: what must lie in one, what its config.json says, and its digest.

Read from `config.json`:

    id2label / label2id   which logit is entailment
    input_order           ["premise", "hypothesis"] (the default) or the reverse
    max_length            tokens of the whole pair, special tokens included (default 256)
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from manifests.storage import file_sha256
from stages.core.contract import StageError

ORDERS = (("premise", "hypothesis"), ("hypothesis", "premise"))
MAX_TOKENS = 256

# Digits kept of a probability: more would only record the processor it was computed on.
DIGITS = 6

_ENTAILMENT = frozenset({"entailment", "entail", "entails", "entailed"})


class ModelError(StageError):
    """A model cannot be used; the message names the model and the option that helps."""


@dataclass(frozen=True)
class ModelSettings:
    """How a model is read: part of its identity.

    entailment: index of the logit whose softmax share is the score.
    order: which text comes first.
    max_tokens: length of the whole pair; a longer premise loses its beginning.
    """

    entailment: int
    order: tuple[str, str]
    max_tokens: int

    @property
    def hypothesis_first(self) -> bool:
        return self.order[0] == "hypothesis"


def settings(
    folder: Path,
    *,
    entailment_label: str | None = None,
    input_order: tuple[str, str] | None = None,
    max_tokens: int | None = None,
) -> ModelSettings:
    """The settings of the model in a folder; given ones win over its config.json.

    Raises ModelError where no label says entailment, or a value is none of the allowed.
    """
    config = read_config(folder)
    wanted = input_order or config.get("input_order") or ORDERS[0]
    order = tuple(wanted) if isinstance(wanted, list | tuple) else wanted
    if order not in ORDERS:
        raise ModelError(f"{folder}: input_order is one of {ORDERS}, not {order!r}")
    tokens = max_tokens or config.get("max_length") or MAX_TOKENS
    if not isinstance(tokens, int) or tokens < 16:
        raise ModelError(f"{folder}: max_tokens is a whole number of at least 16, not {tokens!r}")
    return ModelSettings(entailment_index(folder, config, entailment_label), order, tokens)


def read_config(folder: Path) -> dict[str, Any]:
    path = folder / "config.json"
    if not path.is_file():
        raise ModelError(f"{folder}: no config.json; a model folder holds config.json, tokenizer.json and the weights")
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ModelError(f"{path}: not JSON: {error}") from error
    if not isinstance(config, dict):
        raise ModelError(f"{path}: expected a JSON object, found {type(config).__name__}")
    return config


def entailment_index(folder: Path, config: dict[str, Any], wanted: str | None) -> int:
    """Which logit is entailment, by the labels that the model itself declares."""
    if not isinstance(wanted, str | None):
        raise ModelError(f"entailment_label is one of the model's labels, not {wanted!r}")
    try:
        labels = {str(label): int(index) for index, label in (config.get("id2label") or {}).items()}
        labels |= {str(label): int(index) for label, index in (config.get("label2id") or {}).items()}
    except (AttributeError, TypeError, ValueError) as error:
        file = folder / "config.json"
        raise ModelError(f"{file}: id2label and label2id: expected labels and whole numbers: {error}") from error
    known = {wanted.casefold()} if wanted is not None else _ENTAILMENT
    found = sorted({index for label, index in labels.items() if label.casefold() in known})
    if len(found) == 1:
        return found[0]
    what = f"label {wanted!r}" if wanted is not None else "an entailment label"
    raise ModelError(
        f"{folder / 'config.json'}: {what} is not declared exactly once in id2label/label2id "
        f"(found {sorted(labels)}); name the right one with the option entailment_label"
    )


def digest(paths: list[Path], chosen: ModelSettings, kind: str) -> str:
    """sha256 over the files' contents, by name, and the settings."""
    total = hashlib.sha256()
    for path in sorted(paths, key=lambda path: path.name):
        total.update(f"{path.name}\0{file_sha256(str(path))}\n".encode())
    facts = [kind, chosen.entailment, chosen.order, chosen.max_tokens, DIGITS]
    total.update(json.dumps(facts).encode())
    return total.hexdigest()
