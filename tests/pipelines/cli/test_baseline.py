"""`baseline` trains and scores on released files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.pipelines.commands import call, refused, run
from tests.stages.wiqa.baselines.tiny import make_tiny


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
    assert "musique has no baselines; there are some of ifqa, qampari, wiqa\n" in refused(
        "baseline", "musique", "majority", *files
    )
    assert "needs a model; give --model" in refused("baseline", "wiqa", "encoder", *files)
    assert "unknown option depth" in refused("baseline", "wiqa", "majority", *files, "--set", "depth=2")
    assert "--set depth: expected name=value" in refused("baseline", "wiqa", "adaboost", *files, "--set", "depth")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["encoder", "encoder-no-paragraph"])
def test_an_encoder_is_tuned_on_a_release(name: str, release: Path, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in (release / "train.jsonl").read_text().splitlines()]
    words = {word.lower() for line in lines for word in re.findall(r"\w+|[.,]", json.dumps(line["question"]))}
    model = make_tiny(tmp_path, words)
    files = (str(release / "train.jsonl"), str(release / "dev.jsonl"))
    out = tmp_path / "predictions.jsonl"
    settings = ("--set", "epochs=1", "--set", "batch=32", "--set", "max_tokens=64")
    called = call("baseline", "wiqa", name, *files, "--model", str(model), *settings, "--out", str(out), "--json")
    assert called.exit_code == 0, called.stderr
    # The library's own reports on new weights are no concern of the user's.
    assert called.stderr == ""
    found = json.loads(called.stdout)
    assert found["settings"]["paragraph"] == (name == "encoder") and found["settings"]["epochs"] == 1
    assert found["report"] == json.loads(run("evaluate", "wiqa", files[1], str(out), "--json"))
