"""A dataset of another package is built, named and fingerprinted like those of this one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

HERE = Path(__file__).parent / "openings"


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder of packages that holds the example as an installer would leave it."""
    site = tmp_path / "site"
    shutil.copytree(HERE / "openings", site / "openings")
    project = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    groups = project["entry-points"]
    info = site / "openings-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    lines = [
        line
        for group, named in groups.items()
        for line in (f"[{group}]\n", *(f"{name} = {value}\n" for name, value in named.items()))
    ]
    (info / "entry_points.txt").write_text("".join(lines))
    return site


def ran(site: Path, *args: str) -> subprocess.CompletedProcess[str]:
    repo = Path(__file__).parents[2]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(repo)]), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", "from pipelines.cli import main; main()", *args]
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=300, cwd=site)


def test_it_builds_and_its_code_is_in_its_identity(installed: Path, tmp_path: Path) -> None:
    root = str(tmp_path / "root")
    built = ran(installed, "build", "openings", "--root", root)
    assert built.returncode == 0, built.stderr
    shown = json.loads(ran(installed, "show", "openings", "--root", root, "--json").stdout)
    stages = {stage["stage"]: stage for stage in shown["stages"]}
    # By hand, of the four pages of its sample: one is short, one does not name itself.
    assert stages["openings.cloze"]["metrics"] == {"questions": 2}
    assert stages["openings.cloze"]["rejects"] == {"short": 1, "unnamed": 1}
    told = ran(installed, "show", "openings", "--root", root)
    assert told.returncode == 0 and "cloze" in told.stdout, told.stderr
    states = json.loads(ran(installed, "plan", "openings", "--root", root, "--json").stdout)
    assert {step["state"] for step in states} == {"cached"}
    kernel = installed / "openings" / "cloze.py"
    kernel.write_text(kernel.read_text().replace('"short"', '"too_short"'))
    states = json.loads(ran(installed, "plan", "openings", "--root", root, "--json").stdout)
    assert [step["state"] for step in states] == ["cached", "run"]
    assert "openings/cloze.py" in states[1]["why"]


def test_a_source_of_ones_own_is_told_by_what_it_holds(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("%notes\nIron: Iron is a metal of the first long period.\nno colon here\n")
    root = str(tmp_path / "root")
    options = ("--source", str(tmp_path / "a.txt"), "--root", root, "--set", "build.bad_records=1")
    built = ran(installed, "build", "openings", *options)
    assert built.returncode == 0, built.stderr
    stages = json.loads(ran(installed, "show", "openings", "--root", root, "--json").stdout)["stages"]
    assert stages[0]["tables"]["pages"]["rows"] == 1 and stages[0]["rejects"] == {"bad_note": 1}
    assert stages[1]["metrics"] == {"questions": 1}
    reader = installed / "openings" / "notes.py"
    reader.write_text(reader.read_text().replace('"bad_note"', '"no_note"'))
    states = json.loads(ran(installed, "plan", "openings", *options, "--json").stdout)
    assert states[0]["state"] == "run" and "openings/notes.py" in states[0]["why"]


def test_a_source_that_is_registered_wrongly_is_named(installed: Path, tmp_path: Path) -> None:
    (installed / "openings-1.dist-info" / "entry_points.txt").write_text(
        "[benchwright.sources]\nnotes = openings.notes:HEAD\n"
    )
    refused = ran(installed, "plan", "wiqa", "--root", str(tmp_path / "root"))
    assert refused.returncode == 2
    assert "openings.notes:HEAD, which is registered as source 'notes': expected a Format" in refused.stderr


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "openings = openings.pipeline:NOTHING",
            "openings.pipeline:NOTHING, which is registered as dataset 'openings'",
        ),
        ("openings = openings.pipeline:HERE", "openings.pipeline:HERE is not a Dataset"),
        ("others = openings.pipeline:DATASET", "its name is 'openings'; expected 'others'"),
        ("wiqa = openings.pipeline:DATASET", "there is a built-in dataset 'wiqa'"),
    ],
)
def test_what_is_registered_wrongly_is_named(line: str, message: str, installed: Path, tmp_path: Path) -> None:
    (installed / "openings-1.dist-info" / "entry_points.txt").write_text(f"[benchwright.datasets]\n{line}\n")
    refused = ran(installed, "plan", line.partition(" ")[0], "--root", str(tmp_path / "root"))
    assert refused.returncode == 2 and message in refused.stderr
