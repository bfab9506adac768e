"""Builds in processes of their own, which tests kill at a chosen step.

Processes are forked from a server that has imported everything and run nothing, so one
costs some hundredths of a second and inherits no thread.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from manifests.manifest import BuildManifest
from manifests.registry import latest_build
from manifests.storage import Storage
from pipelines.model import Pipeline
from pipelines.runner import Runner
from stages.beam import ticks
from stages.beam.options import BeamOptions
from tests import toy

KILLED = 9
Make = Callable[..., Pipeline]
"""From paths and a number of buckets to a pipeline; importable, since builds run in other processes."""

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload([__name__])

# Notes of progress that follow from the time alone would make the number of writes one of chance.
ticks._SECONDS = 1e9


def build(
    root: str | Storage, paths: list[str], until: str | None = None, buckets: int = 1, make: Make = toy.pipeline
) -> BuildManifest:
    storage = root if isinstance(root, Storage) else Storage.at(root)
    runner = Runner(storage, BeamOptions(workers=1), lambda stage, job: nullcontext())
    return runner.build(make(paths, buckets=buckets), lambda step: None, until=until)


def build_and_die(
    root: str, paths: list[str], until: str | None, kind: str, count: int, make: Make = toy.pipeline
) -> None:
    """A build that is gone, without any clean-up, at the `count`th step of a kind."""
    DEATHS[kind](_Countdown(count))
    build(root, paths, until, make=make)


def build_in_process(root: str, paths: list[str], until: str | None = None, buckets: int = 1) -> Any:
    """Starts a build; the caller joins the process."""
    process = _CONTEXT.Process(target=build, args=(root, paths, until, buckets))
    process.start()
    return process


def run(target: Callable[..., Any], *arguments: Any) -> int:
    """The exit code of a function run in a process of its own."""
    process = _CONTEXT.Process(target=target, args=arguments)
    process.start()
    process.join(timeout=120)
    if process.exitcode is None:
        process.kill()
        raise AssertionError("the build neither ended nor died within two minutes")
    return int(process.exitcode)


def latest(root: Path, dataset: str = "toy") -> BuildManifest:
    manifest = latest_build(Storage.at(root), dataset)
    assert manifest is not None
    return manifest


def digests(manifest: BuildManifest) -> dict[str, list[str]]:
    """The digests of all shards' bytes by table: equal when two builds are equal to the byte."""
    tables = {f"{stage.stage}/{name}": table for stage in manifest.stages for name, table in stage.tables.items()}
    return {name: [shard.sha256 for shard in table.shards] for name, table in tables.items()}


class _Countdown:
    def __init__(self, count: int) -> None:
        self.left = count

    def reached(self) -> bool:
        self.left -= 1
        return self.left == 0


def _die_before(owner: type, name: str, countdown: _Countdown) -> None:
    original = getattr(owner, name)

    def method(*arguments: Any, **keywords: Any) -> Any:
        if countdown.reached():
            os._exit(KILLED)
        return original(*arguments, **keywords)

    setattr(owner, name, method)


def _before_a_write(countdown: _Countdown) -> None:
    _die_before(Storage, "write_bytes", countdown)


def _before_a_rename(countdown: _Countdown) -> None:
    """The file beside the target is whole, the target not yet replaced."""
    _die_before(Path, "replace", countdown)


def _before_a_delete(countdown: _Countdown) -> None:
    """After a stage was published, while its spill files are cleared away."""
    _die_before(Storage, "delete_folder", countdown)
    _die_before(Storage, "delete_file", countdown)


def _within_a_write(countdown: _Countdown) -> None:
    """Half of the bytes are on disk."""
    original = Path.open

    def open_dying(path: Path, mode: str = "r", *arguments: Any, **keywords: Any) -> Any:
        file = original(path, mode, *arguments, **keywords)
        return _HalfWritten(file) if mode == "wb" and countdown.reached() else file

    Path.open = open_dying  # type: ignore[method-assign]


class _HalfWritten:
    def __init__(self, file: Any) -> None:
        self.file = file

    def __enter__(self) -> _HalfWritten:
        return self

    def __exit__(self, *error: object) -> None:
        self.file.close()

    def write(self, data: bytes) -> None:
        half = memoryview(data).cast("B")
        self.file.write(half[: len(half) // 2])
        self.file.flush()
        os._exit(KILLED)


DEATHS: dict[str, Callable[[_Countdown], None]] = {
    "before a write": _before_a_write,
    "within a write": _within_a_write,
    "before a rename": _before_a_rename,
    "before a delete": _before_a_delete,
}
