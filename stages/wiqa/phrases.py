"""All texts of many graphs in one array, with the place of each node's texts in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from stages.core.texts import form
from stages.wiqa.graph import NODES


@dataclass(frozen=True)
class Phrases:
    """texts: of node after node, each in the order of the graphs; code: one number per text's form;
    forms: the forms by number; starts, counts: per node and graph, where its texts begin and how many there are."""

    texts: pa.Array
    code: np.ndarray
    forms: list[str]
    starts: Mapping[str, np.ndarray]
    counts: Mapping[str, np.ndarray]


def lay_out(graphs: pa.Table) -> Phrases:
    """The phrases of a table with the columns of GRAPHS."""
    pieces, starts, counts = [], {}, {}
    offset = 0
    for node in NODES:
        column = graphs[node].combine_chunks()
        counts[node] = pc.list_value_length(column).to_numpy(zero_copy_only=False).astype(np.int64)
        starts[node] = offset + np.cumsum(counts[node]) - counts[node]
        pieces.append(column.flatten())
        offset += len(pieces[-1])
    texts = pa.concat_arrays(pieces)
    code, forms = encode(texts)
    return Phrases(texts, code, forms, starts, counts)


def codes(column: pa.ChunkedArray) -> np.ndarray:
    """A number per value, equal for equal values."""
    return column.combine_chunks().dictionary_encode().indices.to_numpy(zero_copy_only=False).astype(np.int64)


def encode(texts: pa.Array) -> tuple[np.ndarray, list[str]]:
    """(number of each text's form, the forms by number); numbers follow the first occurrence."""
    encoded = texts.dictionary_encode()
    numbers: dict[str, int] = {}
    by_text = [numbers.setdefault(form(text), len(numbers)) for text in encoded.dictionary.to_pylist()]
    indices = encoded.indices.to_numpy(zero_copy_only=False)
    return np.asarray(by_text, dtype=np.int64)[indices], list(numbers)
