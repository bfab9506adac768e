"""Builds and plans by name of dataset, and published builds with their tables: what a library's user calls.

The commands `build`, `plan` and `show` do the same for a shell, and besides ask live sources, and hand options to Beam.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from manifests.manifest import BuildManifest, ManifestError, is_rejects
from manifests.storage import Storage
from pipelines.build_file import BuildFile, read_build_file
from pipelines.datasets import dataset as find_dataset
from pipelines.inputs import make_pipeline, mapped_columns, read_inputs
from pipelines.live import split
from pipelines.model import Pipeline
from pipelines.params import load
from pipelines.progress import Progress
from pipelines.provenance import ABOUT, checked_about
from pipelines.published import DEFAULT_ROOT, need_build, open_root
from pipelines.runner import PlannedStage, Runner, runner_for
from stages.beam.options import BeamOptions
from stages.core.contract import StageError
from stages.core.shards import read_shard
from stages.io.detect import SourceError

if TYPE_CHECKING:
    import pandas as pd

Paths = str | Path | Sequence[str | Path]
SAMPLE = "sample"
NO_COLUMNS: Mapping[str, str] = MappingProxyType({})
NO_SETTINGS: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Build:
    """A published build: its manifest, and its tables under their root."""

    root: Storage
    manifest: BuildManifest

    @property
    def dataset(self) -> str:
        return self.manifest.dataset

    @property
    def version(self) -> str:
        """16 hexadecimal digits, equal for equal builds, whenever and wherever they were made."""
        return self.manifest.version

    @property
    def notes(self) -> Sequence[str]:
        """What a reader has to know of this build, such as a step of people that is left open."""
        return tuple(self.manifest.notes)

    @property
    def tables(self) -> Mapping[str, int]:
        """Rows by table, in the order of the stages that make them; rejects are not among them."""
        stages = self.manifest.stages
        return {t.name: t.rows for stage in stages for name, t in stage.tables.items() if not is_rejects(name)}

    def table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """All rows of a table, shard after shard, sorted by its key within each.

        columns: which are wanted, and in which order; all by default.

        Raises:
            ManifestError: the build has no such table, or the table no such column; the message names those that are
                meant.
            DamagedShard: a file is missing or altered.
        """
        table = self.manifest.table(name)
        if unknown := [column for column in columns or () if column not in table.schema]:
            there = ", ".join(table.schema)
            raise ManifestError(f"the table {name} of {self.dataset} has no column {unknown[0]!r}; it has {there}")
        shards = table.shards
        return pa.concat_tables([read_shard(self.root, shard, columns) for shard in shards])

    def pandas(self, name: str, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """The same as a data frame; lists and structs become arrays and dicts. Raises as `table` does."""
        return self.table(name, columns).to_pandas()


def build(
    dataset: str | None = None,
    *,
    sources: Paths | None = None,
    annotations: Paths = (),
    templates: Paths = (),
    columns: Mapping[str, str] = NO_COLUMNS,
    root: str | Path | None = None,
    params: str | Path | None = None,
    settings: Mapping[str, Any] = NO_SETTINGS,
    start: str | None = None,
    until: str | None = None,
    workers: int = 0,
    progress: bool = False,
    config: str | Path | None = None,
    about: Mapping[str, Any] = NO_SETTINGS,
) -> Build:
    """Runs every stage whose result is not published yet, and publishes the build.

    sources: files and folders, told apart by what they hold; "sample" stands for the built-in ones, the default.
    annotations: files with people's answers to the tasks of an earlier build, or "sample".
    templates: files and folders of templates and lexicons, read over the built-in ones.
    columns: what columns of simple files hold, as --map of the command, such as {"contents": "text"}.
    root: where builds lie: a folder, s3://bucket/path or gs://bucket/path; "out" by default.
    params: a YAML file of parameters by section; settings: single ones by key, such as {"queries.min_answers": 4},
        which win.
    start, until: as --from and --until of the command, names of stages.
    workers: processes on this machine; 0 takes one per core where that is worth it.
    progress: whether to show it on standard error, as the command does.
    config: a build file, as `benchwright init` writes it, which says all that is not said here, the dataset too.
    about: what the release is called, over what the build file says: name, version, licence, citation, authors.

    Raises:
        StageError: no such dataset, a build file that cannot be read, or a stage failed; what was published before is
            untouched.
        ParameterError: an unknown parameter, or a value that does not fit.
        SourceError: a source is missing, unreadable or live.
        StorageError: the root cannot be used.
        ManifestError: what an earlier build left cannot be read.
    """
    said = _said(config)
    pipeline = _pipeline(said, dataset, sources, annotations, templates, columns, params, settings, about)
    shown = Progress(mode=None if progress else "quiet")
    runner = _runner(_root(root, said), shown, pipeline, workers)
    return Build(runner.root, runner.build(pipeline, shown.step, start=start, until=until))


def plan(
    dataset: str | None = None,
    *,
    sources: Paths | None = None,
    annotations: Paths = (),
    templates: Paths = (),
    columns: Mapping[str, str] = NO_COLUMNS,
    root: str | Path | None = None,
    params: str | Path | None = None,
    settings: Mapping[str, Any] = NO_SETTINGS,
    config: str | Path | None = None,
    about: Mapping[str, Any] = NO_SETTINGS,
) -> list[PlannedStage]:
    """What `build` would do with the same arguments, stage by stage: its `state` and `why`. Nothing is run or written.

    The states are cached, run, waits (for a stage that would run) and damaged (would run again).

    Raises: as `build`, but for what only running can tell.
    """
    said = _said(config)
    pipeline = _pipeline(said, dataset, sources, annotations, templates, columns, params, settings, about)
    return list(_runner(_root(root, said), Progress(mode="quiet"), pipeline).plan(pipeline))


def latest(dataset: str, root: str | Path = DEFAULT_ROOT) -> Build:
    """The latest build of a dataset under a root.

    Raises:
        StageError: it was never built there.
        StorageError: the root cannot be used.
        ManifestError: its manifest cannot be read.
    """
    storage = open_root(str(root))
    return Build(storage, need_build(storage, dataset))


def _said(config: str | Path | None) -> BuildFile:
    return BuildFile("") if config is None else read_build_file(str(config))


def _root(root: str | Path | None, said: BuildFile) -> str | Path:
    return root if root is not None else said.root or DEFAULT_ROOT


def _pipeline(
    said: BuildFile,
    dataset: str | None,
    sources: Paths | None,
    annotations: Paths,
    templates: Paths,
    columns: Mapping[str, str],
    params: str | Path | None,
    settings: Mapping[str, Any],
    about: Mapping[str, Any],
) -> Pipeline:
    if not (dataset := dataset or said.dataset):
        raise StageError("which dataset is to be built? Name it, or give a build file that does, with config=")
    described = find_dataset(dataset)
    if unknown := [name for name in about if name not in ABOUT]:
        raise StageError(f"about: {unknown[0]}: unknown; expected some of {', '.join(ABOUT)}")
    # A setting's value is read as YAML, of which JSON is a part.
    given = [f"{key}={json.dumps(value)}" for key, value in settings.items()]
    values = load(described.defaults, None if params is None else str(params), given, said.params, said.where)
    paths = _paths(sources if sources is not None else said.sources or SAMPLE)
    if live := split(paths)[1]:
        raise SourceError(
            f"{live[0].kind}:{live[0].address}: live sources are asked by the command; run `benchwright build "
            f"{dataset}` with it once, then name the files that it wrote below ROOT/sources"
        )
    mapped = mapped_columns([f"{column}={name}" for column, name in (columns or said.map).items()])
    people, own = _paths(annotations) or said.annotations, _paths(templates) or said.templates
    inputs = read_inputs(described, paths, people, own, mapped)
    return make_pipeline(described, values, inputs, about={**said.about, **checked_about(about, "about")})


def _paths(given: Paths) -> list[str]:
    return [str(given)] if isinstance(given, str | Path) else [str(path) for path in given]


def _runner(root: str | Path, shown: Progress, pipeline: Pipeline, workers: int = 0) -> Runner:
    beam = BeamOptions(workers) if workers else None
    return runner_for(open_root(str(root)), beam, shown.watch, pipeline.parameters)
