"""Tails that do without their bridge go."""

from __future__ import annotations

import pytest

from stages.core.contract import StageError
from stages.musique.disconnection.panel import PanelParams
from stages.musique.disconnection.tables import MASKED_TAILS
from stages.musique.disconnection.tail_filter import TailParams, stage
from tests.stages.musique.disconnection.samples import Scripted, hop, hops

HOPS = hops(hop("a", "qa", "Ann Lee", "It was Ann Lee."), hop("b", "qb", "Bo", "It was Bo."))
PANEL = PanelParams("scripted", "1")


@pytest.mark.parametrize(
    ("f1", "support_f1", "kept"),
    [
        (0.0, 1.0, True),
        (0.25, 1.0, True),
        (0.26, 1.0, False),
        (0.26, 0.99, True),
        (0.75, 0.5, True),
        (0.76, 0.0, False),
        (0.1 + 0.2 - 0.05, 1.0, True),
    ],
)
def test_the_rule_of_the_paper(f1: float, support_f1: float, kept: bool) -> None:
    assert TailParams(PANEL).keeps(f1, support_f1) is kept


def test_tails_are_judged_by_the_means_of_their_readers() -> None:
    masked = MASKED_TAILS.table(
        [
            {"tail": "a", "masked": "m1", "answered_by": "p-a", "paragraphs": ["p-b", "p-a"]},
            {"tail": "a", "masked": "m2", "answered_by": "p-a", "paragraphs": ["p-a", "p-b"]},
            {"tail": "b", "masked": "m3", "answered_by": "p-b", "paragraphs": ["p-a", "p-b"]},
        ]
    )
    script = {
        "m1": [("Ann", ["a"]), ("Ann Lee", ["b"])],
        "m2": [("Ann Lee", ["a"]), ("Ann", ["a"])],
        "m3": [("Ann", ["b"]), ("", [])],
    }
    output = stage(Scripted(script)).call(masked, HOPS)
    found = {
        row["masked"]: (row["f1"], row["support_f1"], row["kept"]) for row in output.tables["judged_tails"].to_pylist()
    }
    # F1 of "Ann" for "Ann Lee" is 2/3: a mean of 5/6 is too near, whatever was named.
    assert found == {
        "m1": (pytest.approx(5 / 6), 0.5, False),
        "m2": (pytest.approx(5 / 6), 1.0, False),
        "m3": (0.0, 0.5, True),
    }
    assert output.metrics["masked_tails_kept_percent"] == 33.33
    assert output.metrics["masked_tails_kept_percent_paper"] == 26.5


def test_refusals() -> None:
    with pytest.raises(StageError, match="max_f1"):
        TailParams(PANEL, 0.5, 0.25)
    with pytest.raises(StageError, match="min_support_f1"):
        TailParams(PANEL, min_support_f1=2)
