"""What people wrote on the sample's sheets, and how they voted on questions, in the neutral format.

Who wrote and said what is the source's; when, and how long it took, is made up here: a reply
every ten minutes, and so many seconds as a digest of worker and task says.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from pipelines.ifqa.pipeline import VERIFICATION, VERIFICATION_KIND, WRITING, WRITING_KIND
from stages.annotation.forms.kinds import load_kinds
from stages.core.memory import InMemory
from tests.tools import counterfactuals_source as source
from tests.tools.answer_times import seconds, submitted
from tests.tools.counterfactuals_pages import encoded, entry_lines, lines
from tests.tools.counterfactuals_source import Question, Sample, SourceError, Vote

KINDS = load_kinds(WRITING_KIND, VERIFICATION_KIND)
START = datetime(2024, 5, 6, 9, tzinfo=UTC)
WRITERS = [f"worker-{number:02}" for number in range(1, 10)]
CHECKERS = [f"worker-{number:02}" for number in range(11, 17)]
WRITTEN_FILE, VOTES_FILE = "written.jsonl", "votes.jsonl"


@dataclass
class _Desk:
    """Collects replies in the order in which they come in."""

    records: list[dict[str, Any]] = field(default_factory=list)
    start: datetime = START

    def take(self, task: str, worker: str, kind: str, answers: Mapping[str, Any]) -> None:
        at = submitted(self.start, 10 * (len(self.records) + 1))
        time = {"submitted": at, "seconds": seconds(task, worker, KINDS[kind])}
        self.records.append({"task": task, "worker": worker, "answers": dict(answers)} | time)


class Tasks:
    """Ids of the tasks that a build makes: of sheets by their number, of questions by their wording."""

    def __init__(self, run: InMemory) -> None:
        origins = {row["origin"]: row["task"] for row in run.rows(f"task_keys_{WRITING}")}
        self.sheets = {int(sheet): task for sheet, task in sorted(origins.items())}
        self.passages = run.rows("passage_sheets")
        shown = {row["task"]: json.loads(row["payload"]) for row in run.rows(f"tasks_{VERIFICATION}")}
        self.questions = {payload["question"]: task for task, payload in sorted(shown.items())}

    def find(self, about: Mapping[str, Any]) -> str:
        """The task of {"sheet": number} or {"question": text}. Raises SourceError: there is none."""
        found = self.sheets.get(about["sheet"]) if "sheet" in about else self.questions.get(about["question"])
        if found is None:
            raise SourceError(f"no build asks anybody about {dict(about)}")
        return found


def written_file(sample: Sample, tasks: Tasks, odd: Iterable[Mapping[str, Any]] = ()) -> bytes:
    """One worker a sheet; every question that was not given in a file is asked about a passage on one.

    Raises SourceError: the passage of a question is on no sheet.
    """
    desk = _Desk()
    left = [question for question in sample.questions if question.given == source.WRITTEN]
    for worker, (sheet, task) in zip(WRITERS, tasks.sheets.items(), strict=False):
        answers = {}
        for row in (row for row in tasks.passages if int(row["sheet"]) == sheet):
            if (question := _about(row, left)) is not None:
                left.remove(question)
                place = f"{row['place']:02}"
                answers |= {f"question_{place}": question.asks, f"answer_{place}": list(question.answers)}
        desk.take(task, worker, WRITING_KIND, answers)
    if left:
        listed = "; ".join(f"{question.title}: {question.about}" for question in left)
        raise SourceError(f"passages of these questions are on no sheet; set `given`: {listed}")
    return lines([*map(encoded, desk.records), *entry_lines(_resolved(odd, tasks))])


def votes_file(sample: Sample, tasks: Tasks, odd: Iterable[Mapping[str, Any]] = ()) -> bytes:
    """What the source says of each question that a build asks to verify, once."""
    desk = _Desk(start=START + timedelta(days=7))
    workers = _in_turn(CHECKERS)
    for asks, question in {question.asks: question for question in reversed(sample.questions)}.items():
        if asks in tasks.questions:
            for vote in question.votes:
                desk.take(tasks.questions[asks], next(workers), VERIFICATION_KIND, _vote(vote))
    return lines([*map(encoded, desk.records), *entry_lines(_resolved(odd, tasks))])


def _about(row: Mapping[str, Any], questions: Iterable[Question]) -> Question | None:
    title = row["passage"].rpartition("#")[0]
    return next((q for q in questions if q.title == title and q.about in row["text"]), None)


def _vote(vote: Vote) -> dict[str, str]:
    seen = {"standalone": "yes", "readable": "yes"}
    if isinstance(vote, Mapping):
        return seen | {"verdict": "revise"} | {f"revised_{name}": text for name, text in vote.items()}
    if vote == source.DISCARD:
        return seen | {"verdict": "discard", "reason": "The passage does not tell."}
    if vote == source.UNCLEAR:
        seen["standalone"] = "no"
    if vote == source.UNREADABLE:
        seen["readable"] = "no"
    return seen | {"verdict": "keep"}


def _resolved(entries: Iterable[Mapping[str, Any]], tasks: Tasks) -> Iterator[Mapping[str, Any]]:
    """Odd records with the ids of the tasks that they name; `fills` stands for so many filled sets of a sheet."""
    for entry in entries:
        if "line" in entry:
            yield entry
            continue
        record = dict(entry["record"])
        if isinstance(record["task"], Mapping):
            record["task"] = tasks.find(record["task"])
        if (count := record.pop("fills", 0)) > 0:
            record["answers"] = record.get("answers", {}) | _fills(count)
        yield {"record": record}


def _fills(count: int) -> dict[str, str]:
    places = [f"{place:02}" for place in range(1, count + 1)]
    questions = {f"question_{place}": f"If this had not been so, what would be number {place}?" for place in places}
    return questions | {f"answer_{place}": "nobody knows" for place in places}


def _in_turn(workers: list[str]) -> Iterator[str]:
    while True:
        yield from workers
