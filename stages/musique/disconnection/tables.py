"""The tables of the disconnection filter."""

from __future__ import annotations

import dataclasses

import pyarrow as pa

from stages.core.columns import flag, number, text, texts
from stages.core.contract import TableSpec
from stages.musique.bridges.tables import BRIDGES
from stages.musique.single_hops.tables import SINGLE_HOPS

_SHARE = pa.float64()

JUDGED_HEADS = TableSpec(
    name="judged_heads",
    schema=pa.schema(
        [text("hop"), number("readers"), pa.field("f1", _SHARE, nullable=False), flag("kept"), texts("predicted")]
    ),
    key=("hop",),
)
"""One row per hop that is the head of a bridge. f1: mean over `readers` readers that saw the question alone."""

MASKED_TAILS = TableSpec(
    name="masked_tails",
    schema=pa.schema([text("tail"), text("masked"), text("answered_by"), texts("paragraphs")]),
    key=("tail", "masked"),
)
"""One row per tail and way of masking its question. answered_by: the paragraph that answers it; paragraphs: that one
and its distractors, in the order in which they are read."""

JUDGED_TAILS = TableSpec(
    name="judged_tails",
    schema=pa.schema(
        [
            text("tail"),
            text("masked"),
            number("readers"),
            pa.field("f1", _SHARE, nullable=False),
            pa.field("support_f1", _SHARE, nullable=False),
            flag("kept"),
            texts("predicted"),
        ]
    ),
    key=("tail", "masked"),
)
"""One row per masked tail. f1, support_f1: means over `readers` readers."""

KEPT_BRIDGES = dataclasses.replace(BRIDGES, name="kept_bridges")
"""The bridges whose head and tail both need each other."""

ANSWERABLE_HOPS = dataclasses.replace(SINGLE_HOPS, name="answerable_hops")
"""The hops that at least one reader answers from their paragraph, if only in part."""
