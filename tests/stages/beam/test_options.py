"""Runners: the safe one by default, unsafe ones refused, all other options passed on to Beam."""

from __future__ import annotations

from pathlib import Path

import pytest
from apache_beam.options.pipeline_options import DirectOptions, PortableOptions, StandardOptions
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from apache_beam.runners.portability.portable_runner import PortableRunner

from manifests.storage import Storage
from stages.beam import options
from stages.beam.options import BeamOptions, check_arguments, input_bytes
from stages.contract import Map, Output, Stage, StageError
from tests import toy
from tests.stages.beam.jobs import WORDS, job


@pytest.fixture
def made(tmp_path: Path):
    stage = Stage("a.b", Map(), lambda words: Output({}), (), inputs=("words",))
    return job(Storage.at(tmp_path), stage, (WORDS, [{"word": "a", "count": 1}]))


@pytest.mark.parametrize("name", ["DirectRunner", "PrismRunner", "SwitchingDirectRunner"])
def test_runners_that_fetch_their_engine_are_refused(name: str) -> None:
    with pytest.raises(StageError, match=f"--runner {name}: not supported .*; leave --runner out to run locally"):
        BeamOptions(arguments=(f"--runner={name}",))


def test_without_a_runner_the_stage_runs_here(made) -> None:
    assert isinstance(BeamOptions().runner(made), FnApiRunner)
    assert BeamOptions(2).pipeline_options(made).view_as(DirectOptions).direct_num_workers == 2


def test_another_runner_gets_its_options_as_they_are(made) -> None:
    chosen = BeamOptions(
        arguments=("--runner=PortableRunner", "--job_endpoint=localhost:1", "--environment_type=EXTERNAL")
    )
    assert isinstance(chosen.runner(made), PortableRunner)
    passed = chosen.pipeline_options(made)
    assert passed.view_as(PortableOptions).job_endpoint == "localhost:1"
    assert passed.view_as(StandardOptions).runner == "PortableRunner"


def test_little_input_gets_one_process_unless_told_otherwise(made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    assert BeamOptions().local_workers(made) == 1 and BeamOptions(2).local_workers(made) == 2
    monkeypatch.setattr(options, "_SMALL_BYTES", 10)
    assert BeamOptions().local_workers(made) == 3


def test_the_size_of_the_input_is_that_of_its_shards_or_its_files(made, tmp_path: Path) -> None:
    assert input_bytes(made) == sum(shard.bytes for shard in made.shards("words"))
    paths = toy.write_lines(tmp_path / "in", [["abc"], ["de"]])
    assert input_bytes(job(Storage.at(tmp_path), toy.stages(paths)[0])) == 5


@pytest.mark.parametrize(
    "arguments", [["--runner=FlinkRunner", "--flink_master", "host:1"], ["--job_endpoint=x", "--save_main_session"], []]
)
def test_options_that_beam_knows_pass(arguments: list[str]) -> None:
    check_arguments(arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--flink_mastr=x"], "--flink_mastr: not an option of benchwright or of Beam; did you mean --flink_master"),
        (["--sorce", "x"], "did you mean --source"),
        (["value"], "value: not an option"),
        (["--direct_num_workers=many"], "a Beam option: argument --direct_num_workers: invalid int value: 'many'"),
        (["--flink_version=0"], "a Beam option: argument --flink_version: invalid choice"),
    ],
)
def test_other_options_are_refused_by_name(arguments: list[str], message: str) -> None:
    with pytest.raises(StageError, match=message):
        check_arguments(arguments, ["--source", "--set"])


@pytest.mark.parametrize("argument", ["--direct_running_mode=multi_threading", "--direct_num_workers=3"])
def test_local_processes_have_one_option(argument: str) -> None:
    with pytest.raises(StageError, match="not supported; --workers sets both"):
        BeamOptions(arguments=(argument,))
    BeamOptions(arguments=(argument, "--runner=PortableRunner"))
