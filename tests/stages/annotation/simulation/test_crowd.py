import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.annotation.simulation.crowd import SimulatedWorker, assign, make_crowd, mean_confusion
from stages.core.chance import chance
from stages.core.contract import StageError

LABELS = ("more", "less", "none")


@pytest.mark.parametrize(
    ("worker", "truth", "expected"),
    [
        (SimulatedWorker("a", 1.0), "more", {"more": 1.0, "less": 0.0, "none": 0.0}),
        (SimulatedWorker("a", 0.8), "less", {"more": 0.1, "less": 0.8, "none": 0.1}),
        # Half of the answers are "more" without a thought: 0.5 + 0.5 * 0.1.
        (SimulatedWorker("a", 0.8, 0.5, "more"), "less", {"more": 0.55, "less": 0.4, "none": 0.05}),
        (SimulatedWorker("a", 0.8, 1.0), "less", {"more": 1 / 3, "less": 1 / 3, "none": 1 / 3}),
    ],
)
def test_the_chances_of_each_label(worker: SimulatedWorker, truth: str, expected: dict[str, float]) -> None:
    assert worker.confusion(LABELS)[truth] == pytest.approx(expected)


@pytest.mark.parametrize(
    "worker",
    [
        SimulatedWorker("careful", 0.9),
        SimulatedWorker("nodding", 0.9, 0.4, "more"),
        SimulatedWorker("spammer", 0.9, 1.0),
        SimulatedWorker("contrary", 0.1),
    ],
)
@pytest.mark.parametrize("truth", ["more", "none"])
def test_votes_follow_the_chances(worker: SimulatedWorker, truth: str) -> None:
    n = 3000
    counts = Counter(worker.vote(f"task {number}", truth, LABELS, seed=1) for number in range(n))
    for label, share in worker.confusion(LABELS)[truth].items():
        # Four standard deviations, for 24 comparisons.
        assert abs(counts[label] / n - share) <= 4 * math.sqrt(share * (1 - share) / n) + 1e-9


def test_times_lie_around_the_median() -> None:
    times = sorted(SimulatedWorker("a", seconds=20.0).time(str(number), 0) for number in range(500))
    assert times[0] >= 10.0
    assert times[-1] <= 30.0
    assert times[250] == pytest.approx(20.0, abs=1.5)


@given(st.text(max_size=5), st.text(max_size=5), st.integers(0, 5), st.permutations(LABELS))
def test_a_vote_depends_on_seed_worker_and_task_alone(name: str, task: str, seed: int, labels: list[str]) -> None:
    worker = SimulatedWorker(name, 0.5, 0.3)
    assert worker.vote(task, "more", labels, seed) == worker.vote(task, "more", LABELS, seed)


def test_what_cannot_be_said_is_an_error() -> None:
    with pytest.raises(StageError, match="true label 'yes' is none of less, more, none"):
        SimulatedWorker("a").vote("t", "yes", LABELS, 0)
    with pytest.raises(StageError, match="worker a leans to 'yes', which is none of less, more, none"):
        SimulatedWorker("a", leaning="yes").vote("t", "more", LABELS, 0)


@pytest.mark.parametrize(
    ("wrong", "name"), [({"accuracy": 1.2}, "accuracy"), ({"bias": -0.1}, "bias"), ({"seconds": -1.0}, "seconds")]
)
def test_impossible_workers_are_named(wrong: dict[str, float], name: str) -> None:
    with pytest.raises(StageError, match=f"worker a: {name} is"):
        SimulatedWorker("a", **wrong)


def test_a_crowd_in_full() -> None:
    crowd = make_crowd(4, accuracy=0.8, spread=0.1, bias=0.2, leaning="yes", spammers=1, seconds=20.0)
    assert [worker.name for worker in crowd] == [f"simulated:00{number}" for number in range(4)]
    honest = sorted(worker.accuracy for worker in crowd if worker.bias < 1)
    assert honest == pytest.approx([0.7, 0.8, 0.9])
    (spammer,) = (worker for worker in crowd if worker.bias == 1)
    assert (spammer.leaning, spammer.seconds) == (None, 2.0)
    assert len({make_crowd(4, spammers=1, seed=seed) for seed in range(10)}) > 1


def test_more_spammers_than_workers() -> None:
    with pytest.raises(StageError, match="spammers: expected 0 to 2"):
        make_crowd(2, spammers=3)


def test_workers_are_assigned_at_random_and_evenly() -> None:
    crowd = make_crowd(6)
    tasks = [f"t{number}" for number in range(1200)]
    found = assign(tasks, crowd, 3, seed=0)
    assert all(len(set(names)) == 3 for names in found.values())
    counts = Counter(name for names in found.values() for name in names)
    # 600 each, with a standard deviation of 17.
    assert all(520 < count < 680 for count in counts.values())
    assert assign(reversed(tasks), crowd, 3, seed=0) == found
    with pytest.raises(StageError, match="7 votes per task"):
        assign(tasks, crowd, 7, seed=0)


def test_the_mean_of_a_crowd() -> None:
    crowd = (SimulatedWorker("a", 1.0), SimulatedWorker("b", 0.5))
    assert mean_confusion(crowd, ("x", "y"))["x"] == pytest.approx({"x": 0.75, "y": 0.25})


@given(st.integers(0, 10), st.text(max_size=8), st.text(max_size=8))
def test_chance_lies_from_nought_to_one(seed: int, key: str, purpose: str) -> None:
    assert 0 <= chance(seed, key, purpose) < 1
    assert chance(seed, key, purpose) == chance(seed, key, purpose)
