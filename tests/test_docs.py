"""Documentation: what a user can type is explained, and what is explained can be typed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from pipelines.cli import main
from pipelines.cli.params import parameters
from pipelines.datasets import dataset, names
from tests.pipelines.commands import commands as all_commands

REPO = Path(__file__).resolve().parent.parent
README = (REPO / "README.md").read_text(encoding="utf-8")
TARGET = re.compile(r"^([a-z][a-z-]*):(?![=:])", re.MULTILINE)
MAKEFILE = (REPO / "Makefile").read_text(encoding="utf-8")
TUTORIALS = sorted((REPO / "templates" / "docs" / "pages" / "tutorials").glob("*.md"))
PAGES = [REPO / "README.md", *sorted(REPO.glob("pipelines/*/README.md"))]
COMMANDS = sorted(all_commands().items())


def options(command: click.Command) -> list[str]:
    return [name for option in command.params if isinstance(option, click.Option) for name in option.opts]


def row(name: str) -> str:
    """The row of the README's table of commands."""
    found = re.findall(rf"^\| `benchwright {re.escape(name)}[ `].*$", README, re.MULTILINE)
    assert len(found) == 1, f"README.md, section Commands: expected one row for `benchwright {name}`"
    return str(found[0])


@pytest.mark.parametrize(("name", "command"), COMMANDS, ids=[name for name, _ in COMMANDS])
def test_every_command_and_option_is_in_the_readme_and_in_the_help(name: str, command: click.Command) -> None:
    described = row(name)
    assert [option for option in options(command) if f"`{option}`" not in described] == []
    assert command.help
    assert [o.name for o in command.params if isinstance(o, click.Option) and not o.help] == []


@pytest.mark.parametrize(("name", "command"), COMMANDS, ids=[name for name, _ in COMMANDS])
def test_the_readme_names_no_option_that_is_not_there(name: str, command: click.Command) -> None:
    listed = row(name).split("|")[2]
    assert set(re.findall(r"`(--[a-z-]+)`", listed)) <= set(options(command))


def test_the_readme_has_no_row_for_a_command_that_is_gone() -> None:
    assert set(re.findall(r"^\| `benchwright ([a-z-]+)", README, re.MULTILINE)) == {name for name, _ in COMMANDS}


@pytest.mark.parametrize("name", names())
def test_every_parameter_has_a_comment(name: str) -> None:
    assert [item.key for item in parameters(dataset(name).defaults) if not item.about] == []


@pytest.mark.parametrize("name", names())
def test_every_dataset_is_in_the_readme(name: str) -> None:
    assert f"(pipelines/{name}/README.md)" in README


def test_every_make_target_is_described_and_in_the_readme() -> None:
    targets = set(TARGET.findall(MAKEFILE))
    assert len(targets) > 8
    described = set(re.findall(r"^([a-z][a-z-]*):.*## \S", MAKEFILE, re.MULTILINE))
    assert sorted(targets - described) == []
    assert sorted(target for target in targets if not re.search(rf"`?make {target}\b", README)) == []


def test_make_targets_that_are_not_files_are_declared_so() -> None:
    phony = set(re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)[1].split())  # type: ignore[index]
    assert phony == set(TARGET.findall(MAKEFILE))


def test_the_readme_names_no_target_that_is_gone() -> None:
    assert set(re.findall(r"make ([a-z][a-z-]+)\b(?= *[`\n#|])", README)) <= set(TARGET.findall(MAKEFILE))


def test_the_steps_of_continuous_integration_are_make_targets_that_the_readme_explains() -> None:
    lines = (REPO / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    steps = [line.strip() for line in lines if line.strip() and not line.startswith(("#", "set ", "cd "))]
    assert steps
    for step in steps:
        found = re.match(r"make ([a-z-]+)", step)
        assert found, f"{step}: not a make target"
        assert found[1] in TARGET.findall(MAKEFILE)
        assert f"`make {found[1]}`" in README


def commands(page: Path) -> Iterator[str]:
    """Commands in indented or fenced blocks, continued lines joined, without what the shell takes."""
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")
    for line in text.splitlines():
        shown = line.strip().removeprefix("$ ")
        if line.startswith(("    ", "\t")) or _fenced(text, line):
            shown = shown.removeprefix(".venv/bin/")
            if shown.startswith("benchwright "):
                yield _own(shown)


def _own(line: str) -> str:
    """The command of a line, without what the shell takes and without what is said beside it."""
    return re.split(r"\s(?:#|\||>|<|&&|;)|\s{2,}", line)[0]


def _fenced(text: str, line: str) -> bool:
    return any(line in block.splitlines() for block in re.findall(r"```[a-z]*\n(.*?)```", text, re.DOTALL))


EXAMPLES = sorted({command for page in [*PAGES, *TUTORIALS] for command in commands(page)})
HELP = sorted(
    {
        _own(line.strip())
        for _, command in COMMANDS
        for line in (command.help or "").splitlines()
        if line.strip().startswith("benchwright ")
    }
)


def test_the_readme_shows_commands() -> None:
    assert len(EXAMPLES) >= 5


@pytest.mark.parametrize("example", [*EXAMPLES, *HELP])
def test_commands_that_are_shown_can_be_typed(example: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    words = shlex.split(example)
    # Examples name files that need not be here.
    monkeypatch.setattr(click.Path, "convert", lambda self, value, parameter, context: value)
    # A build file is read along with the words.
    monkeypatch.chdir(tmp_path)
    (tmp_path / "build.yaml").write_text("dataset: qampari\n", encoding="utf-8")
    name, *arguments = words[1:]
    command = dict(COMMANDS)[name]
    # Click keeps the help option that a command is first seen with: the program's, as a user would have it.
    context = command.make_context(name, arguments, parent=click.Context(main, **main.context_settings))
    known = {option for option in options(command) if option.startswith("--")}
    for argument in context.args:
        assert argument.startswith("--") and argument.split("=")[0] not in known, f"{argument} would go to Beam"


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.relative_to(REPO)}: {target}"


# What a page shows that a plain installation does not do, and the extra that it needs.
NEEDS = (
    (r"benchwright analyse \w+ .*--out|`benchwright analyse ", "plots"),
    (r"benchwright baseline \w+ adaboost|`benchwright baseline ", "baselines"),
    (r"`encoder|`benchwright baseline |--reader|reader\.name|nli\.model=path", "models"),
    (r"benchwright tasks .*--push", "annotation"),
    (r"benchwright build musique|make build-musique|benchwright tasks ifqa .*ifqa_writing", "text"),
)


@pytest.mark.parametrize("page", PAGES, ids=[page.parent.name for page in PAGES])
def test_a_page_names_the_extra_that_its_commands_need(page: Path) -> None:
    words = page.read_text(encoding="utf-8")
    needed = {extra for pattern, extra in NEEDS if re.search(pattern, words)}
    named = {name for found in re.findall(r"benchwright\[([a-z,]+)\]", words) for name in found.split(",")}
    assert sorted(needed - named) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPO)))
def test_files_that_are_named_are_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    paths = set(re.findall(r"`((?:tests/)?stages/[\w/]+\.py)`", text))
    tables = re.search(r"^### From the paper's terms to the files\n(.*?)^## ", text, re.MULTILINE | re.DOTALL)
    if page == REPO / "README.md":
        assert tables is not None
        paths |= {f"stages/{path}" for path in re.findall(r"`([\w/]+\.py)`", tables[1])}
        assert len(paths) > 50
    assert sorted(path for path in paths if not (REPO / path).is_file()) == []
