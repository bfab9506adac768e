"""The frame of a reply: task, worker, times and seconds."""

from __future__ import annotations

from typing import Any

import pytest

from stages.annotation.platforms.replies import (
    Reply,
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

TASK = "0123456789abcdef" * 2


def reason(call: Any, *arguments: Any) -> str:
    with pytest.raises(Refused) as refused:
        call(*arguments)
    return refused.value.reason


def test_workers_of_two_platforms_never_meet() -> None:
    assert worker_id(7, "label_studio") == "label_studio:7"
    assert worker_id("7", "mturk") == "mturk:7"
    assert worker_id("7", "jsonl") == "7"
    assert worker_id("mturk:7", "jsonl") == "mturk:7"


@pytest.mark.parametrize(
    "worker",
    [
        "",
        None,
        True,
        1.5,
        "a b",
        "a/b",
        "../etc",
        "a\\b",
        "a\x1fb",
        "a\nb",
        "a\x00",
        "a:b:c",
        "é",
        "x" * 101,
        "-a",
        ["a"],
        "a\n",
        pytest.param(10**5000, id="huge"),
    ],
)
def test_worker_ids_that_could_be_taken_for_something_else_are_refused(worker: Any) -> None:
    assert reason(worker_id, worker, "mturk") == "bad_worker"
    assert reason(worker_id, worker, "jsonl") == "bad_worker"


def test_task_ids() -> None:
    assert task_id(TASK) == TASK
    assert reason(task_id, None) == "no_task"
    assert reason(task_id, "") == "no_task"
    assert [reason(task_id, bad) for bad in (TASK + "0", TASK.upper(), 5, {}, TASK + "\n")] == ["unknown_task"] * 5
    assert fault_key(TASK, "ann", "jsonl") == f"{TASK} ann"
    assert fault_key(TASK, "a/b", "jsonl") == ""


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("2024-01-31T09:30:00Z", "2024-01-31T09:30:00.000000Z"),
        ("2024-01-31T10:30:00.25+01:00", "2024-01-31T09:30:00.250000Z"),
        ("2024-01-31 00:30:00-09:00", "2024-01-31T09:30:00.000000Z"),
        ("0999-01-31T09:30:00Z", "0999-01-31T09:30:00.000000Z"),
        (None, None),
        ("", None),
    ],
)
def test_times_are_kept_in_utc(given: str | None, kept: str | None) -> None:
    assert moment(given, "submitted") == kept


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("2024-01-31T09:30:00", "no_time_zone"),
        ("2024-01-31", "no_time_zone"),
        ("2024-02-30T09:30:00Z", "bad_time"),
        ("0001-01-01T00:00:00+14:00", "bad_time"),
        ("yesterday", "bad_time"),
        (1706693400, "bad_time"),
        ("2024-01-31T09:30:00Z" + " " * 100, "bad_time"),
    ],
)
def test_times_without_zone_or_sense_are_refused(given: object, expected: str) -> None:
    assert reason(moment, given, "submitted") == expected


def test_work_does_not_end_before_it_starts() -> None:
    early, late = "2024-01-31T09:30:00.000000Z", "2024-01-31T09:30:00.000001Z"
    check_order(early, late)
    check_order(None, early)
    assert reason(check_order, late, early) == "bad_time"


def test_seconds() -> None:
    assert duration("12.5", 60) == 12.5
    assert duration(0, 60) == 0.0
    assert duration(None, 60) is None
    # The page was left open: the work is done, and its time unknown.
    assert duration(60.1, 60) is None
    for bad in (-1, "-0.5", "nan", "inf", "soon", True, [1], 10**400):
        assert reason(duration, bad, 60) == "bad_seconds"


def test_answers_become_lists_of_texts() -> None:
    given = {"b": 2.0, "a": ["x", 3, 0.5], "c": None, "d": " ", "e": []}
    assert plain_answers(given, 100) == {"a": ["x", "3", "0.5"], "b": ["2"]}
    assert reason(plain_answers, {"a": "x" * 101}, 100) == "oversized_answer"
    assert reason(plain_answers, {"a": {"b": "c"}}, 100) == "bad_answer"
    assert reason(plain_answers, {"a": True}, 100) == "bad_answer"
    assert reason(plain_answers, {"a": "\ud800"}, 100) == "bad_answer"
    assert reason(plain_answers, {"\udc80": "a"}, 100) == "bad_answer"
    assert reason(plain_answers, {str(n): "a" for n in range(501)}, 10_000) == "bad_answer"


@pytest.mark.parametrize("nothing", [None, "", " ", "\n\t"])
def test_a_value_that_is_null_or_blank_is_missing_and_leaves_the_rest(nothing: str | None) -> None:
    given = {"a": [nothing], "b": ["x", nothing, 2], "c": nothing, "d": "kept"}
    assert plain_answers(given, 100) == {"b": ["x", "2"], "d": ["kept"]}


def test_marks_tell_texts_apart_but_not_their_spacing() -> None:
    assert marks({"b": "x  y\r\n", "a": "x"}) == marks({"a": " x", "b": "x y"})
    assert marks({"a": "x"}) != marks({"a": "X"})
    assert marks({"a": 1}) == marks({"a": None})


def test_equal_replies_share_a_key() -> None:
    one = Reply(TASK, "ann", {"a": ["x"]}, None, None, None, 1.0, "jsonl")
    other = Reply(TASK, "ann", {"a": ["x"]}, None, None, None, 2.0, "jsonl")
    assert one.row() == one.row()
    assert one.row()["reply"] != other.row()["reply"]
    assert one.row()["answers"] == '{"a":["x"]}'
