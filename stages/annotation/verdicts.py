"""Stage `annotation.verdicts`: what people say of a round's tasks, and what is still wanted.

Replies are held against their tasks (`stages.annotation.annotations`), workers are judged by what
is known of some of them (`stages.annotation.workers`), and what the accepted ones say decides.
Planted tasks never come out: they judge workers, and are no data. Work of rejected workers is
left out as if it had not been done, and asked for again.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

import pyarrow as pa

from manifests.digest import canonical_json
from stages.annotation.annotations import STRAYS, fitting
from stages.annotation.asked import Asked, read_asked
from stages.annotation.contributed import CONTRIBUTIONS, Written, decide_written, written
from stages.annotation.decisions import Answered, Ballot, Decision, VerdictParams, decide
from stages.annotation.forms.answers import Answers
from stages.annotation.forms.kinds import TaskKind, digests_of
from stages.annotation.reading import REVISE, contributions, is_writing, vote_of
from stages.annotation.redo import EXPERT, REDO, WORKER
from stages.annotation.tables import (
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
from stages.annotation.workers import MARKS, WorkerParams, judge, marked
from stages.core.chance import chance
from stages.core.contract import Output, Stage, Whole
from stages.core.rejects import Rejects

_SETTLED = (MARKS, WORKERS, VERDICTS, CONTRIBUTIONS, REDO)


@dataclass(frozen=True)
class RoundParams:
    """workers, verdicts: who is accepted, and what decides; later_rounds: whether replies may belong to other tasks."""

    workers: WorkerParams = field(default_factory=WorkerParams)
    verdicts: VerdictParams = field(default_factory=VerdictParams)
    later_rounds: bool = False


def verdicts(
    tasks: pa.Table, task_keys: pa.Table, *others: pa.Table, kinds: Mapping[str, TaskKind], params: RoundParams
) -> Output:
    """ANNOTATIONS, MARKS, WORKERS, VERDICTS, CONTRIBUTIONS and REDO of all TASKS and TASK_KEYS of a round.

    others: the replies (RECEIVED, or the STRAYS of the round before) and the MARKS of each earlier round; none where
    nobody has answered yet. With later rounds also STRAYS, the replies to tasks that are not here.
    Rejects, keyed by task and worker: see `annotations.fitting`, and `settle`. Metrics: see `settle`.
    """
    asked, rejects = read_asked(tasks, task_keys, kinds), Rejects()
    replies = [row for table in others[:1] for row in table.to_pylist()]
    strays = [row for row in replies if params.later_rounds and row["task"] not in asked]
    mine = replies if not strays else [row for row in replies if row["task"] in asked]
    annotations = fitting(mine, asked, rejects)
    earlier = [row for table in others[1:] for row in table.to_pylist()]
    rows, metrics = settle(asked, annotations, earlier, params, rejects)
    tables = {spec.name: spec.table(rows[spec.name]) for spec in _SETTLED}
    tables[ANNOTATIONS.name] = ANNOTATIONS.table(annotations)
    if params.later_rounds:
        tables[STRAYS.name] = STRAYS.table(strays)
    return Output(tables, rejects.table(), metrics)


def settle(
    asked: Mapping[str, Asked],
    annotations: Iterable[Mapping[str, Any]],
    earlier: Iterable[Mapping[str, Any]],
    params: RoundParams,
    rejects: Rejects,
) -> tuple[dict[str, list[dict[str, Any]]], dict[str, float]]:
    """The rows of MARKS, WORKERS, VERDICTS, CONTRIBUTIONS and REDO by the tables' names, and metrics.

    annotations: all rows of ANNOTATIONS of some tasks; earlier: rows of MARKS of the rounds before.
    Rejects, keyed by task and worker: rejected_worker (the detail says why), no_verdict and no_text (answers that
    leave out what they are about), same_text, unchanged (see `contributed.written`).
    Metrics: those of workers, `annotations`, `attention_checks`, `left_out` (annotations that do not count), tasks per
    status.
    """
    given = list(annotations)
    marks = marked(given, asked)
    judged = judge(marks, earlier, params.workers)
    real = [task for task in asked.values() if not task.attention_check]
    refused = {row["worker"]: row["why"] for row in judged.workers if not row["accepted"]}
    answered = _answered(given, asked, refused, params.verdicts, rejects)
    rows: dict[str, list[dict[str, Any]]] = {spec.name: [] for spec in _SETTLED}
    rows |= {MARKS.name: marks, WORKERS.name: judged.workers}
    counts: Counter[str] = Counter(annotations=len(given), attention_checks=len(asked) - len(real), left_out=0)
    counts.update(dict.fromkeys(STATUSES, 0))
    for task in real:
        found = answered.get(task.task, Answered())
        checked = judged.checks.get(task.task, frozenset())
        decision, texts = _judge(task, found, checked, params.verdicts, rejects)
        rows[VERDICTS.name].append(_verdict(task, decision))
        rows[CONTRIBUTIONS.name] += [one.row(task) for one in texts]
        rows[REDO.name] += _redo(task, decision, texts, found)
        counts.update({decision.status: 1, "left_out": found.dropped})
    return rows, judged.metrics | {name: float(count) for name, count in counts.items()}


def _answered(
    annotations: Iterable[Mapping[str, Any]],
    asked: Mapping[str, Asked],
    refused: Mapping[str, str],
    params: VerdictParams,
    rejects: Rejects,
) -> dict[str, Answered]:
    """What came in for each task that is no attention check. refused: workers and why."""
    by_task: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in annotations:
        if not asked[row["task"]].attention_check:
            by_task[row["task"]].append(row)
    found = {}
    for task, rows in by_task.items():
        ballots, by = [], sorted(row["worker"] for row in rows)
        for row in sorted(rows, key=lambda row: row["worker"]):
            worker, answers = row["worker"], json.loads(row["answers"])
            problem = "rejected_worker" if worker in refused else _problem(answers, asked[task].kind)
            if problem:
                rejects.add(f"{task} {worker}", problem, refused.get(worker, ""))
            else:
                ballots.append(Ballot(worker, answers, worker in params.experts))
        found[task] = Answered(tuple(ballots), len(by) - len(ballots), tuple(by))
    return found


def _problem(answers: Answers, kind: TaskKind) -> str:
    vote = vote_of(answers, kind)
    if kind.verdict is not None and vote is None:
        return "no_verdict"
    writes = is_writing(kind) and vote in (None, REVISE)
    return "no_text" if writes and not contributions(answers, kind) else ""


def _judge(
    task: Asked, answered: Answered, checked: frozenset[str], params: VerdictParams, rejects: Rejects
) -> tuple[Decision, list[Written]]:
    """The verdict on one task, and the texts that it brought in."""
    kind = task.kind
    if kind.verdict is None:
        decision = _counted(answered, task.redundancy)
    else:
        sampled = chance(params.seed, task.task, "expert") < params.expert_right
        decision = decide(answered.ballots, kind, task.redundancy, params, dropped=answered.dropped, sampled=sampled)
    if not is_writing(kind) or not answered.ballots:
        return decision, []
    texts = written(task, answered.ballots, checked, rejects)
    if kind.verdict is not None and decision.label != REVISE:
        # No text can be used before the record itself is through.
        return decision, [replace(text, status=decision.status) for text in texts]
    return decide_written(task, decision, texts, answered, params.seed), texts


def _counted(answered: Answered, redundancy: int) -> Decision:
    """Of a kind without a verdict: nothing to vote on, only so many answers to be had."""
    if not answered.by:
        return Decision(UNCONFIRMED)
    votes = len(answered.ballots)
    return Decision(NEEDS_VOTE, votes, missing=max(redundancy - votes, 0), why="rejected_work")


def _verdict(task: Asked, decision: Decision) -> dict[str, Any]:
    names = {"task": task.task, "kind": task.kind.name, "origin": task.origin}
    said = {name: value for name, value in asdict(decision).items() if name in VERDICTS.schema.names}
    return names | said | {"answers": canonical_json(decision.answers)}


def _redo(task: Asked, decision: Decision, texts: list[Written], answered: Answered) -> list[dict[str, Any]]:
    common = {"task": task.task, "kind": task.kind.name, "not_by": list(answered.by)}
    found = []
    if decision.missing:
        found.append(common | {"who": WORKER, "votes": decision.missing, "why": decision.why})
    if decision.status == NEEDS_EXPERT or any(text.status == NEEDS_EXPERT for text in texts):
        why = decision.why if decision.status == NEEDS_EXPERT else "text_check"
        found.append(common | {"who": EXPERT, "votes": 1, "why": why})
    return found


def stage(
    kinds: Mapping[str, TaskKind], params: RoundParams, replies: str | None = None, earlier: tuple[str, ...] = ()
) -> Stage:
    """replies: the table of replies, None where no answers are given; earlier: tables of MARKS of the rounds before."""
    others = () if replies is None else (replies, *earlier)
    return Stage(
        name="annotation.verdicts",
        shape=Whole(),
        kernel=partial(verdicts, kinds=kinds, params=params),
        inputs=(TASKS.name, TASK_KEYS.name, *others),
        outputs=(ANNOTATIONS, *_SETTLED, *((STRAYS,) if params.later_rounds else ())),
        templates=digests_of(kinds),
        about="People: answers that fit their tasks, whose work is used, and majority, third vote and expert.",
    )
