from __future__ import annotations

import pyarrow as pa
import pytest

from stages.core.contract import StageError
from stages.facts.nli_scores import SCORES
from stages.facts.readings import READINGS
from stages.facts.scored_readings import SCORED_READINGS, scored, stage

KEY = {"subject": "Q1", "property": "P57", "object": "Q2", "unit": "", "page": "Q1", "index": 0}


def reading(hypothesis: str) -> dict[str, object]:
    return KEY | {"hypothesis": hypothesis, "premise": "p", "pair": hypothesis.upper()}


def scores(**values: float) -> pa.Table:
    return SCORES.table([{"pair": pair, "score": score} for pair, score in values.items()])


def test_each_hypothesis_with_its_score() -> None:
    output = scored(READINGS.table([reading("a"), reading("b")]), scores(A=0.5, B=0.25, C=1.0))
    found = output.tables[SCORED_READINGS.name].sort_by("hypothesis").to_pylist()
    assert found == [KEY | {"hypothesis": "a", "score": 0.5}, KEY | {"hypothesis": "b", "score": 0.25}]
    assert output.metrics == {"readings": 2.0}


def test_a_reading_without_a_score_stops_the_build() -> None:
    with pytest.raises(StageError, match="1 readings have no score"):
        scored(READINGS.table([reading("a"), reading("b")]), scores(A=0.5))


def test_the_stage_of_a_round() -> None:
    assert stage("_hop").inputs == ("readings_hop", "scores_hop")
