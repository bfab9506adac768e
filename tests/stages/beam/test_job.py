"""A job: picklable, and it knows where everything of its attempt lies."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from manifests.storage import Storage
from stages.core.contract import StageError
from tests import toy
from tests.stages.beam.jobs import job


def test_paths_name_the_attempt_the_table_and_how_many_shards_there_are(tmp_path: Path) -> None:
    made = job(Storage.at(tmp_path), toy.stages(["x"])[2], (toy.COUNTS, []), buckets=12)
    assert made.table_path("rejects", 3) == "attempt/rejects/part-00003-of-00012.parquet"
    assert made.table_path("total", 0) == "attempt/total/part-00000-of-00001.parquet"
    assert made.result_path == "attempt/_result.json"


def test_a_job_survives_the_way_to_a_worker(tmp_path: Path) -> None:
    made = job(Storage.at(tmp_path), toy.stages(["x"])[1], (toy.WORDS, []))
    sent = pickle.loads(pickle.dumps(made))  # noqa: S301
    assert sent.shards("words") == made.shards("words") and sent.specs.keys() == made.specs.keys()
    assert sent.root == made.root


def test_shards_are_a_joins_buckets_only_when_columns_and_number_agree(tmp_path: Path) -> None:
    made = job(Storage.at(tmp_path), toy.stages(["x"])[1], (toy.LENGTHS, []), (toy.TOTAL, []), buckets=3)
    assert made.is_bucketed_on("lengths", ("length",))
    assert not made.is_bucketed_on("lengths", ("word",))
    assert not made.is_bucketed_on("total", ("name",))


def test_an_input_that_is_not_published_is_named(tmp_path: Path) -> None:
    made = job(Storage.at(tmp_path), toy.stages(["x"])[1])
    with pytest.raises(StageError, match="stage toy.counts: input table words is not published"):
        made.shards("words")
