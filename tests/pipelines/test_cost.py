"""Forecasts: figures worked out by hand from builds made by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from manifests.manifest import BuildManifest, StageManifest
from pipelines.cost import Forecast, Price, StageCost, smaller_than
from stages.core.contract import StageError
from tests import toy
from tests.manifests.made import A, build, stage, table

MB = 1_000_000


def made(name: str, tables: dict[str, int], reads: tuple[str, ...], seconds: float, **run: float) -> StageManifest:
    """A stage whose tables have so many rows of 10 bytes; it spills 2,000 bytes."""
    items = []
    for one, rows in tables.items():
        whole = table(one, rows=rows)
        items.append(replace(whole, shards=[replace(whole.shards[0], bytes=10 * rows)]))
    taken = {"cpu_seconds": seconds, "peak_bytes": 300 * MB, "grown_bytes": 100 * MB, "spilled_bytes": 2000}
    return stage(name, items, inputs=dict.fromkeys(reads, A), run={**taken, **run}, metrics={})


def built(words: int, counts: int, seconds: float = 10.0, total: float = 1.0) -> BuildManifest:
    """As many records as words; some counts made of them; one total made of the counts."""
    first = made("toy.words", {"words": words}, ("file 0",), words / 100, read_bytes=4.0 * words)
    first = replace(first, metrics={"records": float(words), "bad_records": 3.0})
    second = made("toy.counts", {"counts": counts}, ("words",), seconds)
    return build(first, second, made("toy.total", {"total": 1}, ("counts",), total))


def forecast(base: BuildManifest, smaller: BuildManifest | None = None, **how) -> dict[str, StageCost]:
    made = Forecast(base, smaller, how.pop("pipeline", PIPELINE), **how)
    return {cost.stage: cost for cost in made.stages()}


PIPELINE = replace(toy.pipeline([]), buckets=None)


def test_with_one_build_everything_grows_as_its_input_does() -> None:
    found = forecast(built(1000, 100), records={"toy.words": 8000})
    words, counts, total = found.values()
    assert (words.core_seconds, words.disk, words.memory) == (80, 80_000, 300 * MB)
    # Read and given together are eight times as much.
    assert words.shuffle == counts.shuffle == 16_000
    assert (counts.core_seconds, counts.disk) == (80, 8000)
    # What all lies on one worker takes eight times the memory that came with it.
    assert total.memory == pytest.approx(300 * MB + 7 * 100 * MB)
    assert words.spread == pytest.approx(math.exp(0.25))
    assert counts.spread == pytest.approx(math.exp(math.hypot(0.25, 0.5 * math.log(8))))
    assert found["toy.total"].spread > counts.spread


def test_two_builds_tell_how_steeply_a_stage_grows() -> None:
    # Four times the words gave sixteen times the counts, in eight times the time.
    base, smaller = built(4000, 160_000, seconds=80), built(1000, 10_000, seconds=10)
    counts = forecast(base, smaller, records={"toy.words": 16_000})["toy.counts"]
    assert counts.disk == pytest.approx(160_000 * 16 * 10) and counts.core_seconds == pytest.approx(80 * 8)
    chance = math.sqrt(1 / 8000 + 1 / 1000) / math.log(4)
    power = math.hypot(chance, 0.25 * 0.5)
    # The words that it reads are uncertain by the chance of their own counts.
    words = math.sqrt(1 / 4000 + 1 / 1000)
    assert counts.spread == pytest.approx(math.exp(math.hypot(0.25, 1.5 * words, power * math.log(4))))


@pytest.mark.parametrize("smaller", [built(3000, 10_000), built(1000, 0, seconds=0.1)])
def test_builds_of_one_size_and_figures_of_nothing_tell_no_power(smaller: BuildManifest) -> None:
    counts = forecast(built(4000, 160_000), smaller, records={"toy.words": 16_000})["toy.counts"]
    assert counts.core_seconds == pytest.approx(40) and counts.disk == pytest.approx(4 * 160_000 * 10)


def test_a_source_is_measured_by_its_bytes_where_its_records_are_not_given() -> None:
    assert forecast(built(1000, 100), source_bytes={"toy.words": 12_000.0})["toy.words"].core_seconds == 30
    assert forecast(built(1000, 100))["toy.words"].core_seconds == 10


def test_what_is_published_of_the_larger_build_stands_for_itself() -> None:
    larger = built(4000, 5000, seconds=33)
    published = {one.stage: one for one in larger.stages[:2]}
    found = forecast(built(1000, 100), records={"toy.words": 4000}, published=published)
    counts, total = found["toy.counts"], found["toy.total"]
    assert counts.built and (counts.core_seconds, counts.spread, counts.disk) == (33, 1, 50_000)
    # Fifty times the counts, and not four times.
    assert not total.built and total.core_seconds == pytest.approx(50)
    assert total.spread == pytest.approx(math.exp(math.hypot(0.25, 0.5 * math.log(50))))


def test_of_several_inputs_the_one_that_grows_most_counts_and_a_chain_is_the_sum_of_its_steps() -> None:
    base = built(1000, 100)
    steps = {"one.cpu_seconds": 2.0, "two.cpu_seconds": 3.0, "one.peak_bytes": 5.0, "two.peak_bytes": 7.0}
    last = replace(made("toy.lengths", {"lengths": 10}, ("counts", "words"), 0), run=steps)
    base = replace(base, stages=[*base.stages, last])
    larger = built(2000, 600)
    published = {one.stage: one for one in larger.stages}
    found = forecast(base, published=published)["toy.lengths"]
    assert (found.core_seconds, found.disk, found.memory) == (pytest.approx(30), pytest.approx(600), 7)


def test_a_worker_holds_a_bucket_and_a_bucket_is_of_one_size() -> None:
    """400,000 rows of 10 bytes are one bucket of 4 MB; ten times as much are 16 of 2.5 MB, or 4 of 10 MB by order."""
    base = built(400_000, 400)
    last = made("toy.lengths", {"lengths": 10}, ("words",), 1)
    base = replace(base, stages=[*base.stages, last])
    many = forecast(base, records={"toy.words": 4_000_000})["toy.lengths"]
    assert many.memory == 300 * MB
    few = forecast(base, records={"toy.words": 4_000_000}, pipeline=replace(PIPELINE, buckets=4))["toy.lengths"]
    assert few.memory == pytest.approx(300 * MB + 100 * MB * 9)


def test_money_is_of_hours_and_of_what_is_written() -> None:
    cost = StageCost("x", core_seconds=7200, spread=1, disk=3e9, shuffle=1e9, memory=0)
    assert cost.price(Price(0.5, 0.25)) == 2 * 0.5 + 4 * 0.25
    assert cost.price(Price()) == 0


def test_what_cannot_be_told_is_an_error() -> None:
    base = built(1000, 100)
    old = replace(base, stages=[replace(base.stages[0], run={"seconds": 3.0})])
    with pytest.raises(StageError, match=r"stage toy.words was built before its cost was kept; build toy anew"):
        forecast(old)
    with pytest.raises(StageError, match=r"the build of toy has no stage wikipedia.pages, of which records are given"):
        forecast(base, records={"wikipedia.pages": 5})


def test_the_largest_clearly_smaller_build_with_the_same_parameters_is_taken() -> None:
    base, half, tenth, near = (built(rows, 10) for rows in (1000, 500, 100, 900))
    assert smaller_than(base, [tenth, half, near, base]) == half
    other = replace(half, parameters={"buckets": 5})
    early = replace(half, complete=False)
    old = replace(half, stages=[replace(one, run={}) for one in half.stages])
    assert smaller_than(base, [other, early, old, tenth]) == tenth
    assert smaller_than(base, [near, replace(half, stages=half.stages[:2])]) is None
