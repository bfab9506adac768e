"""The rounds of people's work in a published build, as `pipelines.people` made them."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from manifests.manifest import BuildManifest
from manifests.storage import Storage
from pipelines.published import read_table
from stages.contract import StageError, TableSpec
from stages.people.redo import REDO
from stages.people.tables import ANNOTATIONS, TASK_KEYS, TASKS, VERDICTS, WORKERS

_STAGE = "people.tasks"


@dataclass(frozen=True)
class Round:
    """One round's tables. name: as the dataset calls it, "" for an only one."""

    name: str
    tasks: pa.Table
    task_keys: pa.Table
    annotations: pa.Table
    workers: pa.Table
    verdicts: pa.Table
    redo: pa.Table


def read_rounds(root: Storage, manifest: BuildManifest) -> list[Round]:
    """All rounds of a build, in their order.

    Raises StageError: it has none, or stops before the end of one.
    """
    suffixes = [stage.stage.removeprefix(_STAGE) for stage in manifest.stages if stage.stage.startswith(_STAGE)]
    if not suffixes:
        raise StageError(f"this build of {manifest.dataset} asks people nothing, or stops before it does")
    return [_read(root, manifest, suffix) for suffix in suffixes]


def _read(root: Storage, manifest: BuildManifest, suffix: str) -> Round:
    there = {name for stage in manifest.stages for name in stage.tables}
    if VERDICTS.name + suffix not in there:
        raise StageError(
            f"the build of {manifest.dataset} stops within its round {suffix.strip('_')!r}; build it without --until"
        )

    def read(spec: TableSpec) -> pa.Table:
        return read_table(root, manifest, spec, spec.name + suffix)

    return Round(
        name=suffix.removeprefix("_"),
        tasks=read(TASKS),
        task_keys=read(TASK_KEYS),
        annotations=read(ANNOTATIONS),
        workers=read(WORKERS),
        verdicts=read(VERDICTS),
        redo=read(REDO),
    )
