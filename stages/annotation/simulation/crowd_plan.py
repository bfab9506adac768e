"""How many workers and votes for so many right labels? A plan, computed and simulated.

A crowd is drawn, judged by attention checks as in a build (`stages.annotation.workers`), and
those who pass vote on tasks. Each line of the plan says what some votes per task come to at
some accuracy: by the closed form of `stages.annotation.simulation.outlook`, and as simulated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from stages.annotation.agreement import Vote, agreement
from stages.annotation.cost import Batch, estimate, workers_needed
from stages.annotation.majority import full, majority
from stages.annotation.simulation.crowd import SimulatedWorker, assign, make_crowd, mean_confusion
from stages.annotation.simulation.outlook import expected_alpha, outlook
from stages.annotation.simulation.plan import RIGHT, WRONG, CrowdParams, CrowdReport, PlanLine
from stages.annotation.workers import WorkerRecord, refusal
from stages.core.chance import chance


def simulate(params: CrowdParams) -> CrowdReport:
    """The plan; the same for the same parameters.

    Raises:
        StageError: a crowd that cannot be.
    """
    lines = []
    for accuracy in params.accuracies:
        crowd = make_crowd(
            params.workers,
            accuracy=accuracy,
            spread=params.spread,
            bias=params.bias,
            leaning=RIGHT,
            spammers=params.spammers,
            seconds=params.seconds,
            seed=params.seed,
        )
        lines += [_line(accuracy, votes, crowd, params) for votes in sorted(params.votes)]
    return CrowdReport(params, tuple(lines))


def accepted_workers(crowd: Sequence[SimulatedWorker], votes: int, params: CrowdParams) -> tuple[SimulatedWorker, ...]:
    """Those of a crowd who pass as many attention checks as they would see among the others."""
    checks = [f"attention check {number}" for number in range(round(params.tasks * params.attention_checks))]
    assigned = assign(checks, crowd, votes, params.seed)
    by_name = {worker.name: worker for worker in crowd}
    seen: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    for task, names in assigned.items():
        for name in names:
            seen[name] += 1
            passed[name] += by_name[name].vote(task, WRONG, params.names, params.seed) != WRONG
    return tuple(
        worker
        for worker in crowd
        if not refusal(
            WorkerRecord(
                checks_seen=seen[worker.name],
                checks_failed=passed[worker.name],
                median_pace=worker.seconds / params.seconds if params.seconds else None,
            ),
            params.judge,
        )
    )


def votes_on(
    truths: Mapping[str, str], crowd: Sequence[SimulatedWorker], redundancy: int, labels: Sequence[str], seed: int
) -> dict[str, list[Vote]]:
    """The votes on each task, with one more where an even number ends in a tie."""
    by_name = {worker.name: worker for worker in crowd}
    found: dict[str, list[Vote]] = {}
    for task, names in assign(truths, crowd, full(redundancy), seed).items():
        votes = [Vote(task, name, by_name[name].vote(task, truths[task], labels, seed)) for name in names]
        tie = majority([vote.label for vote in votes[:redundancy]], redundancy).missing
        found[task] = votes if tie else votes[:redundancy]
    return found


def _line(accuracy: float, votes: int, crowd: Sequence[SimulatedWorker], params: CrowdParams) -> PlanLine:
    accepted = accepted_workers(crowd, votes, params)
    refused = len(crowd) - len(accepted)
    if len(accepted) < full(votes):
        return PlanLine(accuracy, votes, refused)
    confusion = mean_confusion(accepted, params.names)
    expected = outlook(params.prevalence, confusion, votes)
    truths = {f"task {number}": _truth(number, params) for number in range(params.tasks)}
    given = votes_on(truths, accepted, votes, params.names, params.seed)
    right = sum(majority([v.label for v in found], votes).label == truths[task] for task, found in given.items())
    batch = Batch(
        tasks=params.tasks,
        votes=expected.votes,
        seconds=params.seconds,
        pay_per_hour=params.pay_per_hour,
        fee=params.fee,
        attention_checks=params.attention_checks,
        # Every worker is given the same share of the work, so the refused ones did theirs in vain.
        redo=refused / len(crowd),
    )
    cost = estimate(batch)
    return PlanLine(
        accuracy,
        votes,
        refused,
        right=expected.right,
        simulated_right=right / params.tasks,
        alpha=expected_alpha(params.prevalence, confusion) if votes > 1 else None,
        simulated_alpha=_alpha(given, votes),
        votes_per_task=expected.votes,
        workers=workers_needed(cost.annotations, params.seconds, params.hours_per_worker, full(votes)),
        hours=cost.hours,
        cost=cost.total,
    )


def _alpha(given: Mapping[str, Sequence[Vote]], votes: int) -> float | None:
    # Votes asked for because others differed would pull alpha up: only those that every task got are compared.
    return agreement(vote for found in given.values() for vote in found[:votes]).alpha


def _truth(number: int, params: CrowdParams) -> str:
    place = chance(params.seed, str(number), "truth")
    for name, share in params.prevalence.items():
        if place < share:
            return name
        place -= share
    return params.names[-1]
