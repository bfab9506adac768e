"""The releases of all samples in the field's own tools: datasets, mlcroissant, BEIR, the LM evaluation harness.

They go into an environment of their own below pytest's cache, once (6 GB, most of it torch). RELEASE_TOOLS may name the
`bin` folder of an environment that has them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from pipelines.datasets import dataset
from tests.pipelines.commands import run

pytestmark = [pytest.mark.live]

PACKAGES = (
    "datasets>=5,<6",
    "mlcroissant>=1.1,<2",
    "beir>=2.2,<3",
    "lm-eval[hf]>=0.4.13,<0.5",
    "huggingface-hub>=2,<3",
)
HERE = Path(__file__).parent
NAMES = ("qampari", "wiqa", "ifqa", "musique")


@pytest.fixture(scope="module")
def tools(request: pytest.FixtureRequest) -> Path:
    if given := os.environ.get("RELEASE_TOOLS"):
        return Path(given)
    home = request.config.cache.mkdir("release-tools")
    if not (home / "ready").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", home / "venv"], check=True)
        subprocess.run([home / "venv/bin/pip", "install", "--quiet", *PACKAGES], check=True)
        (home / "ready").touch()
    return Path(home / "venv/bin")


@pytest.fixture(scope="module", params=NAMES)
def release(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    name: str = request.param
    root, folder = tmp_path_factory.mktemp("root"), tmp_path_factory.mktemp("release") / name
    answers = ["--annotations", "sample"] if dataset(name).sample_answers else []
    run("build", name, "--root", str(root), *answers, "--quiet")
    run("export", name, "--root", str(root), "--out", str(folder))
    return folder


def said(*command: object, folder: Path) -> str:
    """What a tool prints; offline, with caches in a folder of the test's own."""
    own = {"HF_HOME": str(folder), "HF_HUB_OFFLINE": "1", "PYTHONPATH": ""}
    done = subprocess.run(
        list(map(str, command)), env=os.environ | own, cwd=folder, capture_output=True, text=True, timeout=1800
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_every_loader_finds_every_row(tools: Path, release: Path, tmp_path: Path) -> None:
    found: dict[str, Any] = json.loads(
        said(tools / "python", HERE / "release_tools.py", release, folder=tmp_path).splitlines()[-1]
    )
    assert found["licence"] == "cc0-1.0"
    for path in release.rglob("*.parquet"):
        parts = path.relative_to(release).with_suffix("").parts
        rows = pq.read_metadata(path).num_rows
        inside = [part for part in parts if part != "parquet"]
        assert found[f"croissant {'-'.join(inside)}"] == rows
        if parts[0] == "parquet":
            config = inside[0] if len(inside) == 2 else "default"
            assert found[f"datasets {config}"][inside[-1]] == rows
    for path in release.rglob("*.tsv"):
        inside = path.relative_to(release).with_suffix("")
        pairs = len(path.read_text().splitlines()) - 1
        assert found[f"beir {inside.as_posix()}"][2] == found[f"croissant {'-'.join(inside.parts)}"] == pairs > 0


def test_croissant_is_valid(tools: Path, release: Path, tmp_path: Path) -> None:
    said(tools / "mlcroissant", "validate", "--jsonld", release / "croissant.json", folder=tmp_path)


def test_the_harness_runs_every_task(tools: Path, release: Path, tmp_path: Path) -> None:
    said(tools / "python", HERE / "tiny_language_model.py", tmp_path / "model", folder=tmp_path)
    tasks = sorted(path.stem for path in release.glob("lm_eval/*.yaml"))
    assert tasks
    options = ["--include_path", release / "lm_eval", "--tasks", ",".join(tasks), "--limit", "2", "--device", "cpu"]
    model = ["--model", "hf", "--model_args", f"pretrained={tmp_path / 'model'}", "--gen_kwargs", "max_gen_toks=8"]
    table = said(tools / "lm_eval", *options, *model, folder=tmp_path)
    assert all(task in table for task in tasks)
