"""Stages run in memory give what a build of them publishes."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pyarrow as pa
import pytest

from manifests.storage import Storage
from pipelines.runner import Runner
from stages.beam.options import BeamOptions
from stages.core.chain import chain
from stages.core.contract import Map, Output, Stage, StageError
from stages.core.memory import InMemory
from stages.core.shards import read_shards
from tests import toy


@pytest.mark.parametrize(("buckets", "seed"), [(1, None), (3, 5)])
def test_the_tables_are_those_of_a_build(tmp_path: Path, buckets: int, seed: int | None) -> None:
    paths = toy.write_lines(tmp_path / "in", [toy.LINES[:4], toy.LINES[4:]])
    runner = Runner(Storage.at(tmp_path / "root"), BeamOptions(workers=1), lambda stage, job: nullcontext())
    built = runner.build(toy.pipeline(paths, buckets=2), lambda step: None)
    found = InMemory(buckets=buckets, seed=seed).run(*toy.stages(paths))
    for stage in built.stages:
        assert found.reasons(stage.stage) == stage.rejects
        assert dict(found.metrics[stage.stage]) == stage.metrics
    for spec in (toy.WORDS, toy.COUNTS, toy.TOTAL, toy.LENGTHS, toy.PAIRS, toy.SCORES):
        published = read_shards(Storage.at(tmp_path / "root"), built.table(spec.name).shards, spec.schema)
        order = [(name, "ascending") for name in spec.key]
        assert found.tables[spec.name].equals(published.sort_by(order).combine_chunks()), spec.name


def test_a_chain_runs_its_steps_under_their_own_names() -> None:
    _, counts, total, *_rest = toy.stages([])
    summed = chain("toy.summed", counts, total, publish=("total",), about="Sums.")
    found = InMemory({"words": toy.WORDS.table([{"word": "sea", "line": "a sea"}])}).run(summed)
    assert found.rows("total") == [{"name": "lines", "value": 1}]
    assert found.rows("counts") == [{"word": "sea", "lines": 1}] and found.rejected("toy.counts") == {}


def test_a_repeated_key_is_refused_as_a_build_refuses_it() -> None:
    def twice(counts: pa.Table) -> Output:
        return Output({"total": toy.TOTAL.table([{"name": "x", "value": 1}] * 2)})

    stage = Stage("toy.twice", Map(), twice, (toy.TOTAL,), inputs=("counts",))
    with pytest.raises(StageError, match=r"stage toy\.twice, table total: key \('name',\) occurs twice"):
        InMemory({"counts": toy.COUNTS.table([])}).run(stage)
