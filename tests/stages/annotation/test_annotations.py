"""Replies held against their tasks: what is kept, and what no server would have refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.annotation.annotations import STRAYS, fitting
from stages.annotation.asked import Asked
from stages.annotation.forms.kinds import TaskKind
from stages.annotation.platforms.replies import ReplyLimits
from stages.annotation.received import RECEIVED, received
from stages.annotation.tables import ANNOTATIONS
from stages.core.rejects import Rejects
from tests.people_samples import (
    ANSWER,
    CHECK,
    GRAPH,
    KINDS,
    WRITE,
    annotation,
    choice,
    export_record,
    imported,
    neutral_record,
    raw,
    read_all,
    settled,
    task_row,
    task_table,
    write_lines,
    writing,
)

ROWS = [task_row(question=f"Which {number}?") for number in range(4)]
TASKS = task_table(*ROWS)
LIMITS = ReplyLimits()
FIRST = ROWS[0]["task"]


def single(record: Any) -> tuple[list[dict[str, Any]], set[str]]:
    rows, rejects = imported(raw(record), TASKS)
    return rows, {reason for _, reason in rejects}


def test_a_reply_that_fits_is_kept_as_it_is() -> None:
    rows, rejects = imported(raw(export_record(ROWS[0], annotation(7))), TASKS)
    assert rejects == set()
    assert rows == [
        {
            "task": FIRST,
            "worker": "label_studio:7",
            "answers": '{"verdict":["correct"]}',
            "started": None,
            "submitted": "2024-01-31T09:31:00.500000Z",
            "seconds": 12.5,
            "source": "label_studio",
        }
    ]


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (neutral_record("f" * 32), "unknown_task"),
        (neutral_record(FIRST, answers={"verdict": "perhaps"}), "unknown_choice"),
        (neutral_record(FIRST, answers={"mood": "glad"}), "unknown_control"),
        (neutral_record(FIRST, answers={}), "missing_answer"),
        (neutral_record(FIRST, answers={"verdict": "incorrect", "reason": "<i>no</i>"}), "markup"),
        (neutral_record(FIRST, answers={"verdict": "incorrect", "reason": "x" * 501}), "too_long"),
        (neutral_record(FIRST, answers={"verdict": "incorrect", "reason": "x" * 10_000_000}), "oversized_answer"),
        (neutral_record(FIRST, shown={"question": "Which 0?"}), "payload_mismatch"),
        (export_record(ROWS[0] | {"payload": ROWS[1]["payload"]}, annotation()), "payload_mismatch"),
        (neutral_record(FIRST, worker="a/b"), "bad_worker"),
        (export_record(ROWS[0], annotation(result=[choice("verdict", "correct") | {"parentID": "verdict"}])), "cyclic"),
    ],
)
def test_what_no_server_refuses_is_refused_here(record: Any, reason: str) -> None:
    assert single(record) == ([], {reason})


def test_the_text_that_was_changed_is_named() -> None:
    changed = export_record(ROWS[0], annotation())
    changed["data"] |= {"page": "another page", "extra": "1"}
    del changed["data"]["title"]
    first = received(raw(changed), limits=LIMITS)
    rejects = settled(first.tables["received"], TASKS).rejects.to_pylist()
    assert [(row["reason"], row["detail"]) for row in rejects] == [
        ("payload_mismatch", "the worker saw another text than the task has: extra, page, title")
    ]


def test_an_answer_without_a_question_is_told_and_left_out() -> None:
    rows, rejects = imported(raw(neutral_record(FIRST, answers={"verdict": "correct", "reason": "none at all"})), TASKS)
    assert [row["answers"] for row in rows] == ['{"verdict":["correct"]}']
    assert rejects == {(f"{FIRST} ann", "unasked_answer")}


def test_one_null_costs_its_own_answer_and_no_other() -> None:
    replies = [
        neutral_record(FIRST, answers={"verdict": ["correct"], "reason": [None]}),
        neutral_record(FIRST, "bob", answers={"verdict": [None], "reason": ["none at all"]}),
    ]
    rows, rejects = imported(raw(*replies), TASKS)
    assert [(row["worker"], row["answers"]) for row in rows] == [("ann", '{"verdict":["correct"]}')]
    assert rejects == {(f"{FIRST} bob", "missing_answer")}


def test_the_last_reply_of_a_worker_to_a_task_counts() -> None:
    replies = [
        neutral_record(FIRST, submitted="2024-01-31T09:30:00Z"),
        neutral_record(FIRST, submitted="2024-01-31T10:30:00+02:00", answers={"verdict": "incorrect"}),
        neutral_record(FIRST, answers={"verdict": "incorrect"}),
        neutral_record(FIRST, "bob"),
    ]
    rows, rejects = imported(raw(*replies), TASKS)
    assert [(row["worker"], row["answers"]) for row in rows] == [
        ("ann", '{"verdict":["correct"]}'),
        ("bob", '{"verdict":["correct"]}'),
    ]
    assert rejects == {(f"{FIRST} ann", "duplicate")}


def reply(task: str, day: int | None, worker: str = "ann", **answers: list[str]) -> dict[str, Any]:
    """A row of RECEIVED."""
    submitted = day and f"2024-01-{day:02}T00:00:00.000000Z"
    frame = {"reply": f"{task}{worker}{day}", "shown": None, "started": None, "seconds": None, "source": "jsonl"}
    return frame | {"task": task, "worker": worker, "submitted": submitted, "answers": json.dumps(answers)}


def asked(kind: TaskKind, *tasks: str) -> dict[str, Asked]:
    return {task: Asked(task, kind, "{}", 1, task, None, False) for task in tasks}


def test_a_quota_is_spent_from_the_first_reply_on() -> None:
    kind = KINDS[ANSWER]
    twice = msgspec.structs.replace(kind, settings=msgspec.structs.replace(kind.settings, quota=2))
    given = [("c", 3, "ann"), ("a", None, "ann"), ("b", 2, "ann"), ("d", 2, "ann"), ("a", None, "bob")]
    replies, rejects = [reply(*one, verdict=["correct"]) for one in given], Rejects()
    kept = fitting(replies, asked(twice, *"abcd"), rejects)
    assert sorted((row["task"], row["worker"]) for row in kept) == [("a", "bob"), ("b", "ann"), ("d", "ann")]
    assert sorted((row["key"], row["reason"], row["detail"]) for row in rejects.table().to_pylist()) == [
        ("a ann", "over_quota", f"1 on top of 2, the quota of {ANSWER} is 2"),
        ("c ann", "over_quota", f"1 on top of 2, the quota of {ANSWER} is 2"),
    ]


def test_filled_sets_count_against_a_quota_of_sets() -> None:
    sets = {f"{name}_{n:02}": [f"{name} number {n} and more"] for n in range(1, 13) for name in ("question", "answer")}
    kept = fitting(
        [reply(task, day, **sets) for day, task in enumerate("abc", 1)], asked(KINDS[WRITE], *"abc"), Rejects()
    )
    # Thirty questions, of which two sheets of twelve leave six.
    assert sorted(row["task"] for row in kept) == ["a", "b"]


def test_every_kind_of_control_comes_back_from_label_studio() -> None:
    graph = task_row(GRAPH)
    check = task_row(CHECK)
    question = task_row("wiqa_question")
    records = [
        export_record(
            graph,
            annotation(
                result=[
                    writing("X", "more rain falls"),
                    writing("Y", "the river rises"),
                    choice("y_affects", "more"),
                    writing("V", "a long drought", "the clouds move on"),
                ]
            ),
        ),
        export_record(
            check,
            annotation(
                result=[
                    choice("standalone", "yes"),
                    choice("readable", "yes"),
                    choice("verdict", "revise"),
                    writing("revised_answer", "1912"),
                ]
            ),
        ),
        export_record(
            question,
            annotation(
                result=[
                    choice("answer", "less"),
                    {"from_name": "change_sentence", "to_name": "p", "type": "number", "value": {"number": 2}},
                ]
            ),
        ),
    ]
    rows, rejects = imported(raw(*records), task_table(graph, check, question))
    assert rejects == set()
    assert {row["task"]: json.loads(row["answers"]) for row in rows} == {
        graph["task"]: {
            "V": ["a long drought", "the clouds move on"],
            "X": ["more rain falls"],
            "Y": ["the river rises"],
            "y_affects": ["more"],
        },
        check["task"]: {
            "readable": ["yes"],
            "revised_answer": ["1912"],
            "standalone": ["yes"],
            "verdict": ["revise"],
        },
        question["task"]: {"answer": ["less"], "change_sentence": ["2"]},
    }


moments = st.sampled_from([None, "2024-01-31T09:30:00Z", "2024-01-31T10:30:00+01:00", "2024-02-01T00:00:00Z"])
records = st.builds(
    neutral_record,
    st.sampled_from([*(row["task"] for row in ROWS), "f" * 32]),
    st.sampled_from(["ann", "bob", "a/b"]),
    answers=st.sampled_from([{"verdict": "correct"}, {"verdict": "incorrect"}, {"verdict": "perhaps"}]),
    submitted=moments,
    seconds=st.sampled_from([None, 5, -5]),
)


@given(st.lists(records, max_size=12), st.randoms(use_true_random=False), st.data())
def test_order_and_repetition_of_records_change_nothing(
    given_records: list[dict[str, Any]], random: Any, data: Any
) -> None:
    expected = imported(raw(*given_records), TASKS)
    again = [*given_records]
    if given_records:
        again += data.draw(st.lists(st.sampled_from(given_records), max_size=4))
    random.shuffle(again)
    rows, rejects = imported(raw(*again), TASKS)
    assert rows == expected[0]
    # A record that stands twice is itself told as a duplicate, under the key of its reply.
    assert {pair for pair in rejects if " " in pair[0] or pair[1] != "duplicate"} == {
        pair for pair in expected[1] if " " in pair[0] or pair[1] != "duplicate"
    }


def test_order_of_files_changes_nothing(tmp_path: Path) -> None:
    groups = [[neutral_record(row["task"], worker) for row in ROWS] for worker in ("ann", "bob", "ann")]
    groups[2] = [record | {"answers": {"verdict": "incorrect"}} for record in groups[2]]
    paths = [write_lines(tmp_path / f"{number}.jsonl", group) for number, group in enumerate(groups)]
    swapped = [write_lines(tmp_path / f"other{number}.jsonl", group) for number, group in enumerate(reversed(groups))]
    assert imported(read_all(*paths), TASKS) == imported(read_all(*swapped), TASKS)
    assert len(imported(read_all(*paths), TASKS)[0]) == 8


def test_without_annotations_all_tables_are_empty() -> None:
    assert imported(read_all(), TASKS) == ([], set())


def test_replies_to_tasks_of_a_later_round_are_left_to_it(tmp_path: Path) -> None:
    mine, later = task_row(question="Which one?"), task_row(question="Which other?")
    records = [neutral_record(mine["task"]), neutral_record(later["task"]), neutral_record("f" * 32)]
    replies = received(read_all(write_lines(tmp_path / "answers.jsonl", records)), limits=LIMITS).tables[RECEIVED.name]
    first = settled(replies, task_table(mine), later_rounds=True)
    assert first.tables[ANNOTATIONS.name]["task"].to_pylist() == [mine["task"]]
    assert first.rejects.num_rows == 0
    last = settled(first.tables[STRAYS.name], task_table(later))
    assert last.tables[ANNOTATIONS.name]["task"].to_pylist() == [later["task"]]
    assert STRAYS.name not in last.tables
    assert [(row["key"].split()[0], row["reason"]) for row in last.rejects.to_pylist()] == [("f" * 32, "unknown_task")]
