"""Choosing thresholds: small sets worked out by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from stages.core.contract import StageError
from stages.facts.calibration import thresholds
from stages.facts.calibration.labelled import Labelled
from stages.facts.calibration.report import markdown
from stages.facts.calibration.thresholds import (
    AlignmentTally,
    JudgedPair,
    between,
    calibrate,
    choose,
    held_out,
    strictest,
    write_thresholds,
)
from stages.facts.relations.templates import load_relations
from stages.facts.thresholds import load_thresholds


def judged(
    score: float, stated: bool, passed: bool = True, family: str = "f", prop: str = "P1", group: str = "g"
) -> JudgedPair:
    row = Labelled("S", "O", prop, "p", stated, "p", "kind", group)
    return JudgedPair(row, family, score, passed)


def test_the_threshold_leaves_the_share_allowed_for() -> None:
    # Nine right rows, a tenth may go: the first of (9 + 1) * 0.1 = 1 smallest scores is asked for, and none is lost.
    rows = [judged(i / 10, True) for i in range(1, 10)]
    assert strictest(rows, 0.1) == 0.1
    # A fifth may go: the second smallest, one is lost.
    assert strictest(rows, 0.2) == 0.2
    assert strictest(rows, 0.05) == 0.0


def test_what_the_check_loses_is_counted() -> None:
    rows = [judged(i / 10, True, passed=i != 9) for i in range(1, 10)]
    assert strictest(rows, 0.3) == 0.2
    assert strictest(rows, 0.1) == 0.0


def test_no_right_row_no_threshold() -> None:
    with pytest.raises(StageError, match="no row is labelled as stated"):
        strictest([judged(0.5, False)], 0.1)


def test_half_way_is_measured_in_log_odds() -> None:
    assert between(0.5, 0.5) == pytest.approx(0.5)
    # Odds 1/9 and 1: half way is 1/3, so 1/4.
    assert between(0.1, 0.5) == pytest.approx(0.25)


def test_a_family_needs_rows_of_both_labels_and_several_properties() -> None:
    right = [judged(0.1 * (i % 9), True, prop=f"P{i % 3}") for i in range(30)]
    wrong = [judged(0.0, False) for _ in range(30)]
    assert set(choose(right + wrong, lost=0.1, least=30, model="m").families) == {"f"}
    assert not choose(right + wrong, lost=0.1, least=31, model="m").families
    one_property = [judged(0.1, True) for _ in range(30)]
    assert not choose(one_property + wrong, lost=0.1, least=30, model="m").families


def test_held_out_rows_do_not_choose_their_own_threshold(monkeypatch: pytest.MonkeyPatch) -> None:
    folds = {"low": 0, "high": 1}
    monkeypatch.setattr(thresholds, "_fold", lambda group, _: folds[group])
    rows = [judged(0.1, True, group="low") for _ in range(9)] + [judged(0.9, True, group="high") for _ in range(9)]
    rows += [judged(0.5, False, group="low"), judged(0.5, False, group="high")]
    overall, families, kinds = held_out(rows, lost=0.1, least=50, model="m")
    # The rows of "low" are asked for 0.9 and all go, those of "high" for 0.1 and all stay.
    assert overall == AlignmentTally(right=18, right_lost=9, false=2, false_removed=1)
    assert families == {"f": overall}
    assert kinds == {"kind": overall}


@dataclass(frozen=True)
class Fake:
    """Scores a pair by the number in its premise."""

    identity: str = "fake"
    name: str = "fake"

    def load(self) -> Callable[[list[str], list[str]], list[float]]:
        return lambda hypotheses, premises: [float(premise.split()[0]) for premise in premises]


def rows_of(scores: list[float], stated: bool) -> list[Labelled]:
    return [
        Labelled("Grey Harbour", "Ada Lindqvist", "P57", f"{score} Ada made it.", stated, "Ada made it.", group=str(i))
        for i, score in enumerate(scores)
    ]


def test_from_rows_to_a_file_and_a_report(tmp_path: Path) -> None:
    right = rows_of([0.5 + i / 100 for i in range(40)], True)
    unknown = Labelled("a", "b", "P0", "0.5", True, "0.5")
    report = calibrate([*right, *rows_of([0.1] * 20, False), unknown], Fake(), load_relations())
    # (40 + 1) * 0.075 = 3.075: the third smallest.
    assert report.thresholds.default == 0.52
    assert report.overall.false_removed == 20
    assert report.skipped == 1
    write_thresholds(report, Fake(), tmp_path / "t.yaml")
    found = load_thresholds(str(tmp_path / "t.yaml"))
    assert (found.model, found.default, found.families) == ("fake", 0.52, {})
    text = markdown({"fake": report})
    assert "| all | 40 | 20 |" in text
    assert "| default | 0.5200 |" in text
