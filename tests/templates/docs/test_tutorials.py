"""The tutorials: their commands are run one after another, and the notebook's code from its first cell to its last."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.shell_completion import BashComplete

from pipelines.cli import main
from tests.pipelines.commands import call
from tests.tools.small_label_studio import small_label_studio

REPO = Path(__file__).resolve().parents[3]
DOCS = REPO / "templates" / "docs"
TUTORIALS = sorted((DOCS / "pages" / "tutorials").glob("*.md"))
SERVER, TOKEN = "https://label-studio.example.org", "the-token-of-your-account"


# A command, or a file and what stands in it.
_STEP = re.compile(r"^(cat > .* <<'END'|.+)\n(?:((?<=<<'END'\n)(?:.*\n)*?)END\n)?", re.MULTILINE)


def steps(text: str) -> Iterator[tuple[str, str]]:
    """(line, content) of all blocks of commands; content: what a line writes into a file."""
    for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL):
        yield from _STEP.findall(block)


@pytest.mark.network
@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_the_commands_of_a_tutorial_do_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    if "--push" in text:
        pytest.importorskip("label_studio_sdk", reason="needs the extra 'annotation'")
    ran = 0
    with small_label_studio(TOKEN) as small:
        for line, content in steps(text):
            if written := re.fullmatch(r"cat > (\S+) <<'END'", line):
                Path(written[1]).write_text(content, encoding="utf-8")
            elif exported := re.fullmatch(r"export (\w+)=(\S+)", line):
                monkeypatch.setenv(*exported.groups())
            else:
                command, _, said = line.partition("#")
                words = shlex.split(command.replace(SERVER, small.url))
                assert words[0] == "benchwright", line
                result = call(*words[1:])
                assert result.exit_code == (1 if "exit code 1" in said else 0), f"{line}\n{result.output}"
                ran += 1
    assert ran >= 8
    assert bool(small.projects) == ("--push" in text)


def test_the_notebook_runs_from_its_first_cell_to_its_last(tmp_path: Path) -> None:
    notebook = json.loads((DOCS / "first_look.ipynb").read_text(encoding="utf-8"))
    assert (notebook["nbformat"], len({cell["id"] for cell in notebook["cells"]})) == (4, len(notebook["cells"]))
    code = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(code) == 5 and not any(cell.get("outputs") for cell in notebook["cells"])
    # A notebook shows the value of a cell that is one expression.
    shown = "\n".join([*code[:-1], f"print(({code[-1]}))"])
    environment = {"PYTHONPATH": f"{REPO}:{REPO / 'pipelines/library'}", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [sys.executable, "-c", shown], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "False" and lines[-1] == "('1969-07-20', 'day_or_month')"


@pytest.mark.parametrize(
    ("typed", "begun", "completed"),
    [
        ([], "peo", ["people"]),
        (["build"], "qam", ["qampari"]),
        (["tasks", "wiqa"], "--pu", ["--push"]),
        (["tasks", "wiqa", "--which"], "ag", ["again"]),
    ],
)
def test_commands_options_and_choices_are_completed(typed: list[str], begun: str, completed: list[str]) -> None:
    found = BashComplete(main, {}, "benchwright", "_BENCHWRIGHT_COMPLETE").get_completions(typed, begun)
    assert [item.value for item in found] == completed
