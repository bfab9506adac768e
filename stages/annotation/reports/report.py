"""What people's work on a dataset looks like: agreement, pace, cost, workers and verdicts, per kind of task."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import pyarrow as pa
from tabulate import tabulate

from stages.annotation.agreement import Agreement, Vote, agreement
from stages.annotation.cost import Batch, Estimate, Throughput, estimate, throughput
from stages.annotation.forms.kinds import TaskKind
from stages.annotation.reading import has_sides, vote_of
from stages.annotation.simulation.plan import number, share
from stages.annotation.tables import CONFIRMED

DECIDED = "decided"
_DECIDED = "most people gave one answer, whether or not it is the one that the record has"


@dataclass(frozen=True)
class Costs:
    """What a batch costs beside the pay of its kind. fee: of the platform; redo: share of work expected in vain;
    checked: share of tasks that an expert sees; expert_pay_per_hour: in US dollars.
    """

    fee: float = 0.2
    redo: float = 0.1
    checked: float = 0.05
    expert_pay_per_hour: float = 30.0


@dataclass(frozen=True)
class KindReport:
    """tasks, attention_checks: made; annotated: tasks that somebody answered, without checks; workers: who did.
    agreement: of the first votes of accepted workers on other tasks than checks; None for a kind without votes.
    pace: of all annotations; paid: for them, by the kind's pay; pay_per_hour: what that comes to at this pace.
    open_answers: whether people were asked which answer is right, so that a majority decides on one of several; else
        they said whether something shown is right, which a majority confirms.
    statuses: tasks per status. whole: cost of all tasks from the start; left: of what has no annotation yet.
    """

    kind: str
    tasks: int
    attention_checks: int
    annotated: int
    workers: int
    agreement: Agreement | None
    pace: Throughput
    paid: float
    pay_per_hour: float | None
    open_answers: bool
    statuses: Mapping[str, int]
    whole: Estimate
    left: Estimate


@dataclass(frozen=True)
class WorkerReport:
    """tasks: answered in the round; gold_seen, gold_right, checks_seen, checks_failed: in it and before (see WORKERS).
    agreement: share of answers that are the others' majority, None without others. paid: by the pay of the kinds.
    expert: whether the worker's word is final; why: no answer of the worker counts, "" where all do.
    """

    worker: str
    tasks: int
    gold_seen: int
    gold_right: int
    checks_seen: int
    checks_failed: int
    agreement: float | None
    median_seconds: float | None
    paid: float
    expert: bool
    why: str

    def row(self) -> list[str]:
        # Attention checks that the worker took for right.
        passed = f"{self.checks_failed} of {self.checks_seen}" if self.checks_seen else "-"
        return [
            self.worker,
            f"{self.tasks:,}",
            f"{self.gold_right} of {self.gold_seen}" if self.gold_seen else "-",
            passed,
            share(self.agreement),
            number(self.median_seconds, 1),
            number(self.paid),
            self.why or ("expert" if self.expert else "accepted"),
        ]


@dataclass(frozen=True)
class PeopleReport:
    """kinds: by name; accepted: so many workers, refused: those who are not, by reason; workers: each, by name."""

    kinds: tuple[KindReport, ...]
    accepted: int
    refused: Mapping[str, int]
    workers: tuple[WorkerReport, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def as_text(self) -> str:
        head = ("kind", "tasks", "annotated", "votes", "agree", "alpha", "per hour", "cost", "left", "verdicts")
        rows = [
            [
                one.kind,
                f"{one.tasks:,}",
                f"{one.annotated:,}",
                f"{one.pace.annotations:,}",
                share(one.agreement.raw if one.agreement else None),
                number(one.agreement.alpha if one.agreement else None) + ("" if _varied(one) else " (one label)"),
                number(one.pace.tasks_per_hour, 0),
                number(one.whole.total),
                number(one.left.total),
                ", ".join(f"{count:,} {_told(status, one)}" for status, count in sorted(one.statuses.items())),
            ]
            for one in self.kinds
        ]
        table = tabulate(rows, headers=head, tablefmt="simple", disable_numparse=True)
        refused = ", ".join(f"{count} {why}" for why, count in sorted(self.refused.items())) or "none"
        note = f"\n{DECIDED}: {_DECIDED}" if any(one.open_answers for one in self.kinds) else ""
        return f"{table}\n\n{self._workers_text()}workers: {self.accepted} accepted; refused: {refused}{note}\n"

    def _workers_text(self) -> str:
        if not self.workers:
            return ""
        head = ("worker", "tasks", "known right", "let pass", "agree", "seconds", "paid", "work")
        rows = [one.row() for one in self.workers]
        return tabulate(rows, headers=head, tablefmt="simple", disable_numparse=True) + "\n\n"


def people_report(
    annotations: pa.Table,
    tasks: pa.Table,
    task_keys: pa.Table,
    workers: pa.Table,
    verdicts: pa.Table,
    *,
    kinds: Mapping[str, TaskKind],
    experts: Collection[str] = (),
    costs: Costs | None = None,
) -> PeopleReport:
    """The report on whole tables."""
    checks = {
        row["task"] for row in task_keys.select(["task", "attention_check"]).to_pylist() if row["attention_check"]
    }
    by_task: dict[str, dict[str, Any]] = {
        row["task"]: row | {"attention_checks": row["task"] in checks, "rows": []}
        for row in tasks.select(["task", "kind", "redundancy"]).to_pylist()
    }
    for row in annotations.to_pylist():
        if row["task"] in by_task:
            by_task[row["task"]]["rows"].append(row)
    by_kind: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for task in by_task.values():
        by_kind[task["kind"]].append(task)
    accepted = {row["worker"] for row in workers.to_pylist() if row["accepted"]}
    statuses: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in verdicts.select(["kind", "status"]).to_pylist():
        statuses[row["kind"]][row["status"]] += 1
    voters, costs = accepted - set(experts), costs or Costs()
    return PeopleReport(
        kinds=tuple(
            _kind_report(kinds[name], found, voters, statuses[name], costs) for name, found in sorted(by_kind.items())
        ),
        accepted=len(accepted),
        refused=dict(sorted(Counter(row["why"] for row in workers.to_pylist() if not row["accepted"]).items())),
        workers=_workers(workers, by_task, kinds, experts),
    )


def _workers(
    workers: pa.Table, tasks: Mapping[str, Mapping[str, Any]], kinds: Mapping[str, TaskKind], experts: Collection[str]
) -> tuple[WorkerReport, ...]:
    paid: defaultdict[str, float] = defaultdict(float)
    for task in tasks.values():
        for row in task["rows"]:
            paid[row["worker"]] += kinds[task["kind"]].settings.pay
    return tuple(
        WorkerReport(
            **{name: value for name, value in row.items() if name != "accepted"},
            paid=round(paid[row["worker"]], 2),
            expert=row["worker"] in experts,
        )
        for row in sorted(workers.to_pylist(), key=lambda row: row["worker"])
    )


def _kind_report(
    kind: TaskKind,
    tasks: Sequence[Mapping[str, Any]],
    voters: Collection[str],
    statuses: Mapping[str, int],
    costs: Costs,
) -> KindReport:
    real = [task for task in tasks if not task["attention_checks"]]
    rows = [row for task in tasks for row in task["rows"]]
    pace = throughput(row["seconds"] for row in rows)
    votes = [vote for task in real for vote in first_votes(task["rows"], task["redundancy"], voters, kind)]
    pay = kind.settings.pay
    return KindReport(
        kind=kind.name,
        tasks=len(real),
        attention_checks=len(tasks) - len(real),
        annotated=sum(bool(task["rows"]) for task in real),
        workers=len({row["worker"] for row in rows}),
        agreement=agreement(votes) if kind.verdict is not None else None,
        pace=pace,
        paid=round(pay * len(rows), 2),
        pay_per_hour=None if pace.tasks_per_hour is None else pay * pace.tasks_per_hour,
        open_answers=kind.verdict is not None and not has_sides(kind),
        statuses=dict(sorted(statuses.items())),
        whole=_estimate(tasks, kind, pace, costs),
        left=_estimate([task for task in tasks if not task["rows"]], kind, pace, costs),
    )


def first_votes(
    rows: Iterable[Mapping[str, Any]], redundancy: int, voters: Collection[str], kind: TaskKind
) -> list[Vote]:
    """The first votes on one task, as many as its redundancy, of those who count.

    A third vote is asked for only where two differ. Comparing it as well would make tasks on which people
    differ look more united than they are, and pull alpha up.
    """
    found = []
    for row in sorted(rows, key=lambda row: (row["submitted"] or "", row["worker"])):
        vote = vote_of(json.loads(row["answers"]), kind)
        if vote is not None and row["worker"] in voters:
            found.append(Vote(row["task"], row["worker"], vote))
    return found[:redundancy]


def _estimate(tasks: Iterable[Mapping[str, Any]], kind: TaskKind, pace: Throughput, costs: Costs) -> Estimate:
    chosen = list(tasks)
    real = sum(not task["attention_checks"] for task in chosen)
    votes = sum(task["redundancy"] for task in chosen if not task["attention_checks"])
    checks = sum(task["redundancy"] for task in chosen if task["attention_checks"])
    batch = Batch(
        tasks=real,
        votes=votes / real if real else 0.0,
        seconds=pace.median_seconds if pace.median_seconds is not None else kind.settings.seconds,
        pay_per_task=kind.settings.pay,
        fee=costs.fee,
        attention_checks=checks / votes if votes else 0.0,
        redo=costs.redo,
        checked=costs.checked,
        expert_pay_per_hour=costs.expert_pay_per_hour,
    )
    return estimate(batch)


def _told(status: str, one: KindReport) -> str:
    return DECIDED if status == CONFIRMED and one.open_answers else status


def _varied(one: KindReport) -> bool:
    return one.agreement is None or one.agreement.alpha is None or one.agreement.varied
