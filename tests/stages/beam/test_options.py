"""Options: little input stays in this process, any named runner gets every stage, and Beam is imported only then."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from manifests.storage import Storage
from stages.beam import options
from stages.beam.options import BeamOptions, check_arguments
from stages.core.contract import Map, Output, Score, Stage
from tests import toy
from tests.stages.beam.jobs import ON_BEAM, WORDS, job


@pytest.fixture
def made(tmp_path: Path):
    stage = Stage("a.b", Map(), lambda words: Output({}), (), inputs=("words",))
    return job(Storage.at(tmp_path), stage, (WORDS, [{"word": "a", "count": 1}]))


def test_little_input_stays_in_this_process_unless_told_otherwise(made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    assert BeamOptions().local_workers(made) == 1 and BeamOptions().in_process(made)
    assert BeamOptions(2).local_workers(made) == 2 and not BeamOptions(2).in_process(made)
    monkeypatch.setattr(options, "_SMALL_BYTES", 10)
    assert BeamOptions().local_workers(made) == 3 and not BeamOptions().in_process(made)
    assert BeamOptions(1).in_process(made)


def test_less_input_is_little_for_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    score = toy.stages(["x"])[5]
    assert isinstance(score.shape, Score)
    rows = [{"pair": f"{n}", "first": f"{n * n}", "second": ""} for n in range(20_000)]
    assert not BeamOptions().in_process(job(Storage.at(tmp_path), score, (toy.PAIRS, rows)))
    assert BeamOptions().in_process(job(Storage.at(tmp_path / "few"), score, (toy.PAIRS, rows[:20])))


def test_a_named_runner_gets_every_stage(made) -> None:
    assert BeamOptions().runner is None and ON_BEAM.runner is not None
    assert not ON_BEAM.in_process(made)
    assert BeamOptions(arguments=("--save_main_session",)).runner is None


def test_beam_is_not_imported_for_little_input(tmp_path: Path) -> None:
    source = toy.write_lines(tmp_path / "in", [toy.LINES])
    code = (
        "import sys; from contextlib import nullcontext; from manifests.storage import Storage\n"
        "from pipelines.runner import Runner; from stages.beam.options import BeamOptions, check_arguments\n"
        "from tests import toy; check_arguments([])\n"
        f"runner = Runner(Storage.at({str(tmp_path / 'out')!r}), BeamOptions(), lambda *_: nullcontext())\n"
        f"print(runner.build(toy.pipeline({source!r}), lambda step: None).complete, 'apache_beam' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    assert said.stdout == "True False\n"


def test_without_arguments_there_is_nothing_to_refuse() -> None:
    check_arguments([])
