"""What people made of the sample's graphs, in the neutral format of answers.

Who wrote what is the source's; when, and how long it took, is made up here: a reply every
ten minutes, and so many seconds as a digest of worker and task says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import cycle
from typing import Any

from pipelines.musique.pipeline import KIND, ROUND
from stages.annotation.forms.kinds import load_kind
from stages.core.memory import InMemory
from tests.tools.answer_times import seconds, submitted
from tests.tools.counterfactuals_pages import encoded, entry_lines, lines
from tests.tools.hops_source import Composition, Sample, SourceError

START = datetime(2024, 9, 2, 9, tzinfo=UTC)
WORKERS = [f"worker-{number:02}" for number in range(1, 5)]
ANSWERS_FILE = "composed.jsonl"
_KIND = load_kind(KIND)


class Tasks:
    """Ids of the tasks that a build makes, by the questions of a graph's hops."""

    def __init__(self, run: InMemory) -> None:
        asks = {row["hop"]: row["question"] for row in run.rows("single_hops")}
        steps = {row["graph"]: tuple(asks[hop] for hop in row["hops"]) for row in run.rows("asked_hops")}
        rows = sorted(run.rows(f"task_keys_{ROUND}"), key=lambda row: row["origin"], reverse=True)
        self._tasks = {steps[row["origin"]]: row["task"] for row in rows}

    def find(self, steps: Sequence[str]) -> str:
        """Raises SourceError: the build asks nobody about such a graph."""
        task = self._tasks.get(tuple(steps))
        if task is None:
            raise SourceError(f"compositions: no build asks anybody about {' | '.join(steps)}")
        return task


def answers_file(sample: Sample, tasks: Tasks) -> bytes:
    """What the source says of each graph, and then the odd answers."""
    workers, records = cycle(WORKERS), []
    for number, composition in enumerate(sample.compositions, start=1):
        task, worker = tasks.find(composition.steps), next(workers)
        time = {"submitted": submitted(START, 10 * number), "seconds": seconds(task, worker, _KIND)}
        records.append({"task": task, "worker": worker, "answers": _answers(composition)} | time)
    return lines([*map(encoded, records), *entry_lines(resolved(sample.odd["answers"], tasks))])


def resolved(entries: Iterable[Mapping[str, Any]], tasks: Tasks) -> Iterator[Mapping[str, Any]]:
    """Odd records with the ids of the tasks that they name by their steps."""
    for entry in entries:
        record = dict(entry.get("record", {}))
        if isinstance(record.get("task"), list):
            record["task"] = tasks.find(record["task"])
        yield {"record": record} if "record" in entry else entry


def _answers(composition: Composition) -> dict[str, str]:
    if composition.differ:
        return {"bridges": "some_differ", "difference": composition.differ}
    return {"bridges": "all_same", "question": composition.asks}
