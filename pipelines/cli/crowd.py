"""`benchwright simulate-crowd`: a plan for votes and workers, or simulated answers to the tasks of a build."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from manifests.manifest import BuildManifest
from manifests.storage import Storage
from pipelines.cli.options import SHARE, Finite, root_option
from pipelines.cli.people import open_tasks
from pipelines.datasets import dataset as find_dataset
from pipelines.datasets import names
from pipelines.published import need_build, open_root
from pipelines.rounds import Round, read_rounds
from stages.annotation.forms.kinds import load_kinds
from stages.annotation.platforms.source import SIMULATED
from stages.annotation.reading import CONFIRM
from stages.annotation.redo import EXPERT, OPEN, WORKER
from stages.annotation.simulation.crowd import SimulatedWorker, make_crowd
from stages.annotation.simulation.crowd_answers import annotate, records
from stages.annotation.simulation.plan import CrowdParams
from stages.core.contract import StageError
from stages.io.folders import write_file

EXPERT_NAME = f"{SIMULATED}expert"
_ACCURACY = 0.9
_PLAN = CrowdParams()
_OPTIONS: dict[str, tuple[click.ParamType, str]] = {
    "workers": (click.IntRange(1), "In the crowd."),
    "spread": (SHARE, "Of accuracies, either way."),
    "spammers": (click.IntRange(0), "Answer by chance."),
    "bias": (SHARE, 'Share of "right" without thinking.'),
    "right_share": (SHARE, "Truly right tasks."),
    "seed": (click.INT, "Of everything."),
    "target": (SHARE, "Share of right labels wanted."),
    "tasks": (click.IntRange(1), "In the batch."),
    "labels": (click.IntRange(2), "That can be given."),
    "attention_checks": (SHARE, "Attention checks, beside the other tasks."),
    "seconds": (Finite(0), "Per answer."),
    "pay_per_hour": (Finite(0), "USD."),
    "fee": (SHARE, "Of the platform, on top of the pay."),
    "hours_per_worker": (Finite(0, min_open=True), "That one will work."),
}
_PLANNED = (
    "target",
    "tasks",
    "labels",
    "attention_checks",
    "seconds",
    "pay_per_hour",
    "fee",
    "hours_per_worker",
    "votes",
)


def _planning(command: click.decorators.FC) -> click.decorators.FC:
    """An option for each parameter of the plan that takes one value, with the plan's own default."""
    for name, (kind, about) in reversed(_OPTIONS.items()):
        option = click.option(
            f"--{name.replace('_', '-')}", default=getattr(_PLAN, name), show_default=True, type=kind, help=about
        )
        command = option(command)
    return command


@click.command("simulate-crowd")
@click.option(
    "--accuracy",
    "accuracies",
    multiple=True,
    type=SHARE,
    metavar="SHARE",
    help="How often a worker is right; repeatable, a plan each.  [default: 0.7, 0.8, 0.9, 0.95; with --answer 0.9]",
)
@click.option(
    "--votes",
    multiple=True,
    default=_PLAN.votes,
    show_default=True,
    type=click.IntRange(1),
    metavar="N",
    help="Votes per task; repeatable, a line each.",
)
@_planning
@click.option("--answer", "dataset", type=click.Choice(names()), help="Answer the open tasks of this dataset's build.")
@root_option
@click.option("--out", metavar="FILE", help="With --answer: where the answers go, for `build --annotations`.")
@click.option(
    "--as",
    "who",
    default=WORKER,
    show_default=True,
    type=click.Choice([WORKER, EXPERT]),
    help=f"With --answer: an expert called {EXPERT_NAME}, who is always right, answers what waits for experts.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the plan as JSON.")
