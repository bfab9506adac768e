"""Mechanical Turk: questions, batches and result rows."""

from __future__ import annotations

import csv
import io
import unicodedata
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.annotation.forms.pages import mturk_page
from stages.annotation.platforms.mturk import (
    batch_csv,
    escaped,
    guard,
    html_question,
    is_result,
    question_of,
    read_result,
    split_choices,
    unguard,
)
from stages.annotation.platforms.replies import Reply, ReplyFault, ReplyLimits, marks
from tests.people_samples import KINDS, payload, task_row

KIND = KINDS["qampari_answer"]
NAMESPACE = "{http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2011-11-11/HTMLQuestion.xsd}"
SHOWN = payload("qampari_answer", question='Who & <b>what</b> ${task} "x"?', page="line 1\nline 2 😀")
ROW = task_row("qampari_answer", question=SHOWN["question"], page=SHOWN["page"])


def result_row(**changes: Any) -> dict[str, Any]:
    inputs = {f"Input.{name}": value for name, value in escaped(ROW["task"], SHOWN).items()}
    frame = {
        "HITId": "3H",
        "AssignmentId": "3A",
        "WorkerId": "A1B2",
        "AssignmentStatus": "Approved",
        "AcceptTime": "Wed Jan 31 01:30:00 PST 2024",
        "SubmitTime": "Wed Jan 31 01:31:05 PST 2024",
        "WorkTimeInSeconds": "65",
    }
    answers = {"Answer.verdict": "incorrect", "Answer.reason": "no", "Answer.task": ROW["task"]}
    return frame | inputs | answers | changes


def read(**changes: Any) -> Reply | ReplyFault:
    row = result_row(**changes)
    (part,) = read_result({name: value for name, value in row.items() if value is not None}, ReplyLimits())
    return part


def test_a_question_is_a_document_with_the_page_inside() -> None:
    document = ElementTree.fromstring(question_of(mturk_page(KIND), ROW["task"], SHOWN))  # noqa: S314 (ours)
    assert document.tag == f"{NAMESPACE}HTMLQuestion"
    page = document.findtext(f"{NAMESPACE}HTMLContent") or ""
    assert f'name="task" value="{ROW["task"]}"' in page
    assert "Who &amp; &lt;b&gt;what&lt;/b&gt; &#36;{task} &quot;x&quot;?" in page
    assert "line 1&#10;line 2 &#128512;" in page
    assert document.findtext(f"{NAMESPACE}FrameHeight") == "0"


def test_a_page_cannot_end_the_document_early() -> None:
    document = ElementTree.fromstring(html_question("a ]]> <b>"))  # noqa: S314 (ours)
    assert document.findtext(f"{NAMESPACE}HTMLContent") == "\na ]]> <b>\n"


@given(st.one_of(st.text(st.characters(exclude_categories=["Cs", "Cc"])), st.text("'=+-@&#x")))
def test_a_batch_row_holds_no_markup_and_comes_back_as_it_went(text: str) -> None:
    shown = SHOWN | {"question": text}
    (row,) = csv.DictReader(io.StringIO(batch_csv(KIND, [(ROW["task"], shown)])))
    assert set(row) == {"task", *KIND.variables}
    assert not set("<>") & set(row["question"])
    assert "${" not in row["question"]
    assert row["question"][:1] not in {"=", "+", "-", "@"}
    (part,) = read_result(result_row(**{"Input.question": row["question"]}), ReplyLimits())
    assert isinstance(part, Reply)
    assert part.shown == marks(shown)


def test_a_result_row_is_a_reply() -> None:
    assert is_result(result_row())
    assert read() == Reply(
        task=ROW["task"],
        worker="mturk:A1B2",
        answers={"reason": ["no"], "verdict": ["incorrect"]},
        shown=marks(SHOWN),
        started="2024-01-31T09:30:00.000000Z",
        submitted="2024-01-31T09:31:05.000000Z",
        seconds=65.0,
        source="mturk",
    )


