"""Answers of people to the sample's tasks, in the neutral format and as Label Studio exports them.

Who answered what is the source's; when, and how long it took, is made up here: one answer a
minute, and so many seconds as a digest of worker and task says. worker-09 takes next to no time.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from pipelines.wiqa.pipeline import FILLED, GRAPH_KIND, QUESTION_KIND, VERIFIED
from stages.annotation.forms.form import CHOICE, NUMBER, TEXT
from stages.annotation.forms.kinds import load_kinds
from stages.annotation.platforms.label_studio import import_task
from stages.core.memory import InMemory
from tests.tools.answer_times import seconds, submitted
from tests.tools.counterfactuals_pages import encoded, entry_lines, expanded, lines
from tests.tools.processes_source import Entries, Sample, SourceError, nodes

KINDS = load_kinds(GRAPH_KIND, QUESTION_KIND)
START = datetime(2024, 3, 4, 9, tzinfo=UTC)
LABEL_STUDIO = "label studio "
CLICKER = "worker-09"
# The control's type and the part of the form that it belongs to, as the export names them.
_PARTS = {CHOICE: ("choices", "choices"), TEXT: ("textarea", "text"), NUMBER: ("number", "number")}
_SHOWN = {"y_affects": "outcome_text", "answer": "question_text"}


class Tasks:
    """Ids and payloads of the tasks that a build makes, found by what they are about."""

    def __init__(self, ids: Mapping[str, str], run: InMemory) -> None:
        self._ids = ids
        keys = (row for name in (FILLED, VERIFIED) for row in run.rows(f"task_keys_{name}"))
        tasks = (row for name in (FILLED, VERIFIED) for row in run.rows(f"tasks_{name}"))
        self._tasks = {row["origin"]: row["task"] for row in keys}
        self.payloads = {row["task"]: json.loads(row["payload"]) for row in tasks}
        self._questions = {
            (row["para_id"], row["change"], row["effect"]): row["question"] for row in run.rows("chosen_questions")
        }

    def find(self, about: Mapping[str, Any]) -> str:
        """The id of the task about a paragraph, or about a question. Raises SourceError: there is none."""
        para_id = self._ids.get(about["paragraph"], about["paragraph"])
        if "change" not in about:
            origin = para_id
        else:
            origin = self._questions.get((para_id, about["change"], about["effect"]), "")
        if origin not in self._tasks:
            raise SourceError(f"no build asks anybody about {dict(about)}; only questions for testing are asked")
        return self._tasks[origin]


@dataclass
class _Desk:
    """Collects answers. turn: how many there are; records: of the neutral format; exports: by task."""

    tasks: Tasks
    turn: int = 0
    records: list[dict[str, Any]] = field(default_factory=list)
    exports: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def take(self, task: str, worker: str, kind: str, answers: dict[str, Any]) -> None:
        self.turn += 1
        took, at = 2.0 if worker == CLICKER else seconds(task, worker, KINDS[kind]), submitted(START, self.turn)
        if worker.startswith(LABEL_STUDIO):
            user = int(worker.removeprefix(LABEL_STUDIO))
            annotation = _annotation(self.turn, user, at, took, kind, answers)
            self.exports.setdefault(task, []).append(annotation)
        else:
            record = {"task": task, "worker": worker, "answers": answers, "submitted": at}
            self.records.append(record | {"seconds": took})


def graph_files(sample: Sample, tasks: Tasks) -> dict[str, bytes]:
    """The files of answers with those alone that fill graphs, and no odd ones."""
    desk = _Desk(tasks)
    _graph_answers(sample, desk)
    return _files(desk, {"answers": (), "label_studio": ()})


def all_files(sample: Sample, tasks: Tasks) -> dict[str, bytes]:
    desk = _Desk(tasks)
    _graph_answers(sample, desk)
    _question_answers(sample, desk)
    return _files(desk, sample.odd)


def damaged_files(sample: Sample, tasks: Tasks) -> dict[str, bytes]:
    """The same files with nothing but the damaged records."""
    return _files(_Desk(tasks), sample.damaged)


def _files(desk: _Desk, odd: Entries) -> dict[str, bytes]:
    further = [_resolved(entry, desk.tasks) for entry in odd["answers"]]
    return {
        "answers.jsonl": lines([*map(encoded, desk.records), *entry_lines(further)]),
        "label_studio.json": _export(desk, odd["label_studio"]),
    }


def _graph_answers(sample: Sample, desk: _Desk) -> None:
    for entry in sample.graph_answers:
        filled = {node: list(texts) for node, texts in nodes(entry).items()} | {"y_affects": [entry["outcome"]]}
        desk.take(desk.tasks.find({"paragraph": entry["paragraph"]}), entry["worker"], GRAPH_KIND, filled)


def _question_answers(sample: Sample, desk: _Desk) -> None:
    for entry in sample.question_answers:
        task = desk.tasks.find(entry)
        for worker, said in entry["says"].items():
            choice, *numbers = said.split()
            places = dict(zip(("change_sentence", "effect_sentence"), numbers, strict=False))
            pointed = {name: int(number) for name, number in places.items() if number != "-"}
            desk.take(task, worker, QUESTION_KIND, {"answer": choice} | pointed)


def _resolved(entry: Mapping[str, Any], tasks: Tasks) -> Mapping[str, Any]:
    """An odd record with the id of the task that it names."""
    if "line" in entry or not isinstance(entry["record"].get("task"), dict):
        return entry
    return {"record": entry["record"] | {"task": tasks.find(entry["record"]["task"])}}


def _annotation(number: int, user: int, at: str, took: float, kind: str, answers: Mapping[str, Any]) -> dict[str, Any]:
    result = []
    for name, value in answers.items():
        type_, key = _PARTS[KINDS[kind].controls[name].kind]
        listed = value if isinstance(value, list) or key == "number" else [value]
        part = {"from_name": name, "to_name": _SHOWN.get(name, "paragraph_text"), "type": type_, "value": {key: listed}}
        result.append({"id": f"{number}-{name}"} | part)
    return {"id": number, "completed_by": user, "updated_at": at, "lead_time": took, "result": result}


def _export(desk: _Desk, odd: Iterable[Mapping[str, Any]]) -> bytes:
    """A JSON array of tasks with their annotations, a task a line."""
    found = [_exported(desk.tasks, task, {}, made) for task, made in desk.exports.items()]
    for entry in odd:
        task = desk.tasks.find({"paragraph": entry["paragraph"]})
        more = {"drafts": expanded(entry.get("drafts", []))}
        found.append(_exported(desk.tasks, task, entry.get("data", {}), expanded(entry["annotations"])) | more)
    records = [encoded({"id": number} | record) for number, record in enumerate(found, start=1)]
    return b"[\n" + b",\n".join(records) + b"\n]\n"


def _exported(tasks: Tasks, task: str, edited: Mapping[str, str], annotations: list[Any]) -> dict[str, Any]:
    return {**import_task(task, tasks.payloads[task] | dict(edited)), "annotations": annotations}