@click.pass_context
def simulate_crowd(
    ctx: click.Context,
    dataset: str | None,
    root: str,
    out: str | None,
    who: str,
    as_json: bool,
    **settings: Any,
) -> None:
    """Simulate a crowd: how many votes and workers for so many right labels, or answers to a build's tasks.

    Without --answer, prints a plan: what each number of votes comes to at each accuracy, in closed form and
    simulated, with workers, hours and cost. With --answer DATASET, fills in the forms of the latest build's open
    tasks, of the first round that has some, for trying out the way of tasks and answers. Texts are made of what the
    build holds (a graph from one of its paragraph); tasks for which it holds nothing are left out. Such answers must
    never be released.

    Exit code 1: no crowd of the plan reaches the target with any of the votes.

    \b
    benchwright simulate-crowd --target 0.95 --accuracy 0.8 --accuracy 0.9 --spammers 2
    benchwright simulate-crowd --answer wiqa --out answers.jsonl --accuracy 0.9
    benchwright simulate-crowd --answer wiqa --as expert --out expert.jsonl
    """
    if dataset is None:
        _refuse(ctx, ("out", "root", "who"), "goes with --answer DATASET")
        # The library behind alpha takes a second to import, which no other command should wait for.
        from stages.annotation.simulation.crowd_plan import simulate

        settings["accuracies"] = settings["accuracies"] or _PLAN.accuracies
        report = simulate(CrowdParams(**settings))
        click.echo(json.dumps(report.as_dict(), indent=1) if as_json else report.as_text())
        ctx.exit(0 if any(report.best.values()) else 1)
    _refuse(ctx, (*_PLANNED, "as_json"), "belongs to the plan, not to --answer")
    if out is None:
        raise StageError("--answer needs --out FILE, for the answers")
    path = Path(out)
    if path.exists():
        raise StageError(f"--out {out}: already exists; name another file, since answers of several rounds add up")
    rows = _answers(open_root(root), dataset, who, settings)
    write_file(path, "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in records(rows)))
    click.echo(f"{len(rows):,} simulated answers to {len({row['task'] for row in rows}):,} tasks in {out}")


def _refuse(ctx: click.Context, options: tuple[str, ...], why: str) -> None:
    for option in ctx.command.params:
        given = ctx.get_parameter_source(option.name or "") not in (
            click.core.ParameterSource.DEFAULT,
            click.core.ParameterSource.DEFAULT_MAP,
        )
        if option.name in options and given:
            raise StageError(f"{option.opts[-1]} {why}")


def _answers(storage: Storage, dataset: str, who: str, settings: dict[str, Any]) -> list[dict[str, Any]]:
    manifest = need_build(storage, dataset)
    truths = _truths(storage, manifest)
    one, tasks = _first_round(storage, manifest, who, truths)
    return annotate(
        tasks,
        one.task_keys.to_pylist(),
        load_kinds(*sorted({task["kind"] for task in tasks})),
        _crowd(who, settings),
        right_share=settings["right_share"],
        seed=settings["seed"],
        truths=truths,
        not_by={row["task"]: row["not_by"] for row in one.redo.to_pylist() if row["who"] == who},
    )


def _first_round(
    storage: Storage, manifest: BuildManifest, who: str, truths: Mapping[str, Any]
) -> tuple[Round, list[dict[str, Any]]]:
    """The first round with tasks that can be answered, and these.

    Answers of a later round would be lost where those of an earlier one change its tasks.
    Raises StageError: no task is open, or nothing sensible can be said of any that is.
    """
    left: Counter[str] = Counter()
    for one in read_rounds(storage, manifest):
        waiting = open_tasks(one, manifest, OPEN, who).to_pylist()
        tasks = [task for task in waiting if truths.get(task["task"]) != {}]
        left.update(task["kind"] for task in waiting if truths.get(task["task"]) == {})
        if tasks:
            _tell(left)
            return one, tasks
    if not left:
        asked = "an expert" if who == EXPERT else "workers"
        raise StageError(f"{manifest.dataset}: no tasks wait for {asked} in this build")
    raise StageError(
        f"{manifest.dataset}: only tasks of {', '.join(sorted(left))} wait ({left.total():,}), and nothing in this "
        "build says what a sensible answer to them is; give the build records of that kind with --source, or answers "
        "of people with --annotations"
    )


def _tell(left: Counter[str]) -> None:
    for kind, count in sorted(left.items()):
        click.echo(f"left out: {count:,} tasks of {kind} that nothing in this build answers", err=True)


def _crowd(who: str, settings: dict[str, Any]) -> tuple[SimulatedWorker, ...]:
    if who == EXPERT:
        return (SimulatedWorker(EXPERT_NAME, accuracy=1.0),)
    shared = {name: settings[name] for name in ("spread", "bias", "spammers", "seed")}
    accuracy = (*settings["accuracies"], _ACCURACY)[0]
    return make_crowd(settings["workers"], accuracy=accuracy, leaning=CONFIRM, **shared)


def _truths(storage: Storage, manifest: BuildManifest) -> dict[str, Any]:
    found = find_dataset(manifest.dataset).truths
    return dict(found(storage, manifest)) if found else {}
