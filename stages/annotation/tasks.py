"""Stage `annotation.tasks`: drafts of any dataset to tasks for people, some of them attention checks (a wrong answer).

The QAMPARI paper (appendix on validation) plants wrong answers among the real ones to find
workers who agree with everything. An attention check is made beside the real one of the same
draft, has an id of the same form, and lies wherever its id puts it, so neither looks nor
place tell it apart.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pyarrow as pa

from manifests.digest import canonical_json, sha256
from stages.annotation.forms.answers import fit
from stages.annotation.forms.kinds import TaskKind, digests_of
from stages.annotation.tables import DRAFTS, TASK_KEYS, TASKS
from stages.core.contract import Map, Output, Stage, StageError
from stages.core.rejects import Rejects
from stages.core.texts import Refused, find_active

MAX_REDUNDANCY = 99
_DATASET = re.compile(r"[a-z][a-z0-9_]{0,39}")
# Line breaks and tabs lay a text out; other controls, and marks that turn the direction of writing, only deceive.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class TaskParams:
    """dataset: whose tasks these are. seed: of the choice of drafts that get a twin with a wrong answer.
    attention_check_share: of all tasks of drafts for which a wrong answer is at hand; the paper's is 0.1.
    """

    dataset: str
    seed: int = 0
    attention_check_share: float = 0.1

    def __post_init__(self) -> None:
        if not _DATASET.fullmatch(self.dataset):
            raise StageError(f"dataset: expected lower-case letters, digits and '_', got {self.dataset!r}")
        if not 0 <= self.attention_check_share <= 0.5:
            raise StageError(f"attention_check_share: expected a share from 0 to 0.5, got {self.attention_check_share}")


def task_id(dataset: str, kind: str, payload: Mapping[str, str]) -> str:
    """The id of a task: a digest of what it is and shows, and of nothing else."""
    return sha256(canonical_json([dataset, kind, payload]).encode())[:32]


def tasks(drafts: pa.Table, *, kinds: Mapping[str, TaskKind], params: TaskParams) -> Output:
    """TASKS and TASK_KEYS from some DRAFTS.

    Metrics: drafts, attention_checks. Rejects, keyed "kind origin": unknown_kind, bad_draft, bad_payload,
    missing_variable, unknown_variable, payload_too_long, control_characters, active_markup, bad_gold.
    A fault of the twin with a wrong answer rejects that alone.
    """
    rejects, metrics = Rejects(), Counter(drafts=drafts.num_rows, attention_checks=0)
    made, keys = [], []
    for draft in drafts.to_pylist():
        try:
            kind = _kind(draft, kinds)
            for payload, gold, check in _parts(draft, params):
                task = _task(kind, payload, draft["redundancy"], params.dataset)
                key = {
                    "task": task["task"],
                    "origin": draft["origin"],
                    "gold": _gold(kind, gold),
                    "attention_check": check,
                }
                made.append(task)
                keys.append(key)
                metrics["attention_checks"] += check
        except Refused as fault:
            rejects.add(f"{draft['kind']} {draft['origin']}", fault.reason, str(fault))
    return Output(
        {TASKS.name: TASKS.table(made), TASK_KEYS.name: TASK_KEYS.table(keys)},
        rejects.table(),
        {name: float(count) for name, count in metrics.items()},
    )


def _kind(draft: Mapping[str, Any], kinds: Mapping[str, TaskKind]) -> TaskKind:
    if draft["kind"] not in kinds:
        raise Refused("unknown_kind", f"expected one of {', '.join(sorted(kinds))}")
    if not 0 <= draft["redundancy"] <= MAX_REDUNDANCY:
        raise Refused("bad_draft", f"redundancy: expected 0 to {MAX_REDUNDANCY}, got {draft['redundancy']}")
    if (draft["wrong_payload"] is None) != (draft["wrong_gold"] is None):
        raise Refused("bad_draft", "wrong_payload and wrong_gold go together")
    if draft["wrong_payload"] is not None and draft["wrong_payload"] == draft["payload"]:
        raise Refused("bad_draft", "wrong_payload shows the same as payload")
    return kinds[draft["kind"]]


def _parts(draft: Mapping[str, Any], params: TaskParams) -> Iterator[tuple[str, str | None, bool]]:
    """(payload, gold, check) of the task, and of its twin with a wrong answer where the draft is chosen for one."""
    yield draft["payload"], draft["gold"], False
    if draft["wrong_payload"] is not None and _is_chosen(draft, params):
        yield draft["wrong_payload"], draft["wrong_gold"], True


def _is_chosen(draft: Mapping[str, Any], params: TaskParams) -> bool:
    """One draft in so many, by a hash of seed and origin, that attention checks are their share of all."""
    text = canonical_json([params.seed, draft["kind"], draft["origin"]])
    place = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) / 2**64
    return place < params.attention_check_share / (1 - params.attention_check_share)


def _task(kind: TaskKind, payload: str, redundancy: int, dataset: str) -> dict[str, Any]:
    shown = read_payload(kind, payload)
    return {
        "task": task_id(dataset, kind.name, shown),
        "dataset": dataset,
        "kind": kind.name,
        "payload": canonical_json(shown),
        "redundancy": redundancy or kind.settings.redundancy,
    }


def read_payload(kind: TaskKind, payload: str) -> dict[str, str]:
    """The variables of a task, checked against what the form shows.

    Raises Refused: bad_payload, missing_variable, unknown_variable, payload_too_long, control_characters,
    active_markup.
    """
    shown = _object(payload, "bad_payload")
    for reason, names in (
        ("missing_variable", set(kind.variables) - set(shown)),
        ("unknown_variable", set(shown) - set(kind.variables)),
    ):
        if names:
            raise Refused(reason, f"{', '.join(sorted(names))}; {kind.name} shows {', '.join(kind.variables)}")
    wrong = sorted(name for name, value in shown.items() if not isinstance(value, str))
    if wrong:
        raise Refused("bad_payload", f"{wrong[0]}: expected a text")
    size = sum(map(len, shown.values()))
    if size > kind.settings.payload_chars:
        raise Refused("payload_too_long", f"{size} characters, {kind.name} takes {kind.settings.payload_chars}")
    for name, value in sorted(shown.items()):
        # Forms show variables as text, so a tag is harmless; what can only be meant to run is refused all the same.
        for reason, find in (("control_characters", _CONTROL.search), ("active_markup", find_active)):
            if found := find(value):
                raise Refused(reason, f"{name}, at character {found.start()}: {found[0]!a}")
    return shown


def _gold(kind: TaskKind, gold: str | None) -> str | None:
    """Known answers in the form in which workers' answers are kept, so that they can be compared."""
    if gold is None:
        return None
    answers = _object(gold, "bad_gold")
    if not all(
        isinstance(values, list) and all(isinstance(value, str) for value in values) for values in answers.values()
    ):
        raise Refused("bad_gold", "expected {control: [texts]}")
    try:
        return canonical_json(fit(kind, answers).answers)
    except Refused as fault:
        raise Refused("bad_gold", f"{fault.reason}: {fault}") from fault


def _object(text: str, reason: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Refused(reason, f"not JSON: {error}") from error
    if not isinstance(value, dict):
        raise Refused(reason, f"expected an object, got {type(value).__name__}")
    return value


def stage(kinds: Mapping[str, TaskKind], params: TaskParams) -> Stage:
    """kinds: those that the dataset's drafts name."""
    return Stage(
        name="annotation.tasks",
        shape=Map(),
        kernel=partial(tasks, kinds=kinds, params=params),
        inputs=(DRAFTS.name,),
        outputs=(TASKS, TASK_KEYS),
        templates=digests_of(kinds),
        about="Tasks for people, a share of them attention checks.",
    )
