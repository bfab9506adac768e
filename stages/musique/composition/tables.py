"""The tables of composed questions in words."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from stages.annotation.tables import DRAFTS
from stages.core.columns import flag, text
from stages.core.contract import TableSpec
from stages.musique.graphs.tables import COMPOSED_HOPS

MECHANICAL_QUESTIONS = TableSpec(
    name="mechanical_questions",
    schema=pa.schema([text("graph"), text("question"), text("form")]),
    key=("graph",),
)
"""One row per graph: its question as the rules word it.

form: phrase (one sentence), reference or letters (with sentences before it), see `stages.musique.composition.words`.
"""

ASKED_HOPS = replace(COMPOSED_HOPS, name="asked_hops")
"""The graphs whose question in words is asked by no other."""

COMPOSITION_DRAFTS = replace(DRAFTS, name="composition_drafts")

COMPOSED_QUESTIONS = TableSpec(
    name="composed_questions",
    schema=pa.schema(
        [
            text("graph"),
            text("question"),
            flag("mechanical"),
            text("form"),
            text("mechanical_question"),
            flag("confirmed"),
        ]
    ),
    key=("graph",),
)
"""One row per graph that is asked.

question: what a person wrote, else what the rules made; mechanical: the rules made it. form, mechanical_question:
of the rules in any case. confirmed: people have found that each bridge is one entity.
"""
