"""Texts that workers wrote: each is data of its own, with a status of its own.

An expert reads those that were drawn for it (`stages.annotation.workers`) by doing the task with the
worker's text before them: handed in unchanged it stands, and where they hand in another,
theirs takes its place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from manifests.digest import canonical_json
from stages.annotation.asked import Asked
from stages.annotation.decisions import Answered, Ballot, Decision
from stages.annotation.forms.answers import Answers
from stages.annotation.forms.form import TEXT
from stages.annotation.forms.kinds import TaskKind
from stages.annotation.reading import normal, placed, same
from stages.annotation.tables import CONFIRMED, NEEDS_EXPERT, NEEDS_VOTE, REFUSED, REVISED
from stages.core.chance import chance
from stages.core.columns import number, text
from stages.core.contract import TableSpec
from stages.core.rejects import Rejects

CONTRIBUTIONS = TableSpec(
    name="contributions",
    schema=pa.schema(
        [
            *map(text, ("task", "worker")),
            number("number"),
            *map(text, ("kind", "origin", "answers", "status")),
        ]
    ),
    key=("task", "worker", "number"),
)
"""One row per different text that accepted workers or experts wrote for a task.

worker: the first by name of those who wrote it; number: the place of the text's set on a form with numbered
    sets, from 0 (question_01 is 0), and 0 on any other form.
answers: JSON {control: [values]} of what becomes data, under the sets' plain names.
status: confirmed or revised (of a kind that rewrites what the task shows): it can be used; needs_expert: it
    was drawn for an expert, who has not seen it yet; refused: an expert put another in its place, or refused
    the record.
"""


@dataclass(frozen=True)
class Written:
    """One text of one task. givers: who wrote it, sorted; status: as in CONTRIBUTIONS."""

    givers: tuple[str, ...]
    number: int
    answers: Answers
    status: str

    def row(self, task: Asked) -> dict[str, Any]:
        names = {"task": task.task, "kind": task.kind.name, "origin": task.origin}
        own = {"worker": self.givers[0], "number": self.number, "answers": canonical_json(self.answers)}
        return names | own | {"status": self.status}


def written(task: Asked, ballots: Sequence[Ballot], checked: frozenset[str], rejects: Rejects) -> list[Written]:
    """The different texts on one task, in order of their writers.

    checked: workers whose text is drawn for an expert.
    Rejects, keyed by task and worker: same_text (somebody wrote it too; the detail names them), unchanged
    (nothing but what the task shows).
    """
    shown = frozenset(normal(value) for value in task.texts.values())
    by_text: dict[str, tuple[int, Answers]] = {}
    givers: defaultdict[str, list[str]] = defaultdict(list)
    for ballot in sorted(ballots, key=lambda ballot: ballot.worker):
        for place, item in placed(ballot.answers, task.kind):
            key, where = same(item), f"{task.task} {ballot.worker}"
            if _is_shown(item, task.kind, shown):
                rejects.add(where, "unchanged", canonical_json(item))
                continue
            if key in by_text and not ballot.expert:
                rejects.add(where, "same_text", givers[key][0])
            by_text.setdefault(key, (place, item))
            givers[key].append(ballot.worker)
    expert = {ballot.worker for ballot in ballots if ballot.expert}
    usable = CONFIRMED if task.kind.verdict is None else REVISED
    return [
        Written(tuple(givers[key]), place, item, _status(givers[key], expert, checked, usable))
        for key, (place, item) in by_text.items()
    ]


def decide_written(
    task: Asked, decision: Decision, texts: Sequence[Written], answered: Answered, seed: int
) -> Decision:
    """The verdict on a task whose texts may be used: one of them stands for the task, and some may still be wanted.

    decision: of the votes; of a kind without a verdict, their number.
    """
    usable = [one for one in texts if one.status in (CONFIRMED, REVISED)]
    chosen = min(usable or texts, key=lambda one: _order(one, seed, task.task), default=None)
    if chosen is not None:
        agreeing = len(chosen.givers)
        decision = replace(decision, answers=decision.answers | chosen.answers, agreeing=agreeing)
    missing = 0 if answered.has_expert else max(task.redundancy - decision.votes, 0 if texts else 1)
    if missing:
        return replace(
            decision, status=NEEDS_VOTE, missing=missing, why=_why(decision.votes, task.redundancy, answered)
        )
    if usable and chosen is not None:
        return replace(decision, status=chosen.status, missing=0, why="")
    return replace(decision, status=NEEDS_EXPERT, missing=0, why="text_check")


def _why(votes: int, redundancy: int, answered: Answered) -> str:
    if votes >= redundancy:
        return "unusable_text"
    return "rejected_work" if answered.dropped else "too_few_votes"


def _status(givers: Sequence[str], expert: set[str], checked: frozenset[str], usable: str) -> str:
    # What was not drawn stands by the word of its worker.
    if expert & set(givers) or not checked & set(givers):
        return usable
    return REFUSED if expert else NEEDS_EXPERT


def _order(one: Written, seed: int, task: str) -> tuple[float, str]:
    content = canonical_json(one.answers)
    return chance(seed, f"{task}\x1f{content}", "text"), content


def _is_shown(item: Answers, kind: TaskKind, shown: frozenset[str]) -> bool:
    """Whether all texts of an item are copied from the task. shown: in their normal form."""
    control_of = {name: control.kind for name, control in kind.controls.items()}
    texts = [value for name, values in item.items() if control_of.get(name, TEXT) == TEXT for value in values]
    return bool(texts) and all(normal(value) in shown for value in texts)
