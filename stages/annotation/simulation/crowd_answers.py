"""A simulated crowd at work: annotations of real tasks of any kind, with their forms filled in.

What a worker makes of the verdict, or of a choice whose true answer is told, comes from
`SimulatedWorker`. Texts are those of the true answers where these are told. The rest of the form
is filled so that it fits: texts that name their writer, choices by chance, no remarks.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from manifests.digest import canonical_json
from stages.annotation.forms.answers import Answers, fit
from stages.annotation.forms.form import CHOICE, TEXT, Control
from stages.annotation.forms.kinds import TaskKind
from stages.annotation.reading import CONFIRM, REFUSE, REVISE
from stages.annotation.simulation.crowd import SimulatedWorker, assign
from stages.annotation.tables import ANNOTATIONS
from stages.core.chance import chance
from stages.core.contract import StageError
from stages.core.texts import Refused

SOURCE = "jsonl"


def annotate(
    tasks: Iterable[Mapping[str, Any]],
    task_keys: Iterable[Mapping[str, Any]],
    kinds: Mapping[str, TaskKind],
    crowd: Sequence[SimulatedWorker],
    *,
    right_share: float = 0.9,
    seed: int = 0,
    truths: Mapping[str, Answers] | None = None,
    not_by: Mapping[str, Collection[str]] | None = None,
) -> list[dict[str, Any]]:
    """Rows of ANNOTATIONS, as many per task as its redundancy, by workers chosen at random.

    tasks, task_keys: rows of TASKS and TASK_KEYS. truths: the true answers by task, where the gold of its
    key does not say them; of other tasks the share `right_share` is truly right, drawn by the seed.
    Of a form without a verdict all controls are filled that the true answers name.
    not_by: per task the workers who are not to be asked, such as those who have answered it.

    Raises:
        StageError: more votes than workers, a form that cannot be filled.
    """
    gold = {key["task"]: json.loads(key["gold"]) for key in task_keys if key["gold"] is not None}
    known = gold | dict(truths or {})
    by_name = {worker.name: worker for worker in crowd}
    rows = []
    for task in sorted(tasks, key=lambda task: task["task"]):
        kind = kinds[task["kind"]]
        truth = known.get(task["task"]) or drawn_truth(task["task"], kind, right_share, seed)
        asked = [worker for worker in crowd if worker.name not in (not_by or {}).get(task["task"], ())]
        for name in assign([task["task"]], asked, task["redundancy"], seed)[task["task"]]:
            rows.append(_annotation(task["task"], kind, truth, by_name[name], seed))
    return rows


def records(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The same annotations as neutral records, one JSON object a line, as a build imports them."""
    return [
        {"task": row["task"], "worker": row["worker"], "answers": json.loads(row["answers"]), "seconds": row["seconds"]}
        for row in rows
    ]


def drawn_truth(task: str, kind: TaskKind, right_share: float, seed: int) -> Answers:
    """The true verdict of a task about which nothing is known; empty for a kind without a verdict."""
    verdict = kind.verdict
    if verdict is None:
        return {}
    place = chance(seed, task, "truth")
    right = verdict.confirm or verdict.revise
    if right and verdict.refuse:
        return {verdict.control: [(right if place < right_share else verdict.refuse)[0]]}
    choices = kind.controls[verdict.control].choices
    return {verdict.control: [choices[int(place * len(choices))]]}


def _annotation(task: str, kind: TaskKind, truth: Answers, worker: SimulatedWorker, seed: int) -> dict[str, Any]:
    try:
        answers = fit(kind, _filled(task, kind, truth, worker, seed)).answers
    except Refused as fault:
        raise StageError(f"simulate-crowd cannot fill the form of {kind.name}: {fault.reason}: {fault}") from fault
    row = dict.fromkeys(ANNOTATIONS.schema.names)
    pace = worker.time(task, seed) * kind.settings.seconds / 30.0
    return row | {
        "task": task,
        "worker": worker.name,
        "answers": canonical_json(answers),
        "seconds": round(pace, 1),
        "source": SOURCE,
    }


def _filled(task: str, kind: TaskKind, truth: Answers, worker: SimulatedWorker, seed: int) -> Answers:
    answers: Answers = {}
    verdict = kind.verdict
    if verdict is not None:
        choices = kind.controls[verdict.control].choices
        voter = replace(worker, leaning=_choice_of(worker.leaning, kind))
        answers[verdict.control] = [voter.vote(task, truth[verdict.control][0], choices, seed)]
    for control in kind.controls.values():
        told = tuple(truth.get(control.name, ()))
        wanted = _is_filled(control, kind) or (verdict is None and bool(told))
        if control.name not in answers and wanted and control.asked(answers):
            answers[control.name] = _values(control, kind, told, worker, task, seed)
    return answers


def _values(
    control: Control, kind: TaskKind, told: Sequence[str], worker: SimulatedWorker, task: str, seed: int
) -> list[str]:
    """What a worker gives for one control. told: its true answers, none where they are not known."""
    if told and control.kind == CHOICE and kind.verdict is None:
        guessing = replace(worker, leaning=worker.leaning if worker.leaning in control.choices else None)
        return [guessing.vote(f"{task}\x1f{control.name}", told[0], control.choices, seed)]
    # Whoever never thinks has no right words; in a form without a verdict there is nothing else to get wrong by.
    if told and control.kind == TEXT and (worker.bias < 1 or kind.verdict is None):
        return list(told[: control.max_values])
    return [_value(control, kind, worker, task, seed)]


def _is_filled(control: Control, kind: TaskKind) -> bool:
    groups = kind.settings.groups
    if groups is not None and any(control.name in names for names in groups.sets()[: groups.at_least]):
        return True
    return control.required or any(names[0] == control.name for names in kind.settings.one_of)


def _value(control: Control, kind: TaskKind, worker: SimulatedWorker, task: str, seed: int) -> str:
    if control.kind == CHOICE:
        place = chance(seed, f"{worker.name}\x1f{task}\x1f{control.name}", "choice")
        return control.choices[int(place * len(control.choices))]
    if control.kind == TEXT:
        words = f"{control.name} by {worker.name} on {task[:8]}"
        return words[: control.max_chars].rstrip().ljust(control.min_chars, ".")
    return str(int(control.low or 1))


def _choice_of(leaning: str | None, kind: TaskKind) -> str | None:
    """The choice that a worker leans to, named by its side or by itself; by chance where the form has none such."""
    verdict = kind.verdict
    if verdict is None or leaning is None:
        return None
    sides = {CONFIRM: verdict.confirm or verdict.revise, REFUSE: verdict.refuse, REVISE: verdict.revise}
    if sides.get(leaning):
        return sides[leaning][0]
    return leaning if leaning in kind.controls[verdict.control].choices else None
