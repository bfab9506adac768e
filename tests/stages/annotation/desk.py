"""Kinds, tasks and answers for tests of how workers and tasks are judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from manifests.digest import canonical_json
from stages.annotation.asked import Asked, read_asked
from stages.annotation.contributed import CONTRIBUTIONS
from stages.annotation.decisions import VerdictParams
from stages.annotation.forms.form import CHOICE, TEXT, Control
from stages.annotation.forms.kinds import Groups, KindSettings, TaskKind, Verdict
from stages.annotation.redo import REDO
from stages.annotation.tables import ANNOTATIONS, TASK_KEYS, TASKS, VERDICTS, WORKERS
from stages.annotation.verdicts import RoundParams, settle
from stages.annotation.workers import MARKS, WorkerParams, judge, marked
from stages.core.contract import TableSpec
from stages.core.rejects import Rejects
from stages.core.shards import sort_bucket


def choice(name: str, *choices: str, required: bool = True) -> Control:
    return Control(name, CHOICE, required=required, choices=choices)


def text(name: str) -> Control:
    return Control(name, TEXT)


def kind(name: str, *controls: Control, verdict: Verdict | None = None, groups: Groups | None = None) -> TaskKind:
    settings = KindSettings(
        version=1,
        title=name,
        redundancy=1,
        quota=1000,
        pay=0.1,
        seconds=20.0,
        payload_chars=1000,
        guide="Do.",
        form=(),
        verdict=verdict,
        groups=groups,
    )
    by_name = {control.name: control for control in controls}
    return TaskKind(name, settings, (), ("shown",), by_name, {f"annotation/{name}.yaml": "0" * 64})


CHECK = kind(
    "check",
    choice("verdict", "yes", "no"),
    text("remark"),
    verdict=Verdict("verdict", confirm=("yes",), refuse=("no",)),
)
OPINION = kind("opinion", choice("answer", "more", "less", "none"), verdict=Verdict("answer"))
REPAIR = kind(
    "repair",
    choice("verdict", "keep", "keep with a smile", "fix", "drop"),
    choice("readable", "yes", "no"),
    text("fixed"),
    verdict=Verdict(
        "verdict", confirm=("keep", "keep with a smile"), refuse=("drop",), revise=("fix",), revisions=("fixed",)
    ),
)
REWRITE = kind(
    "rewrite",
    choice("meaning", "clear", "unclear"),
    text("paraphrase"),
    verdict=Verdict("meaning", refuse=("unclear",), revise=("clear",), revisions=("paraphrase",)),
)
FILL = kind("fill", text("first"), text("second"))
SETS = kind(
    "sets",
    choice("mood", "good", "bad", required=False),
    *(text(f"{name}_{number:02}") for number in (1, 2, 3) for name in ("question", "answer")),
    groups=Groups(("question", "answer"), 3, 1),
)
KINDS = {one.name: one for one in (CHECK, OPINION, REPAIR, REWRITE, FILL, SETS)}


@dataclass
class Desk:
    """Tasks and answers, added one by one; `run` judges workers and tasks by them."""

    workers: WorkerParams = field(default_factory=WorkerParams)
    verdicts: VerdictParams = field(default_factory=lambda: VerdictParams(expert_right=0.0, expert_refused=False))
    tasks: list[dict[str, Any]] = field(default_factory=list)
    keys: list[dict[str, Any]] = field(default_factory=list)
    annotations: list[dict[str, Any]] = field(default_factory=list)
    kinds: Mapping[str, TaskKind] = field(default_factory=lambda: KINDS)

    def task(
        self,
        name: str,
        kind: str = "check",
        redundancy: int = 1,
        *,
        gold: dict[str, list[str]] | None = None,
        attention_check: bool = False,
        shown: str = "the text shown",
    ) -> Desk:
        payload = canonical_json({"shown": shown})
        self.tasks.append({"task": name, "dataset": "d", "kind": kind, "payload": payload, "redundancy": redundancy})
        known = None if gold is None else canonical_json(gold)
        self.keys.append(
            {"task": name, "origin": f"origin of {name}", "gold": known, "attention_check": attention_check}
        )
        return self

    def says(self, worker: str, task: str, seconds: float | None = 20.0, **answers: str | list[str]) -> Desk:
        given = {name: [value] if isinstance(value, str) else value for name, value in answers.items()}
        row = {"task": task, "worker": worker, "answers": canonical_json(given), "seconds": seconds, "source": "jsonl"}
        self.annotations.append(row | {"started": None, "submitted": None})
        return self

    @property
    def asked(self) -> dict[str, Asked]:
        return read_asked(TASKS.table(self.tasks), TASK_KEYS.table(self.keys), self.kinds)

    def run(self, earlier: Done | None = None) -> Done:
        """earlier: an earlier round's, by whose marks workers are judged as well."""
        before = [] if earlier is None else earlier.rows(MARKS)
        rejects, params = Rejects(), RoundParams(self.workers, self.verdicts)
        rows, metrics = settle(self.asked, self.annotations, before, params, rejects)
        specs = (MARKS, WORKERS, VERDICTS, CONTRIBUTIONS, REDO)
        tables = {spec.name: sort_bucket([spec.table(rows[spec.name])], spec, "desk").rows for spec in specs}
        tables |= {TASKS.name: TASKS.table(self.tasks), TASK_KEYS.name: TASK_KEYS.table(self.keys)}
        tables[ANNOTATIONS.name] = ANNOTATIONS.table(self.annotations)
        return Done(tables, sorted(rejects.table().to_pylist(), key=str), metrics)

    def drawn(self) -> list[tuple[str, str]]:
        """(task, worker) of the texts that an expert is to read, sorted."""
        checks = judge(marked(self.annotations, self.asked), [], self.workers).checks
        return sorted((task, worker) for task, workers in checks.items() for worker in workers)


@dataclass(frozen=True)
class Done:
    tables: dict[str, pa.Table]
    rejects: list[dict[str, Any]]
    metrics: dict[str, float]

    def rows(self, spec: TableSpec) -> list[dict[str, Any]]:
        return self.tables[spec.name].to_pylist()

    def worker(self, name: str) -> dict[str, Any]:
        return next(row for row in self.rows(WORKERS) if row["worker"] == name)

    def verdict(self, task: str) -> dict[str, Any]:
        return next(row for row in self.rows(VERDICTS) if row["task"] == task)

    def statuses(self) -> dict[str, str]:
        return {row["task"]: row["status"] for row in self.rows(VERDICTS)}

    def redo(self) -> dict[tuple[str, str], tuple[int, str]]:
        return {(row["task"], row["who"]): (row["votes"], row["why"]) for row in self.rows(REDO)}

    def reasons(self) -> list[tuple[str, str, str]]:
        return [(row["key"], row["reason"], row["detail"]) for row in self.rejects]

    def everything(self) -> dict[str, Any]:
        made = (MARKS, WORKERS, VERDICTS, CONTRIBUTIONS, REDO)
        return {spec.name: self.rows(spec) for spec in made} | {"rejects": self.rejects, "metrics": self.metrics}
