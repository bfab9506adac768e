"""The runner: goes through a pipeline's stages, skips what is published, publishes the rest.

A stage's fingerprint is a digest of all that its result depends on (`pipelines.identity`).
Where a manifest with that fingerprint is published, the stage is not run again, whichever
pipeline published it.
"""

from __future__ import annotations

import socket
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib import metadata
from typing import TYPE_CHECKING, Any

import pyarrow.compute as pc

from manifests.digest import fingerprint, json_digest
from manifests.manifest import BuildManifest, ManifestError, StageManifest, Table, is_rejects
from manifests.marks import Begun, forget
from manifests.registry import (
    find_stage,
    latest_build,
    publish_build,
    publish_stage,
    published_stages,
    quick_damage,
    stage_folder,
)
from manifests.storage import Storage, StorageError, size
from pipelines.identity import Identity, changes, modules_of, stage_identity
from pipelines.model import Pipeline
from pipelines.provenance import SOURCES, source_files
from pipelines.sources import SourceFiles
from stages.beam.job import REJECTS, Job
from stages.beam.same_code import Code
from stages.core.contract import Score, Stage, StageError
from stages.core.shards import buckets_for, read_shard

if TYPE_CHECKING:
    from stages.beam.executor import StageResult
    from stages.beam.options import BeamOptions

PACKAGES = ("apache-beam", "pyarrow", "duckdb", "numpy", "pandas", "msgspec", "nltk", "onnxruntime")
_CUT = ("truncated_input", "corrupt_input", "rest_unread", "bad_parquet")
# Of a stage's run: bytes of its source files or input tables, as stored.
READ = "read_bytes"
# Ten years: a limit of what the system's timers take.
MOST_MINUTES = 5_000_000
Watch = Callable[[Stage, Job], AbstractContextManager[None]]
Listener = Callable[["PlannedStage"], None]


@dataclass(frozen=True)
class PlannedStage:
    """What the runner does with one stage, and why. state: cached, run, waits or damaged.

    identity: all that its result depends on; files: those that it reads; both as they were when it was looked at.
    number, of: which stage it is, counted from 1, of how many that the build goes through.
    """

    stage: Stage
    state: str
    why: str
    manifest: StageManifest | None = None
    identity: Identity = field(default_factory=dict, repr=False, compare=False)
    files: SourceFiles = field(default_factory=SourceFiles, repr=False, compare=False)
    number: int = 0
    of: int = 0


