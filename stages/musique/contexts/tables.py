"""The tables of contexts: first which paragraphs, then with their texts."""

from __future__ import annotations

import pyarrow as pa

from stages.core.columns import flag, number, text, texts
from stages.core.contract import TableSpec

NO_HOP = -1

DRAWN_CONTEXTS = TableSpec(
    name="drawn_contexts",
    schema=pa.schema(
        [
            text("question"),
            flag("answerable"),
            text("split"),
            texts("paragraphs"),
            pa.field("supports", pa.list_(pa.int32()), nullable=False),
            number("missing"),
            texts("missing_answers"),
        ]
    ),
    key=("question", "answerable"),
)
"""paragraphs: in the order in which they are shown; supports: per paragraph the hop that it answers, from 1, or NO_HOP.
missing: the hop whose answer the context does not hold, 0 where it holds all; missing_answers: how that may be spelt.
"""

SHOWN = pa.struct([("paragraph", pa.string()), ("title", pa.string()), ("text", pa.string()), ("supports", pa.int32())])

CONTEXTS = TableSpec(
    name="contexts",
    schema=pa.schema(
        [
            text("question"),
            flag("answerable"),
            text("split"),
            number("missing"),
            pa.field("paragraphs", pa.list_(SHOWN), nullable=False),
        ]
    ),
    key=("question", "answerable"),
)
"""One row per question that its context answers, and one for the same question beside a context that does not."""
