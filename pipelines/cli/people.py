"""`benchwright tasks` and `benchwright people`: work for people, and what became of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pyarrow as pa

from manifests.manifest import BuildManifest
from manifests.secrets import masked
from pipelines.cli.options import SHARE, Finite, dataset_argument, root_option
from pipelines.datasets import dataset as find_dataset
from pipelines.published import need_build, open_root
from pipelines.rounds import Round, read_rounds
from stages.annotation.export import PLATFORMS, export_tasks
from stages.annotation.forms.kinds import load_kinds
from stages.annotation.label_studio_server import Server
from stages.annotation.redo import AGAIN, EXPERT, NEW, OPEN, WORKER, outstanding
from stages.core.contract import StageError

if TYPE_CHECKING:
    from stages.annotation.reports.report import Costs, PeopleReport

_TASKS = {OPEN: "open tasks", NEW: "new tasks", AGAIN: "tasks again"}
_WHO = {WORKER: "a worker", EXPERT: "an expert"}


class _Platform(click.Choice):
    """A platform's name, written with '-' or as its folder is, with '_'."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return super().convert(str(value).replace("-", "_"), param, ctx)


@click.command()
@dataset_argument
@root_option
@click.option("--out", metavar="DIR", help="A local folder that does not exist yet.")
@click.option(
    "--push",
    "server",
    metavar="URL",
    help="Make projects on this Label Studio server and fill them; its access token from LABEL_STUDIO_API_KEY.",
)
@click.option(
    "--platform",
    "platforms",
    multiple=True,
    type=_Platform(PLATFORMS),
    help="Write for this platform alone; repeatable, and both where it is not given.",
)
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only tasks of this kind; repeatable.")
@click.option(
    "--which",
    default=OPEN,
    show_default=True,
    type=click.Choice([OPEN, NEW, AGAIN]),
    help="new: nobody has answered yet; again: votes that are missing; open: both.",
)
@click.option(
    "--for",
    "who",
    default=WORKER,
    show_default=True,
    type=click.Choice([WORKER, EXPERT]),
    help="For an expert: what workers refused or disagree on, and a sample of the rest.",
)
@click.option(
    "--batch",
    default=1000,
    show_default=True,
    type=click.IntRange(1),
    metavar="N",
    help="Tasks per file, or per request.",
)
def tasks(
    dataset: str,
    root: str,
    out: str | None,
    server: str | None,
    platforms: tuple[str, ...],
    kinds: tuple[str, ...],
    which: str,
    who: str,
    batch: int,
) -> None:
    """Write what the latest build of DATASET asks people, ready to send out.

    Per kind of task: the guide for workers, the tasks as JSON lines, a labelling configuration and tasks for Label
    Studio, a page and batches in CSV for Mechanical Turk. Tasks of different numbers of votes lie in folders of
    their own. Nothing in it tells which tasks are attention checks. The answers go to
    `benchwright build --annotations`.
    An expert also gets what accepted workers have answered: filled into Label Studio's form, and as answers.jsonl.
    With --push they go to a Label Studio server instead, or as well (extra `annotation`): a project per kind and number
    of votes. The same tasks pushed again add only what is missing there.

    \b
    benchwright tasks wiqa --out tasks
    benchwright tasks wiqa --out again --which again --platform label_studio
    benchwright tasks wiqa --out checks --for expert
    benchwright tasks wiqa --push https://label-studio.example.org
    """
    if out is None and server is None:
        raise StageError("tasks: name a folder with --out, or a Label Studio server with --push")
    if out is not None and Path(out).exists():
        raise StageError(f"--out {out}: already exists; name a folder that does not")
    if platforms and out is None:
        raise StageError("--platform: goes with --out; --push sends to Label Studio")
    # Before the tables are read: a wrong address is told at once.
    pushed_to = Server.of(server) if server is not None else None
    storage = open_root(root)
    manifest = need_build(storage, dataset)
    rounds = read_rounds(storage, manifest)
    found = [open_tasks(one, manifest, which, who) for one in rounds]
    waiting = [one.name for one, open_ones in zip(rounds, found, strict=True) if open_ones.num_rows]
    wanted = _of_kinds(pa.concat_tables(found), kinds, dataset)
    if not wanted.num_rows:
        click.echo(f"nothing to send: no {_TASKS[which]} for {_WHO[who]} in {masked(root)}")
        return
    names = sorted(set(wanted["kind"].to_pylist()))
    given = [row for one in rounds for row in _accepted(one)] if who == EXPERT else None
    kinds_of = load_kinds(*names)
    if out is not None:
        written = export_tasks(
            wanted, kinds_of, Path(out), batch=batch, platforms=platforms or PLATFORMS, answers=given
        )
        for name, count in written.tasks.items():
            left = f"; {written.too_long[name]:,} too long for Mechanical Turk" if written.too_long[name] else ""
            click.echo(f"{name}: {count:,} tasks in {written.folder / name}{left}")
    if pushed_to is not None:
        for project in pushed_to.push(wanted, kinds_of, dataset, batch=batch, answers=given):
            votes = f"{project.votes} vote{'s' * (project.votes > 1)} each"
            click.echo(f"{project.kind}: {project.tasks:,} tasks in {project.url}, {votes} ({project.added:,} new)")
    if len(waiting) > 1 and not kinds:
        click.echo(f"note: answers to the round {waiting[0]!r} change what {waiting[-1]!r} asks; send the former first")


