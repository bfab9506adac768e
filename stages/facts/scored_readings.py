"""Step `scored_readings` of `facts.nli_validation`: every hypothesis of a candidate with its score."""

from __future__ import annotations

import pyarrow as pa

from stages.core.columns import number, text
from stages.core.contract import Join, Output, Stage, StageError, TableSpec
from stages.core.rounds import named
from stages.core.sql import sql
from stages.facts.readings import CANDIDATE_KEY
from stages.facts.tables import TRIPLE, TRIPLE_KEY

SCORED_READINGS = TableSpec(
    name="scored_readings",
    schema=pa.schema(
        [
            *map(text, (*TRIPLE_KEY, "page")),
            number("index"),
            text("hypothesis"),
            pa.field("score", pa.float32(), nullable=False),
        ]
    ),
    key=(*CANDIDATE_KEY, "hypothesis"),
    bucket_by=TRIPLE,
    inexact=("score",),
)


def scored(readings: pa.Table, scores: pa.Table) -> Output:
    """SCORED_READINGS from READINGS and scores by pair.

    Raises StageError where a reading has no score: that is a fault of the build, not of the data.
    """
    rows = sql(
        "SELECT r.*, s.score FROM readings r LEFT JOIN scores s ON s.pair = r.pair",
        readings=readings,
        scores=scores,
    )
    if rows["score"].null_count:
        raise StageError(f"facts.scored_readings: {rows['score'].null_count} readings have no score")
    return Output(
        {SCORED_READINGS.name: rows.select(SCORED_READINGS.schema.names).cast(SCORED_READINGS.schema)},
        metrics={"readings": float(rows.num_rows)},
    )


def stage(suffix: str = "") -> Stage:
    """suffix: names the round."""
    return named(
        Stage(
            name="facts.scored_readings",
            shape=Join(on=(("pair",), ("pair",))),
            kernel=scored,
            inputs=("readings", "scores"),
            outputs=(SCORED_READINGS,),
            about="Step 4: every hypothesis of a candidate with its score.",
        ),
        suffix,
    )
