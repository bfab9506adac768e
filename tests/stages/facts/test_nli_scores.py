from __future__ import annotations

from stages.core.contract import Score
from stages.facts.nli_scores import stage
from stages.models.scoring.resolve import scorer


def test_the_scorer_is_called_with_hypotheses_first() -> None:
    built = stage(scorer(), "_hop")
    assert built.shape == Score(pair="pair", first="hypothesis", second="premise")
    assert (built.inputs, built.outputs[0].name) == (("readings_hop",), "scores_hop")
    assert built.outputs[0].inexact == ("score",)
