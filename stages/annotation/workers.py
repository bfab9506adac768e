"""Whose work is used, and which of their texts an expert reads.

A worker is judged by attention checks (how many were let pass), by tasks with known
answers, and by pace. Nobody is refused by chance figures: each share needs a least number
of known answers behind it. Who is refused is refused whole: their work is left out and asked for again.

In a later round everything that earlier ones showed counts as well: whoever was refused
does not start anew as unproven. An earlier round is never judged by a later one, since its
verdicts decide what the later one asks.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

import pyarrow as pa

from stages.annotation.asked import Asked
from stages.annotation.reading import REVISE, is_right, is_writing, vote_of
from stages.annotation.tables import WORKERS
from stages.core.columns import flag, text
from stages.core.contract import StageError, TableSpec
from stages.core.seeds import shuffled

MARKS = TableSpec(
    name="people_marks",
    schema=pa.schema(
        [
            *map(text, ("worker", "task", "kind")),
            pa.field("vote", pa.string()),
            pa.field("right", pa.bool_()),
            flag("attention_check"),
            pa.field("with_others", pa.bool_()),
            flag("writing"),
            pa.field("seconds", pa.float64()),
            pa.field("pace", pa.float64()),
        ]
    ),
    key=("worker", "task"),
)
"""One row per annotation.

