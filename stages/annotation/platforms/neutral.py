"""Replies in a neutral form, one JSON object a line, for platforms that have no adapter of their own.

{"task": ..., "worker": ..., "answers": {control: text, number or list of them},
 "started"?: time, "submitted"?: time, "seconds"?: number, "shown"?: {variable: text}}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from stages.annotation.platforms.replies import (
    JSONL,
    Reply,
    ReplyFault,
    ReplyLimits,
    check_order,
    duration,
    fault_key,
    marks,
    moment,
    plain_answers,
    task_id,
    worker_id,
)
from stages.core.texts import Refused

_FIELDS = ("task", "worker", "answers", "started", "submitted", "seconds", "shown")


def is_neutral(record: Mapping[str, Any]) -> bool:
    return {"task", "worker", "answers"} <= record.keys()


def read_neutral(record: Mapping[str, Any], limits: ReplyLimits) -> Iterator[Reply | ReplyFault]:
    """The reply of one record.

    Faults: what `stages.annotation.platforms.replies` refuses, and bad_record.
    """
    try:
        yield _reply(record, limits)
    except Refused as fault:
        yield ReplyFault(fault_key(record.get("task"), record.get("worker"), JSONL), fault.reason, str(fault))


def _reply(record: Mapping[str, Any], limits: ReplyLimits) -> Reply:
    answers, shown = record["answers"], record.get("shown")
    unknown = sorted(set(record) - set(_FIELDS))
    if unknown:
        raise Refused("bad_record", f"unknown field {unknown[0][:60]!r}; expected {', '.join(_FIELDS)}")
    if not isinstance(answers, dict) or not isinstance(shown, dict | None):
        raise Refused("bad_record", "expected answers, and shown where it is given, as objects")
    started, submitted = moment(record.get("started"), "started"), moment(record.get("submitted"), "submitted")
    check_order(started, submitted)
    return Reply(
        task=task_id(record["task"]),
        worker=worker_id(record["worker"], JSONL),
        answers=plain_answers(answers, limits.answer_bytes),
        shown=None if shown is None else marks(shown),
        started=started,
        submitted=submitted,
        seconds=duration(record.get("seconds"), limits.seconds),
        source=JSONL,
    )
