"""The rounds of people's work in a published build, as `pipelines.people` made them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from manifests.manifest import BuildManifest
from manifests.storage import Storage
from pipelines.datasets import dataset
from pipelines.published import read_table
from stages.annotation.redo import REDO
from stages.annotation.tables import ANNOTATIONS, TASK_KEYS, TASKS, VERDICTS, WORKERS
from stages.core.contract import StageError, TableSpec


@dataclass(frozen=True)
class Round:
    """One round's tables, all empty where nobody was to be asked. name: as the dataset calls it."""

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
    there = {name for stage in manifest.stages for name in stage.tables}
    names = [
        name
        for name in dataset(manifest.dataset).rounds(manifest)
        if manifest.complete or f"{TASKS.name}_{name}" in there
    ]
    if not names:
        raise StageError(f"this build of {manifest.dataset} asks people nothing, or stops before it does")
    return [_read(root, manifest, name, there) for name in names]


def keys_of(root: Storage, manifest: BuildManifest) -> Mapping[str, list[dict[str, Any]]]:
    """The rows of TASK_KEYS of each round by its name; none of a round that the build does not have."""
    found: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    return found | {one.name: one.task_keys.to_pylist() for one in read_rounds(root, manifest)}


def _read(root: Storage, manifest: BuildManifest, name: str, there: set[str]) -> Round:
    if f"{VERDICTS.name}_{name}" not in there and not manifest.complete:
        raise StageError(f"the build of {manifest.dataset} stops within its round {name!r}; build it without --until")

    def read(spec: TableSpec) -> pa.Table:
        own = f"{spec.name}_{name}"
        return read_table(root, manifest, spec, own) if own in there else spec.empty()

    return Round(
        name=name,
        tasks=read(TASKS),
        task_keys=read(TASK_KEYS),
        annotations=read(ANNOTATIONS),
        workers=read(WORKERS),
        verdicts=read(VERDICTS),
        redo=read(REDO),
    )
