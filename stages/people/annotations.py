"""Stages `people.checked` and `people.annotations`: replies that fit their tasks, one per worker and task.

Servers accept whatever a client sends: choices that no form has, a second answer to the
same task, more work than was agreed. What does not fit is rejected here, with its reason.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import pyarrow as pa

from manifests.digest import canonical_json
from stages.contract import Join, Map, Output, Stage, TableSpec
from stages.people.answers import fit
from stages.people.kinds import TaskKind
from stages.people.mturk import split_choices
from stages.people.received import RECEIVED
from stages.people.replies import MTURK, marks
from stages.people.tables import ANNOTATIONS, TASKS
from stages.processes.texts import Refused
from stages.queries.tables import number, text
from stages.rejects import Rejects

CHECKED = TableSpec(
    name="checked",
    schema=pa.schema([text("reply"), text("kind"), number("units"), *ANNOTATIONS.schema]),
    key=("reply",),
    bucket_by=("worker",),
)
"""Replies that fit their task. units: what the reply counts against its worker's quota; the rest as ANNOTATIONS."""

STRAYS = replace(RECEIVED, name="strays", on_duplicate="raise")
"""Replies to tasks of a later round, which are not made yet when an earlier one is checked."""

_LAST = "9999"


def checked(
    received: pa.Table, tasks: pa.Table, *, kinds: Mapping[str, TaskKind], later_rounds: bool = False
) -> Output:
    """CHECKED from one bucket by task; with `later_rounds` also STRAYS, the replies to tasks that are not here.

    Rejects, keyed "task worker": unknown_task (without later rounds), unknown_kind, payload_mismatch and what
    `stages.people.answers` refuses. unasked_answer tells of an answer that was left out of a reply, which itself
    is kept.
    """
    known = {row["task"]: row for row in tasks.to_pylist()}
    shown: dict[str, dict[str, str]] = {}
    rejects, found, strays = Rejects(), [], []
    for row in received.to_pylist():
        if later_rounds and row["task"] not in known:
            strays.append(row)
            continue
        key = f"{row['task']} {row['worker']}"
        try:
            kind = _kind(known.get(row["task"]), kinds)
            if row["shown"] is not None:
                if row["task"] not in shown:
                    shown[row["task"]] = marks(json.loads(known[row["task"]]["payload"]))
                _check_shown(json.loads(row["shown"]), shown[row["task"]])
            fitting = fit(kind, _given(kind, row))
        except Refused as fault:
            rejects.add(key, fault.reason, str(fault))
            continue
        for control in fitting.unasked:
            rejects.add(key, "unasked_answer", f"{control}: the form does not ask for it beside the other answers")
        kept = {name: row[name] for name in ("reply", *ANNOTATIONS.schema.names)}
        found.append(kept | {"kind": kind.name, "units": fitting.units, "answers": canonical_json(fitting.answers)})
    tables = {CHECKED.name: CHECKED.table(found)} | ({STRAYS.name: STRAYS.table(strays)} if later_rounds else {})
    return Output(tables, rejects.table())


def _kind(task: Mapping[str, Any] | None, kinds: Mapping[str, TaskKind]) -> TaskKind:
    if task is None:
        raise Refused("unknown_task", "no task of this build has this id; was it made from other input or parameters?")
    if task["kind"] not in kinds:
        raise Refused("unknown_kind", f"{task['kind']}; this build knows {', '.join(sorted(kinds))}")
    return kinds[task["kind"]]


def _check_shown(shown: Mapping[str, str], expected: Mapping[str, str]) -> None:
    if shown != expected:
        names = sorted({name for name, _ in shown.items() ^ expected.items()})
        raise Refused("payload_mismatch", f"the worker saw another text than the task has: {', '.join(names)}")


def _given(kind: TaskKind, row: Mapping[str, Any]) -> Mapping[str, list[str]]:
    answers: dict[str, list[str]] = json.loads(row["answers"])
    return split_choices(kind, answers) if row["source"] == MTURK else answers


def settle(checked: pa.Table, *, quotas: Mapping[str, int]) -> Output:
    """ANNOTATIONS from the replies of some workers, each worker's all among them.

    Of several replies of a worker to one task the last one counts, since platforms let workers correct
    themselves. Replies are then counted against the quota of their kind from the first one on, those without
    a time last. Rejects, keyed "task worker": duplicate, over_quota.
    """
    rejects, found = Rejects(), []
    spent: Counter[tuple[str, str]] = Counter()
    for row in sorted(_last_of_each(checked.to_pylist(), rejects), key=_turn):
        owner = (row["worker"], row["kind"])
        if spent[owner] + row["units"] > quotas[row["kind"]]:
            detail = f"{row['units']} on top of {spent[owner]}, the quota of {row['kind']} is {quotas[row['kind']]}"
            rejects.add(f"{row['task']} {row['worker']}", "over_quota", detail)
            continue
        spent[owner] += row["units"]
        found.append({name: row[name] for name in ANNOTATIONS.schema.names})
    return Output({ANNOTATIONS.name: ANNOTATIONS.table(found)}, rejects.table())


def _turn(row: Mapping[str, Any]) -> tuple[str, str]:
    return row["submitted"] or _LAST, row["task"]


def _last_of_each(rows: list[dict[str, Any]], rejects: Rejects) -> Iterable[dict[str, Any]]:
    kept: dict[tuple[str, str], dict[str, Any]] = {}
    for row in sorted(rows, key=lambda row: (row["submitted"] or "", row["answers"], row["reply"])):
        place = (row["task"], row["worker"])
        if place in kept:
            same = "the same" if kept[place]["answers"] == row["answers"] else "other"
            rejects.add(" ".join(place), "duplicate", f"answered again at {row['submitted']}, {same} answers")
        kept[place] = row
    return kept.values()


def stages(kinds: Mapping[str, TaskKind], later_rounds: bool = False) -> tuple[Stage, Stage]:
    """people.checked and people.annotations, in order.

    later_rounds: whether replies to unknown tasks are left, as `strays`, to a round whose tasks are made later.
    """
    quotas = {name: kind.quota for name, kind in sorted(kinds.items())}
    digests = {file: digest for kind in kinds.values() for file, digest in kind.digests.items()}
    task = ("task",)
    return (
        Stage(
            name="people.checked",
            shape=Join(on=(task, task)),
            kernel=partial(checked, kinds=kinds, later_rounds=later_rounds),
            inputs=(RECEIVED.name, TASKS.name),
            outputs=(CHECKED, STRAYS) if later_rounds else (CHECKED,),
            templates=digests,
            about="Answers of people that fit the forms of their tasks.",
        ),
        Stage(
            name="people.annotations",
            shape=Map(),
            kernel=partial(settle, quotas=quotas),
            inputs=(CHECKED.name,),
            outputs=(ANNOTATIONS,),
            templates=digests,
            about="One answer per worker and task, within each worker's quota.",
        ),
    )
