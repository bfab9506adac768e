"""Ticks: what a job tells of how far it is adds up to all of its work, whatever its shape."""

from __future__ import annotations

from collections import Counter, defaultdict
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from manifests.storage import Storage
from pipelines.runner import Runner
from stages.beam import ticks
from stages.beam.options import BeamOptions
from stages.beam.ticks import Ticks, read_tick, tick
from tests import toy
from tests.stages.beam.jobs import job


def told(root: Storage, folder: str) -> dict[str, Counter[str]]:
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for path in root.files(folder):
        step, counts = read_tick(root.read_bytes(path).to_pybytes())
        found[step].update(counts)
    return found


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of ticks stays when a stage is done."""
    monkeypatch.setattr(Runner, "_tidy", lambda self, job, ours: None)


def test_counts_are_held_back_and_none_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = Storage.at(tmp_path)
    made = replace(job(root, toy.stages([])[1], (toy.WORDS, [])), progress=True)
    some = Ticks(made)
    some.add(rows=3)
    some.add({"rows": 1, "rejects": 2})
    assert root.files(made.progress_folder) == []
    some.flush()
    some.flush()
    assert len(root.files(made.progress_folder)) == 1
    monkeypatch.setattr(ticks, "_SECONDS", 0.0)
    some.add(rows=5)
    tick(made, shards=1, rejects=0)
    assert len(root.files(made.progress_folder)) == 3
    assert told(root, made.progress_folder) == {"toy.counts": {"rows": 9, "rejects": 2, "shards": 1}}


def test_nothing_is_written_where_nobody_watches(tmp_path: Path) -> None:
    root = Storage.at(tmp_path)
    made = job(root, toy.stages([])[1], (toy.WORDS, []))
    tick(made, rows=3)
    assert root.files(made.progress_folder) == []


def test_what_is_read_and_judged_comes_to_all_there_is(tmp_path: Path, kept: None) -> None:
    paths = toy.write_lines(tmp_path / "in", [toy.LINES, toy.LINES[:3]])
    root = Storage.at(tmp_path / "root")
    found: dict[str, Counter[str]] = {}

    def watch(stage, job):
        jobs.append(job)
        return nullcontext()

    jobs: list = []
    built = Runner(root, BeamOptions(1), watch).build(toy.pipeline(paths), lambda step: None)
    for one in jobs:
        found.update(told(root, one.progress_folder))
    source_bytes = sum(Path(path).stat().st_size for path in paths)
    assert found["toy.words"]["work"] == source_bytes
    for name, counts in found.items():
        # What does not divide by the number of parts is left over.
        assert counts["work"] - 8 < counts["read"] <= counts["work"], name
    rows = {stage.stage: sum(t.rows for name, t in stage.tables.items() if name != "rejects") for stage in built.stages}
    assert found["toy.score"]["asked"] == found["toy.score"]["scored"] == rows["toy.score"]
    assert found["toy.score"]["rows"] == rows["toy.score"] and found["toy.lengths"]["rows"] == rows["toy.lengths"]
    # Each table in four files or, of the total, in one; and the rejects in four.
    assert {name: counts["shards"] for name, counts in found.items()} == {
        name: 5 if name == "toy.total" else 8 for name in found
    }
