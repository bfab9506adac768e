"""Stage `facts.nli_scores`: how surely each premise states its hypothesis (paper, step 4)."""

from __future__ import annotations

import pyarrow as pa

from stages.core.columns import text
from stages.core.contract import Score, Scorer, Stage, TableSpec
from stages.core.rounds import named

SCORES = TableSpec(
    name="scores",
    schema=pa.schema([text("pair"), pa.field("score", pa.float32(), nullable=False)]),
    key=("pair",),
    inexact=("score",),
)
"""score: the model's probability of entailment."""


def stage(scorer: Scorer, suffix: str = "") -> Stage:
    """scorer: called with (hypotheses, premises), see `stages.models.scoring`; suffix: names the round."""
    return named(
        Stage(
            name="facts.nli_scores",
            shape=Score(pair="pair", first="hypothesis", second="premise"),
            kernel=None,
            inputs=("readings",),
            outputs=(SCORES,),
            scorer=scorer,
            about="Step 4: entailment of the declarative sentence, once per distinct pair.",
        ),
        suffix,
    )
