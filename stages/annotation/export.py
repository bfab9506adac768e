"""Writes tasks into a folder, ready to be sent out: for Label Studio, for Mechanical Turk, and in a neutral form.

{folder}/{kind}/guide.md                         instructions for workers
{folder}/{kind}/tasks.jsonl                      {"task", "redundancy", "payload"} a line
{folder}/{kind}/answers.jsonl                    {"task", "answers"} a line: what was answered, for those who check it
{folder}/{kind}/settings.json                    title, quota per worker, pay, expected seconds; sizes of batches
{folder}/{kind}/label_studio/config.xml          the labelling configuration of the project
{folder}/{kind}/label_studio/votes-5/001.json    a batch of tasks that five workers answer; for those who check
                                                 answers with these filled in
{folder}/{kind}/mturk/question.xml               the HTMLQuestion, with ${variable} for the columns of a batch
{folder}/{kind}/mturk/page.html                  the same page alone, for the requester's site
{folder}/{kind}/mturk/votes-5/001.csv            a batch of tasks that five workers answer
{folder}/{kind}/mturk/left_out.jsonl             {"task", "bytes"} of tasks that the platform would refuse as too long

Tasks lie in the order of their ids, which says nothing about them. Only TASKS is read
here: what is known about a task is in another table.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from stages.annotation.forms.kinds import TaskKind
from stages.annotation.forms.pages import label_studio_config, mturk_page
from stages.annotation.platforms import mturk
from stages.annotation.platforms.label_studio import import_task
from stages.annotation.sending import BATCH, Task, by_kind, by_task, by_votes, in_batches
from stages.core.contract import StageError
from stages.io.folders import whole_folder

LABEL_STUDIO, MTURK = "label_studio", "mturk"
PLATFORMS = (LABEL_STUDIO, MTURK)
"""By the names of their folders."""


@dataclass(frozen=True)
class ExportedTasks:
    """What was written.

    tasks: per kind; too_long: of these, how many Mechanical Turk would refuse; files: inside the folder, sorted.
    """

    folder: Path
    tasks: Mapping[str, int]
    too_long: Mapping[str, int]
    files: tuple[str, ...]


@dataclass
class _Written:
    """Batches of one kind: file name to number of tasks."""

    batches: dict[str, int] = field(default_factory=dict)
    too_long: int = 0


def export_tasks(
    tasks: pa.Table,
    kinds: Mapping[str, TaskKind],
    folder: Path,
    batch: int = BATCH,
    replace: bool = False,
    platforms: Sequence[str] = PLATFORMS,
    answers: Sequence[Mapping[str, Any]] | None = None,
) -> ExportedTasks:
    """Writes all tasks, beside the folder first and then in one step into its place.

    tasks: rows of TASKS, in any order. batch: the most tasks per file. platforms: some of PLATFORMS.
    answers: rows of ANNOTATIONS that experts are to see beside the tasks; who gave them is not written.

    Raises StageError: the folder exists and may not be replaced, a kind is not among `kinds`, a batch below 1.
    """
    if batch < 1:
        raise StageError(f"batch: expected at least 1 task per file, got {batch}")
    kinds_of = by_kind(tasks, kinds)
    given = by_task(answers or ())
    with whole_folder(folder, replace) as place:
        written = {
            name: _write_kind(place / name, kinds[name], found, batch, platforms, given)
            for name, found in kinds_of.items()
        }
        if answers is not None:
            for name, found in kinds_of.items():
                _write_answers(place / name, found, given)
        files = tuple(sorted(path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file()))
    return ExportedTasks(
        folder.absolute(),
        {name: len(found) for name, found in kinds_of.items()},
        {name: done.too_long for name, done in written.items()},
        files,
    )


def _write_kind(
    folder: Path,
    kind: TaskKind,
    tasks: list[Task],
    batch: int,
    platforms: Sequence[str],
    given: Mapping[str, list[str]],
) -> _Written:
    written = _Written()
    _write(folder / "guide.md", kind.settings.guide)
    _write_lines(
        folder / "tasks.jsonl",
        ({"task": one.task, "redundancy": one.redundancy, "payload": one.payload} for one in tasks),
    )
    if LABEL_STUDIO in platforms:
        _write_label_studio(folder / LABEL_STUDIO, kind, tasks, batch, written, given)
    if MTURK in platforms:
        _write_mturk(folder / MTURK, kind, tasks, batch, written)
    settings = kind.settings
    about = {
        "title": settings.title,
        "quota_per_worker": settings.quota,
        "quota_counts": "filled sets" if settings.groups else "tasks",
        "pay_per_task_usd": settings.pay,
        "expected_seconds": settings.seconds,
        "batches": written.batches,
    }
    _write(folder / "settings.json", json.dumps(about, ensure_ascii=False, indent=2) + "\n")
    return written


def _write_answers(folder: Path, tasks: list[Task], given: Mapping[str, list[str]]) -> None:
    names = sorted(one.task for one in tasks)
    found = ({"task": name, "answers": json.loads(said)} for name in names for said in given.get(name, ()))
    _write_lines(folder / "answers.jsonl", found)


def _write_label_studio(
    folder: Path, kind: TaskKind, tasks: list[Task], batch: int, written: _Written, given: Mapping[str, list[str]]
) -> None:
    _write(folder / "config.xml", label_studio_config(kind))
    for name, part in _batches(tasks, batch):
        records = [
            import_task(one.task, one.payload, kind, [json.loads(said) for said in given.get(one.task, ())])
            for one in part
        ]
        _write(folder / f"{name}.json", json.dumps(records, ensure_ascii=False, indent=1) + "\n")
        written.batches[f"{LABEL_STUDIO}/{name}.json"] = len(part)


def _write_mturk(folder: Path, kind: TaskKind, tasks: list[Task], batch: int, written: _Written) -> None:
    page = mturk_page(kind)
    _write(folder / "page.html", page)
    _write(folder / "question.xml", mturk.html_question(page))
    sizes = {one.task: len(mturk.question_of(page, one.task, one.payload).encode()) for one in tasks}
    too_long = {task: size for task, size in sizes.items() if size > mturk.MAX_QUESTION_BYTES}
    for name, part in _batches([one for one in tasks if one.task not in too_long], batch):
        _write(folder / f"{name}.csv", mturk.batch_csv(kind, ((one.task, one.payload) for one in part)))
        written.batches[f"{MTURK}/{name}.csv"] = len(part)
    if too_long:
        _write_lines(folder / "left_out.jsonl", ({"task": task, "bytes": size} for task, size in too_long.items()))
    written.too_long = len(too_long)


def _batches(tasks: Sequence[Task], batch: int) -> Iterator[tuple[str, list[Task]]]:
    """("votes-5/001", tasks)."""
    for votes, members in by_votes(tasks):
        for number, part in enumerate(in_batches(members, batch), 1):
            yield f"votes-{votes}/{number:03}", part


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")


def _write_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    _write(path, "".join(f"{json.dumps(record, ensure_ascii=False)}\n" for record in records))
