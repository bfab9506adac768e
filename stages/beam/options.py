"""Where a stage runs: in this process for little input, else on a runner of Beam.

Named explicitly, never left to Beam's default: on one machine the in-memory
`FnApiRunner` with worker processes; any other runner by Beam's own `--runner`, for
every stage, with its own options passed through.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from stages.beam.job import Job
from stages.beam.plan import input_bytes
from stages.core.contract import Score

_SMALL_BYTES = 4 << 20
# A model takes a hundred times longer over a byte than any other kernel.
_SMALL_BYTES_TO_SCORE = _SMALL_BYTES // 100


@dataclass(frozen=True)
class BeamOptions:
    """workers: processes on this machine (0: one per core). arguments: handed to Beam as they are."""

    workers: int = 0
    arguments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.arguments:
            # Beam takes a second to import, for which a build without its options need not wait.
            from stages.beam.runners import check_runner

            check_runner(self.arguments)

    @property
    def runner(self) -> str | None:
        """The runner that --runner names."""
        if not self.arguments:
            return None
        from stages.beam.runners import runner_name

        return runner_name(self.arguments)

    def in_process(self, job: Job) -> bool:
        return self.runner is None and self.local_workers(job) == 1

    def local_workers(self, job: Job) -> int:
        """Processes worth having for this stage: one for little input, since starting one costs a second."""
        wanted = self.workers or os.cpu_count() or 1
        small = _SMALL_BYTES_TO_SCORE if isinstance(job.stage.shape, Score) else _SMALL_BYTES
        return 1 if self.workers == 0 and input_bytes(job) < small else wanted


def check_arguments(arguments: Sequence[str], others: Sequence[str] = ()) -> None:
    """Refuses what Beam would drop without a word, or answer with all of its usage.

    others: further options that a typing mistake may have meant.

    Raises:
        StageError: an option that Beam does not know, or a value that does not fit.
    """
    if arguments:
        from stages.beam.runners import check_known

        check_known(arguments, others)
