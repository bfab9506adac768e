"""Which code a result depends on: what a change of a source file does to a digest."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from stages.core.code import code_of, libraries_of, templates_of

ASK = """
import sys
sys.path.insert(0, {folder!r})
from stages.core.code import code_of, libraries_of
found = code_of(["project.kernel"])
print(*(f"{{name}}={{digest}}" for name, digest in found.items() if name.startswith("project")))
print("project.kernel" in sys.modules)
"""

KERNEL = """\
'''A kernel.'''

import json
from project import near


def kernel(table):
    return near.help(table)
"""
NEAR = """\
'''Near.'''
from project.far.middle import middle


def help(x):
    '''Says it.'''
    return middle(x)
"""
CHECKED = """\
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from project.near import help


def kernel(table): ...
"""
PROJECT = {
    "__init__.py": '"""A project."""\n',
    "kernel.py": KERNEL,
    "near.py": NEAR,
    "far/__init__.py": '"""A room."""\n',
    "far/middle.py": "def middle(x):\n    from project.far.end import END, deepest\n\n    return deepest(x, END)\n",
    "far/end.py": "END = 1\n\n\ndef deepest(x, end):\n    # Why.\n    return x + end\n",
    "apart.py": "TOLD = 1\n",
}


def write(folder: Path, changed: Mapping[str, str] | None = None) -> Path:
    for name, text in {**PROJECT, **(changed or {})}.items():
        path = folder / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def digests(folder: Path) -> dict[str, str]:
    ran = subprocess.run(
        [sys.executable, "-c", ASK.format(folder=str(folder))], capture_output=True, text=True, check=True
    )
    told, imported = ran.stdout.splitlines()
    assert imported == "False"
    return dict(pair.split("=") for pair in told.split())


def test_a_module_reaches_what_it_imports_also_inside_functions_and_runs_none_of_it(tmp_path: Path) -> None:
    names = ["", ".far", ".far.end", ".far.middle", ".kernel", ".near"]
    assert sorted(digests(write(tmp_path))) == [f"project{name}" for name in names]


CHANGES = {
    "three imports away": ("far/end.py", "x + end", "x - end", True),
    "a constant": ("far/end.py", "END = 1", "END = 1.0", True),
    "a default": ("near.py", "def help(x)", "def help(x=0)", True),
    "a room's own code": ("far/__init__.py", '"""A', 'LIMIT = 3\n"""A', True),
    "a docstring": ("near.py", "Says it.", "Says it in other words,\n    and in two lines.", False),
    "a docstring of a module": ("kernel.py", "A kernel.", "The kernel.", False),
    "a comment": ("far/end.py", "# Why.", "# Why not?\n    # Because.", False),
    "lines moved": ("far/end.py", "END = 1\n", "\n\n\nEND = 1\n", False),
    "a module that is not imported": ("apart.py", "1", "2", False),
}


@pytest.mark.parametrize("name", CHANGES)
def test_code_counts_and_words_do_not(tmp_path: Path, name: str) -> None:
    file, old, new, counts = CHANGES[name]
    before = digests(write(tmp_path / "before"))
    changed = PROJECT[file].replace(old, new)
    assert changed != PROJECT[file]
    after = digests(write(tmp_path / "after", {file: changed}))
    module = f"project.{file.removesuffix('.py').replace('/', '.')}".removesuffix(".__init__")
    assert {name for name in before if before[name] != after[name]} == ({module} if counts else set())


def test_imports_for_type_checkers_do_not_count(tmp_path: Path) -> None:
    assert sorted(digests(write(tmp_path, {"kernel.py": CHECKED}))) == ["project", "project.kernel"]


def test_the_libraries_are_those_that_the_code_imports() -> None:
    found = libraries_of(["stages.core.sql"])
    assert found["python"] == "3.11" and {"duckdb", "pyarrow"} <= set(found) and "spacy" not in found
    assert "apache-beam" not in libraries_of(["stages.beam.plan"])


def test_the_templates_are_those_that_the_code_reads() -> None:
    assert list(templates_of(["stages.facts.adjectives"])) == ["adjectives.yaml"]
    assert set(templates_of(["stages.normalise.answer"])) == {
        "normalise/currencies.yaml", "normalise/dates.yaml", "normalise/numbers.yaml", "normalise/units.yaml",
    }  # fmt: skip
    assert templates_of(["stages.core.sql"]) == {}


def test_every_module_of_the_project_can_be_told() -> None:
    """Also that each which reads templates says which: it would raise."""
    root = Path(__file__).parents[3]
    files = sorted((root / "stages").rglob("*.py"))
    modules = [".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__") for path in files]
    assert set(modules) <= set(code_of(modules))