class Runner:
    """Builds and plans pipelines under one root. beam: None takes its own defaults."""

    def __init__(
        self,
        root: Storage,
        beam: BeamOptions | None,
        watch: Watch,
        reject_limit: float = 1.0,
        stall_minutes: float = 0.0,
        cut_sources: bool = False,
    ) -> None:
        self.root = root
        self.beam = beam
        self.watch = watch
        self.reject_limit = reject_limit
        self.stall_minutes = stall_minutes
        self.cut_sources = cut_sources
        self._running: tuple[Job, str] | None = None
        if not 0 <= reject_limit <= 1:
            raise StageError(f"build.bad_records is {reject_limit}, but has to be a share, from 0 to 1")
        if not 0 <= stall_minutes <= MOST_MINUTES:
            raise StageError(
                f"build.stall_minutes is {stall_minutes}, but has to be from 0 (never stop) to {MOST_MINUTES:,}"
            )

    def build(
        self,
        pipeline: Pipeline,
        listener: Listener,
        start: str | None = None,
        until: str | None = None,
    ) -> BuildManifest:
        """Runs what is not published yet, and publishes the build.

        start: every stage before this one must be published already.
        until: the last stage to run. Without it, too, a build ends early once no question can come of it; its notes
            say why.

        Raises:
            StageError: a stage failed or may not run; what earlier builds published is untouched.
            ManifestError: a manifest of an earlier build was altered or cannot be read.
        """
        done: dict[str, Table] = {}
        manifests: list[StageManifest] = []
        why = ""
        first = pipeline.stages.index(pipeline.stage(start)) if start else 0
        last = pipeline.stages.index(pipeline.stage(until)) if until else len(pipeline.stages) - 1
        if last < first:
            raise StageError(f"--until {until} comes before --from {start}; name a stage after it, or leave one out")
        began = time.monotonic()
        # Publishing compares with it at the end; that it cannot be read is told before hours of work.
        latest_build(self.root, pipeline.dataset)
        mark = Begun(pipeline.dataset, uuid.uuid4().hex[:12], (), last + 1, _time(), "")
        for number, stage in enumerate(pipeline.stages[: last + 1]):
            step = replace(self._step(pipeline, stage, done), number=number + 1, of=last + 1)
            published = step.manifest
            if published is None:
                if number < first:
                    raise StageError(f"--from {start}: stage {stage.name} before it is not built yet; leave --from out")
                listener(step)
                published = self._run(pipeline, step, done)
                step = replace(step, manifest=published, state="built")
            self._check_whole(stage, published)
            listener(step)
            manifests.append(published)
            mark = replace(mark, stages=(*mark.stages, (stage.name, published.fingerprint)), seen=_time())
            if step.state == "built":
                mark.write(self.root)
            done.update(published.tables)
            if until is None and (why := _no_way(pipeline, manifests)):
                break
        self._put_back(manifests)
        manifest = self._build_manifest(pipeline, manifests, time.monotonic() - began, why)
        publish_build(self.root, manifest)
        forget(self.root, pipeline.dataset, mark.stages)
        return manifest

    def _put_back(self, manifests: list[StageManifest]) -> None:
        """Publishes again what `clean` dropped since this build took it from the cache; its files wait for that."""
        for taken in manifests:
            if find_stage(self.root, taken.stage, taken.fingerprint) is None:
                publish_stage(self.root, taken)

    def plan(self, pipeline: Pipeline) -> Iterator[PlannedStage]:
        """What a build would do. A stage after one that must run waits: its input's digest is not known yet."""
        done: dict[str, Table] = {}
        for stage in pipeline.stages:
            missing = [name for name in (*stage.inputs, *stage.side) if name not in done]
            if missing:
                yield PlannedStage(stage, "waits", f"depends on {', '.join(missing)}")
                continue
            step = self._step(pipeline, stage, done)
            if step.manifest is not None:
                done.update(step.manifest.tables)
            yield step

    def _step(self, pipeline: Pipeline, stage: Stage, done: dict[str, Table]) -> PlannedStage:
        files = SourceFiles.of(stage)
        identity = stage_identity(stage, done, _buckets(pipeline, stage, done))
        files.check()
        manifest = find_stage(self.root, stage.name, fingerprint(identity))
        if manifest is None:
            return PlannedStage(stage, "run", self._why(stage, identity), identity=identity, files=files)
        damage = quick_damage(self.root, manifest)
        if damage:
            return PlannedStage(stage, "damaged", str(damage[0]), identity=identity, files=files)
        return PlannedStage(stage, "cached", f"published as {manifest.fingerprint[:12]}", manifest)

    def _why(self, stage: Stage, identity: Identity) -> str:
        """What differs from the newest published result of the same stage."""
        earlier = published_stages(self.root, stage.name)
        if not earlier:
            return "never built here"
        newest = max(earlier, key=lambda manifest: str(manifest.run.get("finished", "")))
        changed = changes(newest.run.get("identity", {}), identity)
        return f"changed since the last build: {', '.join(changed)}" if changed else "its result was taken away"

    def _run(self, pipeline: Pipeline, step: PlannedStage, done: dict[str, Table]) -> StageManifest:
        # The executor loads what a build with nothing to run need not wait for.
        from stages.beam.executor import execute
        from stages.beam.options import BeamOptions
        from stages.beam.plan import input_bytes

        stage, identity, files = step.stage, step.identity, step.files
        mark = fingerprint(identity)
        attempt = f"{stage_folder(stage.name, mark)}/{uuid.uuid4().hex[:12]}"
        job = Job(
            stage=stage,
            root=self.root,
            attempt=attempt,
            buckets=identity["buckets"],
            inputs={name: done[name] for name in (*stage.inputs, *stage.side)},
            schemas=pipeline.schemas,
            known_scores=self._known_scores(stage, identity),
            progress=True,
            stall_seconds=60 * self.stall_minutes,
            code=Code.of(modules_of(stage)),
            stamps=files.stamps,
        )
        began = time.monotonic()
        self._running = job, mark
        try:
            with self.watch(stage, job):
                result = execute(job, self.beam or BeamOptions(), self.give_up)
            self._check_rejects(stage, result)
            result.run[READ] = input_bytes(job)
            manifest = self._stage_manifest(stage, identity, result, time.monotonic() - began)
            files.check_content(stage, identity["inputs"])
            published = publish_stage(self.root, manifest)
        except BaseException as error:
            self._take_back(job, mark, error)
            if isinstance(error, Exception) and (what := files.changed()):
                # Whatever was found wrong was found in a file that is no longer the one that was meant.
                raise files.error(what) from error
            raise
        self._tidy(job, published is manifest)
        self._running = None
        return published

    def give_up(self) -> None:
        """Removes what an unfinished stage has written; for a thread that ends a build which does not end itself."""
        if self._running is not None:
            self._take_back(*self._running, StageError("given up"))

    def _take_back(self, job: Job, mark: str, error: BaseException) -> None:
        """Removes a failed attempt, unless its manifest went out just before the failure."""
        try:
            published = find_stage(self.root, job.stage.name, mark)
            if published is None or not _lies_in(published, job.attempt):
                self.root.delete_folder(job.attempt)
        except (OSError, StorageError, ManifestError) as second:
            error.add_note(
                f"{self.root.full(job.attempt)}: could not be removed ({second}); `benchwright clean` does it"
            )

    def _tidy(self, job: Job, ours: bool) -> None:
        if not ours:
            self.root.delete_folder(job.attempt)
            return
        self.root.delete_folder(job.spill_folder)
        self.root.delete_folder(job.progress_folder)
        if not job.stage.steps:
            self.root.delete_file(job.result_path)

    def _known_scores(self, stage: Stage, identity: Identity) -> tuple[Table, ...]:
        """What the same model and code have scored before, for whichever pairs."""
        if not isinstance(stage.shape, Score):
            return ()
        same = identity["models"], json_digest(identity["code"])
        found = [
            table
            for name in self.root.folders("stages")
            for manifest in published_stages(self.root, name)
            if manifest.shape == "score" and (manifest.models, manifest.code) == same
            if not quick_damage(self.root, manifest)
            for table_name, table in manifest.tables.items()
            if not is_rejects(table_name)
        ]
        return tuple({table.digest: table for table in found}.values())

    def _check_rejects(self, stage: Stage, result: StageResult) -> None:
        """A source of which too much is bad is not built from: something else is wrong with it."""
        if stage.source is None:
            return
        self._check_whole(stage, result)
        bad = result.metrics.get("bad_records", 0)
        seen = result.metrics.get("records", 0)
        if seen and bad / seen > self.reject_limit:
            raise StageError(
                f"stage {stage.name}: {bad:.0f} of {seen:.0f} records are bad, more than the limit of "
                f"{self.reject_limit:.0%}; {self._reasons(result, result.rejects)}; mend the source, or allow it with "
                "--set build.bad_records=SHARE"
            )

    def _check_whole(self, stage: Stage, result: StageResult | StageManifest) -> None:
        """A file that ends early is one bad record among millions, and yet half of a source may be missing."""
        cut = {reason: result.rejects[reason] for reason in _CUT if reason in result.rejects}
        if stage.source is not None and cut and not self.cut_sources:
            raise StageError(
                f"stage {stage.name}: a source is cut or damaged ({self._reasons(result, cut)}); get the file "
                "whole, or build from what can be read of it with --set build.cut_sources=true"
            )

    def _reasons(self, result: StageResult | StageManifest, of: Mapping[str, int]) -> str:
        """Some reasons with their counts, and the commonest one's first record: enough to find the fault by."""
        counted = sorted(of.items(), key=lambda item: (-item[1], item[0]))
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in counted)
        for shard in result.tables[REJECTS].shards:
            rows = read_shard(self.root, shard)
            named = rows.filter(pc.equal(rows.column("reason"), counted[0][0])) if counted else rows
            if named.num_rows:
                first = named.slice(0, 1).to_pylist()[0]
                return f"{reasons} (such as {first['key']}: {first['detail']})"
        return reasons

    def _stage_manifest(self, stage: Stage, identity: Identity, result: StageResult, seconds: float) -> StageManifest:
        return StageManifest(
            stage=stage.name,
            code=json_digest(identity["code"]),
            shape=type(stage.shape).__name__.lower(),
            about=stage.about,
            fingerprint=fingerprint(identity),
            parameters=identity["parameters"],
            inputs=identity["inputs"],
            templates=identity["templates"],
            models=identity["models"],
            licences=identity["licences"],
            tables=result.tables,
            rejects=result.rejects,
            metrics=result.metrics,
            packages=package_versions(),
            run={
                **_now(seconds),
                **result.run,
                "identity": identity,
            },
        )

    def _build_manifest(
        self, pipeline: Pipeline, stages: list[StageManifest], seconds: float, why: str
    ) -> BuildManifest:
        """why: it ends before its last stage, "" where it does not or where that was asked for."""
        gaps = pipeline.gaps({stage.stage: stage for stage in stages}) if pipeline.gaps else ()
        return BuildManifest(
            dataset=pipeline.dataset,
            parameters=_of_the_result(pipeline.parameters),
            sources=dict(pipeline.sources),
            stages=[_without_identity(stage) for stage in stages],
            outputs=list(pipeline.outputs),
            notes=[
                *pipeline.notes,
                *([why] if why else []),
                *gaps,
                *_cut_sources(stages),
                *_empty_sources(pipeline, stages),
            ],
            about=dict(pipeline.about),
            complete=len(stages) == len(pipeline.stages),
            run={**_now(seconds), SOURCES: source_files(pipeline.stages, stages)},
        )


