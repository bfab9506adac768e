"""Label Studio: tasks as its import takes them, and replies out of its JSON export.

A task's id travels in its data beside the variables that the form shows, so it comes
back with the export. Gold answers and the mark of attention checks must never be there:
whatever is in a task's data reaches the worker's browser.

An expert finds the form filled in with what was answered before: as predictions, which
Label Studio lays over the form for whoever is to keep or to change them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any

from manifests.digest import canonical_json
from stages.annotation.forms.answers import Answers
from stages.annotation.forms.form import CHOICE, NUMBER, TEXT, Control, text_name
from stages.annotation.forms.kinds import TASK_FIELD, TaskKind
from stages.annotation.platforms.replies import (
    LABEL_STUDIO,
    Reply,
    ReplyFault,
    ReplyLimits,
    brief,
    duration,
    fault_key,
    marks,
    moment,
    plain_answers,
    task_id,
    worker_id,
)
from stages.core.texts import Refused

# The type of a result, and the name under which its value stands.
_VALUES = {"choices": "choices", "textarea": "text", "number": "number"}
_TYPES = {CHOICE: "choices", TEXT: "textarea", NUMBER: "number"}
ANSWERED = "answered"
"""The version of all predictions; a project shows those of one version only, and takes the first that it imports."""


def import_task(
    task: str, payload: Mapping[str, str], kind: TaskKind | None = None, answers: Sequence[Answers] = ()
) -> dict[str, Any]:
    """One task as Label Studio imports it.

    kind, answers: where the form is to be filled in; different answers can be looked at in turn, those that most
    people gave first.
    """
    record: dict[str, Any] = {"data": {**payload, TASK_FIELD: task}}
    if kind is None or not answers:
        return record
    given = Counter(canonical_json(one) for one in answers)
    found = sorted(given.items(), key=lambda item: (-item[1], item[0]))
    predictions = [_prediction(json.loads(said), count / len(answers), kind) for said, count in found]
    return record | {"predictions": predictions}


def _prediction(answers: Answers, share: float, kind: TaskKind) -> dict[str, Any]:
    result = [_part(kind.controls[name], values) for name, values in sorted(answers.items()) if name in kind.controls]
    return {"model_version": ANSWERED, "score": round(share, 4), "result": result}


def _part(control: Control, values: Sequence[str]) -> dict[str, Any]:
    type_ = _TYPES[control.kind]
    value: object = int(values[0]) if control.kind == NUMBER else list(values)
    frame = {"id": control.name, "from_name": control.name, "to_name": text_name(control.about), "type": type_}
    return frame | {"value": {_VALUES[type_]: value}}


def is_export(record: Mapping[str, Any]) -> bool:
    """Whether a record is a task of the JSON export."""
    return "annotations" in record and "data" in record


def is_short_export(record: Mapping[str, Any]) -> bool:
    """Whether a record comes from the short export (JSON-MIN), which no longer tells answers from variables."""
    return "annotation_id" in record or {"annotator", "lead_time"} <= record.keys()


def read_export(record: Mapping[str, Any], limits: ReplyLimits) -> Iterator[Reply | ReplyFault]:
    """The replies to one exported task.

    Faults: what `stages.annotation.platforms.replies` refuses, and bad_record, bad_annotation, unknown_control,
    skipped, draft, cyclic.
    """
    data, annotations = record["data"], record["annotations"]
    if not isinstance(data, dict) or not isinstance(annotations, list):
        yield ReplyFault("", "bad_record", "expected data as an object and annotations as a list")
        return
    task, shown = data.get(TASK_FIELD), {name: value for name, value in data.items() if name != TASK_FIELD}
    frame = _Frame(task, marks(shown), _circular(annotations), limits)
    for annotation in annotations:
        try:
            yield _reply(annotation, frame)
        except Refused as fault:
            yield ReplyFault(_key(task, annotation), fault.reason, str(fault), bad=fault.reason != "skipped")
    drafts = record.get("drafts")
    for draft in drafts if isinstance(drafts, list) else ():
        yield ReplyFault(_key(task, draft), "draft", "begun, but never submitted", bad=False)


@dataclass(frozen=True)
class _Frame:
    """What all annotations of a task share. circular: ids that name each other as their origin."""

    task: object
    shown: Mapping[str, str]
    circular: frozenset[str]
    limits: ReplyLimits


def _reply(annotation: object, frame: _Frame) -> Reply:
    if not isinstance(annotation, dict):
        raise Refused("bad_annotation", f"expected an object, got {type(annotation).__name__}")
    if annotation.get("was_cancelled"):
        raise Refused("skipped", "the worker skipped the task")
    if brief(annotation.get("id")) in frame.circular:
        raise Refused("cyclic", "annotations name each other as their origin")
    return Reply(
        task=task_id(frame.task),
        worker=worker_id(_annotator(annotation), LABEL_STUDIO),
        answers=plain_answers(_answers(annotation.get("result")), frame.limits.answer_bytes),
        shown=frame.shown,
        started=None,
        # An edited annotation counts with the time of its last edit.
        submitted=moment(annotation.get("updated_at") or annotation.get("created_at"), "updated_at"),
        seconds=duration(annotation.get("lead_time"), frame.limits.seconds),
        source=LABEL_STUDIO,
    )


def _annotator(annotation: object) -> object:
    """The number of a user; an export may give the whole user instead."""
    value = annotation.get("completed_by") if isinstance(annotation, dict) else None
    return value.get("id") if isinstance(value, dict) else value


def _key(task: object, annotation: object) -> str:
    return fault_key(task, _annotator(annotation), LABEL_STUDIO)


def _answers(result: object) -> dict[str, list[object]]:
    if not isinstance(result, list) or not all(isinstance(part, dict) for part in result):
        raise Refused("bad_annotation", "result: expected a list of objects")
    _check_regions(result)
    answers: dict[str, list[object]] = {}
    for part in result:
        if part.get("type") == "relation":
            raise Refused("unknown_control", "a relation between regions, which no form of ours has")
        name, values = part.get("from_name"), _value(part)
        if not isinstance(name, str):
            raise Refused("bad_annotation", f"from_name: expected the name of a control, got {brief(name)}")
        answers.setdefault(name, []).extend(values)
    return answers


def _value(part: Mapping[str, Any]) -> list[object]:
    kind, value = part.get("type"), part.get("value")
    if not isinstance(kind, str) or kind not in _VALUES:
        raise Refused("unknown_control", f"{brief(part.get('from_name'))}: a control of type {brief(kind)}")
    if not isinstance(value, dict) or _VALUES[kind] not in value:
        raise Refused("bad_annotation", f"{brief(part.get('from_name'))}: no value {_VALUES[kind]!r}")
    found = value[_VALUES[kind]]
    return found if isinstance(found, list) else [found]


def _check_regions(result: Sequence[Mapping[str, Any]]) -> None:
    """Raises Refused: cyclic where regions are each other's parents, or relations lead back to their start."""
    order: TopologicalSorter[str] = TopologicalSorter()
    for part in result:
        for start, end in (("id", "parentID"), ("from_id", "to_id")):
            if isinstance(part.get(start), str) and isinstance(part.get(end), str):
                order.add(part[start], part[end])
    try:
        order.prepare()
    except CycleError as error:
        raise Refused("cyclic", "parts of the result refer to each other in a circle") from error


def _circular(annotations: Sequence[object]) -> frozenset[str]:
    """Ids of annotations whose origins, followed back, never end."""
    origins = {
        brief(one.get("id")): brief(one.get("parent_annotation"))
        for one in annotations
        if isinstance(one, dict) and one.get("parent_annotation") is not None
    }
    ends: dict[str, bool] = {}
    for start in origins:
        trail: dict[str, None] = {}
        at = start
        while at in origins and at not in ends and at not in trail:
            trail[at] = None
            at = origins[at]
        ends |= dict.fromkeys(trail, ends.get(at, at not in trail))
    return frozenset(name for name, finite in ends.items() if not finite)
