from __future__ import annotations

from stages.contract import Score
from stages.evidence.score import stage
from stages.scoring.resolve import scorer


def test_the_scorer_is_called_with_hypotheses_first() -> None:
    built = stage(scorer(), "_hop")
    assert built.shape == Score(pair="pair", first="hypothesis", second="premise")
    assert (built.inputs, built.outputs[0].name) == (("candidates_hop",), "scores_hop")
    assert built.outputs[0].inexact == ("score",)