def runner_for(root: Storage, beam: BeamOptions | None, watch: Watch, values: Mapping[str, Any]) -> Runner:
    """A runner as a build's parameters want it; where a dataset of another package has none, with its defaults."""
    named = {"bad_records": "reject_limit", "stall_minutes": "stall_minutes", "cut_sources": "cut_sources"}
    own = {named[name]: value for name, value in values["build"].items() if name in named}
    return Runner(root, beam, watch, **own)


def _no_way(pipeline: Pipeline, stages: list[StageManifest]) -> str:
    """Why the stages that are left have nothing to find; "" where they may, or none is left."""
    if pipeline.no_way is None or len(stages) == len(pipeline.stages):
        return ""
    return pipeline.no_way({stage.stage: stage for stage in stages})


def _buckets(pipeline: Pipeline, stage: Stage, done: dict[str, Table]) -> int:
    """As the build's parameters say, or by what the stage reads: the same input, the same number."""
    if pipeline.buckets is not None:
        return pipeline.buckets
    if stage.source is not None:
        return buckets_for(sum(size(path) for path in stage.source.paths))
    return buckets_for(sum(shard.bytes for name in stage.inputs for shard in done[name].shards))


def _without_identity(stage: StageManifest) -> StageManifest:
    """What a stage depends on in every detail stands in its own manifest, and is much."""
    return replace(stage, run={name: value for name, value in stage.run.items() if name != "identity"})


