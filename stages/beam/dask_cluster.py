"""Dask as an engine: a running scheduler by its address, or a cluster of processes on this machine.

Of Beam's runner for Dask the defaults do not fit: it puts up to 128 elements into one partition, and
here an element is a reference to megabytes of rows; and it opens a client for each job and closes none.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners.dask.dask_runner import DaskOptions, DaskRunner, DaskRunnerResult
from distributed import Client, LocalCluster

from stages.core.contract import StageError

PARTITIONS = 32
"""Twice the items of a job (see `stages.beam.plan`), so that few of them share a partition by chance. A grouping
makes a task for each pair of partitions."""
WORKER_SECONDS = 60.0
"""Seconds in which a scheduler has to have a worker."""


def arguments_for(arguments: Sequence[str]) -> list[str]:
    """The arguments with what Beam's runner needs to run in parallel: partitions, and a scheduler's address."""
    asked = PipelineOptions(list(arguments)).view_as(DaskOptions)
    found = [*arguments]
    if not asked.npartitions and not asked.partition_size:
        found.append(f"--dask_npartitions={PARTITIONS}")
    if not asked.address and not asked.scheduler_file:
        found.append(f"--dask_client_address={_here().scheduler_address}")
    return found


@contextmanager
def runner() -> Iterator[DaskRunner]:
    """Beam's runner, whose clients are closed in the end."""
    made = _Runner()
    try:
        yield made
    finally:
        for client in made.clients:
            client.close()


class _Runner(DaskRunner):
    def __init__(self) -> None:
        super().__init__()
        self.clients: list[Any] = []

    def run_pipeline(self, pipeline: Any, options: PipelineOptions) -> DaskRunnerResult:
        _wait_for_a_worker(options)
        result = super().run_pipeline(pipeline, options)
        self.clients.append(result.client)
        return result


def _wait_for_a_worker(options: PipelineOptions) -> None:
    """Raises StageError where the scheduler has no worker, for which Dask itself waits without end."""
    asked = options.view_as(DaskOptions)
    place = asked.address or asked.scheduler_file
    with Client(address=asked.address, scheduler_file=asked.scheduler_file) as client:
        try:
            client.wait_for_workers(1, timeout=WORKER_SECONDS)
        except TimeoutError as error:
            raise StageError(
                f"the Dask scheduler {place} has had no worker for {WORKER_SECONDS:g} seconds; start one with "
                "`dask worker ADDRESS`"
            ) from error


@cache
def _here() -> LocalCluster:
    """A cluster of this machine, one for all jobs of this process."""
    return LocalCluster(n_workers=os.cpu_count() or 1, threads_per_worker=1, dashboard_address=None)
