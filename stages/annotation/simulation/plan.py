"""The plan of a batch: what is asked of a simulated crowd, and the answer as a table and in words."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from tabulate import tabulate

from stages.annotation.majority import full
from stages.annotation.workers import WorkerParams
from stages.core.contract import StageError

RIGHT, WRONG = "right", "wrong"


@dataclass(frozen=True)
class CrowdParams:
    """votes, accuracies: the lines of the plan; an even number of votes is one more after a tie.
    target: the least share of tasks that must get their true label.
    tasks: simulated, and paid for; labels: that can be given, of which the first is true of `right_share` tasks.
    workers: of the crowd; spammers: of these, who answer by chance in a tenth of the time.
    spread: how far accuracies lie apart, either way; bias: share of answers that say "right" without thinking.
    attention_checks: as a share of all other tasks.
    seconds: per answer; pay_per_hour; fee: of the platform, on top; hours_per_worker: that one will work.
    judge: the rules by which workers are refused. seed: of everything.
    """

    votes: tuple[int, ...] = (1, 2, 3, 5, 7)
    accuracies: tuple[float, ...] = (0.7, 0.8, 0.9, 0.95)
    target: float = 0.95
    tasks: int = 1000
    labels: int = 2
    right_share: float = 0.9
    workers: int = 24
    spammers: int = 0
    spread: float = 0.0
    bias: float = 0.0
    attention_checks: float = 0.1
    seconds: float = 60.0
    pay_per_hour: float = 15.0
    fee: float = 0.0
    hours_per_worker: float = 8.0
    judge: WorkerParams = field(default_factory=WorkerParams)
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("target", "right_share"):
            if not 0 <= getattr(self, name) <= 1:
                raise StageError(f"{name}: expected a share from 0 to 1, got {getattr(self, name)}")
        if not self.votes or not self.accuracies or min(self.votes) < 1:
            raise StageError("votes, accuracies: expected at least one of each, and votes of at least 1")
        if self.tasks < 1 or self.labels < 2:
            raise StageError(f"tasks {self.tasks}, labels {self.labels}: expected at least 1, and at least 2")
        if self.workers < full(max(self.votes)):
            raise StageError(f"workers: {max(self.votes)} votes need {full(max(self.votes))}, got {self.workers}")

    @property
    def names(self) -> tuple[str, ...]:
        more = tuple(f"{WRONG}{number}" for number in range(2, self.labels))
        return (RIGHT, WRONG, *more)

    @property
    def prevalence(self) -> dict[str, float]:
        rest = (1 - self.right_share) / (self.labels - 1)
        return {name: self.right_share if name == RIGHT else rest for name in self.names}


@dataclass(frozen=True)
class PlanLine:
    """One line of the plan. accuracy, votes: what it is about.
    refused: workers who did not pass; right, alpha: in closed form; simulated_right, simulated_alpha: as simulated
    (alpha is None for a single vote; all are None where too few workers are left).
    votes_per_task: with extra votes after ties; workers: that are needed; hours, cost: of the whole batch.
    """

    accuracy: float
    votes: int
    refused: int
    right: float | None = None
    simulated_right: float | None = None
    alpha: float | None = None
    simulated_alpha: float | None = None
    votes_per_task: float | None = None
    workers: int | None = None
    hours: float | None = None
    cost: float | None = None


@dataclass(frozen=True)
class CrowdReport:
    """lines: by accuracy and votes. best: per accuracy the line with the fewest votes that reaches the target."""

    params: CrowdParams
    lines: tuple[PlanLine, ...]

    @property
    def best(self) -> dict[float, PlanLine | None]:
        # Sums of binary fractions fall a hair short of a target that is met exactly.
        target = self.params.target - 1e-9
        return {
            accuracy: next((line for line in self._of(accuracy) if (line.right or 0) >= target), None)
            for accuracy in self.params.accuracies
        }

    def as_dict(self) -> dict[str, Any]:
        best = [{"accuracy": accuracy, "votes": line.votes if line else None} for accuracy, line in self.best.items()]
        return {"params": asdict(self.params), "lines": [asdict(line) for line in self.lines], "best": best}

    def as_text(self) -> str:
        rows = [
            [
                share(line.accuracy),
                line.votes,
                line.refused,
                share(line.right),
                share(line.simulated_right),
                number(line.alpha),
                number(line.simulated_alpha),
                line.workers if line.workers is not None else "-",
                number(line.hours, 1),
                number(line.cost),
            ]
            for line in self.lines
        ]
        head = ("accuracy", "votes", "refused", "right", "simulated", "alpha", "simulated", "workers", "hours", "cost")
        table = tabulate(rows, headers=head, tablefmt="simple", disable_numparse=True, stralign="right")
        return "\n".join([table, "", *map(self._advice, self.best.items()), ""])

    def _of(self, accuracy: float) -> list[PlanLine]:
        return sorted((line for line in self.lines if line.accuracy == accuracy), key=lambda line: line.votes)

    def _advice(self, item: tuple[float, PlanLine | None]) -> str:
        accuracy, line = item
        start = f"Workers who are right {share(accuracy)} of the time"
        if line is None:
            return (
                f"{start}: {share(self.params.target)} right labels are not reached by {max(self.params.votes)} votes."
            )
        votes = (
            f"{line.votes} vote" + "s" * (line.votes > 1) + (" and one more after a tie" if not line.votes % 2 else "")
        )
        given = f"{share(line.right)} right labels for {number(line.cost)}"
        return f"{start}: {votes} of {line.workers} workers give {given}."


def share(value: float | None) -> str:
    """A share in per cent, "-" for none."""
    return "-" if value is None else f"{100 * value:.1f} %"


def number(value: float | None, digits: int = 2) -> str:
    """A number with so many digits behind the point, "-" for none."""
    return "-" if value is None else f"{value:,.{digits}f}"
