"""Commands that look at what was built: status, show, diff, verify, export, clean."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
import pyarrow as pa
import pyarrow.compute as pc
from tqdm import tqdm

from manifests.manifest import REJECTS, BuildManifest, StageManifest, Table, dumps, is_rejects
from manifests.names import alternatives
from manifests.registry import datasets, latest_build
from manifests.storage import Storage
from manifests.verify import repair as repair_stages
from manifests.verify import verify as verify_root
from pipelines.cli import tables
from pipelines.cli.hints import command
from pipelines.cli.options import Finite, dataset_argument, root_option
from pipelines.comparison import compare
from pipelines.datasets import dataset as find_dataset
from pipelines.gaps import why_nothing
from pipelines.housekeeping import (
    MOST_HOURS,
    drop_builds,
    linked_folders,
    live_bytes,
    remove_requests,
    remove_sources,
    remove_unused,
)
from pipelines.published import need_build, open_root
from stages.core.contract import StageError
from stages.core.shards import read_shard

_IDS = ("qid", "aid", "pid")


@click.command()
@root_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def status(root: str, as_json: bool) -> None:
    """List the builds under a root: version, stages, rows of the output tables, when.

    \b
    benchwright status --root s3://bucket/qampari
    """
    storage = open_root(root)
    builds = [build for name in datasets(storage) if (build := latest_build(storage, name)) is not None]
    rows = [_status_row(build) for build in builds]
    if rows and as_json:
        click.echo(json.dumps(rows, indent=1))
    elif rows:
        click.echo(tables.table(list(rows[0]), [list(row.values()) for row in rows]))
        for name, size in live_bytes(storage).items():
            click.echo(f"live sources: {size:,} bytes in {name}")
    else:
        raise StageError(f"{root} holds no builds; {command('build', 'DATASET', root=root)} makes one")


@click.command()
@dataset_argument
@click.argument("table", required=False)
@root_option
@click.option("--key", metavar="TEXT", help="Show the rows in which a key column, or else an id, has this value.")
@click.option(
    "--rows", default=3, type=click.IntRange(min=1), show_default=True, metavar="N", help="How many rows to show."
)
@click.option("--rejects", metavar="STAGE", help="Show what a stage rejected, instead of a table.")
@click.option("--reason", metavar="WORD", help="With --rejects: only this reason.")
@click.option("--metrics", "metrics_of", metavar="STAGE", help="Show a stage's metrics.")
@click.option("--stages", "by_stage", is_flag=True, help="Show the funnel by stages, with all reasons and counts.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: rows, or the manifest without times and paths.")
def show(
    dataset: str,
    table: str | None,
    root: str,
    key: str | None,
    rows: int,
    rejects: str | None,
    reason: str | None,
    metrics_of: str | None,
    by_stage: bool,
    as_json: bool,
) -> None:
    """Show the latest build of DATASET: the funnel, or records of TABLE.

    Exit code 1: no row has the --key or the --reason that was asked for.

    \b
    benchwright show qampari                             the paper's steps: in, out, dropped most, and why
    benchwright show qampari --stages                    the same of every stage, with all reasons
    benchwright show qampari records --rows 5            five records of a table
    benchwright show qampari questions --key P57:Q8877:Q11424   the records of one key
    benchwright show qampari --rejects wikidata.parse --reason no_label
    """
    storage = open_root(root)
    manifest = need_build(storage, dataset)
    _one_of(table=table, rejects=rejects, metrics=metrics_of)
    if by_stage and (table or rejects or metrics_of):
        raise StageError("--stages is about the funnel; it goes with no TABLE, --rejects or --metrics")
    if (reason and not rejects) or (key and not (table or rejects)):
        raise StageError("--reason goes with --rejects STAGE, --key with a TABLE or --rejects STAGE")
    if rejects:
        found = [
            {**step, **row}
            for step, table_ in _rejects(manifest, rejects)
            for row in _rows(storage, table_, key, rows, reason)
        ]
        _print_rows(found[:rows], as_json, asked=bool(key or reason))
    elif metrics_of:
        stage = _stage(manifest, metrics_of)
        click.echo(json.dumps(dict(stage.metrics), indent=1) if as_json else tables.metrics(stage))
    elif table == REJECTS:
        raise StageError("every stage has its own rejects; name one with --rejects STAGE")
    elif table:
        _print_rows(_rows(storage, manifest.table(table), key, rows), as_json, asked=key is not None)
    elif as_json:
        click.echo(dumps(manifest.pinned()).decode(), nl=False)
    else:
        shown = tables.funnel if by_stage else tables.steps
        click.echo(shown(manifest, find_dataset(dataset).paper))
        for note in manifest.notes:
            click.echo(f"note: {note}")
        click.echo(
            f"\ntables: {', '.join(manifest.outputs)}; see one with {command('show', dataset, 'TABLE', root=root)}"
        )


@click.command()
@click.argument("a")
@click.argument("b")
@click.option("--dataset", metavar="NAME", help="Which dataset's builds, where a root holds several.")
@click.option("--rows", "with_rows", is_flag=True, help="Compare rows too: added, removed, changed; reads every shard.")
@click.option(
    "--limit", default=5, type=click.IntRange(min=0), show_default=True, metavar="N", help="Examples per table."
)
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="How to print the difference.",
)
@click.pass_context
def diff(ctx: click.Context, a: str, b: str, dataset: str | None, with_rows: bool, limit: int, style: str) -> None:
    """Compare two builds; A and B are roots or manifest files.

    Exit code 0: equal, 1: different, 2: an error. What is true only of one run or one
    machine (times, file names, the last digits of scores) does not count.

    \b
    benchwright diff out tomorrow --rows
    benchwright diff manifests/baselines/qampari-sample.json out --format markdown
    """
    found = compare(a, b, dataset=dataset, rows=with_rows, limit=limit)
    if style == "json":
        click.echo(json.dumps(found.as_dict(), indent=1, ensure_ascii=False))
    else:
        click.echo(found.as_text() if style == "text" else found.as_markdown(), nl=False)
    ctx.exit(0 if found.equal else 1)


@click.command()
@root_option
@click.option("--dataset", metavar="NAME", help="Only what the latest build of one dataset uses.")
@click.option("--repair", is_flag=True, help="Drop damaged stages, so that the next build makes them anew.")
@click.option("--quiet", is_flag=True, help="Print damage only.")
@click.pass_context
def verify(ctx: click.Context, root: str, dataset: str | None, repair: bool, quiet: bool) -> None:
    """Hash every shard again and compare it with its manifest.

    Exit code 0: all is whole, 1: something is damaged (with --repair: was), 2: an error.

    \b
    benchwright verify --root out --repair
    """
    storage = open_root(root)
    if not (storage.folders("stages") or any(storage.files(f"builds/{name}") for name in datasets(storage))):
        raise StageError(f"{root}: holds no builds, so there is nothing to verify; check --root")
    with tqdm(unit="shard", disable=quiet or not sys.stderr.isatty(), leave=False) as bar:

        def advance(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        damage = verify_root(storage, dataset, progress=advance)
    for item in damage:
        click.echo(str(item))
    if repair and damage:
        repaired = repair_stages(storage, damage)
        for stage in repaired.removed:
            click.echo(f"dropped {stage}; the next build makes it anew")
        if repaired.rebuild:
            click.echo(f"build again: {', '.join(repaired.rebuild)}")
    if not quiet:
        click.echo(f"{len(damage):,} damaged" if damage else "all is whole")
    ctx.exit(1 if damage else 0)


@click.command()
@dataset_argument
@root_option
@click.option(
    "--out", required=True, metavar="DIR", help="A local folder for the release: new, empty, or an earlier one."
)
@click.option("--force", is_flag=True, help="Also replace files of a release's names that no export wrote.")
def export(dataset: str, root: str, out: str, force: bool) -> None:
    """Write the latest build of DATASET in its release format: JSONL per split, and Parquet.

    An earlier release in the folder is replaced whole. Files that no export wrote, or that were
    changed since, are not: a README.md of your own stays, and nothing is written.

    \b
    benchwright export qampari --out release
    """
    if not out.strip() or "://" in out:
        raise StageError(f"--out {out!r}: expected a local folder; copy it elsewhere once it is written")
    storage = open_root(root)
    manifest = need_build(storage, dataset)
    if not manifest.complete:
        rest = command("build", dataset, root=root)
        raise StageError(f"the build of {dataset} in {root} stops early; run {rest} to its end")
    if why := why_nothing(manifest):
        raise StageError(f"{root} has nothing of {dataset} to export. {why} {_shown(dataset, root)}")
    for path in find_dataset(dataset).export(storage, manifest, Path(out), force):
        click.echo(str(path))


@click.command()
@root_option
@click.option(
    "--hours",
    default=24.0,
    type=Finite(0, MOST_HOURS),
    show_default=True,
    metavar="N",
    help="Leave alone what is younger than this.",
)
@click.option(
    "--keep",
    type=click.IntRange(min=1),
    metavar="N",
    help="Also drop all but the newest N builds of each dataset, and what only the dropped ones need.",
)
@click.option("--requests", is_flag=True, help="Also remove the kept answers of live sources.")
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
def clean(root: str, hours: float, keep: int | None, requests: bool, dry_run: bool) -> None:
    """Remove what broken-off builds left behind: files that no manifest names. With --keep drop old builds, too.

    The same goes for what live sources gave and no build is made from any more (ROOT/sources). Their answers
    (ROOT/requests) stay, as builds are made from them again without asking; --requests removes these too.

    A build that runs at the same time may use what an old build made. So the files of a dropped stage
    go when --hours have passed since it was dropped, with the next `clean`; --hours 0 removes them at
    once, and is for when no build runs.

    \b
    benchwright clean --root out --dry-run
    benchwright clean --root out --keep 3
    """
    storage = open_root(root)
    if not storage.folders():
        raise StageError(f"{root}: holds no builds, so there is nothing to clean; check --root")
    if keep is not None:
        dropped = drop_builds(storage, keep, hours, dry_run)
        for name in (*(f"build {build}" for build in dropped.builds), *dropped.stages):
            click.echo(f"{'would drop' if dry_run else 'dropped'} {name}")
    removed = [*remove_unused(storage, hours, dry_run), *remove_sources(storage, hours, dry_run)]
    if requests:
        removed += remove_requests(storage, hours, dry_run)
    for path in removed:
        click.echo(f"{'would remove' if dry_run else 'removed'} {path}")
    for path in linked_folders(storage):
        click.echo(f"left alone {path}, a link, and all that lies behind it")
    click.echo(f"{len(removed):,} folders")


def _shown(dataset: str, root: str) -> str:
    return f"{command('show', dataset, root=root)} lists what each stage dropped"


def _status_row(build: BuildManifest) -> dict[str, object]:
    return {
        "dataset": build.dataset,
        "version": build.version,
        "stages": len(build.stages),
        "complete": "yes" if build.complete else "no",
        "bytes": sum(s.bytes for stage in build.stages for t in stage.tables.values() for s in t.shards),
        "rows": ", ".join(f"{name} {build.table(name).rows:,}" for name in build.outputs if _has(build, name)),
        "finished": str(build.run.get("finished", "")),
    }


def _has(build: BuildManifest, name: str) -> bool:
    return any(name in stage.tables for stage in build.stages)


def _stage(manifest: BuildManifest, name: str) -> StageManifest:
    for stage in manifest.stages:
        if stage.stage == name:
            return stage
    hint = alternatives(name, (stage.stage for stage in manifest.stages), f"`benchwright show {manifest.dataset}`")
    raise StageError(f"no stage {name!r} in this build; {hint}")


def _rejects(manifest: BuildManifest, name: str) -> list[tuple[dict[str, str], Table]]:
    """The rejects of a stage, or of one step "stage.step" of it; those of a chain's steps with the step's name."""
    whole, _, step = name.rpartition(".")
    for stage in manifest.stages:
        if stage.stage == whole and f"{REJECTS}_{step}" in stage.tables:
            return [({"step": step}, stage.tables[f"{REJECTS}_{step}"])]
    own = {name: table for name, table in _stage(manifest, name).tables.items() if is_rejects(name)}
    steps = ((table_name.removeprefix(REJECTS).removeprefix("_"), table) for table_name, table in own.items())
    return [({"step": step} if step else {}, table) for step, table in steps]


def _one_of(**chosen: str | None) -> None:
    given = [name for name, value in chosen.items() if value]
    if len(given) > 1:
        raise StageError(f"show: {' and '.join(given)} do not go together; one at a time")


def _rows(storage: Storage, table: Table, key: str | None, limit: int, reason: str | None = None) -> list[dict]:
    """The first rows of a table, or those in which an id has a value, and the reason is a given one."""
    if key is None:
        return _first_rows(storage, table, [], "", limit, reason)
    # A released question is known by its qid, though its table is keyed by the query.
    ids = [name for name in table.schema if name in _IDS and name not in table.key]
    columns = [table.key, ids] if ids else [table.key]
    tries = (_first_rows(storage, table, names, key, limit, reason) for names in columns)
    return next((found for found in tries if found), [])


def _first_rows(
    storage: Storage, table: Table, columns: list[str], value: str, limit: int, reason: str | None
) -> list[dict]:
    found: list[dict] = []
    for shard in table.shards:
        rows = read_shard(storage, shard)
        if columns:
            rows = _matching(rows, columns, value)
        if reason is not None:
            rows = _matching(rows, ["reason"], reason)
        found += rows.slice(0, min(limit - len(found), rows.num_rows)).to_pylist()
        if len(found) >= limit:
            break
    return found


def _matching(rows: pa.Table, columns: list[str], value: str) -> pa.Table:
    # Typed by hand: an empty shard gives no value to take the type from.
    mask = pa.array([False] * rows.num_rows, pa.bool_())
    for name in columns:
        mask = pc.or_(mask, pc.equal(rows.column(name).cast(pa.string()), value))
    return rows.filter(mask)


def _print_rows(rows: list[dict], as_json: bool, asked: bool) -> None:
    """asked: for certain ones, so that none is an answer that a script has to tell from others."""
    if as_json:
        for row in rows:
            click.echo(json.dumps(row, ensure_ascii=False))
    elif rows:
        click.echo("\n\n".join(tables.record(row) for row in rows))
    else:
        click.echo("no such rows" if asked else "no rows")
    if asked and not rows:
        click.get_current_context().exit(1)
