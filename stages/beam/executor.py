"""Runs one stage, in this process or on Beam, and returns what its manifest will say."""

from __future__ import annotations

import re
from collections.abc import Callable

from manifests.storage import StorageError
from stages.beam import in_process, stall
from stages.beam.chained import chained
from stages.beam.job import Job
from stages.beam.options import BeamOptions
from stages.beam.plan import Plan, plan
from stages.beam.results import StageResult, collect
from stages.beam.ticks import tick
from stages.core.contract import StageError

# Errors whose words say enough; Beam itself raises RuntimeError with the worker's own error in its text.
_SPEAKING = (StageError, StorageError, ValueError, RuntimeError)


def execute(job: Job, options: BeamOptions, give_up: Callable[[], None] = lambda: None) -> StageResult:
    """Runs the stage; its shards are in the attempt's folder when this returns.

    give_up: removes what is half done, where a stalled job is ended together with this process.

    Raises:
        StageError: a kernel failed or gave no sign of life, or the job left no complete result.
    """
    if job.stage.steps:
        return chained(job, lambda inner: execute(inner, options, give_up))
    try:
        planned = plan(job)
        tick(job, work=planned.read_bytes)
        _run(planned, job, options, give_up)
    except Exception as error:
        kind = "" if isinstance(error, _SPEAKING) else f"{type(error).__name__}: "
        raise StageError(f"stage {job.stage.name}: {kind}{first_cause(str(error))}") from error
    return collect(job, planned)


def _run(planned: Plan, job: Job, options: BeamOptions, give_up: Callable[[], None]) -> None:
    if options.in_process(job):
        with stall.watched(job.stall_seconds):
            in_process.run(planned)
        return
    # Beam takes a second to import, which a build of little input need not wait for.
    from stages.beam import pipeline, runners, workers

    if options.runner is not None:
        with runners.named(options.arguments) as (runner, wanted):
            pipeline.run(planned, runner, wanted)
        return
    with workers.Workers(job.stall_seconds, give_up).watched() as here:
        pipeline.run(planned, *runners.local(options.arguments, options.local_workers(job), here))


def first_cause(message: str) -> str:
    """What a kernel said, out of what Beam made of it: without the worker's traceback and Beam's step names."""
    _, found, tail = message.rpartition("Traceback (most recent call last):\n")
    if found:
        lines = tail.rstrip().splitlines()
        said = [number for number, line in enumerate(lines) if line and not line.startswith(" ")]
        message = "\n".join(lines[said[0] :]) if said else tail
    message = re.sub(r"(?<!\s)\s*+\[while running '[^']*+'\]", "", message).strip()
    return re.sub(r"^(?:[a-z_]+\.)*(?:StageError|DamagedShard): ", "", message)
