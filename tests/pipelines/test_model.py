"""Pipelines: a list of stages in which each table has one writer, before its readers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipelines.model import MOST_BUCKETS, Pipeline, licences
from stages.core.contract import StageError
from tests import toy

STAGES = toy.stages([])


def pipeline(*stages, outputs: tuple[str, ...] = (), buckets: int = 4) -> Pipeline:
    return Pipeline("toy", tuple(stages), outputs, {}, {}, buckets)


def test_schemas_of_all_tables_by_name() -> None:
    made = pipeline(*STAGES, outputs=("scores",))
    assert made.schemas["words"] == toy.WORDS.schema and set(made.schemas) >= {"counts", "total", "pairs", "scores"}
    assert made.stage("toy.total") is STAGES[2]
    assert licences(STAGES) == {"lines": "CC0-1.0"}


@pytest.mark.parametrize(
    ("stages", "outputs", "message"),
    [
        (STAGES[1:], (), "stage toy.counts reads words, which no earlier stage writes"),
        ((*STAGES, replace(STAGES[0], name="toy.again")), (), "table words is written by two stages"),
        (STAGES[:2], ("total",), r"no stage writes the output tables \['total'\]"),
    ],
)
def test_stages_that_do_not_fit_together_are_refused(stages, outputs: tuple[str, ...], message: str) -> None:
    with pytest.raises(StageError, match=message):
        pipeline(*stages, outputs=outputs)


@pytest.mark.parametrize("buckets", [0, -3, MOST_BUCKETS + 1])
def test_a_number_of_buckets_that_cannot_be_meant(buckets: int) -> None:
    with pytest.raises(StageError, match=f"build.buckets is {buckets}, but has to be from 1 to 10,000"):
        pipeline(*STAGES, buckets=buckets)


def test_an_unknown_stage_is_answered_with_the_known_ones() -> None:
    with pytest.raises(StageError, match="toy has no stage 'x'; there are toy.words, toy.counts"):
        pipeline(*STAGES).stage("x")
