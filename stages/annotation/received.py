"""Stage `annotation.received`: replies out of files of answers, whatever platform wrote them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import pyarrow as pa

from stages.annotation.platforms import label_studio, mturk, neutral
from stages.annotation.platforms.replies import Reply, ReplyFault, ReplyLimits
from stages.core.columns import text
from stages.core.contract import Map, Output, Source, Stage, TableSpec
from stages.core.rejects import Rejects
from stages.core.texts import Refused
from stages.io.json_records import content_id, decode, rows

RECEIVED = TableSpec(
    name="received",
    schema=pa.schema(
        [
            *map(text, ("reply", "task", "worker", "answers")),
            *(pa.field(name, pa.string()) for name in ("shown", "started", "submitted")),
            pa.field("seconds", pa.float64()),
            text("source"),
        ]
    ),
    key=("reply",),
    bucket_by=("task",),
    on_duplicate="reject",
)
"""One row per reply, before it is held against its task.

reply: digest of all other columns, so the same reply in two files is one row.
shown: JSON {variable: digest} of what the worker saw, null where the platform does not say; the rest as ANNOTATIONS.
"""


def received(raw: pa.Table, *, limits: ReplyLimits) -> Output:
    """RECEIVED from one batch of records.

    Metrics: records (replies, and what stands in their place), bad_records (those that no platform writes so).
    Rejects, keyed "task worker" where both are known and by the record's content elsewhere: the source's own,
    broken_json, not_an_object, json_min, unknown_format, bad_record, bad_annotation, bad_answer, oversized_answer,
    no_task, unknown_task, unknown_control, bad_worker, bad_time, no_time_zone, bad_seconds, cyclic,
    payload_mismatch, skipped, draft, rejected_assignment, not_submitted.
    """
    rejects, metrics, found = Rejects(), Counter(records=0, bad_records=0), []
    for data, error in rows(raw):
        for part in _parts(data, error, limits):
            metrics["records"] += 1
            if isinstance(part, Reply):
                found.append(part.row())
            else:
                metrics["bad_records"] += part.bad
                rejects.add(part.key or content_id(data if data is not None else error), part.reason, part.detail)
    return Output(
        {RECEIVED.name: RECEIVED.table(found)}, rejects.table(), {name: float(count) for name, count in metrics.items()}
    )


def _parts(data: bytes | None, error: str | None, limits: ReplyLimits) -> Iterator[Reply | ReplyFault]:
    try:
        record = decode(data, error)
    except Refused as fault:
        yield ReplyFault("", fault.reason, str(fault))
        return
    yield from _read(record, limits)


def _read(record: Mapping[str, Any], limits: ReplyLimits) -> Iterator[Reply | ReplyFault]:
    if label_studio.is_export(record):
        yield from label_studio.read_export(record, limits)
    elif mturk.is_result(record):
        yield from mturk.read_result(record, limits)
    elif neutral.is_neutral(record):
        yield from neutral.read_neutral(record, limits)
    elif label_studio.is_short_export(record):
        yield ReplyFault(
            "", "json_min", "Label Studio's short export mixes answers with variables; export as JSON instead"
        )
    else:
        yield ReplyFault(
            "",
            "unknown_format",
            "expected a task of Label Studio's JSON export, a result row of Mechanical Turk, or an object with task, "
            f"worker and answers; found {', '.join(sorted(record))[:80]}",
        )


def stage(source: Source, limits: ReplyLimits | None = None) -> Stage:
    limits = limits or ReplyLimits()
    return Stage(
        name="annotation.received",
        shape=Map(),
        kernel=partial(received, limits=limits),
        outputs=(RECEIVED,),
        source=source,
        about="Answers of people, as their platforms give them.",
    )
