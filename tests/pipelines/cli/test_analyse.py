"""`analyse` describes released files or a build, and writes plots."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pipelines.datasets import Dataset, dataset
from stages.evaluation.spans import GoldSpan
from stages.ifqa.profile import Profiles, analyse, analyse_parts
from tests.pipelines.commands import refused, run

BUILT = analyse_parts({"train": [GoldSpan("a", "If not, who?", ("York",), ("York came.",))]})


@pytest.fixture
def release(tmp_path: Path) -> Path:
    path = tmp_path / "dev.json"
    rows = [{"idx": 0, "question": "If not, when?", "answers": ["1936"], "context": ["In 1936 it came."]}]
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def described(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some dataset that can be analysed; its build is made of one question."""

    def built(storage: object, manifest: object) -> Profiles:
        return BUILT

    def find(name: str) -> Dataset:
        return replace(dataset(name), analyse=analyse, analyse_build=built) if name == "wiqa" else dataset(name)

    monkeypatch.setattr("pipelines.cli.analyse.find_dataset", find)


def test_files_are_described_and_drawn(release: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    out = tmp_path / "deep" / "plots"
    table = run("analyse", "wiqa", str(release), "--out", str(out))
    assert table.splitlines()[0].split() == ["dev"]
    assert "first answer: date" in table
    assert len(list(out.glob("*.svg"))) == 5


def test_json_holds_the_distributions(release: Path) -> None:
    found = json.loads(run("analyse", "wiqa", str(release), "--json"))
    assert found["dev"]["question_words"]["counts"] == {"3": 1}


def test_without_files_the_build_is_described(wiqa_root: Path) -> None:
    assert run("analyse", "wiqa", "--root", str(wiqa_root)).splitlines()[0].split() == ["train"]


def test_refusals(tmp_path: Path) -> None:
    assert "qampari has no analysis" in refused("analyse", "qampari")
    assert "holds no build of wiqa" in refused("analyse", "wiqa", "--root", str(tmp_path))
    assert "does not exist" in refused("analyse", "wiqa", str(tmp_path / "none.json"))
