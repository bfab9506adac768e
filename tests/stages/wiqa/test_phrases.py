"""Texts of graphs laid out in one array, worked out by hand."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from stages.wiqa.graph import NODES
from stages.wiqa.phrases import codes, encode, lay_out

STRINGS = pa.list_(pa.string())


def test_every_node_of_every_graph_has_its_place() -> None:
    """V is the first node: its texts come first, those of the second graph after those of the first."""
    texts = {"V": [["a", "b"], []], "X": [["c"], ["A."]], "D": [[], ["d"]]}
    graphs = pa.table({node: pa.array(texts.get(node, [[], []]), STRINGS) for node in NODES})
    phrases = lay_out(graphs)
    assert phrases.texts.to_pylist() == ["a", "b", "c", "A.", "d"]
    assert {node: phrases.counts[node].tolist() for node in texts} == {"V": [2, 0], "X": [1, 1], "D": [0, 1]}
    assert {node: phrases.starts[node].tolist() for node in texts} == {"V": [0, 2], "X": [2, 3], "D": [4, 4]}
    # "A." is another spelling of "a".
    assert phrases.code.tolist() == [0, 1, 2, 0, 3]
    assert phrases.forms == ["a", "b", "c", "d"]


def test_no_text_at_all() -> None:
    code, forms = encode(pa.array([], pa.string()))
    assert (code.tolist(), forms) == ([], [])


def test_equal_values_have_equal_numbers() -> None:
    found = codes(pa.chunked_array([["p", "q"], ["p"]]))
    assert found.tolist() == [0, 1, 0]
    assert found.dtype == np.int64
