"""What a command loads: nothing heavy that it does not use, each in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pipelines.datasets import dataset, names
from tests.pipelines.commands import run

# Each takes from a tenth of a second to several, and a cached build needs none of them.
HEAVY = (
    *("apache_beam", "torch", "transformers", "onnxruntime", "tokenizers", "spacy", "nltk", "sklearn", "scipy"),
    *("pandas", "duckdb", "matplotlib", "bm25s", "jsonschema", "requests", "SPARQLWrapper", "rdflib"),
)
PROGRAM = """
import json, sys
from pipelines.cli import main
try:
    main(json.loads(sys.argv[1]))
except SystemExit as end:
    print(json.dumps([end.code, sorted({*json.loads(sys.argv[2])} & {*sys.modules})]), file=sys.stderr)
"""


def loaded(*arguments: str, modules: tuple[str, ...] = HEAVY) -> list[str]:
    """Which of some modules a command has loaded when it ends, as it must, with exit code 0."""
    program = [sys.executable, "-c", PROGRAM, json.dumps(arguments), json.dumps(modules)]
    said = subprocess.run(program, capture_output=True, text=True, timeout=300, check=True)
    code, found = json.loads(said.stderr.splitlines()[-1])
    assert code == 0, said.stderr
    return list(found)


def built_in(name: str) -> tuple[str, ...]:
    """A dataset with its sample, and the sample's answers of people where there are any."""
    return (name, *(("--annotations", "sample") if dataset(name).sample_answers else ()))


def test_the_help_loads_no_data_library_at_all() -> None:
    assert loaded("--help", modules=(*HEAVY, "pyarrow", "numpy", "yaml", "tqdm", "msgspec", "pipelines.datasets")) == []


@pytest.mark.parametrize("name", names())
def test_a_build_whose_stages_are_there_loads_nothing_heavy(name: str, tmp_path: Path) -> None:
    asked = (*built_in(name), "--root", str(tmp_path))
    first = json.loads(run("plan", *asked, "--json"))[0]["stage"]
    run("build", *asked, "--until", first, "--quiet")
    assert loaded("build", *asked, "--until", first) == []
    assert loaded("plan", *asked) == []
    assert loaded("show", name, "--root", str(tmp_path)) == []


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(("status", "--root", "{root}"), id="status"),
        pytest.param(("diff", "{root}", "{root}"), id="diff"),
        pytest.param(("show", "qampari", "entities", "--rows", "1", "--root", "{root}"), id="show a table"),
        pytest.param(("clean", "--dry-run", "--root", "{root}"), id="clean"),
        pytest.param(("params", "musique"), id="params"),
        pytest.param(("normalise", "20 July 1969"), id="normalise"),
    ],
)
def test_looking_loads_nothing_heavy(arguments: tuple[str, ...], small_root: Path) -> None:
    assert loaded(*(word.format(root=small_root) for word in arguments)) == []
