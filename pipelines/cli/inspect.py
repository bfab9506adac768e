"""Commands that look at what was built: status, show, diff, verify, export, clean."""

from __future__ import annotations

import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import pyarrow as pa
import pyarrow.compute as pc
from tqdm import tqdm

from manifests.manifest import REJECTS, BuildManifest, StageManifest, Table, dumps, is_rejects
from manifests.marks import begun, remove_tag, set_tag, tags
from manifests.names import alternatives
from manifests.registry import builds_of, datasets, find_stage, latest_build, whole_build
from manifests.storage import Storage
from manifests.verify import repair as repair_stages
from manifests.verify import verify as verify_root
from pipelines.cli import tables
from pipelines.cli.hints import command
from pipelines.cli.options import Finite, dataset_argument, root_option
from pipelines.comparison import compare
from pipelines.datasets import dataset as find_dataset
from pipelines.gaps import RECORDS, why_nothing
from pipelines.housekeeping import (
    MOST_HOURS,
    drop_builds,
    linked_folders,
    live_bytes,
    remove_requests,
    remove_sources,
    remove_unused,
)
from pipelines.published import find_build, need_build, open_root
from stages.core.contract import StageError
from stages.core.shards import read_shard

_IDS = ("qid", "aid", "pid")
_TAG_WIDTH = 12


@click.command()
@root_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def status(root: str, as_json: bool) -> None:
    """List the builds under a root, unfinished ones too: version, stages, rows, size, when, and their tags.

    rows: of the release; a build that stops early has none yet. A build that is broken off, or runs now, has no
    version: how many of its stages are there stands under `stages`.

    \b
    benchwright status --root s3://bucket/qampari
    """
    storage = open_root(root)
    rows = [row for name in _with_builds(storage) for row in _status_rows(storage, name)]
    if rows and as_json:
        click.echo(json.dumps(rows, indent=1))
    elif rows:
        click.echo(tables.table(list(rows[0]), [_short_row(row) for row in rows]))
        for name, size in live_bytes(storage).items():
            click.echo(f"live sources: {size:,} bytes in {name}")
    else:
        raise StageError(f"{root} holds no builds; {command('build', 'DATASET', root=root)} makes one")


@click.command()
@dataset_argument
@click.argument("name")
@root_option
@click.option("--build", "named", metavar="VERSION|TAG", help="Which build; the latest one by default.")
@click.option("--remove", is_flag=True, help="Take the name away; the build stays.")
def tag(dataset: str, name: str, root: str, named: str | None, remove: bool) -> None:
    """Give a build of DATASET the NAME, which `status` shows and `clean --keep` respects.

    \b
    benchwright tag qampari paper-1
    benchwright tag qampari paper-1 --build 1f0c
    """
    storage = open_root(root)
    if remove:
        remove_tag(storage, dataset, name)
        click.echo(f"no build of {dataset} is called {name} any more")
        return
    build = find_build(storage, dataset, named) if named else need_build(storage, dataset)
    set_tag(storage, dataset, name, build.version)
    click.echo(f"{dataset} {build.version} is called {name}")


