"""Label Studio's export, as its server writes it (version 1.23) and as nobody should."""

from __future__ import annotations

from typing import Any

import pytest

from stages.annotation.platforms.label_studio import import_task, is_export, is_short_export, read_export
from stages.annotation.platforms.replies import Reply, ReplyFault, ReplyLimits, marks
from tests.people_samples import annotation, choice, export_record, payload, task_row, writing

ROW = task_row()
LIMITS = ReplyLimits()


def read(*annotations: Any, **changes: Any) -> list[Reply | ReplyFault]:
    return list(read_export(export_record(ROW, *annotations, **changes), LIMITS))


def faults(*annotations: Any, **changes: Any) -> list[tuple[str, str]]:
    return [(part.key, part.reason) for part in read(*annotations, **changes) if isinstance(part, ReplyFault)]


def test_a_task_travels_with_its_id_and_nothing_else() -> None:
    assert import_task("ab", {"question": "q"}) == {"data": {"question": "q", "task": "ab"}}


def test_an_annotation_is_a_reply() -> None:
    result = [choice("verdict", "incorrect"), writing("reason", "no", "never")]
    assert read(annotation(7, result=result)) == [
        Reply(
            task=ROW["task"],
            worker="label_studio:7",
            answers={"reason": ["no", "never"], "verdict": ["incorrect"]},
            shown=marks(payload("qampari_answer")),
            started=None,
            submitted="2024-01-31T09:31:00.500000Z",
            seconds=12.5,
            source="label_studio",
        )
    ]


def test_an_export_may_give_the_whole_user() -> None:
    (reply,) = read(annotation({"id": 4, "email": "ann@example.org"}))
    assert isinstance(reply, Reply)
    assert reply.worker == "label_studio:4"


def test_several_annotators_and_a_number() -> None:
    number = {"from_name": "weight", "to_name": "t", "type": "number", "value": {"number": 3}}
    first, second = read(annotation(1, result=[number]), annotation(2))
    assert isinstance(first, Reply)
    assert isinstance(second, Reply)
    assert (first.answers, second.worker) == ({"weight": ["3"]}, "label_studio:2")


def test_skipped_tasks_and_drafts_are_told_but_are_not_bad() -> None:
    found = read(annotation(7, was_cancelled=True, result=[]), drafts=[{"completed_by": 8, "result": []}, 5])
    assert [(part.key, part.reason, part.bad) for part in found if isinstance(part, ReplyFault)] == [
        (f"{ROW['task']} label_studio:7", "skipped", False),
        (f"{ROW['task']} label_studio:8", "draft", False),
        ("", "draft", False),
    ]


def test_predictions_are_no_answers() -> None:
    assert read(predictions=[annotation(7)]) == []


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"completed_by": "../../x"}, "bad_worker"),
        ({"completed_by": None}, "bad_worker"),
        ({"updated_at": "2024-01-31T09:30:00"}, "no_time_zone"),
        ({"updated_at": "now"}, "bad_time"),
        ({"lead_time": -3}, "bad_seconds"),
        ({"result": {}}, "bad_annotation"),
        ({"result": [5]}, "bad_annotation"),
        ({"result": None}, "bad_annotation"),
        ({"result": [{"type": "choices", "value": {"choices": ["correct"]}}]}, "bad_annotation"),
        ({"result": [choice("verdict", "correct") | {"value": {}}]}, "bad_annotation"),
        ({"result": [choice("verdict", "correct") | {"value": None}]}, "bad_annotation"),
        ({"result": [choice("verdict", "correct") | {"type": "rectanglelabels"}]}, "unknown_control"),
        ({"result": [choice("verdict", "correct") | {"value": {"choices": [["deep"]]}}]}, "bad_answer"),
        ({"result": [{"type": "relation", "from_id": "a", "to_id": "b"}]}, "unknown_control"),
        ({"result": [writing("reason", "x" * 10_000_000)]}, "oversized_answer"),
    ],
)
def test_annotations_that_no_server_writes_are_refused(changes: dict[str, Any], reason: str) -> None:
    assert [found for _, found in faults(annotation(**changes))] == [reason]


def test_results_that_refer_to_each_other_in_a_circle_are_refused() -> None:
    parents = [choice("a", "x") | {"parentID": "b"}, choice("b", "x") | {"parentID": "a"}]
    relations = [{"type": "relation", "from_id": start, "to_id": end} for start, end in ("ab", "bc", "ca")]
    own = [choice("a", "x") | {"parentID": "a"}]
    assert [faults(annotation(result=result))[0][1] for result in (parents, relations, own)] == ["cyclic"] * 3
    chain = [choice(str(n), "x") | {"parentID": str(n + 1)} for n in range(5000)]
    assert not any(reason == "cyclic" for _, reason in faults(annotation(result=chain)))


def test_annotations_that_are_each_other_s_origin_are_refused() -> None:
    circle = [annotation(n, id=n, parent_annotation=parent) for n, parent in ((1, 2), (2, 1), (3, 1), (4, 5))]
    assert [(key.split(":")[1], reason) for key, reason in faults(*circle)] == [(n, "cyclic") for n in "123"]
    assert faults(annotation(1, id=1, parent_annotation=1))[0][1] == "cyclic"


def test_a_task_without_our_id_or_shape() -> None:
    record = export_record(ROW, annotation())
    del record["data"]["task"]
    assert [part.reason for part in read_export(record, LIMITS) if isinstance(part, ReplyFault)] == ["no_task"]
    record["data"] = "text"
    assert [part.reason for part in read_export(record, LIMITS) if isinstance(part, ReplyFault)] == ["bad_record"]


def test_the_short_export_is_told_from_the_full_one() -> None:
    short = {"question": "q", "id": 1, "verdict": "correct", "annotator": 2, "annotation_id": 2, "lead_time": 3.0}
    assert is_short_export(short)
    assert not is_export(short)
    assert is_export(export_record(ROW))
