"""The table of bridges: a head hop whose answer a tail hop's question mentions."""

from __future__ import annotations

import pyarrow as pa

from stages.contract import TableSpec
from stages.queries.tables import number, text

BRIDGES = TableSpec(
    name="bridges",
    schema=pa.schema(
        [
            text("head"),
            text("tail"),
            text("entity"),
            text("entity_type"),
            text("answer"),
            text("bridge"),
            number("start"),
            number("end"),
            text("masked"),
        ]
    ),
    key=("head", "tail"),
)
"""One row per ordered pair of hops.

head, tail: hop ids. entity: the bridge in its normal form, the same for all its spellings; caps count by it.
entity_type: the tagger's type of the head's answer ("PERSON", "GPE", ...).
answer: of the head hop. bridge: how the tail question spells it; start, end: where, in characters of the question.
masked: the tail question with that span replaced by MASK.
"""

MASK = "[MASK]"
