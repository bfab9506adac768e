"""Records of all platforms to replies."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.annotation.platforms.replies import ReplyLimits
from stages.annotation.platforms.source import Annotations
from stages.annotation.received import RECEIVED, received, stage
from stages.core.contract import Output
from tests.people_samples import annotation, export_record, neutral_record, raw, reasons, task_row

ROW = task_row()
LIMITS = ReplyLimits()


def run(*records: object) -> Output:
    return received(raw(*records), limits=LIMITS)


def test_records_are_known_by_their_fields() -> None:
    result = {"AssignmentId": "3A", "WorkerId": "A1", "Input.task": ROW["task"], "Answer.verdict": "correct"}
    output = run(export_record(ROW, annotation(1), annotation(2)), result, neutral_record(ROW["task"]))
    rows = output.tables["received"].to_pylist()
    assert sorted((row["worker"], row["source"]) for row in rows) == [
        ("ann", "jsonl"),
        ("label_studio:1", "label_studio"),
        ("label_studio:2", "label_studio"),
        ("mturk:A1", "mturk"),
    ]
    assert {row["answers"] for row in rows} == {'{"verdict":["correct"]}'}
    assert output.metrics == {"records": 4.0, "bad_records": 0.0}
    assert output.rejects.num_rows == 0


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (b"{", "broken_json"),
        (b'"text"', "not_an_object"),
        (b"[" * 5000 + b"]" * 5000, "broken_json"),
        (b'{"task": "\xff"}', "broken_json"),
        ({}, "unknown_format"),
        ({"annotation_id": 3, "annotator": 1, "verdict": "correct"}, "json_min"),
    ],
)
def test_other_records_are_bad(record: object, reason: str) -> None:
    output = run(record)
    assert [found for _, found in reasons(output)] == [reason]
    assert reasons(output)[0][0].startswith("sha256:")
    assert output.metrics == {"records": 1.0, "bad_records": 1.0}


def test_what_the_source_could_not_read_is_a_reject() -> None:
    table = pa.table({"data": [None], "error": ["broken_csv: what"]}, schema=Annotations().schema)
    output = received(table, limits=LIMITS)
    assert [(row["reason"], row["detail"]) for row in output.rejects.to_pylist()] == [("broken_csv", "what")]


def test_skipped_tasks_do_not_count_as_bad() -> None:
    output = run(export_record(ROW, annotation(1, was_cancelled=True)))
    assert output.metrics == {"records": 1.0, "bad_records": 0.0}
    assert reasons(output) == [(f"{ROW['task']} label_studio:1", "skipped")]


def test_the_stage() -> None:
    made = stage(Annotations())
    assert (made.name, made.outputs, made.bound["limits"]) == ("annotation.received", (RECEIVED,), LIMITS)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
names = st.sampled_from(
    [
        *("task", "worker", "answers", "data", "annotations", "result", "value", "type", "drafts", "seconds", "id"),
        *("completed_by", "updated_at", "lead_time", "AssignmentId", "WorkerId", "Input.task", "Answer.x", "shown"),
    ]
)
nested = st.recursive(values, lambda inner: st.dictionaries(names, inner, max_size=6), max_leaves=12)


@given(st.dictionaries(names, nested | st.lists(nested, max_size=3), min_size=2, max_size=8))
def test_no_record_stops_the_build(record: dict[str, object]) -> None:
    output = run(json.dumps(record).encode())
    assert output.metrics["records"] >= output.metrics["bad_records"]
    assert output.tables["received"].num_rows + output.rejects.num_rows == output.metrics["records"]


@given(nested)
def test_no_annotation_stops_the_build(part: object) -> None:
    whole = annotation(1, result=part)
    single = annotation(1, result=[{"from_name": "verdict", "type": "choices", "value": part}])
    worker = annotation(part, updated_at=part)
    run(*(json.dumps(export_record(ROW, one)).encode() for one in (whole, single, worker, part)))
