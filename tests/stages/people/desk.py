"""Kinds, tasks and answers for tests of the judging stages, run over any number of buckets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from manifests.digest import canonical_json
from stages.contract import Output, Stage, TableSpec
from stages.people import judge, marks, verdicts
from stages.people.controls import CHOICE, TEXT, Control
from stages.people.decisions import VerdictParams
from stages.people.judge import CHECKS, WorkerParams
from stages.people.kinds import Groups, Settings, TaskKind, Verdict
from stages.people.marks import MARKS
from stages.people.redo import REDO
from stages.people.tables import ANNOTATIONS, TASK_KEYS, TASKS, VERDICTS, WORKERS
from stages.shards import conform, sort_bucket, split


def choice(name: str, *choices: str, required: bool = True) -> Control:
    return Control(name, CHOICE, required=required, choices=choices)


def text(name: str) -> Control:
    return Control(name, TEXT)


def kind(name: str, *controls: Control, verdict: Verdict | None = None, groups: Groups | None = None) -> TaskKind:
    settings = Settings(
        title=name,
        redundancy=1,
        quota=1000,
        pay=0.1,
        seconds=20.0,
        payload_chars=1000,
        verdict=verdict,
        groups=groups,
    )
    by_name = {control.name: control for control in controls}
    return TaskKind(name, settings, ("shown",), by_name, "", "", "", {f"annotation/{name}/kind.yaml": "0" * 64})


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
    """Tasks and answers, added one by one; `run` takes them through all three stages."""

    workers: WorkerParams = field(default_factory=WorkerParams)
    verdicts: VerdictParams = field(default_factory=lambda: VerdictParams(expert_right=0.0, expert_refused=False))
    tasks: list[dict[str, Any]] = field(default_factory=list)
    keys: list[dict[str, Any]] = field(default_factory=list)
    annotations: list[dict[str, Any]] = field(default_factory=list)

    def task(
        self,
        name: str,
        kind: str = "check",
        redundancy: int = 1,
        *,
        gold: dict[str, list[str]] | None = None,
        injected: bool = False,
        shown: str = "the text shown",
    ) -> Desk:
        payload = canonical_json({"shown": shown})
        self.tasks.append({"task": name, "dataset": "d", "kind": kind, "payload": payload, "redundancy": redundancy})
        known = None if gold is None else canonical_json(gold)
        self.keys.append({"task": name, "origin": f"origin of {name}", "gold": known, "injected": injected})
        return self

    def says(self, worker: str, task: str, seconds: float | None = 20.0, **answers: str | list[str]) -> Desk:
        given = {name: [value] if isinstance(value, str) else value for name, value in answers.items()}
        row = {"task": task, "worker": worker, "answers": canonical_json(given), "seconds": seconds, "source": "jsonl"}
        self.annotations.append(row | {"started": None, "submitted": None})
        return self

    def run(self, buckets: int = 1, earlier: Done | None = None) -> Done:
        """earlier: an earlier round's, by whose marks workers are judged as well."""
        before = {} if earlier is None else {"people_marks_before": earlier.tables[MARKS.name]}
        tables = before | {
            "tasks": TASKS.table(self.tasks),
            "task_keys": TASK_KEYS.table(self.keys),
            "annotations": ANNOTATIONS.table(self.annotations),
        }
        rejects: list[dict[str, Any]] = []
        metrics: dict[str, float] = {}
        stages = (marks.stage(KINDS), judge.stage(self.workers, tuple(before)), verdicts.stage(KINDS, self.verdicts))
        for one in stages:
            for output in _calls(one, tables, buckets):
                rejects += output.rejects.to_pylist()
                for name, value in output.metrics.items():
                    metrics[name] = metrics.get(name, 0.0) + value
        return Done(tables, sorted(rejects, key=str), metrics)


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
        made = (MARKS, WORKERS, CHECKS, VERDICTS, REDO)
        return {spec.name: self.rows(spec) for spec in made} | {"rejects": self.rejects, "metrics": self.metrics}


def _calls(stage: Stage, tables: dict[str, pa.Table], buckets: int) -> list[Output]:
    """Calls the kernel per bucket, and puts what comes out among the tables, sorted as a shard would be."""
    parts = [split(tables[name], columns, buckets) for name, columns in zip(stage.inputs, stage.on, strict=True)]
    empty = [tables[name].slice(0, 0) for name in stage.inputs]
    side = [tables[name] for name in stage.side]
    outputs = [
        stage.call(*(part.get(bucket, none) for part, none in zip(parts, empty, strict=True)), *side)
        for bucket in range(buckets)
    ]
    for spec in stage.outputs:
        found = [conform(output.tables[spec.name], spec, stage.name) for output in outputs]
        tables[spec.name] = sort_bucket(found, spec, stage.name).rows
    return outputs
