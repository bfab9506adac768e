"""Stage `people.verdicts`: what the accepted workers say of each task, and what is still wanted.

Planted tasks never come out: they judge workers, and are no data. Work of rejected workers is
left out as if it had not been done, and asked for again.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import pyarrow as pa

from manifests.digest import canonical_json
from stages.contract import Join, Output, Stage
from stages.people.ballots import Answered, read_ballots
from stages.people.chance import chance
from stages.people.contributed import CONTRIBUTIONS, Written, decide_written, written
from stages.people.decisions import Decision, VerdictParams, decide
from stages.people.judge import CHECKS
from stages.people.kinds import TaskKind
from stages.people.reading import REVISE, is_writing, kind_of, normal
from stages.people.redo import EXPERT, REDO, WORKER
from stages.people.tables import (
    ANNOTATIONS,
    NEEDS_EXPERT,
    NEEDS_VOTE,
    STATUSES,
    TASK_KEYS,
    TASKS,
    UNCONFIRMED,
    VERDICTS,
    WORKERS,
)
from stages.rejects import Rejects

NAME = "people.verdicts"


@dataclass
class _Rows:
    verdicts: list[dict[str, Any]] = field(default_factory=list)
    contributions: list[dict[str, Any]] = field(default_factory=list)
    redo: list[dict[str, Any]] = field(default_factory=list)
    rejects: Rejects = field(default_factory=Rejects)


def verdicts(
    annotations: pa.Table,
    tasks: pa.Table,
    task_keys: pa.Table,
    checks: pa.Table,
    workers: pa.Table,
    *,
    kinds: Mapping[str, TaskKind],
    params: VerdictParams,
) -> Output:
    """VERDICTS, CONTRIBUTIONS and REDO of one bucket of all inputs by task; workers: all of them.

    Rejects, keyed by task and worker: rejected_worker, no_verdict, no_text (see `ballots.read_ballots`),
    same_text, unchanged (see `contributed.written`).
    Metrics: `planted`, `left_out` (annotations that do not count), and tasks per status.
    Raises StageError: a task of a kind that was not loaded; an annotation by a worker without a row.
    """
    keys = {row["task"]: row for row in task_keys.to_pylist()}
    whole = [row | keys[row["task"]] for row in tasks.to_pylist() if row["task"] in keys]
    real = {row["task"]: row for row in whole if not row["injected"]}
    kind_by_task = {task: kind_of(kinds, row["kind"], NAME) for task, row in real.items()}
    checked: defaultdict[str, set[str]] = defaultdict(set)
    for row in checks.to_pylist():
        checked[row["task"]].add(row["worker"])
    rows = _Rows()
    answered = read_ballots(annotations, workers, kind_by_task, params.experts, rows.rejects)
    for task, row in real.items():
        found = answered.get(task, Answered())
        decision, texts = _judge(row, found, frozenset(checked[task]), kind_by_task[task], params, rows.rejects)
        rows.verdicts.append(_verdict(row, decision))
        rows.contributions += [text.row(row) for text in texts]
        rows.redo += _redo(row, decision, texts, found)
    left_out = sum(found.dropped for found in answered.values())
    return _output(rows, {"planted": float(len(whole) - len(real)), "left_out": float(left_out)})


def _judge(
    row: Mapping[str, Any],
    answered: Answered,
    checked: frozenset[str],
    kind: TaskKind,
    params: VerdictParams,
    rejects: Rejects,
) -> tuple[Decision, list[Written]]:
    """The verdict on one task, and the texts that it brought in."""
    task, redundancy = row["task"], row["redundancy"]
    if kind.verdict is None:
        decision = _counted(answered, redundancy)
    else:
        sampled = chance(params.seed, task, "expert") < params.expert_right
        decision = decide(answered.ballots, kind, redundancy, params, dropped=answered.dropped, sampled=sampled)
    if not is_writing(kind) or not answered.ballots:
        return decision, []
    shown = frozenset(normal(value) for value in json.loads(row["payload"]).values())
    texts = written(task, answered.ballots, shown, checked, kind, rejects)
    if kind.verdict is not None and decision.label != REVISE:
        # No text can be used before the record itself is through.
        return decision, [replace(text, status=decision.status) for text in texts]
    return decide_written(decision, texts, answered, redundancy, seed=params.seed, task=task), texts


def _counted(answered: Answered, redundancy: int) -> Decision:
    """Of a kind without a verdict: nothing to vote on, only so many answers to be had."""
    if not answered.by:
        return Decision(UNCONFIRMED)
    votes = len(answered.ballots)
    return Decision(NEEDS_VOTE, votes, missing=max(redundancy - votes, 0), why="rejected_work")


def _verdict(row: Mapping[str, Any], decision: Decision) -> dict[str, Any]:
    return {
        "task": row["task"],
        "kind": row["kind"],
        "origin": row["origin"],
        "answers": canonical_json(decision.answers),
        "votes": decision.votes,
        "agreeing": decision.agreeing,
        "status": decision.status,
    }


def _redo(row: Mapping[str, Any], decision: Decision, texts: list[Written], answered: Answered) -> list[dict[str, Any]]:
    common = {"task": row["task"], "kind": row["kind"], "not_by": list(answered.by)}
    found = []
    if decision.missing:
        found.append(common | {"who": WORKER, "votes": decision.missing, "why": decision.why})
    if decision.status == NEEDS_EXPERT or any(text.status == NEEDS_EXPERT for text in texts):
        why = decision.why if decision.status == NEEDS_EXPERT else "text_check"
        found.append(common | {"who": EXPERT, "votes": 1, "why": why})
    return found


def _output(rows: _Rows, metrics: Mapping[str, float]) -> Output:
    counts = Counter(row["status"] for row in rows.verdicts)
    tables = {
        VERDICTS.name: VERDICTS.table(rows.verdicts),
        CONTRIBUTIONS.name: CONTRIBUTIONS.table(rows.contributions),
        REDO.name: REDO.table(rows.redo),
    }
    return Output(tables, rows.rejects.table(), {**metrics, **{status: float(counts[status]) for status in STATUSES}})


def stage(kinds: Mapping[str, TaskKind], params: VerdictParams | None = None) -> Stage:
    params = params or VerdictParams()
    return Stage(
        name=NAME,
        shape=Join(on=(("task",), ("task",), ("task",), ("task",))),
        kernel=partial(verdicts, kinds=kinds, params=params),
        inputs=(ANNOTATIONS.name, TASKS.name, TASK_KEYS.name, CHECKS.name),
        side=(WORKERS.name,),
        outputs=(VERDICTS, CONTRIBUTIONS, REDO),
        templates={name: digest for kind in kinds.values() for name, digest in kind.digests.items()},
        about="People: majority, third vote and expert on every task, and what is to be asked again.",
    )