def test_results_of_the_api_have_no_inputs() -> None:
    row = {name: value for name, value in result_row().items() if not name.startswith("Input.")}
    (part,) = read_result(row, ReplyLimits())
    assert isinstance(part, Reply)
    assert (part.task, part.shown) == (ROW["task"], None)


@pytest.mark.parametrize(
    ("changes", "reason", "bad"),
    [
        ({"AssignmentStatus": "Rejected"}, "rejected_assignment", False),
        ({"AssignmentStatus": "Abandoned"}, "not_submitted", False),
        ({"WorkerId": "A1/B2"}, "bad_worker", True),
        ({"WorkTimeInSeconds": "-1"}, "bad_seconds", True),
        ({"SubmitTime": "Wed Jan 31 01:29:59 PST 2024"}, "bad_time", True),
        ({"SubmitTime": "Wed Jan 31 25:29:59 PST 2024"}, "bad_time", True),
        ({"SubmitTime": "Wed Jan 31 01:31:05 CET 2024"}, "no_time_zone", True),
        ({"SubmitTime": "2024-01-31T01:31:05"}, "no_time_zone", True),
        ({"Answer.task": "f" * 32}, "payload_mismatch", True),
        ({"Input.task": None, "Answer.task": None}, "no_task", True),
        ({"Answer.reason": "x" * 10_000_000}, "oversized_answer", True),
    ],
)
def test_rows_that_are_no_reply(changes: dict[str, Any], reason: str, bad: bool) -> None:
    part = read(**changes)
    assert isinstance(part, ReplyFault)
    assert (part.reason, part.bad) == (reason, bad)


def test_daylight_time_and_single_digit_days() -> None:
    part = read(AcceptTime="Tue Jul  2 01:30:00 PDT 2024", SubmitTime="Tue Jul 2 09:00:00 UTC 2024")
    assert isinstance(part, Reply)
    assert (part.started, part.submitted) == ("2024-07-02T08:30:00.000000Z", "2024-07-02T09:00:00.000000Z")


def test_only_boxes_are_split() -> None:
    assert split_choices(KIND, {"verdict": ["a|b"], "reason": ["x|y"]}) == {"verdict": ["a|b"], "reason": ["x|y"]}


@given(st.one_of(st.text(), st.text(alphabet="'=+-@\t\r a\n＝\u00a0\u200b")))
def test_every_cell_comes_back_and_none_is_a_formula(cell: str) -> None:
    written = guard(cell)
    assert unguard(written) == cell
    shown = unicodedata.normalize("NFKC", written).translate(dict.fromkeys(map(ord, "\u200b\ufeff"))).lstrip()
    assert shown[:1] not in {"=", "+", "-", "@"} and written[:1] not in {"\t", "\r", "\n"}
    assert written in (cell, f"'{cell}")


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"),
        ("-5 degrees", "'-5 degrees"),
        ("@home", "'@home"),
        ("\tx", "'\tx"),
        ("'=1", "''=1"),
        ("''+", "'''+"),
        (" =1", "' =1"),
        ("\u00a0=1", "'\u00a0=1"),
        ("\n=1", "'\n=1"),
        ("\r\n +1", "'\r\n +1"),
        ("\u200b\ufeff@x", "'\u200b\ufeff@x"),
        ("＝1", "'＝1"),
        (" ＠x", "' ＠x"),
        ("' =1", "'' =1"),
        ("a\n=1", "a\n=1"),
        ("'tis so", "'tis so"),
        ("'", "'"),
        ("a = b", "a = b"),
        ("", ""),
    ],
)
def test_only_what_may_be_a_formula_gets_an_apostrophe(cell: str, written: str) -> None:
    assert guard(cell) == written


def test_a_formula_of_a_file_that_was_never_guarded_stays() -> None:
    assert [unguard(cell) for cell in ("=1", "'tis", "x")] == ["=1", "'tis", "x"]
