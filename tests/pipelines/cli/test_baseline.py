"""`baseline` trains and scores on released files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.pipelines.commands import refused, run


@pytest.fixture(scope="module")
def release(wiqa_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release") / "wiqa"
    run("export", "wiqa", "--root", str(wiqa_root), "--out", str(folder))
    return folder


def test_a_baseline_says_what_evaluate_says_of_its_predictions(release: Path, tmp_path: Path) -> None:
    files = (str(release / "train.jsonl"), str(release / "dev.jsonl"))
    out = tmp_path / "new" / "predictions.jsonl"
    found = json.loads(run("baseline", "wiqa", "majority", *files, "--out", str(out), "--json"))
    scored = json.loads(run("evaluate", "wiqa", files[1], str(out), "--json"))
    assert found["report"] == scored
    assert found["baseline"] == "majority"
    assert "accuracy" in run("baseline", "wiqa", "polarity", *files, "--seed", "3")


def test_refusals(release: Path) -> None:
    files = (str(release / "train.jsonl"), str(release / "dev.jsonl"))
    said = refused("baseline", "wiqa", "guess", *files)
    assert "no baseline 'guess'" in said and "majority: the commonest label" in said
    assert "qampari has no baselines" in refused("baseline", "qampari", "majority", *files)
    assert "needs a model; give --model" in refused("baseline", "wiqa", "encoder", *files)
    assert "unknown option depth" in refused("baseline", "wiqa", "majority", *files, "--set", "depth=2")
    assert "--set depth: expected name=value" in refused("baseline", "wiqa", "adaboost", *files, "--set", "depth")