vote: confirm, refuse, revise, or the choice of a kind without these; null for a kind without a verdict.
right: whether it is the known answer; null where none is known.
attention_check: the task shows an answer known to be wrong.
with_others: whether it is the commonest vote of the other workers; null without others, or where they are split evenly.
writing: the kind asks for text that becomes data.
seconds: as annotated; pace: seconds / the seconds that the kind expects.
"""

PASSED_WRONG, LOW_AGREEMENT, TOO_FAST, UNPROVEN = "passed_wrong_answers", "low_agreement", "too_fast", "unproven"


@dataclass(frozen=True)
class WorkerParams:
    """experts: workers whose word is final, and who are not judged.
    min_known: no share is looked at with fewer known answers behind it.
    max_passed: the largest share of attention checks that an accepted worker let pass.
    min_right: the least share of right answers over all tasks with known ones, attention checks among them.
    min_pace: the least median of seconds taken / seconds expected; 0 for no bound.
    accept_unproven: whether work counts before min_known known answers were seen.
    check_share: of each worker's contributed texts, how many an expert reads.
    seed: of that choice.
    """

    experts: tuple[str, ...] = ()
    min_known: int = 5
    max_passed: float = 0.3
    min_right: float = 0.7
    min_pace: float = 0.1
    accept_unproven: bool = True
    check_share: float = 0.5
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("max_passed", "min_right", "check_share"):
            if not 0 <= getattr(self, name) <= 1:
                raise StageError(f"{name}: expected a share from 0 to 1, got {getattr(self, name)}")
        if self.min_known < 1 or self.min_pace < 0:
            raise StageError(
                f"min_known {self.min_known}, min_pace {self.min_pace}: expected at least 1, and at least 0"
            )


@dataclass(frozen=True)
class WorkerRecord:
    """What is known of one worker; see WORKERS. median_pace: of seconds / seconds expected."""

    tasks: int = 0
    gold_seen: int = 0
    gold_right: int = 0
    checks_seen: int = 0
    checks_failed: int = 0
    median_pace: float | None = None

    @property
    def known(self) -> int:
        return self.gold_seen + self.checks_seen

    @property
    def right(self) -> int:
        return self.gold_right + self.checks_seen - self.checks_failed


def refusal(record: WorkerRecord, params: WorkerParams) -> str:
    """Why a worker's work is not used; "" where it is.

    passed_wrong_answers, low_agreement, too_fast, unproven: the first that holds, in this order.
    """
    enough = params.min_known
    if record.checks_seen >= enough and record.checks_failed > params.max_passed * record.checks_seen:
        return PASSED_WRONG
    if record.known >= enough and record.right < params.min_right * record.known:
        return LOW_AGREEMENT
    if record.median_pace is not None and record.median_pace < params.min_pace:
        return TOO_FAST
    if record.known < enough and not params.accept_unproven:
        return UNPROVEN
    return ""


def marked(annotations: Iterable[Mapping[str, Any]], tasks: Mapping[str, Asked]) -> list[dict[str, Any]]:
    """Rows of MARKS from all rows of ANNOTATIONS of some tasks."""
    by_task: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in annotations:
        by_task[row["task"]].append(row)
    return [mark for task, group in by_task.items() for mark in _of_task(group, tasks[task])]


def _of_task(group: list[Mapping[str, Any]], task: Asked) -> list[dict[str, Any]]:
    kind = task.kind
    answers = [json.loads(row["answers"]) for row in group]
    votes = [vote_of(found, kind) for found in answers]
    counts = Counter(vote for vote in votes if vote is not None)
    return [
        {
            "worker": row["worker"],
            "task": row["task"],
            "kind": kind.name,
            "vote": vote,
            "right": None if task.gold is None else is_right(found, task.gold, kind),
            "attention_check": task.attention_check,
            "with_others": None if vote is None else _with_others(vote, counts),
            "writing": is_writing(kind),
            "seconds": row["seconds"],
            "pace": None if row["seconds"] is None else row["seconds"] / kind.settings.seconds,
        }
        for row, found, vote in zip(group, answers, votes, strict=True)
    ]


def _with_others(vote: str, counts: Counter[str]) -> bool | None:
    others = counts - Counter([vote])
    most = max(others.values(), default=0)
    leaders = [label for label, count in others.items() if count == most]
    return vote == leaders[0] if len(leaders) == 1 else None


@dataclass(frozen=True)
class Judged:
    """workers: rows of WORKERS; checks: by task, the accepted workers whose text of it an expert is to read;
    known_before: how many workers' earlier rounds were looked at.
    """

    workers: list[dict[str, Any]]
    checks: Mapping[str, frozenset[str]]
    known_before: int

    @property
    def metrics(self) -> dict[str, float]:
        """workers, refused_workers, text_checks, known_before."""
        return {
            "workers": float(len(self.workers)),
            "refused_workers": float(sum(not row["accepted"] for row in self.workers)),
            "text_checks": float(sum(map(len, self.checks.values()))),
            "known_before": float(self.known_before),
        }


def judge(marks: Iterable[Mapping[str, Any]], earlier: Iterable[Mapping[str, Any]], params: WorkerParams) -> Judged:
    """Those who answered in a round, from its MARKS and from those of all rounds before."""
    by_worker, before = _by_worker(marks), _by_worker(earlier)
    workers = [_worker(name, rows, before.get(name, []), params) for name, rows in by_worker.items()]
    checks: defaultdict[str, set[str]] = defaultdict(set)
    for name in (row["worker"] for row in workers if row["accepted"] and row["worker"] not in params.experts):
        for task in to_check((mark["task"] for mark in by_worker[name] if _is_text(mark)), name, params):
            checks[task].add(name)
    read = {task: frozenset(names) for task, names in checks.items()}
    return Judged(workers, read, len(by_worker.keys() & before.keys()))


def _by_worker(marks: Iterable[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    found: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in marks:
        found[row["worker"]].append(row)
    return dict(found)


def to_check(tasks: Iterable[str], worker: str, params: WorkerParams) -> list[str]:
    """The tasks of one worker whose texts an expert reads: the share rounded up, at random."""
    order = shuffled(tasks, params.seed, f"check {worker}")
    return order[: math.ceil(round(params.check_share * len(order), 9))]


def _is_text(mark: Mapping[str, Any]) -> bool:
    # Planted tasks never become data, so nobody need read them.
    return mark["writing"] and mark["vote"] in (None, REVISE) and not mark["attention_check"]


def _worker(
    name: str, rows: list[Mapping[str, Any]], before: list[Mapping[str, Any]], params: WorkerParams
) -> dict[str, Any]:
    every = [*before, *rows]
    checks = [row["right"] for row in every if row["attention_check"] and row["right"] is not None]
    gold = [row["right"] for row in every if not row["attention_check"] and row["right"] is not None]
    peers = [row["with_others"] for row in rows if row["with_others"] is not None]
    record = WorkerRecord(
        tasks=len(rows),
        gold_seen=len(gold),
        gold_right=sum(gold),
        checks_seen=len(checks),
        checks_failed=len(checks) - sum(checks),
        median_pace=_median(row["pace"] for row in every),
    )
    why = "" if name in params.experts else refusal(record, params)
    return {
        **{name: value for name, value in asdict(record).items() if name in WORKERS.schema.names},
        "worker": name,
        "agreement": sum(peers) / len(peers) if peers else None,
        "median_seconds": _median(row["seconds"] for row in rows),
        "accepted": not why,
        "why": why,
    }


def _median(values: Iterable[float | None]) -> float | None:
    given = [value for value in values if value is not None]
    return float(median(given)) if given else None