@click.command()
@dataset_argument
@root_option
@click.option("--fee", default=0.2, show_default=True, type=SHARE, metavar="SHARE", help="Of the platform.")
@click.option(
    "--redo",
    default=0.1,
    show_default=True,
    type=Finite(0, 1, max_open=True),
    metavar="SHARE",
    help="Of the work that is expected to be thrown away and done again.",
)
@click.option(
    "--checked",
    default=0.05,
    show_default=True,
    type=SHARE,
    metavar="SHARE",
    help="Of the tasks that an expert sees.",
)
@click.option(
    "--expert-pay",
    default=30.0,
    show_default=True,
    type=Finite(0),
    metavar="USD",
    help="Per hour of an expert.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
def people(dataset: str, root: str, fee: float, redo: float, checked: float, expert_pay: float, as_json: bool) -> None:
    """Show what people have done for the latest build of DATASET: agreement, alpha, pace, cost, verdicts.

    cost: of all tasks from the start; left: of those that nobody has answered; both by the pay of the kind of task.
    Per worker: tasks answered, tasks with known answers that are right, attention checks let pass, agreement with the
    majority of the others, median seconds, pay, and whether the work counts.

    \b
    benchwright people wiqa
    benchwright people wiqa --fee 0.4 --json
    """
    # The library behind alpha takes a second to import, which no other command should wait for.
    from stages.annotation.reports.report import Costs

    storage = open_root(root)
    manifest = need_build(storage, dataset)
    costs = Costs(fee=fee, redo=redo, checked=checked, expert_pay_per_hour=expert_pay)
    rounds = read_rounds(storage, manifest)
    reports = [_report(one, _experts(manifest), costs) for one in rounds]
    if as_json:
        named = [{"round": one.name} | report.as_dict() for one, report in zip(rounds, reports, strict=True)]
        click.echo(json.dumps({"costs": asdict(costs), "rounds": named}, indent=1))
        return
    for number, (one, report) in enumerate(zip(rounds, reports, strict=True)):
        text = report.as_text() if report.kinds else f"no tasks: {_why_none(manifest, rounds, number)}\n"
        click.echo((f"{one.name}\n\n" if one.name else "") + text)


def _why_none(manifest: BuildManifest, rounds: Sequence[Round], number: int) -> str:
    """Why a round asks nothing: what the dataset knows, or else what may come of the rounds before it."""
    explain = find_dataset(manifest.dataset).no_tasks
    told = explain(manifest, rounds[number].name) if explain else ""
    before = [one.name for one in rounds[:number] if one.tasks.num_rows]
    return told or (f"answers to {before[-1]} may make some" if before else "this build has nothing to ask people")


def open_tasks(one: Round, manifest: BuildManifest, which: str, who: str) -> pa.Table:
    """Rows of TASKS: those of a round that are to be sent."""
    return outstanding(
        one.tasks,
        one.task_keys,
        one.annotations,
        one.redo,
        which=which,
        who=who,
        attention_checks=manifest.parameters["people"]["attention_check_share"],
        seed=manifest.parameters["build"]["seed"],
    )


def _accepted(one: Round) -> list[dict[str, Any]]:
    """The annotations of a round that count."""
    names = {row["worker"] for row in one.workers.to_pylist() if row["accepted"]}
    return [row for row in one.annotations.to_pylist() if row["worker"] in names]


def _of_kinds(tasks: pa.Table, kinds: Sequence[str], dataset: str) -> pa.Table:
    there = sorted(set(tasks["kind"].to_pylist()))
    if unknown := sorted(set(kinds) - set(there)):
        raise StageError(f"--kind {unknown[0]}: no such tasks to send for {dataset}; there are {', '.join(there)}")
    return tasks.filter([kind in kinds for kind in tasks["kind"].to_pylist()]) if kinds else tasks


def _report(one: Round, experts: tuple[str, ...], costs: Costs) -> PeopleReport:
    from stages.annotation.reports.report import people_report

    names = sorted(set(one.tasks["kind"].to_pylist()))
    return people_report(
        one.annotations,
        one.tasks,
        one.task_keys,
        one.workers,
        one.verdicts,
        kinds=load_kinds(*names) if names else {},
        experts=experts,
        costs=costs,
    )


def _experts(manifest: BuildManifest) -> tuple[str, ...]:
    return tuple(manifest.parameters.get("people", {}).get("experts", ()))
