"""Plots: numbers fall into bars, shares add up, names beyond the commonest are put together."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pipelines.datasets import dataset, names
from pipelines.lineage import Plot, Trail
from pipelines.report.counts import MOST_BARS, OTHERS, Bar, Counts, in_order


def trail(split: str, **measures: Sequence[float | str]) -> Trail:
    return Trail("k", "r", "q", (), split, "kind", (), split == "dev", (), measures)


def test_numbers_fall_into_bars_up_to_their_ends() -> None:
    counts = Counts([Plot("n", ends=(5, 6, 10), published={"the paper": {"up to 5": 40.0, "over 10": 60.0}})])
    for value in (1, 5, 6, 7, 10):
        counts.add(trail("train", n=(value,)))
    counts.add(trail("test", n=(10,)))
    (drawn,) = counts.drawn()
    assert (drawn.series, drawn.own, drawn.totals) == (("train", "test", "the paper"), 2, (5, 1, None))
    assert drawn.bars == (
        Bar("up to 5", (40.0, 0.0, 40.0), (2, 0, None)),
        Bar("6", (20.0, 0.0, 0.0), (1, 0, None)),
        Bar("7 to 10", (40.0, 100.0, 0.0), (2, 1, None)),
        Bar("over 10", (0.0, 0.0, 60.0), (0, 0, None)),
    )
    assert drawn.largest == 100.0


def test_bars_of_parts_of_one_are_called_by_both_ends() -> None:
    counts = Counts([Plot("n", ends=(0.5, 0.9))])
    for value in (0.5, 0.51, 0.95):
        counts.add(trail("train", n=(value,)))
    assert [bar.label for bar in counts.drawn()[0].bars] == ["up to 0.5", "0.5 to 0.9", "over 0.9"]


def test_only_the_commonest_names_have_a_bar_of_their_own() -> None:
    counts = Counts([Plot("names"), Plot("nothing")])
    for number in range(40):
        counts.add(trail("train", names=[f"n{number:02}"] * (40 - number)))
    (drawn,) = counts.drawn()
    assert [bar.label for bar in drawn.bars] == [*(f"n{number:02}" for number in range(MOST_BARS - 1)), OTHERS]
    assert sum(bar.counts[0] or 0 for bar in drawn.bars) == drawn.totals[0] == 820
    assert sum(bar.shares[0] or 0 for bar in drawn.bars) == pytest.approx(100)


def test_a_source_may_state_some_of_the_names_only() -> None:
    counts = Counts([Plot("answers", published={"the paper": {"no effect": 34.0}})])
    counts.add(trail("train", answers=("more",)))
    assert counts.drawn()[0].bars == (
        Bar("more", (100.0, None), (1, None)),
        Bar("no effect", (0.0, 34.0), (0, None)),
    )


def test_records_are_counted_by_split_and_splits_stand_in_their_order() -> None:
    counts = Counts([])
    for split in ("test", "dev", "dev", "zeta", "train"):
        counts.add(trail(split))
    assert in_order(counts.splits) == ["train", "dev", "test", "zeta"]
    assert (counts.splits["dev"], counts.confirmed["dev"], counts.confirmed["test"]) == (2, 2, 0)


@pytest.mark.parametrize("name", names())
def test_what_was_published_names_bars_that_there_are_and_is_no_more_than_all(name: str) -> None:
    lineage = dataset(name).lineage
    for plot in lineage.plots if lineage else ():
        for source, shares in plot.published.items():
            counts = Counts([plot])
            counts.add(trail("train", **{plot.name: ("none",) if not plot.ends else (0,)}))
            labels = {bar.label for bar in counts.drawn()[0].bars}
            assert shares.keys() <= labels, source
            assert sum(shares.values()) <= 100.3, source
