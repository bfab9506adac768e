"""Mechanical Turk: pages and batches as its requesters upload them, and replies out of its result rows.

A batch file has one row per task, with a column per variable; the platform puts the
columns into the page as they are, so they are escaped here, and guarded against
spreadsheets. A result row repeats them as "Input.{variable}" and gives what the form held
as "Answer.{control}".
"""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta, timezone
from typing import Any

from stages.annotation.forms.form import CHOICE
from stages.annotation.forms.kinds import TASK_FIELD, TaskKind
from stages.annotation.forms.pages import fill_variables
from stages.annotation.platforms.replies import (
    MTURK,
    Reply,
    ReplyFault,
    ReplyLimits,
    brief,
    check_order,
    duration,
    fault_key,
    marks,
    moment,
    plain_answers,
    task_id,
    utc,
    worker_id,
)
from stages.core.english import SHORT_MONTHS
from stages.core.texts import Refused

MAX_QUESTION_BYTES = 65_535
"""The platform takes no longer HTMLQuestion."""

_SCHEMA = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2011-11-11/HTMLQuestion.xsd"
_FRAME_HEIGHT = 0
_INPUT, _ANSWER = "Input.", "Answer."
# Fields of the page that are no answers.
_FRAME_FIELDS = ("assignmentId", TASK_FIELD)
# Result files give times as "Wed Jan 31 01:30:00 PST 2024".
_TIME = re.compile(r"[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\d{1,2}) (\d\d:\d\d:\d\d) ([A-Z]{3}) (\d{4})", re.ASCII)
# Whoever opens a batch in a spreadsheet may run what a cell begins with; some leave aside what is not seen before it,
# and read the wide forms of signs as the plain ones.
_UNSEEN = "\u00ad\u200b-\u200f\u2060-\u2064\ufeff"
_FORMULA = re.compile(rf"'*(?:[\t\r\n]|[\s{_UNSEEN}]*+[=+\-@＝﹦＋﹢－﹣−＠﹫])")
_ZONES = {"PST": -8, "PDT": -7, "UTC": 0, "GMT": 0}


def guard(cell: str) -> str:
    """A cell of a batch as it is written: one that a spreadsheet takes for a formula gets an apostrophe before it.

    So does one that looks as if it had one already: taking one away then gives every cell back as it was.
    """
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unguard(cell: str) -> str:
    """The cell as it was before `guard`; one that was never guarded and needs no guard stays as it is."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def html_question(page: str) -> str:
    """The HTMLQuestion document around a page."""
    content = page.replace("]]>", "]]]]><![CDATA[>")
    return (
        f'<HTMLQuestion xmlns="{_SCHEMA}">\n<HTMLContent><![CDATA[\n{content}\n]]></HTMLContent>\n'
        f"<FrameHeight>{_FRAME_HEIGHT}</FrameHeight>\n</HTMLQuestion>\n"
    )


def question_of(page: str, task: str, payload: Mapping[str, str]) -> str:
    """The HTMLQuestion of one task on a kind's page, as the platform's API takes it."""
    return html_question(fill_variables(page, escaped(task, payload)))


def escaped(task: str, payload: Mapping[str, str]) -> dict[str, str]:
    """The variables of a page as HTML text: no markup, no placeholder, one line, only characters that uploads take."""
    return {TASK_FIELD: task} | {name: _escape(value) for name, value in sorted(payload.items())}


def _escape(value: str) -> str:
    text = html.escape(value).replace("${", "&#36;{").replace("\n", "&#10;")
    return "".join(character if character <= "\uffff" else f"&#{ord(character)};" for character in text)


def batch_csv(kind: TaskKind, tasks: Iterable[tuple[str, Mapping[str, str]]]) -> str:
    """A batch file of (task, payload); no cell of it is a formula to a spreadsheet."""
    file = io.StringIO()
    writer = csv.DictWriter(file, [TASK_FIELD, *kind.variables], lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writeheader()
    for task, payload in tasks:
        writer.writerow({name: guard(value) for name, value in escaped(task, payload).items()})
    return file.getvalue()


def is_result(record: Mapping[str, Any]) -> bool:
    """Whether a record is a row of a result file."""
    return {"AssignmentId", "WorkerId"} <= record.keys()


def read_result(record: Mapping[str, Any], limits: ReplyLimits) -> Iterator[Reply | ReplyFault]:
    """The reply of one result row.

    Faults: what `stages.annotation.platforms.replies` refuses, and payload_mismatch, rejected_assignment,
    not_submitted.
    """
    task = record.get(_INPUT + TASK_FIELD) or record.get(_ANSWER + TASK_FIELD)
    status = record.get("AssignmentStatus") or "Submitted"
    try:
        if status == "Rejected":
            raise Refused("rejected_assignment", "the requester refused this assignment")
        if status not in ("Submitted", "Approved"):
            raise Refused("not_submitted", f"AssignmentStatus is {brief(status)}")
        yield _reply(record, task, limits)
    except Refused as fault:
        bad = fault.reason not in ("rejected_assignment", "not_submitted")
        yield ReplyFault(fault_key(task, record.get("WorkerId"), MTURK), fault.reason, str(fault), bad)


def _reply(record: Mapping[str, Any], task: object, limits: ReplyLimits) -> Reply:
    own = record.get(_ANSWER + TASK_FIELD)
    if own and own != task:
        raise Refused("payload_mismatch", f"the row is about {brief(task)}, its form about {brief(own)}")
    started, submitted = (_time(record.get(name), name) for name in ("AcceptTime", "SubmitTime"))
    check_order(started, submitted)
    shown = {name: _unescape(value) for name, value in _columns(record, _INPUT).items() if name != TASK_FIELD}
    answers = {name: value for name, value in _columns(record, _ANSWER).items() if name not in _FRAME_FIELDS}
    return Reply(
        task=task_id(task),
        worker=worker_id(record.get("WorkerId"), MTURK),
        answers=plain_answers(answers, limits.answer_bytes),
        shown=marks(shown) or None,
        started=started,
        submitted=submitted,
        seconds=duration(record.get("WorkTimeInSeconds"), limits.seconds),
        source=MTURK,
    )


def split_choices(kind: TaskKind, answers: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """The answers with boxes apart: the platform joins the values of several ticked boxes by "|"."""
    boxes = {name for name, control in kind.controls.items() if control.kind == CHOICE and control.max_values > 1}
    return {
        name: [part for value in values for part in value.split("|")] if name in boxes else values
        for name, values in answers.items()
    }


def _columns(record: Mapping[str, Any], prefix: str) -> dict[str, object]:
    return {name[len(prefix) :]: value for name, value in record.items() if name.startswith(prefix)}


def _unescape(value: object) -> object:
    return html.unescape(unguard(value)) if isinstance(value, str) else value


def _time(value: object, name: str) -> str | None:
    found = _TIME.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return moment(value, name)
    month, day, clock, zone, year = found.groups()
    if zone not in _ZONES:
        raise Refused("no_time_zone", f"{name}: {value}; expected one of {', '.join(_ZONES)}")
    try:
        time = datetime.strptime(f"{year} {SHORT_MONTHS.index(month) + 1} {day} {clock}", "%Y %m %d %H:%M:%S")
        return utc(time.replace(tzinfo=timezone(timedelta(hours=_ZONES[zone]))))
    except (ValueError, OverflowError) as error:
        raise Refused("bad_time", f"{name}: {value}") from error
