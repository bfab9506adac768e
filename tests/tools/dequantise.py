"""From a quantised ONNX export of a BERT reader to a folder that can be trained: an encoder for slow tests.

Quantised weights come back as whole numbers times their scale, so what is read differs a
little from what was exported. Reads of the ONNX format only what such an export has.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

_TYPES = {1: np.float32, 2: np.uint8, 3: np.int8}
_SPECIAL = {f"{name}_token": f"[{name.upper()}]" for name in ("unk", "pad", "cls", "sep", "mask")}


def dequantise(source: Path, folder: Path) -> Path:
    """Writes the model of `source` to `folder` as transformers lays it out, and returns that folder."""
    import torch
    import transformers

    config = transformers.BertConfig(**json.loads((source / "config.json").read_text()))
    model = transformers.BertForQuestionAnswering(config)
    model.load_state_dict({name: torch.tensor(value) for name, value in _weights(source).items()})
    model.save_pretrained(folder)
    transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(source / "tokenizer.json"),
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
        **_SPECIAL,
    ).save_pretrained(folder)
    return folder


def _weights(source: Path) -> dict[str, np.ndarray]:
    (path,) = source.glob("*.onnx")
    (graph,) = (value for field, value in _fields(path.read_bytes()) if field == 7)
    nodes, tensors = [], {}
    for field, value in _fields(graph):
        if field == 1:
            nodes.append(_node(value))
        elif field == 5:
            name, tensor = _tensor(value)
            tensors[name] = tensor

    def whole(name: str) -> np.ndarray:
        stem = name.removesuffix("_quantized")
        zero = tensors[f"{stem}_zero_point"].astype(np.float32)
        return (tensors[name].astype(np.float32) - zero) * tensors[f"{stem}_scale"]

    found = {name.removeprefix("m."): value for name, value in tensors.items() if name.endswith((".weight", ".bias"))}
    for kind, node, inputs in nodes:
        if kind == "MatMulInteger":
            place = node.removeprefix("/m/").removesuffix("/MatMul_quant").replace("/", ".")
            found[f"{place}.weight"] = whole(inputs[1]).T.copy()
    for name in tensors:
        if name.endswith("embeddings.weight_quantized"):
            found[name.removeprefix("m.").removesuffix("_quantized")] = whole(name)
    return found


def _node(message: bytes) -> tuple[str, str, list[str]]:
    """Kind, name and inputs of an operation."""
    fields = list(_fields(message))
    named = {field: value.decode() for field, value in fields if field in (3, 4)}
    return named[4], named.get(3, ""), [value.decode() for field, value in fields if field == 1]


def _tensor(message: bytes) -> tuple[str, np.ndarray]:
    """Name and values, which stand as bytes, or, where they are few, as floats or whole numbers."""
    fields = list(_fields(message))
    shape = [size for field, value in fields if field == 1 for size in _whole_numbers(value)]
    one = {field: value for field, value in fields if field != 1}
    kind = _TYPES.get(one[2])
    if kind is None:
        return one[8].decode(), np.zeros(0)
    if 5 in one:
        # Negative ones are written as if they had 64 bits.
        values = np.array(list(_whole_numbers(one[5])), np.uint64).astype(np.int64).astype(kind)
    else:
        values = np.frombuffer(one.get(9) or one[4], kind)
    return one[8].decode(), values.reshape(shape)


def _fields(message: bytes) -> Iterator[tuple[int, Any]]:
    """Numbers of fields with their values, as protocol buffers write them."""
    place = 0
    while place < len(message):
        key, place = _number(message, place)
        value: Any
        if key & 7 == 0:
            value, place = _number(message, place)
        else:
            size = {1: 8, 5: 4}.get(key & 7)
            if size is None:
                size, place = _number(message, place)
            value, place = message[place : place + size], place + size
        yield key >> 3, value


def _whole_numbers(message: int | bytes) -> Iterator[int]:
    """One number, or many that are packed."""
    if isinstance(message, int):
        yield message
        return
    place = 0
    while place < len(message):
        value, place = _number(message, place)
        yield value


def _number(message: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[place]
        value, shift, place = value | (byte & 127) << shift, shift + 7, place + 1
        if byte < 128:
            return value, place
