"""What people say to the sample world's tasks, in the neutral format of answers.

Who says what is the source's; when, and how long it took, is made up here: an answer a minute, and so many seconds as
a digest of worker and task says. worker-09 takes next to no time.

    answers/judged.yaml      [{question, worker, only?, refuses?}], see there
    answers/reworded.yaml    [{question, worker, asks or unclear}]
    odd/answers.yaml         [{why, record}], put behind the others
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pipelines.qampari.asking import ANSWER_KIND, ANSWERS, PARAPHRASE_KIND, PARAPHRASES
from stages.annotation.forms.kinds import load_kinds
from stages.core import strict_yaml
from tests.tools.answer_times import seconds, submitted
from tests.tools.counterfactuals_pages import encoded, entry_lines, lines
from tests.tools.world_source import SourceError

KINDS = load_kinds(ANSWER_KIND, PARAPHRASE_KIND)
START = datetime(2024, 7, 1, 9, tzinfo=UTC)
CLICKER = "worker-09"
ANSWERS_FILE = "answers.jsonl"

Entries = tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class Said:
    """The source: see its files."""

    judged: Entries
    reworded: Entries
    odd: Entries


def read(folder: Path) -> Said:
    """The answers of a source.

    Raises SourceError: a file is not as it must be.
    """
    names = ("answers/judged.yaml", "answers/reworded.yaml", "odd/answers.yaml")
    return Said(*(_entries(folder / name) for name in names))


def _entries(path: Path) -> Entries:
    try:
        return tuple(strict_yaml.parse(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise SourceError(f"{path.name}: {error}") from error


class Tasks:
    """Ids of the tasks that a build makes, by the question, and by the answer where people judge one."""

    def __init__(self, rows: Callable[[str], Sequence[Mapping[str, Any]]]) -> None:
        """rows: of a table of the build, by its name."""
        self._answers: defaultdict[str, dict[str, str]] = defaultdict(dict)
        for row in rows(f"tasks_{ANSWERS}"):
            shown = json.loads(row["payload"])
            self._answers[shown["question"]][shown["answer"]] = row["task"]
        shown_by = ((json.loads(row["payload"]), row["task"]) for row in rows(f"tasks_{PARAPHRASES}"))
        self._questions = {shown["question"]: task for shown, task in shown_by}

    def of_answers(self, question: str) -> dict[str, str]:
        """The tasks that judge an answer of a question, by the answer, in its order.

        Raises SourceError: there are none.
        """
        if question not in self._answers:
            raise SourceError(f"no build has anybody judge the answers of {question!r}")
        return dict(sorted(self._answers[question].items()))

    def find(self, about: Mapping[str, str]) -> str:
        """The task about {question} or {question, answer}.

        Raises SourceError: there is none.
        """
        known = self.of_answers(about["question"]) if "answer" in about else self._questions
        name = about.get("answer", about["question"])
        if name not in known:
            raise SourceError(f"no build asks anybody about {dict(about)}")
        return known[name]


def answers_file(said: Said, tasks: Tasks) -> bytes:
    """All answers, the odd ones last.

    Raises SourceError: the source names what no build asks.
    """
    given = [*_judged(said.judged, tasks), *_reworded(said.reworded, tasks)]
    records = [encoded(_record(number, *one)) for number, one in enumerate(given, start=1)]
    return lines([*records, *entry_lines([{"record": _resolved(entry["record"], tasks)} for entry in said.odd])])


_Given = tuple[str, str, str, Mapping[str, str]]
"""The kind, the task, the worker and what is answered."""


def _judged(entries: Entries, tasks: Tasks) -> Iterator[_Given]:
    for entry in entries:
        asked, refuses = tasks.of_answers(entry["question"]), entry.get("refuses", {})
        for name in (*refuses, *entry.get("only", ())):
            tasks.find({"question": entry["question"], "answer": name})
        for answer in entry.get("only", asked):
            wrong = refuses.get(answer)
            verdict = {"verdict": "correct"} if wrong is None else {"verdict": "incorrect", "reason": wrong}
            yield ANSWER_KIND, asked[answer], entry["worker"], verdict


def _reworded(entries: Entries, tasks: Tasks) -> Iterator[_Given]:
    for entry in entries:
        words = {"meaning": "clear", "paraphrase": entry["asks"]} if "asks" in entry else None
        answers = words or {"meaning": "unclear", "problem": entry["unclear"]}
        yield PARAPHRASE_KIND, tasks.find({"question": entry["question"]}), entry["worker"], answers


def _record(number: int, kind: str, task: str, worker: str, answers: Mapping[str, str]) -> dict[str, Any]:
    took = 2.0 if worker == CLICKER else seconds(task, worker, KINDS[kind])
    return {
        "task": task,
        "worker": worker,
        "answers": dict(answers),
        "submitted": submitted(START, number),
        "seconds": took,
    }


def _resolved(record: Mapping[str, Any], tasks: Tasks) -> dict[str, Any]:
    """An odd record with the id of the task that it names."""
    return {**record, "task": tasks.find(record["task"])} if isinstance(record["task"], dict) else dict(record)
