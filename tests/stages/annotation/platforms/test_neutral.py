"""Neutral records."""

from __future__ import annotations

from typing import Any

import pytest

from stages.annotation.platforms.neutral import is_neutral, read_neutral
from stages.annotation.platforms.replies import Reply, ReplyFault, ReplyLimits, marks
from tests.people_samples import neutral_record

TASK = "0123456789abcdef" * 2


def read(**changes: Any) -> Reply | ReplyFault:
    (part,) = read_neutral(neutral_record(TASK) | changes, ReplyLimits())
    return part


def test_a_record_is_a_reply() -> None:
    part = read(
        answers={"verdict": "incorrect", "reason": ["no"], "weight": 3},
        started="2024-01-31T09:30:00Z",
        submitted="2024-01-31T09:31:00Z",
        seconds=60,
        shown={"question": "q"},
    )
    assert part == Reply(
        TASK,
        "ann",
        {"reason": ["no"], "verdict": ["incorrect"], "weight": ["3"]},
        marks({"question": "q"}),
        "2024-01-31T09:30:00.000000Z",
        "2024-01-31T09:31:00.000000Z",
        60.0,
        "jsonl",
    )


def test_only_task_worker_and_answers_are_needed() -> None:
    part = read()
    assert isinstance(part, Reply)
    assert (part.shown, part.started, part.submitted, part.seconds) == (None, None, None, None)
    assert not is_neutral({"task": TASK, "answers": {}})


@pytest.mark.parametrize(
    ("changes", "reason", "key"),
    [
        ({"answers": "correct"}, "bad_record", f"{TASK} ann"),
        ({"answers": {"verdict": {"a": 1}}}, "bad_answer", f"{TASK} ann"),
        ({"shown": "q"}, "bad_record", f"{TASK} ann"),
        ({"gold": True}, "bad_record", f"{TASK} ann"),
        ({"worker": "a\x1fb"}, "bad_worker", ""),
        ({"task": "12"}, "unknown_task", ""),
        ({"task": None}, "no_task", ""),
        ({"submitted": "2024-01-31T09:31:00"}, "no_time_zone", f"{TASK} ann"),
        ({"seconds": -1}, "bad_seconds", f"{TASK} ann"),
        ({"started": "2024-01-31T09:31:00Z", "submitted": "2024-01-31T09:30:00Z"}, "bad_time", f"{TASK} ann"),
    ],
)
def test_faults(changes: dict[str, Any], reason: str, key: str) -> None:
    part = read(**changes)
    assert isinstance(part, ReplyFault)
    assert (part.reason, part.key) == (reason, key)
