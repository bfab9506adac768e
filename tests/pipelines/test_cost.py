"""Forecasts: figures worked out by hand from builds made by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from manifests.manifest import BuildManifest, StageManifest
from pipelines.cost import Forecast, Price, StageCost, smaller_than
from stages.core.chain import chain
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


def seconds(once: float, factor: float) -> float:
    """All but 0.3 s grows."""
    return pytest.approx(0.3 + (once - 0.3) * factor)


def spread(once: float, factor: float, *doubts: float) -> float:
    """Of a quarter, of the 0.3 s, which may grow as well, and of what else is in doubt."""
    fixed = math.log(once * factor / (0.3 + (once - 0.3) * factor))
    return pytest.approx(math.exp(math.hypot(0.25, fixed, *doubts)))


PIPELINE = replace(toy.pipeline([]), buckets=None)


def test_with_one_build_everything_grows_as_its_input_does() -> None:
    found = forecast(built(1000, 100), records={"toy.words": 8000})
    words, counts, total = found.values()
    assert (words.core_seconds, words.disk, words.memory) == (seconds(10, 8), 80_000, 300 * MB)
    # Read and given together are eight times as much.
    assert words.shuffle == counts.shuffle == 16_000
    assert (counts.core_seconds, counts.disk) == (seconds(10, 8), 8000)
    # What all lies on one worker takes eight times the memory, of which only 30 bytes for each stored one are rows.
    assert total.memory == pytest.approx(300 * MB + 7 * 30 * 1000)
    assert words.spread == spread(10, 8)
    assert counts.spread == spread(10, 8, 0.1 * math.log(8))
    assert found["toy.total"].spread > counts.spread


def test_two_builds_tell_how_steeply_a_stage_grows() -> None:
    # Four times the words gave sixteen times the counts, in eight times the time.
    base, smaller = built(4000, 160_000, seconds=80.3), built(1000, 10_000, seconds=10.3)
    counts = forecast(base, smaller, records={"toy.words": 16_000})["toy.counts"]
    assert counts.disk == pytest.approx(160_000 * 16 * 10) and counts.core_seconds == pytest.approx(0.3 + 80 * 8)
    chance = math.sqrt(1 / 8000 + 1 / 1000) / math.log(4)
    power = math.hypot(chance, 0.25 * 0.5)
    # The words that it reads are uncertain by the chance of their own counts.
    words = math.sqrt(1 / 4000 + 1 / 1000)
    assert counts.spread == spread(80.3, 8, 1.5 * words, power * math.log(4))


@pytest.mark.parametrize("smaller", [built(3000, 10_000), built(1000, 0, seconds=0.3)])
def test_builds_of_one_size_and_figures_of_nothing_tell_no_power(smaller: BuildManifest) -> None:
    counts = forecast(built(4000, 160_000), smaller, records={"toy.words": 16_000})["toy.counts"]
    assert counts.core_seconds == seconds(10, 4) and counts.disk == pytest.approx(4 * 160_000 * 10)


def test_a_source_is_measured_by_its_bytes_where_its_records_are_not_given() -> None:
    assert forecast(built(1000, 100), source_bytes={"toy.words": 12_000.0})["toy.words"].core_seconds == seconds(10, 3)
    assert forecast(built(1000, 100))["toy.words"].core_seconds == seconds(10, 1)


def test_what_is_published_of_the_larger_build_stands_for_itself() -> None:
    larger = built(4000, 5000, seconds=33)
    published = {one.stage: one for one in larger.stages[:2]}
    found = forecast(built(1000, 100), records={"toy.words": 4000}, published=published)
    counts, total = found["toy.counts"], found["toy.total"]
    assert counts.built and (counts.core_seconds, counts.spread, counts.disk) == (33, 1, 50_000)
    # Fifty times the counts, and not four times.
    assert not total.built and total.core_seconds == seconds(1, 50)
    assert total.spread == spread(1, 50, 0.1 * math.log(50))


def test_of_several_inputs_the_one_that_grows_most_counts_and_a_chain_is_the_sum_of_its_steps() -> None:
    base = built(1000, 100)
    steps = {"one.cpu_seconds": 2.0, "two.cpu_seconds": 3.0}
    last = replace(made("toy.lengths", {"lengths": 10}, ("counts", "words"), 0), run=steps)
    base = replace(base, stages=[*base.stages, last])
    larger = built(2000, 600)
    published = {one.stage: one for one in larger.stages}
    found = forecast(base, published=published)["toy.lengths"]
    assert (found.core_seconds, found.disk) == (seconds(5, 6), pytest.approx(600))


def test_the_memory_of_a_chain_is_that_of_its_largest_step() -> None:
    counts, total = toy.stages([])[1:3]
    both = chain("toy.both", counts, total, publish=("total",), about="")
    run = {"counts.cpu_seconds": 1.0, "counts.peak_bytes": 300 * MB, "counts.grown_bytes": 100 * MB}
    run |= {"total.cpu_seconds": 1.0, "total.peak_bytes": 200 * MB, "total.grown_bytes": 20 * MB}
    base = built(400_000, 400)
    last = replace(made("toy.both", {"total": 1}, ("words",), 0), run=run)
    base = replace(base, stages=[base.stages[0], last])
    larger = replace(PIPELINE, stages=(PIPELINE.stages[0], both), outputs=("total",))
    # Ten times the words are 16 buckets of the first step, and all on one worker of the second.
    assert forecast(base, records={"toy.words": 4e6}, pipeline=larger)["toy.both"].memory == 380 * MB
    assert forecast(base, records={"toy.words": 4e5}, pipeline=larger)["toy.both"].memory == 300 * MB


def test_a_worker_holds_a_bucket_and_a_bucket_is_of_one_size() -> None:
    """400,000 rows of 10 bytes are one bucket of 4 MB; ten times as much are 16 of 2.5 MB, or 4 of 10 MB by order."""
    base = built(400_000, 400)
    last = made("toy.lengths", {"lengths": 10}, ("words",), 1)
    base = replace(base, stages=[*base.stages, last])
    many = forecast(base, records={"toy.words": 4_000_000})["toy.lengths"]
    assert many.memory == 300 * MB
    few = forecast(base, records={"toy.words": 4_000_000}, pipeline=replace(PIPELINE, buckets=4))["toy.lengths"]
    # 300 MB, and 30 bytes for each stored one of the bucket that is there, of which nine more come.
    assert few.memory == pytest.approx(300 * MB + 30 * MB * 9)


def test_all_seconds_of_a_model_are_of_its_pairs() -> None:
    base = built(1000, 100)
    scored = replace(base.stages[1], shape="score")
    base = replace(base, stages=[base.stages[0], scored])
    assert forecast(base, records={"toy.words": 8000})["toy.counts"].core_seconds == pytest.approx(80)


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
