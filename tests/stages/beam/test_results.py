"""Results: what a runner loses, repeats or leaves half done ends the stage; what it repeats unchanged does not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from manifests.storage import Storage
from stages.beam import in_process
from stages.beam.job import Job
from stages.beam.plan import Plan, Step, plan
from stages.beam.results import MOST_OF_FAMILY, StageResult, _largest, collect
from stages.beam.steps import Element, Key
from stages.core.contract import StageError
from tests import toy
from tests.stages.beam.jobs import job, run

LINES = [{"word": word, "line": line} for line in toy.LINES for word in sorted(set(line.split())) if len(word) > 1]
WORDS = [dict(row) for row in {tuple(row.items()): row for row in LINES}.values()]
PAIRS = [{"pair": f"p{n}", "first": "x" * n, "second": "y"} for n in range(12)]
Change = Callable[[Iterator[Element]], Iterator[Element]]


class Faulty:
    """A step whose output a bad runner changes on its way."""

    def __init__(self, step: Step, change: Change) -> None:
        self.step, self.change, self.takes = step, change, step.takes

    def process(self, key: Key, values: Any) -> Iterator[Element]:
        return self.change(self.step.process(key, values))


def lost(name: str) -> Change:
    """Of the elements with this key, the last is lost."""

    def change(elements: Iterator[Element]) -> Iterator[Element]:
        found = list(elements)
        last = max((at for at, (key, _) in enumerate(found) if key[0] == name), default=None)
        return (element for at, element in enumerate(found) if at != last)

    return change


def doubled(name: str) -> Change:
    def change(elements: Iterator[Element]) -> Iterator[Element]:
        for element in elements:
            yield element
            if element[0][0] == name:
                yield element

    return change


def halved(name: str) -> Change:
    """Of each spill only the first half arrives."""

    def change(elements: Iterator[Element]) -> Iterator[Element]:
        for key, value in elements:
            if key[0] == name:
                *place, spill = value
                value = (*place, replace(spill, length=spill.length // 2))
            yield key, value

    return change


def joined(root: Storage) -> Job:
    lengths = toy.stages([])[3]
    counts = [{"word": row["word"], "lines": 1} for row in {row["word"]: row for row in WORDS}.values()]
    total = [{"name": "lines", "value": len(counts)}]
    spec = replace(toy.COUNTS, buckets=3)
    return job(root, lengths, (spec, counts), (toy.WORDS, WORDS), (toy.TOTAL, total))


def scored(root: Storage) -> Job:
    return job(root, toy.stages([])[5], (toy.PAIRS, PAIRS))


def ran(made: Job, at: str, change: Change) -> StageResult:
    whole = plan(made)
    steps = tuple(Faulty(step, change) if type(step).__name__ == at else step for step in whole.steps)
    assert [type(step) for step in steps] != [type(step) for step in whole.steps], at
    in_process.run(Plan(whole.stage, whole.keys, steps))
    return collect(made, whole)


@pytest.mark.parametrize(
    ("make", "at", "change", "words"),
    [
        # The 14 words of the counts do not lie by bucket of the join.
        (joined, "Repartition", lost("(work)"), "stage toy.lengths, rows moved: 14 rows were put out and 6 arrived"),
        (joined, "Repartition", doubled("(work)"), "toy.lengths, rows moved: 14 .* 28 .* the runner lost or repeated"),
        (joined, "Repartition", halved("(work)"), r"arrows: (is not there in full|holds \d of \d rows)"),
        (joined, "Work", lost("lengths"), r"stage toy.lengths, lengths: 14 rows were put out and \d+ arrived"),
        (joined, "Work", lost("(results)"), r"of 6 planned items have a result \(\(work\) 0 has none\)"),
        (
            joined,
            "Write",
            lost("(results)"),
            r"planned items have a result \(lengths 0, lengths 1, rejects 0 has none\)",
        ),
        (scored, "PlanBatches", lost("(batch)"), r"of \d planned items have a result \(\(batch\) \d has none\)"),
        (scored, "PlanBatches", doubled("(batch)"), r"key \('pair',\) occurs twice"),
        (scored, "ScoreBatches", lost("scores"), r"stage toy.score, scores: 12 rows were put out and \d+ arrived"),
    ],
)
def test_what_a_runner_loses_repeats_or_halves_ends_the_stage(
    tmp_path: Path, make: Callable[[Storage], Job], at: str, change: Change, words: str
) -> None:
    with pytest.raises(StageError, match=words):
        ran(make(Storage.at(tmp_path)), at, change)


def test_a_repeated_row_from_outside_is_no_duplicate_of_the_source(tmp_path: Path) -> None:
    """The table lets records repeat, so that only the count of what was put out tells it."""
    words = toy.stages(toy.write_lines(tmp_path / "in", [toy.LINES]))[0]
    with pytest.raises(StageError, match=r"stage toy.words, words: 31 rows were put out and \d\d arrived"):
        ran(job(Storage.at(tmp_path / "out"), words), "Work", doubled("words"))
    with pytest.raises(StageError, match=r"stage toy.words, rejects: \d+ rows were put out and \d+ arrived"):
        ran(job(Storage.at(tmp_path / "again"), words), "Work", doubled("rejects"))


@pytest.mark.parametrize("at", ["Repartition", "Work", "Write"])
def test_equal_results_of_repeated_work_are_one(tmp_path: Path, at: str) -> None:
    root = Storage.at(tmp_path)
    repeated = ran(joined(root.sub("repeated")), at, doubled("(results)"))
    once = run(joined(root.sub("once")))
    # What the work took is never twice the same, and no part of what it gave.
    assert replace(repeated, run={}) == replace(once, run={})
    assert repeated.run["spilled_bytes"] == once.run["spilled_bytes"] > 0


def changed(made: Job, change: Callable[[list[dict]], Any]) -> None:
    """Runs the job, then changes what lies in its file of results."""
    in_process.run(plan(made))
    results = json.loads(made.root.read_bytes(made.result_path).to_pybytes())
    made.root.write_bytes(made.result_path, json.dumps(change(results)).encode())


def test_two_different_results_of_one_bucket_are_an_error(tmp_path: Path) -> None:
    made = joined(Storage.at(tmp_path))

    def other(results: list[dict]) -> list[dict]:
        first = next(result for result in results if result["of"] == ["lengths", 1])
        return [*results, first | {"shard": first["shard"] | {"sha256": "0" * 64}}]

    changed(made, other)
    with pytest.raises(
        StageError, match="stage toy.lengths: two different results of lengths 1; nothing was published"
    ):
        collect(made, plan(made))


def test_a_result_that_nobody_planned_is_an_error(tmp_path: Path) -> None:
    made = joined(Storage.at(tmp_path))
    changed(made, lambda results: [*results, {"of": ["lengths", 7], "in": {}, "out": {}}])
    with pytest.raises(StageError, match=r"6 of 6 planned items have a result \(lengths 7 was not planned\)"):
        collect(made, plan(made))


def test_half_a_file_of_results_is_an_error(tmp_path: Path) -> None:
    made = joined(Storage.at(tmp_path))
    in_process.run(plan(made))
    data = made.root.read_bytes(made.result_path).to_pybytes()
    made.root.write_bytes(made.result_path, data[: len(data) // 2])
    with pytest.raises(StageError, match="toy.lengths: the job ended without its result file"):
        collect(made, plan(made))


def test_half_a_shard_is_an_error(tmp_path: Path) -> None:
    made = joined(Storage.at(tmp_path))
    in_process.run(plan(made))
    path = made.table_path("lengths", 1)
    data = made.root.read_bytes(path).to_pybytes()
    made.root.write_bytes(path, data[: len(data) // 2])
    with pytest.raises(StageError, match=r"part-00001-of-00002.parquet: is not there in full; nothing was published"):
        collect(made, plan(made))


def test_of_a_family_of_metrics_the_largest_are_kept() -> None:
    family = {f"holes:t{number}": float(number) for number in range(MOST_OF_FAMILY + 2)}
    kept = _largest({"rows": 1.0, **family})
    assert kept["rows"] == 1.0 and kept["holes:t51"] == 51.0
    assert "holes:t0" not in kept and "holes:t1" not in kept
    # 0 and 1 are left out.
    assert kept["holes:"] == 1.0 and len(kept) == MOST_OF_FAMILY + 2
