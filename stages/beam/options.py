"""Which runner a stage runs on, and with which options.

Named explicitly, never left to Beam's default: on one machine the in-memory
`FnApiRunner`, in this process for small inputs and in worker processes for large ones;
any other runner by Beam's own `--runner` with its own options passed through.
"""

from __future__ import annotations

import difflib
import os
import shlex
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from apache_beam.options.pipeline_options import DirectOptions, PipelineOptions, StandardOptions
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from apache_beam.runners.runner import PipelineRunner, create_runner
from apache_beam.transforms.environments import SubprocessSDKEnvironment

from manifests.storage import size
from stages.beam.job import Job
from stages.contract import Score, StageError

LOCAL = "local"
_SMALL_BYTES = 4 << 20
# A model takes a hundred times longer over a byte than any other kernel.
_SMALL_BYTES_TO_SCORE = _SMALL_BYTES // 100
# The environment says what a worker is; naming a running mode would put Beam's own worker, and its log, in its place.
# Beam starts it through a shell, which must not stand between.
_WORKER = f"exec {shlex.quote(sys.executable)} -m stages.beam.worker"
# These names lead to engines that are unsafe here: one asks the network for a binary, the other crashes.
_REFUSED = {
    "DirectRunner": "its engine depends on a binary that it downloads",
    "PrismRunner": "it downloads its engine",
    "SwitchingDirectRunner": "its engine depends on a binary that it downloads",
}


@dataclass(frozen=True)
class BeamOptions:
    """workers: processes on this machine (0: one per core). arguments: handed to Beam as they are."""

    workers: int = 0
    arguments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        name = self.runner_name
        if name in _REFUSED:
            raise StageError(f"--runner {name}: not supported ({_REFUSED[name]}); leave --runner out to run locally")
        direct = PipelineOptions(list(self.arguments)).view_as(DirectOptions)
        if name == LOCAL and (direct.direct_running_mode != "in_memory" or direct.direct_num_workers != 1):
            raise StageError("--direct_running_mode, --direct_num_workers: not supported; --workers sets both")

    @property
    def runner_name(self) -> str:
        return PipelineOptions(list(self.arguments)).view_as(StandardOptions).runner or LOCAL

    def runner(self, job: Job) -> PipelineRunner:
        if self.runner_name != LOCAL:
            return create_runner(self.runner_name)
        if self.local_workers(job) == 1:
            return FnApiRunner()
        return FnApiRunner(default_environment=SubprocessSDKEnvironment.from_command_string(f"{_WORKER} {os.getpid()}"))

    def pipeline_options(self, job: Job) -> PipelineOptions:
        if self.runner_name != LOCAL:
            return PipelineOptions(list(self.arguments))
        return PipelineOptions([f"--direct_num_workers={self.local_workers(job)}", *self.arguments])

    def local_workers(self, job: Job) -> int:
        """Processes worth starting for this stage: one for little input, since a process costs a second."""
        wanted = self.workers or os.cpu_count() or 1
        small = _SMALL_BYTES_TO_SCORE if isinstance(job.stage.shape, Score) else _SMALL_BYTES
        return 1 if self.workers == 0 and input_bytes(job) < small else wanted


def check_arguments(arguments: Sequence[str], others: Sequence[str] = ()) -> None:
    """Refuses what Beam would drop without a word, or answer with all of its usage.

    others: further options that a typing mistake may have meant.

    Raises:
        StageError: an option that Beam does not know, or a value that does not fit.
    """
    parsers: list[ArgumentParser] = []
    known = PipelineOptions([]).get_all_options(add_extra_args_fn=parsers.append)
    parser = parsers[0]
    parser.error = _refuse  # type: ignore[method-assign]
    unknown = parser.parse_known_args(list(arguments))[1]
    if not unknown:
        return
    name = unknown[0].split("=", 1)[0]
    near = difflib.get_close_matches(name, [*others, *(f"--{option}" for option in known)], n=2)
    hint = f"did you mean {' or '.join(near)}?" if near else "see --help; what only a cluster knows goes after --"
    raise StageError(f"{name}: not an option of benchwright or of Beam; {hint}")


def _refuse(message: str) -> NoReturn:
    raise StageError(f"a Beam option: {message}")


def input_bytes(job: Job) -> int:
    """Bytes that the stage will read, as stored."""
    if job.stage.source is not None:
        return sum(size(path) for path in job.stage.source.paths)
    return sum(shard.bytes for name in job.stage.inputs for shard in job.shards(name))
