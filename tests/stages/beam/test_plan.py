"""Plans: what is worked on together, which steps there are, and what goes through a step untouched."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manifests.storage import Storage
from stages.beam.job import Job
from stages.beam.meter import CPU, GROWN, PEAK, SPILLED
from stages.beam.plan import grouped, input_bytes, plan, turn
from stages.beam.steps import MOVE, RESULT_KEY, USED, WORK
from stages.core.spill import Spill
from tests import toy
from tests.stages.beam.jobs import job

KB = 1 << 10


@pytest.mark.parametrize(
    ("weights", "most", "groups"),
    [
        ([], 100, []),
        ([0, 0], 100, [(0, 1)]),
        # Tiny ones stay together, whatever their number.
        ([KB] * 8, 1 << 24, [(0, 1, 2, 3, 4, 5, 6, 7)]),
        # Sixteen items of 100 KB.
        ([100 * KB] * 16, 1 << 24, [(n,) for n in range(16)]),
        ([50 * KB] * 32, 1 << 24, [(n, n + 1) for n in range(0, 32, 2)]),
        # None is larger than a spill file, unless one shard is.
        ([30, 30, 50, 120, 10], 100, [(0, 1), (2,), (3,), (4,)]),
    ],
)
def test_neighbours_are_worked_on_together_by_their_bytes(weights: list[int], most: int, groups: list) -> None:
    assert grouped(weights, most) == groups


@given(st.lists(st.integers(0, 1 << 22), max_size=60), st.integers(1, 1 << 24))
def test_every_position_is_in_one_group_and_few_groups_are_needed(weights: list[int], most: int) -> None:
    groups = grouped(weights, most)
    assert [position for group in groups for position in group] == list(range(len(weights)))
    assert all(len(group) == 1 or sum(weights[at] for at in group) <= most for group in groups)
    # Two neighbours together are over the limit, which is a sixteenth of all or more, or as large as may be.
    assert len(groups) <= 2 * max(16, sum(weights) / most) + 1


def steps(made: Job) -> list[tuple[str, tuple[str, ...]]]:
    return [(type(step).__name__, tuple(step.takes)) for step in plan(made).steps]


def test_each_shape_has_its_steps(tmp_path: Path) -> None:
    root = Storage.at(tmp_path)
    words, counts, total, lengths, _, score = toy.stages([])
    last = ("LeaveResults", ("(results)",))
    # Records from outside may repeat, and what is repeated becomes a reject before rejects are written.
    late = [("Write", ("words",)), ("Write", ("rejects",)), last]
    assert steps(job(root, words)) == [("Work", (WORK,)), *late]
    assert steps(job(root, counts, (toy.WORDS, []))) == [("Work", (WORK,)), ("Write", ("counts", "rejects")), last]
    inputs = ((toy.COUNTS, []), (toy.WORDS, []), (toy.TOTAL, []))
    assert [name for name, _ in steps(job(root, lengths, *inputs))] == ["Work", "Write", "LeaveResults"]
    # The number of shards is not that of the job's buckets.
    inputs = ((replace(toy.COUNTS, buckets=3), []), (toy.WORDS, []), (toy.TOTAL, []))
    assert [name for name, _ in steps(job(root, lengths, *inputs))] == ["Repartition", "Work", "Write", "LeaveResults"]
    scored = [name for name, _ in steps(job(root, score, (toy.PAIRS, [])))]
    assert scored == ["Repartition", "PlanBatches", "ScoreBatches", "Write", "LeaveResults"]
    assert [name for name, _ in steps(job(root, total, (toy.COUNTS, [])))] == ["Work", "Write", "LeaveResults"]


def test_every_item_and_every_bucket_is_planned(tmp_path: Path) -> None:
    lengths = toy.stages([])[3]
    inputs = ((replace(toy.COUNTS, buckets=3), []), (toy.WORDS, []), (toy.TOTAL, []))
    keys = plan(job(Storage.at(tmp_path), lengths, *inputs, buckets=2)).keys
    buckets = [(name, number) for name in ("lengths", "rejects") for number in range(2)]
    assert sorted(keys) == sorted([(MOVE, 0), (WORK, 0), *buckets])


class Double:
    takes = ("number",)

    def process(self, key, values):
        yield ("rows", 0), Spill("a", 0, 70, 1)
        yield (WORK, 0), (1, 2, Spill("a", 70, 7, 1))
        yield RESULT_KEY, {"doubled": [2 * value for value in values]}


def test_a_step_takes_its_own_groups_and_lets_others_pass() -> None:
    *others, (place, result) = turn(Double(), ("number", 3), iter([1, 2]))
    assert [key for key, _ in others] == [("rows", 0), (WORK, 0)]
    assert place == RESULT_KEY and result["doubled"] == [2, 4]
    used = result[USED]
    assert (
        set(used) == {CPU, PEAK, GROWN, SPILLED} and used[SPILLED] == 77 and used[PEAK] > 1_000_000 and used[CPU] >= 0
    )
    assert list(turn(Double(), ("other", 3), iter([1, 2]))) == [(("other", 3), 1), (("other", 3), 2)]


def test_the_size_of_the_input_is_that_of_its_shards_or_its_files(tmp_path: Path) -> None:
    made = job(Storage.at(tmp_path), toy.stages(["x"])[1], (toy.WORDS, [{"word": "ab", "line": "ab"}]))
    assert input_bytes(made) == sum(shard.bytes for shard in made.shards("words"))
    paths = toy.write_lines(tmp_path / "in", [["abc"], ["de"]])
    assert input_bytes(job(Storage.at(tmp_path), toy.stages(paths)[0])) == 5
