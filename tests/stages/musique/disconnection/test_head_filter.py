"""Heads that are known by heart go."""

from __future__ import annotations

import pytest

from stages.core.contract import StageError
from stages.musique.disconnection.head_filter import stage
from tests.stages.musique.disconnection.samples import Scripted, bridge, bridges, hop, hops

HOPS = hops(
    hop("a", "qa", "Ann Lee", "It was Ann Lee."),
    hop("b", "qb", "Bo", "It was Bo.", "Bob"),
    hop("c", "qc", "Cy", "It was Cy."),
    hop("d", "qd", "Di", "It was Di."),
)
READER = Scripted({"qa": [("Ann", ()), ("no", ())], "qb": [("Bob", ()), ("", ())], "qd": [("Di", ()), ("Di", ())]})


def test_heads_are_judged_by_the_mean_of_their_readers() -> None:
    pairs = bridges(bridge("a", "d", "m"), bridge("a", "c", "m"), bridge("b", "d", "m"), bridge("c", "d", "m"))
    output = stage(READER).call(pairs, HOPS)
    found = {row["hop"]: (row["f1"], row["kept"], row["readers"]) for row in output.tables["judged_heads"].to_pylist()}
    # "Ann" for "Ann Lee" is 2/3, halved; of "Bob" and nothing the mean is 0.5, which is too much.
    assert found == {"a": (pytest.approx(1 / 3), True, 2), "b": (0.5, False, 2), "c": (0.0, True, 2)}
    assert output.metrics["heads_kept"] == 2 and output.metrics["heads_kept_percent"] == 66.67
    assert output.metrics["heads_kept_percent_paper"] == 74.5


def test_the_threshold_is_a_parameter() -> None:
    pairs = bridges(bridge("a", "d", "m"), bridge("d", "a", "m"))
    output = stage(READER, max_f1=1.01).call(pairs, HOPS)
    assert all(row["kept"] for row in output.tables["judged_heads"].to_pylist())
    with pytest.raises(StageError, match="max_f1"):
        stage(READER, max_f1=0)


def test_no_bridges() -> None:
    output = stage(READER).call(bridges(), HOPS)
    assert output.tables["judged_heads"].num_rows == 0 and output.metrics["heads_kept_percent"] == 0
