"""Beam's runners: unsafe ones refused, all other options passed on to Beam."""

from __future__ import annotations

import pytest
from apache_beam.options.pipeline_options import DirectOptions, PortableOptions, SetupOptions, StandardOptions
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from apache_beam.runners.portability.portable_runner import PortableRunner
from apache_beam.transforms.environments import SubprocessSDKEnvironment

from stages.beam.options import BeamOptions, check_arguments
from stages.beam.runners import local, named
from stages.core.contract import StageError


@pytest.mark.parametrize("name", ["DirectRunner", "PrismRunner", "SwitchingDirectRunner"])
def test_runners_that_fetch_their_engine_are_refused(name: str) -> None:
    with pytest.raises(StageError, match=f"--runner {name}: not supported .*; leave --runner out to run locally"):
        BeamOptions(arguments=(f"--runner={name}",))


def test_without_a_runner_there_are_worker_processes_here() -> None:
    environment = SubprocessSDKEnvironment("true")
    runner, options = local(["--save_main_session"], 2, environment)
    assert isinstance(runner, FnApiRunner)
    assert options.view_as(DirectOptions).direct_num_workers == 2
    assert options.view_as(SetupOptions).save_main_session


def test_another_runner_gets_its_options_as_they_are() -> None:
    with named(("--runner=PortableRunner", "--job_endpoint=localhost:1", "--environment_type=EXTERNAL")) as given:
        runner, passed = given
    assert isinstance(runner, PortableRunner)
    assert passed.view_as(PortableOptions).job_endpoint == "localhost:1"
    assert passed.view_as(StandardOptions).runner == "PortableRunner"
    assert passed.view_as(DirectOptions).direct_num_workers == 1


@pytest.mark.parametrize("name", ["dask", "DaskRunner"])
def test_dask_is_asked_for_by_the_extra_that_brings_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stages.beam.runners.find_spec", lambda name: None)
    with pytest.raises(
        StageError, match=rf"^--runner {name}: Dask is not installed; pip install 'benchwright\[cluster"
    ):
        BeamOptions(arguments=(f"--runner={name}",))


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
