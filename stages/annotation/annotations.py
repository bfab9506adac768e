"""Replies that fit their tasks, one per worker and task.

Servers accept whatever a client sends: choices that no form has, a second answer to the
same task, more work than was agreed. What does not fit is rejected here, with its reason.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from manifests.digest import canonical_json
from stages.annotation.asked import Asked
from stages.annotation.forms.answers import fit
from stages.annotation.forms.kinds import TaskKind
from stages.annotation.platforms.mturk import split_choices
from stages.annotation.platforms.replies import MTURK
from stages.annotation.received import RECEIVED
from stages.annotation.tables import ANNOTATIONS
from stages.core.rejects import Rejects
from stages.core.texts import Refused

STRAYS = replace(RECEIVED, name="strays", on_duplicate="raise")
"""Replies to tasks of a later round, which are not made yet when an earlier one is checked."""

_LAST = "9999"


@dataclass(frozen=True)
class _Fitting:
    """A reply that fits its task. row: of RECEIVED, its answers as they are kept; units: what it counts for."""

    row: Mapping[str, Any]
    kind: TaskKind
    units: int


def fitting(replies: Iterable[Mapping[str, Any]], tasks: Mapping[str, Asked], rejects: Rejects) -> list[dict[str, Any]]:
    """Rows of ANNOTATIONS from all replies to some tasks, which are rows of RECEIVED.

    Of several replies of a worker to one task the last one counts, since platforms let workers correct
    themselves. Replies are then counted against the quota of their kind from the first one on, those without
    a time last. Rejects, keyed "task worker": unknown_task, payload_mismatch, duplicate,
    over_quota and what `stages.annotation.forms.answers` refuses. unasked_answer tells of an answer that was left out
    of a reply, which itself is kept.
    """
    checked = [found for row in replies if (found := _checked(row, tasks.get(row["task"]), rejects)) is not None]
    rows = []
    spent: Counter[tuple[str, str]] = Counter()
    for one in sorted(_last_of_each(checked, rejects), key=_turn):
        owner = (one.row["worker"], one.kind.name)
        if spent[owner] + one.units > one.kind.settings.quota:
            detail = f"{one.units} on top of {spent[owner]}, the quota of {one.kind.name} is {one.kind.settings.quota}"
            rejects.add(_key(one.row), "over_quota", detail)
            continue
        spent[owner] += one.units
        rows.append({name: one.row[name] for name in ANNOTATIONS.schema.names})
    return rows


def _checked(row: Mapping[str, Any], task: Asked | None, rejects: Rejects) -> _Fitting | None:
    try:
        if task is None:
            raise Refused(
                "unknown_task", "no task of this build has this id; was it made from other input or parameters?"
            )
        if row["shown"] is not None:
            _check_shown(json.loads(row["shown"]), task.shown)
        fits = fit(task.kind, _given(task.kind, row))
    except Refused as fault:
        rejects.add(_key(row), fault.reason, str(fault))
        return None
    for control in fits.unasked:
        rejects.add(_key(row), "unasked_answer", f"{control}: the form does not ask for it beside the other answers")
    return _Fitting({**row, "answers": canonical_json(fits.answers)}, task.kind, fits.units)


def _key(row: Mapping[str, Any]) -> str:
    return f"{row['task']} {row['worker']}"


def _check_shown(shown: Mapping[str, str], expected: Mapping[str, str]) -> None:
    if shown != expected:
        names = sorted({name for name, _ in shown.items() ^ expected.items()})
        raise Refused("payload_mismatch", f"the worker saw another text than the task has: {', '.join(names)}")


def _given(kind: TaskKind, row: Mapping[str, Any]) -> Mapping[str, list[str]]:
    answers: dict[str, list[str]] = json.loads(row["answers"])
    return split_choices(kind, answers) if row["source"] == MTURK else answers


def _turn(one: _Fitting) -> tuple[str, str]:
    return one.row["submitted"] or _LAST, one.row["task"]


def _last_of_each(checked: Iterable[_Fitting], rejects: Rejects) -> Iterable[_Fitting]:
    kept: dict[str, _Fitting] = {}
    for one in sorted(checked, key=lambda one: (one.row["submitted"] or "", one.row["answers"], one.row["reply"])):
        key = _key(one.row)
        if key in kept:
            same = "the same" if kept[key].row["answers"] == one.row["answers"] else "other"
            rejects.add(key, "duplicate", f"answered again at {one.row['submitted']}, {same} answers")
        kept[key] = one
    return kept.values()
