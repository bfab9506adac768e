"""Builds whose figures READMEs state, each made once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pyarrow as pa

from manifests.manifest import BuildManifest
from manifests.registry import latest_build
from manifests.storage import Storage
from pipelines.published import read_table
from stages.core.contract import TableSpec
from tests.pipelines.commands import run

SAMPLE = ("--annotations", "sample")


@dataclass(frozen=True)
class Build:
    """The newest build of a dataset in a root."""

    dataset: str
    root: Path

    @cached_property
    def manifest(self) -> BuildManifest:
        manifest = latest_build(Storage.at(self.root), self.dataset)
        if manifest is None:
            raise LookupError(f"{self.root}: no build of {self.dataset}")
        return manifest

    @cached_property
    def metrics(self) -> Mapping[str, Mapping[str, float]]:
        """Of every stage."""
        return {stage.stage: stage.metrics for stage in self.manifest.stages}

    def count(self, stage: str, metric: str) -> str:
        return f"{int(self.metrics[stage][metric]):,}"

    def table(self, spec: TableSpec) -> pa.Table:
        return read_table(Storage.at(self.root), self.manifest, spec)


@dataclass(frozen=True)
class Work:
    """folder: for builds; data: real data, None where there is none on this machine."""

    folder: Path
    data: Path | None

    @property
    def real(self) -> Path:
        """Raises LookupError where there is none; checks that need it say so beforehand."""
        if self.data is None:
            raise LookupError("no real data on this machine")
        return self.data

    def build(self, dataset: str, name: str, *arguments: str) -> Build:
        """name: of the root, which is built into once."""
        root = self.folder / name
        if not root.exists():
            run("build", dataset, *arguments, "--root", str(root), "--workers", "1", "--quiet")
        return Build(dataset, root)
