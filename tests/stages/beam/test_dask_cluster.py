"""Dask as an engine: parallel without flags, one cluster for all jobs, and the same bytes as here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from manifests.storage import Storage
from stages.beam.job import Job
from stages.beam.options import BeamOptions
from stages.core.contract import StageError
from tests import toy
from tests.stages.beam.jobs import job, run

pytest.importorskip("distributed", reason="Dask is not installed; pip install 'benchwright[cluster]'")

from distributed import LocalCluster

from stages.beam import dask_cluster

LINES = [{"word": word, "line": line} for line in toy.LINES for word in sorted(set(line.split()))]
WORDS = [dict(row) for row in {tuple(row.items()): row for row in LINES}.values()]
COUNTS = [{"word": word, "lines": 1} for word in sorted({row["word"] for row in WORDS})]
PAIRS = [{"pair": f"p{n}", "first": "x" * n, "second": "y"} for n in range(12)]


@pytest.fixture(scope="module")
def on_dask() -> Iterator[BeamOptions]:
    """A cluster of processes: in threads of this one, tasks share what Beam's runner gathers rows in."""
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        yield BeamOptions(arguments=("--runner=dask", f"--dask_client_address={cluster.scheduler_address}"))


def source(root: Storage, folder: Path) -> Job:
    return job(root, toy.stages(toy.write_lines(folder, [toy.LINES[:3], toy.LINES[3:]]))[0])


def joined(root: Storage, folder: Path) -> Job:
    total = [{"name": "lines", "value": len(COUNTS)}]
    spec = replace(toy.COUNTS, buckets=3)
    return job(root, toy.stages([])[3], (spec, COUNTS), (toy.WORDS, WORDS), (toy.TOTAL, total))


def scored(root: Storage, folder: Path) -> Job:
    return job(root, toy.stages([])[5], (toy.PAIRS, PAIRS))


@pytest.mark.parametrize("make", [source, joined, scored])
def test_a_stage_on_dask_is_equal_to_the_byte(
    make: Callable[[Storage, Path], Job], on_dask: BeamOptions, tmp_path: Path
) -> None:
    here, there = (make(Storage.at(tmp_path / name), tmp_path / "in") for name in ("here", "there"))
    # What a run took differs, and is in no digest.
    assert replace(run(there, on_dask), run={}) == replace(run(here), run={})


def test_what_a_kernel_says_on_dask_reaches_the_user(on_dask: BeamOptions, tmp_path: Path) -> None:
    explosive = toy.stages(toy.write_lines(tmp_path / "in", [["fine", "explode"]]))[0]
    with pytest.raises(StageError, match=r"^stage toy.words: the line 'explode' was read; take it out of the source$"):
        run(job(Storage.at(tmp_path / "out"), explosive), on_dask)


def test_a_scheduler_without_workers_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_cluster, "WORKER_SECONDS", 0.5)
    with LocalCluster(n_workers=0, dashboard_address=None) as cluster:
        options = BeamOptions(arguments=("--runner=dask", f"--dask_client_address={cluster.scheduler_address}"))
        said = (
            r"^stage toy.words: the Dask scheduler tcp://.* has had no worker for 0.5 seconds; start one with `dask w"
        )
        with pytest.raises(StageError, match=said):
            run(source(Storage.at(tmp_path / "out"), tmp_path / "in"), options)


def test_what_is_asked_of_dask_stands_and_the_rest_is_added() -> None:
    asked = ["--runner=dask", "--dask_client_address=tcp://there:1"]
    assert dask_cluster.arguments_for(asked) == [*asked, "--dask_npartitions=32"]
    sized = [*asked, "--dask_partition_size=4"]
    assert dask_cluster.arguments_for(sized) == sized