@click.command()
@dataset_argument
@click.argument("table", required=False)
@root_option
@click.option("--build", "named", metavar="VERSION|TAG", help="Which build; the latest one by default.")
@click.option("--key", metavar="TEXT", help="Show the rows in which a key column, or else an id, has this value.")
@click.option(
    "--rows", default=3, type=click.IntRange(min=1), show_default=True, metavar="N", help="How many rows to show."
)
@click.option(
    "--sample", type=click.IntRange(min=1), metavar="N", help="With TABLE: N rows drawn at random instead of the first."
)
@click.option("--seed", default=0, show_default=True, metavar="S", help="With --sample: what the draw follows from.")
@click.option("--rejects", metavar="STAGE", help="Show what a stage rejected, instead of a table.")
@click.option("--reason", metavar="WORD", help="With --rejects: only this reason.")
@click.option("--metrics", "metrics_of", metavar="STAGE", help="Show a stage's metrics.")
@click.option("--stages", "by_stage", is_flag=True, help="Show the funnel by stages, with all reasons and counts.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: rows, or the manifest without times and paths.")
def show(
    dataset: str,
    table: str | None,
    root: str,
    named: str | None,
    key: str | None,
    rows: int,
    sample: int | None,
    seed: int,
    rejects: str | None,
    reason: str | None,
    metrics_of: str | None,
    by_stage: bool,
    as_json: bool,
) -> None:
    """Show a build of DATASET, the latest one by default: the funnel, or records of TABLE.

    Exit code 1: no row has the --key or the --reason that was asked for.

    \b
    benchwright show qampari                             the paper's steps: in, out, dropped most, and why
    benchwright show qampari --build paper-1             those of the build with that tag
    benchwright show qampari --stages                    the same of every stage, with all reasons
    benchwright show qampari records --rows 5            five records of a table
    benchwright show qampari questions --key P57:Q8877:Q11424   the records of one key
    benchwright show qampari records --sample 5 --seed 1        five records at random
    benchwright show qampari --rejects wikidata.parse --reason no_label
    """
    storage = open_root(root)
    manifest = whole_build(storage, find_build(storage, dataset, named)) if named else need_build(storage, dataset)
    _one_of(table=table, rejects=rejects, metrics=metrics_of)
    if by_stage and (table or rejects or metrics_of):
        raise StageError("--stages is about the funnel; it goes with no TABLE, --rejects or --metrics")
    if (reason and not rejects) or (key and not (table or rejects)):
        raise StageError("--reason goes with --rejects STAGE, --key with a TABLE or --rejects STAGE")
    if sample and (key or not table or table == REJECTS):
        raise StageError("--sample goes with a TABLE, and draws from all of it: leave --key out")
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
    elif table and sample:
        _print_rows(_drawn(storage, manifest.table(table), sample, seed), as_json, asked=False)
    elif table:
        shown = manifest.table(table)
        tries = (_rows(storage, shown, name, rows) for name in _names(storage, manifest, key))
        _print_rows(next((found for found in tries if found), []), as_json, asked=key is not None)
    elif as_json:
        click.echo(dumps(manifest.pinned()).decode(), nl=False)
    else:
        funnel = tables.funnel if by_stage else tables.steps
        click.echo(funnel(manifest, find_dataset(dataset).paper))
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
@click.option("--table", metavar="NAME", help="Compare the rows of this table, with examples.")
@click.option(
    "--limit", default=5, type=click.IntRange(min=0), show_default=True, metavar="N", help="Examples of each kind."
)
@click.option(
    "--format",
    "style",
    type=click.Choice(["text", "json", "markdown", "html"]),
    default="text",
    show_default=True,
    help="How to print the difference.",
)
@click.pass_context
def diff(
    ctx: click.Context,
    a: str,
    b: str,
    dataset: str | None,
    with_rows: bool,
    table: str | None,
    limit: int,
    style: str,
) -> None:
    """Compare two builds; A and B are roots, ROOT#NAME by tag or version, or manifest files.

    First what a reader of the release cares for: questions and answers gained, lost and changed, by kind, and why.
    Then parameters, stages and counts. Manifest files alone tell nothing of questions.

    Exit code 0: equal, 1: different, 2: an error. What is true only of one run or one
    machine (times, file names, the last digits of scores) does not count.

    \b
    benchwright diff out tomorrow --rows
    benchwright diff out#paper-1 out
    benchwright diff out tomorrow --table entities --limit 20
    benchwright diff out tomorrow --format html > difference.html
    benchwright diff manifests/baselines/qampari-sample.json out --format markdown
    """
    found = compare(a, b, dataset=dataset, rows=with_rows, limit=limit, table=table)
    if style == "json":
        click.echo(json.dumps(found.as_dict(), indent=1, ensure_ascii=False))
    else:
        written = {"text": found.as_text, "markdown": found.as_markdown, "html": found.as_html}
        click.echo(written[style](), nl=False)
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
@click.option("--push-to-hub", "repository", metavar="OWNER/NAME", help="Also upload it to the Hugging Face Hub.")
@click.option("--private", is_flag=True, help="With --push-to-hub: a repository that it makes is private.")
@click.option("--dry-run", is_flag=True, help="With --push-to-hub: write the folder, and only say what would go up.")
def export(
    dataset: str, root: str, out: str, force: bool, repository: str | None, private: bool, dry_run: bool
) -> None:
    """Write the latest build of DATASET in its release format: JSONL per split, and Parquet.

    An earlier release in the folder is replaced whole. Files that no export wrote, or that were
    changed since, are not: a README.md of your own stays, and nothing is written.

    \b
    benchwright export qampari --out release
    benchwright export qampari --out release --push-to-hub my-org/my-qampari --dry-run
    """
    if repository is None and (private or dry_run):
        raise StageError("--private and --dry-run go with --push-to-hub OWNER/NAME")
    if not out.strip() or "://" in out:
        raise StageError(f"--out {out!r}: expected a local folder; copy it elsewhere once it is written")
    storage = open_root(root)
    manifest = need_build(storage, dataset)
    if why := why_nothing(manifest):
        raise StageError(f"{root} has nothing of {dataset} to export. {why} {_shown(dataset, root)}")
    if not manifest.complete:
        rest = command("build", dataset, root=root)
        raise StageError(f"the build of {dataset} in {root} stops early; run {rest} to its end")
    if repository is not None:
        # The Hub's library takes as long to import as all else, and few commands need it.
        from stages.release.push import need_repository

        need_repository(repository)
    for path in find_dataset(dataset).export(storage, manifest, Path(out), force):
        click.echo(str(path))
    if repository is not None:
        _push(Path(out), repository, private, dry_run)


