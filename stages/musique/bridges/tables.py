"""The table of bridges: a head hop whose answer a tail hop's question mentions."""

from __future__ import annotations

import dataclasses

import pyarrow as pa

from stages.core.columns import flag, number, text
from stages.core.contract import TableSpec

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
entity_type: the tagger's type of the head's answer ("PERSON", "GPE", ...), or the one that a relation leaves where
    that is none or another; else of the mention; "" where relations vouch for both and leave several.
answer: of the head hop. bridge: how the tail question spells it; start, end: where, in characters of the question.
masked: the tail question with that span replaced by MASK.
"""


MENTIONS = TableSpec(
    name="bridge_mentions",
    schema=pa.schema(
        [
            text("tail"),
            text("entity"),
            text("bridge"),
            number("start"),
            number("end"),
            text("masked"),
            text("request"),
        ]
    ),
    key=("tail", "entity"),
)
"""One row per question and name that it mentions as a whole; bridge, start, end, masked: as in BRIDGES.

request: the text to be tagged for the mention's type.
"""

BRIDGE_ANSWERS = TableSpec(
    name="bridge_answers",
    schema=pa.schema([text("head"), text("entity"), text("request")]),
    key=("head",),
)
"""One row per hop whose answer some question mentions; request: the text to be tagged for the answer's type."""

TAG_REQUESTS = TableSpec(
    name="tag_requests",
    schema=pa.schema([text("request"), text("text"), number("start"), number("end")]),
    key=("request",),
)
"""A name in its sentence; request: 16 hex digits of text, start and end."""

TAGS = TableSpec(
    name="tags",
    schema=pa.schema([text("request"), text("type"), flag("longer")]),
    key=("request",),
)
"""type: of the entity that the tagger sees at the name, "" where it sees none.

longer: whether that entity is a longer one that holds the name ("New Hampshire" of Hampshire).
"""

PAIRS = dataclasses.replace(BRIDGES, name="bridge_pairs")
"""As BRIDGES, before identity was checked."""

KNOWN_NAMES = TableSpec(
    name="known_names",
    schema=pa.schema([text("name"), text("target"), text("kind"), text("about")]),
    key=("name", "target"),
)
"""Which things a name may stand for: an alias table.

name: in its normal form. target: title of the page. kind: "title" (the page's own, without a qualifier),
"redirect" or "alias". about: the beginning of the page's text, "" where the corpus has none.
"""
