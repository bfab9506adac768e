"""The tables of composed questions."""

from __future__ import annotations

import pyarrow as pa

from stages.core.columns import number, text, texts
from stages.core.contract import TableSpec

EDGE = pa.struct([("from", pa.int32()), ("to", pa.int32()), ("start", pa.int32()), ("end", pa.int32())])
"""from, to: numbers of hops in the graph, from 1; start, end: where the question of `to` mentions it, in characters."""


def edges(name: str) -> pa.Field:
    """A column of EDGEs, in the order in which the shape names them."""
    return pa.field(name, pa.list_(EDGE), nullable=False)


CANDIDATE_GRAPHS = TableSpec(
    name="candidate_graphs",
    schema=pa.schema(
        [text("graph"), text("shape"), texts("hops"), edges("edges"), texts("entities"), number("tokens")]
    ),
    key=("graph",),
)
"""Graphs that are sound, some of which become questions.

graph: the shape, "__", and the hops joined by "_". hops: single hops in the order of their numbers.
entities: the bridge entity of each edge. tokens: of the hops' questions together.
"""

COMPOSED_HOPS = TableSpec(
    name="composed_hops",
    schema=pa.schema(
        [
            *CANDIDATE_GRAPHS.schema,
            texts("question_steps"),
            texts("hop_answers"),
            pa.field("hop_aliases", pa.list_(pa.list_(pa.string())), nullable=False),
            texts("paragraphs"),
            texts("sources"),
            text("answer"),
            texts("answer_aliases"),
        ]
    ),
    key=("graph",),
)
"""The graphs that became questions.

question_steps: the hops' questions with "#1" where the answer of the first hop is asked about.
hop_answers, hop_aliases, paragraphs, sources: of each hop; answer, answer_aliases: of the last.
"""