def _of_the_result(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters without those of which no row depends."""
    unset = parameters.get("build", {}).get("record_bytes") is None
    idle = {"stall_minutes", "cut_sources", *(("record_bytes",) if unset else ())}
    build = {name: value for name, value in parameters.get("build", {}).items() if name not in idle}
    return {**parameters, **({"build": build} if build else {})}


def _lies_in(manifest: StageManifest, attempt: str) -> bool:
    shards = (shard.path for table in manifest.tables.values() for shard in table.shards)
    return any(path.startswith(f"{attempt}/") for path in shards)


def _cut_sources(stages: list[StageManifest]) -> Iterator[str]:
    """What a build says that was told to go on with a cut source."""
    for stage in stages:
        found = {reason: count for reason, count in stage.rejects.items() if reason in _CUT}
        if found:
            reasons = ", ".join(f"{reason} {count}" for reason, count in found.items())
            yield f"A source of {stage.stage} is cut or damaged ({reasons}): only what was readable is in this build."


def _empty_sources(pipeline: Pipeline, stages: list[StageManifest]) -> Iterator[str]:
    """Files without a record are read without a complaint, and what they were given for does not happen."""
    for stage, found in zip(pipeline.stages, stages, strict=False):
        if stage.source is not None and found.inputs and not any(table.rows for table in found.tables.values()):
            files = "its file holds" if len(found.inputs) == 1 else f"its {len(found.inputs):,} files hold"
            yield f"The source of {stage.name} is empty: {files} no record."


def package_versions() -> dict[str, str]:
    return {name: metadata.version(name) for name in PACKAGES}


def _time() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _now(seconds: float) -> dict[str, Any]:
    return {
        "finished": _time(),
        "seconds": round(seconds, 2),
        "host": socket.gethostname(),
    }
