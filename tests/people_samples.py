"""Drafts, tasks and replies for the tests of the people stages."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from stages.annotation.forms.kinds import load_kinds
from stages.annotation.platforms.replies import ReplyLimits
from stages.annotation.platforms.source import Annotations
from stages.annotation.received import RECEIVED, received
from stages.annotation.tables import ANNOTATIONS, DRAFTS, TASK_KEYS, TASKS
from stages.annotation.tasks import task_id
from stages.annotation.verdicts import RoundParams, verdicts
from stages.core.contract import Output
from stages.core.shards import sort_bucket

KINDS = load_kinds()
ANSWER, GRAPH, CHECK, WRITE = "qampari_answer", "wiqa_graph", "ifqa_verification", "ifqa_writing"


def payload(kind: str, **given: str) -> dict[str, str]:
    """All variables of a kind; each says its own name unless it is given."""
    return {name: given.get(name, f"some {name}") for name in KINDS[kind].variables}


def task_row(kind: str = ANSWER, redundancy: int = 1, **given: str) -> dict[str, Any]:
    shown = payload(kind, **given)
    text = json.dumps(shown, sort_keys=True, separators=(",", ":"))
    return {
        "task": task_id("toy", kind, shown),
        "dataset": "toy",
        "kind": kind,
        "payload": text,
        "redundancy": redundancy,
    }


def task_table(*rows: dict[str, Any]) -> pa.Table:
    return TASKS.table(list(rows))


def draft(origin: str, kind: str = ANSWER, **changes: Any) -> dict[str, Any]:
    empty = {"wrong_payload": None, "wrong_gold": None, "gold": None, "redundancy": 0}
    row = {"origin": origin, "kind": kind, "payload": json.dumps(payload(kind, question=f"Which {origin}?"))}
    return row | empty | changes


def draft_table(*rows: dict[str, Any]) -> pa.Table:
    return DRAFTS.table(list(rows))


def neutral_record(task: str, worker: str = "ann", **changes: Any) -> dict[str, Any]:
    return {"task": task, "worker": worker, "answers": {"verdict": "correct"}} | changes


def export_record(row: dict[str, Any], *annotations: Any, **changes: Any) -> dict[str, Any]:
    """A task as Label Studio exports it."""
    data = json.loads(row["payload"]) | {"task": row["task"]}
    return {"id": 1, "data": data, "annotations": list(annotations), "drafts": [], "predictions": []} | changes


def annotation(worker: Any = 7, **changes: Any) -> dict[str, Any]:
    """An annotation that Label Studio would export for a `qampari_answer` task."""
    return {
        "id": 3,
        "completed_by": worker,
        "result": [choice("verdict", "correct")],
        "was_cancelled": False,
        "created_at": "2024-01-31T09:30:00.250000Z",
        "updated_at": "2024-01-31T09:31:00.500000Z",
        "lead_time": 12.5,
        "parent_annotation": None,
    } | changes


def choice(name: str, *values: str) -> dict[str, Any]:
    return {"id": name, "from_name": name, "to_name": "t", "type": "choices", "value": {"choices": list(values)}}


def writing(name: str, *values: str) -> dict[str, Any]:
    return {"id": name, "from_name": name, "to_name": "t", "type": "textarea", "value": {"text": list(values)}}


def write_lines(path: Path, records: Sequence[Any]) -> str:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    return str(path)


def read_all(*paths: str) -> pa.Table:
    """All records of some files, as their source gives them."""
    source = Annotations(paths)
    return pa.concat_tables([source.schema.empty_table(), *(t for part in source.parts() for t in source.read(part))])


def raw(*records: Any) -> pa.Table:
    data = [record if isinstance(record, bytes) else json.dumps(record).encode() for record in records]
    return pa.table({"data": data, "error": pa.nulls(len(data), pa.string())}, schema=Annotations().schema)


def imported(raw_records: pa.Table, tasks: pa.Table) -> tuple[list[dict[str, Any]], set[tuple[str, str]]]:
    """Records read and held against their tasks, with the table between published as a build does.

    Annotations, and (key, reason).
    """
    first = received(raw_records, limits=ReplyLimits())
    replies = sort_bucket([first.tables[RECEIVED.name]], RECEIVED, "annotation.received")
    second = settled(replies.rows, tasks)
    found = sort_bucket([second.tables[ANNOTATIONS.name]], ANNOTATIONS, "annotation.verdicts")
    tables = [first.rejects, second.rejects, replies.rejects]
    return found.rows.to_pylist(), {reason for table in tables for reason in reasons(table)}


def settled(replies: pa.Table, tasks: pa.Table, later_rounds: bool = False) -> Output:
    """What the stage of verdicts makes of replies to some tasks of which nothing is known."""
    names = TASK_KEYS.schema.names
    blank = dict.fromkeys(names) | {"origin": "o", "attention_check": False}
    keys = TASK_KEYS.table([blank | {"task": task} for task in tasks["task"].to_pylist()])
    return verdicts(tasks, keys, replies, kinds=KINDS, params=RoundParams(later_rounds=later_rounds))


def of_answers(met: Counter[str]) -> Counter[str]:
    """The reasons for which replies are refused, without those that say why an answer that fits does not count."""
    left_out = ("rejected_worker", "no_verdict", "no_text", "same_text", "unchanged")
    return Counter({reason: count for reason, count in met.items() if reason not in left_out})


def reasons(output: Output | pa.Table) -> list[tuple[str, str]]:
    """(key, reason) of all rejects, sorted."""
    table = output.rejects if isinstance(output, Output) else output
    return sorted((row["key"], row["reason"]) for row in table.to_pylist())
