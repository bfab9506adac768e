"""The tables of the people stages.

    drafts -> annotation.tasks -> tasks, task_keys
    files of answers -> annotation.received -> people.checked -> people.annotations -> annotations
    annotations, task_keys -> workers -> verdicts

JSON in a column is canonical (sorted keys, no spaces), so equal contents are equal texts.
Nothing that a worker must not know stands in `tasks`: it is kept in `task_keys`, which no
export reads.
"""

from __future__ import annotations

import pyarrow as pa

from stages.core.columns import flag, number, text
from stages.core.contract import TableSpec

CONFIRMED, REFUSED, REVISED = "confirmed", "refused", "revised"
NO_MAJORITY, NEEDS_VOTE, NEEDS_EXPERT, UNCONFIRMED = "no_majority", "needs_vote", "needs_expert", "unconfirmed"
STATUSES = (CONFIRMED, REFUSED, REVISED, NO_MAJORITY, NEEDS_VOTE, NEEDS_EXPERT, UNCONFIRMED)

DRAFTS = TableSpec(
    name="drafts",
    schema=pa.schema(
        [
            *map(text, ("origin", "kind", "payload")),
            *(pa.field(name, pa.string()) for name in ("wrong_payload", "wrong_gold", "gold")),
            number("redundancy"),
        ]
    ),
    key=("kind", "origin"),
    bucket_by=("origin",),
)
"""What a dataset wants asked.

origin: key of the record that the task is about, unique within a kind.
kind: a folder of templates/annotation.
payload: JSON object {variable: text}, exactly the variables that the kind's form shows.
wrong_payload: the same question with an answer that is known to be wrong; null where none can be made.
wrong_gold: JSON {control: [values]} that a careful worker gives to wrong_payload; set where that is.
gold: the same for payload, where the right answers are known before anyone is asked.
redundancy: how many workers answer; 0 takes the kind's own number.
"""

TASKS = TableSpec(
    name="tasks",
    schema=pa.schema([text("task"), text("dataset"), text("kind"), text("payload"), number("redundancy")]),
    key=("task",),
    on_duplicate="reject",
)
"""One row per task, in which nothing tells an attention check from the others.

task: 32 hexadecimal digits of the sha256 of the canonical JSON of [dataset, kind, payload].
redundancy: how many workers answer it, at least 1.
Two drafts that show a worker the same thing are one task.
"""

TASK_KEYS = TableSpec(
    name="task_keys",
    schema=pa.schema([text("task"), text("origin"), pa.field("gold", pa.string()), flag("attention_check")]),
    key=("task",),
    on_duplicate="reject",
)
"""What the makers of a task know and its workers do not.

origin: of the draft; gold: JSON {control: [values]} of the right answers, null where unknown;
attention_check: the task shows an answer known to be wrong, and gold is what a careful worker says to it.
"""

ANNOTATIONS = TableSpec(
    name="annotations",
    schema=pa.schema(
        [
            *map(text, ("task", "worker", "answers")),
            pa.field("started", pa.string()),
            pa.field("submitted", pa.string()),
            pa.field("seconds", pa.float64()),
            text("source"),
        ]
    ),
    key=("task", "worker"),
)
"""One row per task and worker; every row fits its task's form.

worker: "label_studio:7", "mturk:A1B2", or as a neutral record names it.
answers: JSON {control: [values as text]}, without controls that were left empty.
started, submitted: UTC with microseconds, 2024-01-31T09:30:00.000000Z; seconds: of work, as the platform counts.
source: label_studio, mturk or jsonl.
"""

WORKERS = TableSpec(
    name="workers",
    schema=pa.schema(
        [
            text("worker"),
            *map(number, ("tasks", "gold_seen", "gold_right", "checks_seen", "checks_failed")),
            pa.field("agreement", pa.float64()),
            pa.field("median_seconds", pa.float64()),
            flag("accepted"),
            text("why"),
        ]
    ),
    key=("worker",),
)
"""One row per worker of a round: what is known of the quality of their work, and whether it is used.

tasks: answered in this round;
gold_seen, gold_right: tasks with known answers (attention checks apart), and how many were answered so; checks_seen,
checks_failed: attention checks, and how many of them the worker let pass; all four in this round and before;
agreement: share of answers equal to the majority of the others, null where nobody else answered;
median_seconds: per answer; both of this round;
why: "" where accepted.
"""

VERDICTS = TableSpec(
    name="verdicts",
    schema=pa.schema(
        [
            *map(text, ("task", "kind", "origin", "answers")),
            *map(number, ("votes", "agreeing")),
            text("status"),
        ]
    ),
    key=("task",),
)
"""What the accepted workers say of each task that is no attention check.

answers: JSON {control: [values]} of the majority, with the revised text where one was given, "{}" without one;
votes: accepted answers; agreeing: of these, equal to the majority's; status: one of STATUSES.
"""
