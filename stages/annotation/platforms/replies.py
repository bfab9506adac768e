"""One reply of one worker, as any platform's records are read into it, and what can be wrong with it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from manifests.digest import canonical_json, json_digest, sha256
from stages.core.contract import StageError
from stages.core.texts import Refused

LABEL_STUDIO, MTURK, JSONL = "label_studio", "mturk", "jsonl"

_TASK = re.compile(r"[0-9a-f]{32}")
# No white space, slash, backslash, quote or control character: a worker's id becomes part of keys.
_WORKER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}", re.ASCII)
_NAMED_WORKER = re.compile(r"(?:[a-z_]{1,20}:)?" + _WORKER.pattern, re.ASCII)
_MAX_CONTROLS = 500
# Beyond this, Python refuses to write some integers out, and none can mean anything here.
_INTEGERS = 2**63


@dataclass(frozen=True)
class ReplyLimits:
    """answer_bytes: of all answers of one reply together. seconds: the longest believable work on one task;
    more counts as not told."""

    answer_bytes: int = 256 * 1024
    seconds: float = 24 * 3600.0

    def __post_init__(self) -> None:
        if self.answer_bytes < 1 or not self.seconds > 0:
            raise StageError(f"answer_bytes {self.answer_bytes}, seconds {self.seconds}: expected more than 0")


@dataclass(frozen=True)
class Reply:
    """A reply whose frame is sound; whether its answers fit the task is not known yet.

    answers: by control, texts as given. shown: see `marks`; None where the platform does not say what it showed.
    started, submitted, seconds, source: see ANNOTATIONS.
    """

    task: str
    worker: str
    answers: Mapping[str, list[str]]
    shown: Mapping[str, str] | None
    started: str | None
    submitted: str | None
    seconds: float | None
    source: str

    def row(self) -> dict[str, Any]:
        """The reply with its answers as JSON, under a key that only an equal reply shares."""
        shown = None if self.shown is None else canonical_json(self.shown)
        row = asdict(self) | {"answers": canonical_json(self.answers), "shown": shown}
        return {"reply": json_digest(row)[:32]} | row


def marks(shown: Mapping[str, object]) -> dict[str, str]:
    """A short digest per variable that a worker saw; white space, which platforms change, does not count."""
    return {str(name): sha256(_visible(value))[:12] for name, value in sorted(shown.items())}


def _visible(value: object) -> bytes:
    # Our variables are texts; anything else is no value of ours, whatever it is.
    return " ".join(value.split()).encode("utf-8", "surrogatepass") if isinstance(value, str) else b"\x00"


@dataclass(frozen=True)
class ReplyFault:
    """A record, or a part of one, that gives no reply.

    key: task and worker, "" where they are not known.
    bad: it is not as the platform writes it; a skipped task, for one, is not bad.
    """

    key: str
    reason: str
    detail: str
    bad: bool = True


def task_id(value: object) -> str:
    """Raises Refused: no_task, unknown_task."""
    if value is None or value == "":
        raise Refused("no_task", "the record does not say which task it answers")
    if not isinstance(value, str) or not _TASK.fullmatch(value):
        raise Refused("unknown_task", f"{brief(value)} is no id of a task: 32 hexadecimal digits")
    return value


def worker_id(value: object, source: str) -> str:
    """A worker's id with the platform before it, so that those of two platforms never meet.

    A neutral record may carry such an id, or one of its own.

    Raises Refused: bad_worker.
    """
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < _INTEGERS:
        value = str(value)
    pattern = _NAMED_WORKER if source == JSONL else _WORKER
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise Refused("bad_worker", f"expected letters, digits and any of . _ @ + -, at most 100, got {brief(value)}")
    return value if source == JSONL else f"{source}:{value}"


def fault_key(task: object, worker: object, source: str) -> str:
    """The key "{task} {worker}" where both can be told, else ""."""
    try:
        return f"{task_id(task)} {worker_id(worker, source)}"
    except Refused:
        return ""


def moment(value: object, name: str) -> str | None:
    """A point in time in UTC, to the microsecond; None where none is given.

    Raises Refused: bad_time, no_time_zone.
    """
    if value is None or value == "":
        return None
    try:
        time = datetime.fromisoformat(value) if isinstance(value, str) and len(value) <= 40 else None
        if time is not None and time.tzinfo is not None:
            return utc(time)
    except (ValueError, OverflowError):
        time = None
    if time is None:
        raise Refused("bad_time", f"{name}: expected a time such as 2024-01-31T09:30:00Z, got {brief(value)}")
    raise Refused("no_time_zone", f"{name}: {value}; expected Z or an offset such as +01:00 at its end")


def utc(time: datetime) -> str:
    """Of equal length whatever the time, so that texts sort as times do."""
    return time.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def duration(value: object, most: float) -> float | None:
    """Seconds of work; None where none are given, or more than `most`: the page was left open, the work was done.

    Raises Refused: bad_seconds where they are no number or negative.
    """
    if value is None or value == "":
        return None
    try:
        seconds = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise Refused("bad_seconds", f"expected seconds from 0 up, got {brief(value)}")
    return seconds if seconds <= most else None


def check_order(started: str | None, submitted: str | None) -> None:
    """Raises Refused: bad_time where the work ends before it starts."""
    if started is not None and submitted is not None and submitted < started:
        raise Refused("bad_time", f"submitted at {submitted}, before it was started at {started}")


def plain_answers(given: Mapping[str, object], most: int) -> dict[str, list[str]]:
    """Answers by control as lists of texts; a single value counts as a list of one.

    most: bytes of all answers together. A null or blank value is one that was not given, and says nothing of the
    others: whether the control may go without is for the form to say.

    Raises Refused: bad_answer, oversized_answer.
    """
    if len(given) > _MAX_CONTROLS:
        raise Refused("bad_answer", f"{len(given)} controls")
    if any(not _is_unicode(name) for name in given):
        raise Refused("bad_answer", "a control whose name is no Unicode text")
    answers = {name: [_plain(name, value) for value in _listed(values)] for name, values in sorted(given.items())}
    size = sum(len(value.encode()) for values in answers.values() for value in values)
    if size > most:
        raise Refused("oversized_answer", f"{size} bytes, the limit is {most}")
    return {name: values for name, values in answers.items() if values}


def _listed(values: object) -> Sequence[object]:
    listed = values if isinstance(values, list) else (values,)
    return [value for value in listed if value is not None and not (isinstance(value, str) and not value.strip())]


def _plain(name: str, value: object) -> str:
    if isinstance(value, str) and _is_unicode(value):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _INTEGERS:
        return str(int(value)) if value == int(value) else repr(value)
    raise Refused("bad_answer", f"{name[:60]}: expected a text or a number, got {brief(value)}")


def _is_unicode(text: str) -> bool:
    """Whether a text can be stored; half of a surrogate pair cannot."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def brief(value: object) -> str:
    """A value from outside for a message: short, and safe to make."""
    if isinstance(value, str | float | bool | None) or (isinstance(value, int) and abs(value) < _INTEGERS):
        return ascii(value[:60] if isinstance(value, str) else value)
    return f"a value of type {type(value).__name__}"
