"""A simulated crowd: workers of known accuracy and bias, for tests and for planning.

A worker thinks about a task and gives its true label with the chance `accuracy`, else one
of the others; with the chance `bias` they do not think at all and give the label they lean
to. What a worker says of a task depends on the seed, the worker and the task alone, so
neither the order of tasks nor the rest of the crowd changes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from stages.annotation.platforms.source import SIMULATED
from stages.core.chance import chance
from stages.core.contract import StageError
from stages.core.seeds import shuffled


@dataclass(frozen=True)
class SimulatedWorker:
    """accuracy: chance of the true label where the worker thinks; bias: chance of not thinking;
    leaning: the label given without thinking, None for any of them by chance (a spammer);
    seconds: the median time for a task, which varies by up to a half either way.
    """

    name: str
    accuracy: float = 0.9
    bias: float = 0.0
    leaning: str | None = None
    seconds: float = 30.0

    def __post_init__(self) -> None:
        for field, value in (("accuracy", self.accuracy), ("bias", self.bias)):
            if not 0 <= value <= 1:
                raise StageError(f"worker {self.name}: {field} is {value}, expected a share from 0 to 1")
        if self.seconds < 0:
            raise StageError(f"worker {self.name}: seconds is {self.seconds}, expected 0 or more")

    def vote(self, task: str, truth: str, labels: Sequence[str], seed: int) -> str:
        """What the worker says of a task. labels: all that can be said, in any order.

        Raises:
            StageError: the true label, or the one that the worker leans to, cannot be said.
        """
        options = _options(truth, labels)
        if self.leaning is not None and self.leaning not in options:
            raise StageError(f"worker {self.name} leans to {self.leaning!r}, which is none of {', '.join(options)}")
        if self._chance(seed, task, "thinks") < self.bias:
            return self.leaning if self.leaning is not None else self._one_of(options, seed, task, "guess")
        if len(options) == 1 or self._chance(seed, task, "right") < self.accuracy:
            return truth
        return self._one_of([label for label in options if label != truth], seed, task, "wrong")

    def confusion(self, labels: Sequence[str]) -> dict[str, dict[str, float]]:
        """The chance of each label, per true label."""
        return {truth: self._row(truth, _options(truth, labels)) for truth in sorted(set(labels))}

    def time(self, task: str, seed: int) -> float:
        """Seconds for a task, to a tenth."""
        return round(self.seconds * (0.5 + self._chance(seed, task, "seconds")), 1)

    def _row(self, truth: str, options: list[str]) -> dict[str, float]:
        slips = (1 - self.accuracy) / max(1, len(options) - 1)
        thinking = {label: self.accuracy if label == truth else slips for label in options}
        if len(options) == 1:
            thinking = {truth: 1.0}
        guess = 1 / len(options)
        return {
            label: (1 - self.bias) * chance
            + self.bias * (guess if self.leaning is None else float(label == self.leaning))
            for label, chance in thinking.items()
        }

    def _one_of(self, options: list[str], seed: int, task: str, purpose: str) -> str:
        return options[int(self._chance(seed, task, purpose) * len(options))]

    def _chance(self, seed: int, task: str, purpose: str) -> float:
        return chance(seed, f"{self.name}\x1f{task}", purpose)


def make_crowd(
    workers: int,
    *,
    accuracy: float = 0.9,
    spread: float = 0.0,
    bias: float = 0.0,
    leaning: str | None = None,
    spammers: int = 0,
    seconds: float = 30.0,
    seed: int = 0,
) -> tuple[SimulatedWorker, ...]:
    """A crowd whose accuracies lie evenly from accuracy - spread to accuracy + spread, in random order of workers.

    spammers: how many of them never think and answer in a tenth of the time.

    Raises:
        StageError: a share or a number of workers that cannot be.
    """
    if not 0 <= spammers <= workers:
        raise StageError(f"spammers: expected 0 to {workers} (the workers), got {spammers}")
    names = shuffled([f"{SIMULATED}{number:03d}" for number in range(workers)], seed, "crowd")
    honest = workers - spammers
    crowd = [
        SimulatedWorker(name, accuracy + _offset(place, honest, spread), bias, leaning, seconds)
        for place, name in enumerate(names[:honest])
    ]
    crowd += [SimulatedWorker(name, accuracy, 1.0, None, seconds / 10) for name in names[honest:]]
    return tuple(sorted(crowd, key=lambda worker: worker.name))


def assign(tasks: Iterable[str], crowd: Sequence[SimulatedWorker], votes: int, seed: int) -> dict[str, list[str]]:
    """The workers of each task, by name, in the order in which they are asked: a random choice per task.

    Raises:
        StageError: more votes than workers.
    """
    if votes > len(crowd):
        raise StageError(f"{votes} votes per task need as many workers, and the crowd has {len(crowd)}")
    names = [worker.name for worker in crowd]
    return {task: shuffled(names, seed, f"assign {task}")[:votes] for task in sorted(set(tasks))}


def mean_confusion(crowd: Sequence[SimulatedWorker], labels: Sequence[str]) -> Mapping[str, Mapping[str, float]]:
    """The chances of a vote by a worker drawn at random."""
    tables = [worker.confusion(labels) for worker in crowd]
    return {
        truth: {given: sum(table[truth][given] for table in tables) / len(tables) for given in sorted(set(labels))}
        for truth in sorted(set(labels))
    }


def _options(truth: str, labels: Sequence[str]) -> list[str]:
    options = sorted(set(labels))
    if truth not in options:
        raise StageError(f"the true label {truth!r} is none of {', '.join(options)}")
    return options


def _offset(place: int, count: int, spread: float) -> float:
    return spread * (2 * place / (count - 1) - 1) if count > 1 else 0.0
