"""Generated influence graphs for the benchmark, of the released benchmark's size and unevenness."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from stages.wiqa.graph import NODES
from stages.wiqa.influence_graphs import GRAPHS

GRAPHS_RELEASED, PARAGRAPHS_RELEASED, TOPICS_RELEASED = 2107, 379, 150
_WORDS = (
    *("rain", "water", "seed", "soil", "heat", "wind", "plant", "animal", "river", "rock", "sun", "cloud", "leaf"),
    *("root", "oil", "gas", "fish", "bird", "ice", "snow", "light", "air", "sand", "salt", "blood", "heart", "lung"),
    *("cell", "star", "dust", "wave", "moon", "metal", "rust", "fire", "smoke", "tree", "forest", "flower", "bee"),
)


def graphs(times: int) -> pa.Table:
    """`times` times 2,107 graphs over 379 paragraphs and 150 topics; nodes are missing, and texts repeat, at random."""
    rng = np.random.default_rng(times)
    count, paragraphs = GRAPHS_RELEASED * times, PARAGRAPHS_RELEASED * times
    # Some paragraphs have many graphs, some one.
    owner = np.sort(np.concatenate([np.arange(paragraphs), rng.integers(0, paragraphs, count - paragraphs)]))
    topic = np.arange(paragraphs) * TOPICS_RELEASED // PARAGRAPHS_RELEASED
    rows = [_graph(rng, n, int(para), int(topic[para])) for n, para in enumerate(owner)]
    return GRAPHS.table(rows)


def _graph(rng: np.random.Generator, number: int, para: int, topic: int) -> dict[str, Any]:
    nodes = {node: _texts(rng, 2 if node in "VZUW" else 1, 0.25 if node in "VZUWY" else 0.0) for node in NODES}
    nodes["A"], nodes["D"] = [f"MORE of process {topic}"], [f"LESS of process {topic}"]
    return {
        "para_id": str(para),
        "graph_id": str(number),
        "topic": f"topic {topic}",
        "prompt": f"How does process {topic} happen?",
        "sentences": [f"In {para} the {_WORDS[(para + n) % len(_WORDS)]} changes." for n in range(6)],
        "y_affects": ("more", "more", "more", "less", "neither")[int(rng.integers(0, 5))],
        "confirmed": False,
        "source": "file",
    } | nodes


def _texts(rng: np.random.Generator, most: int, missing: float) -> list[str]:
    if rng.random() < missing:
        return []
    picked = rng.integers(0, len(_WORDS), (most, 3))
    ways = ("more", "fewer", "better", "no")
    return sorted({f"{ways[int(rng.integers(0, 4))]} {' '.join(_WORDS[n] for n in of)}" for of in picked.tolist()})