def _push(folder: Path, repository: str, private: bool, dry_run: bool) -> None:
    from stages.release.push import plan_upload, push

    upload = plan_upload(folder, repository, private)
    for line in upload.lines() if dry_run else [f"uploaded: {push(upload)}"]:
        click.echo(line)


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


def _with_builds(root: Storage) -> list[str]:
    return sorted({*datasets(root), *(one.dataset for one in begun(root))})


def _status_rows(root: Storage, dataset: str) -> list[dict[str, object]]:
    """The builds of a dataset, oldest first, then those that are not published."""
    latest = latest_build(root, dataset)
    names: defaultdict[str, list[str]] = defaultdict(list)
    for name, version in tags(root, dataset).items():
        names[version].append(name)
    if latest is not None:
        names[latest.version].insert(0, "latest")
    builds = {build.version: build for build in (*(one for _, one in builds_of(root, dataset)), latest) if build}
    ordered = sorted(builds.values(), key=lambda build: str(build.run.get("finished", "")))
    return [_status_row(build, names[build.version]) for build in ordered] + [
        {
            "dataset": dataset,
            "version": "unfinished",
            "stages": f"{len(one.stages)}/{one.of}",
            "complete": "no",
            "bytes": _bytes(stage for name, mark in one.stages if (stage := find_stage(root, name, mark)) is not None),
            "rows": None,
            "finished": one.seen,
            "tags": [],
        }
        for one in begun(root, dataset)
    ]


def _status_row(build: BuildManifest, names: list[str]) -> dict[str, object]:
    has_records = any(RECORDS in stage.tables for stage in build.stages)
    return {
        "dataset": build.dataset,
        "version": build.version,
        "stages": len(build.stages),
        "complete": "yes" if build.complete else "no",
        "bytes": _bytes(build.stages),
        "rows": build.table(RECORDS).rows if has_records else None,
        "finished": str(build.run.get("finished", "")),
        "tags": names,
    }


def _bytes(stages: Iterable[StageManifest]) -> int:
    return sum(shard.bytes for stage in stages for table in stage.tables.values() for shard in table.shards)


def _short_row(row: Mapping[str, Any]) -> list[object]:
    """Within 100 columns: sizes rounded, times to the minute, a name on a line and cut where there is no room."""
    return [
        row["dataset"],
        row["version"],
        row["stages"],
        row["complete"],
        f"{tqdm.format_sizeof(row['bytes'])}B",
        "" if row["rows"] is None else row["rows"],
        row["finished"][:16].replace("T", " "),
        "\n".join(name if len(name) <= _TAG_WIDTH else f"{name[: _TAG_WIDTH - 1]}…" for name in row["tags"]),
    ]


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


def _names(storage: Storage, manifest: BuildManifest, key: str | None) -> Iterator[str | None]:
    """The key as it was given, then the other ids of a released record that has it: most tables know only one."""
    yield key
    lineage = find_dataset(manifest.dataset).lineage
    if key is not None and lineage is not None and any(RECORDS in stage.tables for stage in manifest.stages):
        for trail in lineage.trails(storage, manifest, {key}):
            yield from {trail.key, trail.record} - {key}


def _drawn(storage: Storage, table: Table, count: int, seed: int) -> list[dict]:
    """Rows drawn without putting back, each as likely as any other, in the order of the table."""
    # A draw for the eye is no secret.
    numbers = sorted(random.Random(seed).sample(range(table.rows), min(count, table.rows)))  # noqa: S311
    found: list[dict] = []
    start = 0
    for shard in table.shards:
        own = [number - start for number in numbers if start <= number < start + shard.rows]
        if own:
            found += read_shard(storage, shard).take(pa.array(own)).to_pylist()
        start += shard.rows
    return found


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
