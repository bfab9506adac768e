"""Writes the report of a build into a folder: pages, and the records as scripts that they load by need."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from manifests.manifest import BuildManifest, StageManifest, is_rejects
from manifests.storage import Storage
from pipelines.datasets import Dataset
from pipelines.funnel import FunnelStep, funnel_steps, reject_examples
from pipelines.lineage import Lineage
from pipelines.report.chunks import Chunks
from pipelines.report.counts import Counts, in_order
from pipelines.report.differences import ChangedRecord, Told, counted, differences, told, with_decisions
from pipelines.report.pages import ASSETS, FOLDER, render
from stages.core.contract import StageError
from stages.io.folders import whole_folder

MARK = "report.txt"
"""A file that every report has; a folder without it is not replaced."""
_MARKED = "A report of `benchwright report`, which replaces this folder whole when it writes another one here.\n"
PAGES = (
    ("index.html", "Overview"),
    ("funnel.html", "Funnel"),
    ("plots.html", "Plots"),
    ("records.html", "Records"),
    ("stages.html", "Stages"),
    ("changes.html", "Changes"),
)
MOST_CHANGES = 1000
Build = tuple[Storage, BuildManifest]


@dataclass(frozen=True)
class StageLine:
    """A stage in the list of stages. tables: name, rows and bytes of what it gave; reads: the tables it took, with the
    stage that gave each, "" for one that is not in the build; dropped: records."""

    stage: StageManifest
    reads: tuple[tuple[str, str], ...]
    tables: tuple[tuple[str, int, int], ...]
    dropped: int
    seconds: float | None

    @property
    def bytes(self) -> int:
        return sum(size for _, _, size in self.tables)


def write_report(dataset: Dataset, build: Build, folder: Path, against: Build | None = None) -> list[Path]:
    """Writes the report of a build in place of an earlier one; returns its pages.

    against: an earlier build, to which the differences are told.

    Raises:
        StageError: the folder holds something else, or cannot be written.
        ManifestError: a table of the build is damaged, or made by another version.
    """
    _must_be_a_report(folder)
    with whole_folder(folder, replace=True) as attempt:
        counts = Counts(dataset.lineage.plots if dataset.lineage else ())
        now = _write_records(dataset.lineage, build, attempt, counts, against is not None)
        changed = _changes(dataset.lineage, against, (*build, now)) if against else None
        values = _values(dataset, build, counts, against, changed)
        pages = [page for page, _ in values["pages"]]
        for page in pages:
            (attempt / page).write_text(render(page, {**values, "page": page}), encoding="utf-8", newline="\n")
        for name in ASSETS:
            shutil.copyfile(FOLDER / name, attempt / name)
        (attempt / MARK).write_text(_MARKED, encoding="utf-8")
    return [folder / page for page in pages]


def _must_be_a_report(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise StageError(f"{folder}: not a folder; choose another --out")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).is_file():
        raise StageError(
            f"{folder}: holds files, and no {MARK} as a report has it; nothing was written; "
            "choose a new or an empty folder with --out"
        )


def _write_records(
    lineage: Lineage | None, build: Build, folder: Path, counts: Counts, keep: bool
) -> Mapping[str, Told]:
    """The records as scripts; keep: returns what is compared of them."""
    if lineage is None:
        return {}
    chunks, kept = Chunks(folder), {}
    for trail in lineage.trails(*build, None):
        chunks.add(trail)
        counts.add(trail)
        if keep:
            kept[trail.key] = told(trail)
    chunks.finish(lineage.tags)
    return kept


def _changes(
    lineage: Lineage | None, against: Build, after: tuple[Storage, BuildManifest, Mapping[str, Told]]
) -> list[ChangedRecord]:
    if lineage is None:
        raise StageError(f"{after[1].dataset} does not tell its records apart, so there is nothing to hold --against")
    before = {trail.key: told(trail) for trail in lineage.trails(*against, None)}
    return with_decisions(differences(before, after[2]), (*against, before), after)


def _values(
    dataset: Dataset,
    build: Build,
    counts: Counts,
    against: Build | None,
    changed: list[ChangedRecord] | None,
) -> dict[str, Any]:
    root, manifest = build
    steps = funnel_steps(manifest, dataset.paper)
    lines = stage_lines(manifest)
    left_out = {"changes.html": changed is None, "records.html": not counts.splits, "plots.html": not counts.splits}
    return {
        "dataset": dataset,
        "manifest": manifest,
        "pages": [(page, name) for page, name in PAGES if not left_out.get(page, False)],
        "steps": steps,
        "examples": {step.name: reject_examples(root, step.stages) for step in steps},
        "largest": _largest(steps),
        "plots": counts.drawn(),
        "splits": in_order(counts.splits),
        "counts": counts,
        "lines": lines,
        "longest": max((line.seconds or 0.0 for line in lines), default=0.0),
        "total_bytes": sum(line.bytes for line in lines),
        "total_seconds": sum(line.seconds or 0.0 for line in lines),
        "before": against[1] if against else None,
        "changed": (changed or [])[:MOST_CHANGES],
        "changed_in_all": len(changed or ()),
        "changed_counts": counted(changed or ()),
    }


def _largest(steps: Sequence[FunnelStep]) -> int:
    given = [step.gives.rows for step in steps if step.gives]
    return max([*given, *(sum(step.dropped.values()) for step in steps)], default=0)


def stage_lines(manifest: BuildManifest) -> list[StageLine]:
    """The stages in their order, each with the tables that it read and those that it gave."""
    made: dict[str, str] = {}
    lines = []
    for stage in manifest.stages:
        reads = tuple((name, made.get(name, "")) for name in stage.inputs)
        tables = {name: table for name, table in stage.tables.items() if not is_rejects(name)}
        lines.append(
            StageLine(
                stage,
                reads,
                tuple((name, one.rows, sum(shard.bytes for shard in one.shards)) for name, one in tables.items()),
                sum(stage.rejects.values()),
                stage.run.get("seconds"),
            )
        )
        made |= dict.fromkeys(tables, stage.stage)
    return lines
