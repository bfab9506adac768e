"""Pages of the documentation that are made when it is built: READMEs, commands, parameters, tables, library, notebook.

MkDocs calls `on_files`. None of these pages is kept beside the written ones in templates/docs/pages.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import benchwright
import click

from pipelines.cli import main
from pipelines.cli.params import parameters
from pipelines.datasets import Dataset, dataset, names
from pipelines.inputs import read_inputs
from pipelines.params import load
from stages.core.contract import TableSpec

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

REPO = Path(__file__).resolve().parents[1]
NOTEBOOK = REPO / "templates" / "docs" / "first_look.ipynb"
_WIDTH = 110
_LINK = re.compile(r"(?<!!)\[([^\[\]]+)\]\(([^)\s]+)\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    from mkdocs.structure.files import File

    made = readme_pages() | {
        "reference/commands.md": commands_page(),
        "reference/library.md": library_page(),
        "reference/parameters.md": parameters_page(),
        "reference/tables.md": tables_page(),
        "tutorials/first_look.md": notebook_page(json.loads(NOTEBOOK.read_text(encoding="utf-8"))),
    }
    for path, text in sorted(made.items()):
        files.append(File.generated(config, path, content=text))
    return files


def sources() -> dict[str, str]:
    """The files that are pages as they are, by their place in the repository: each one's place on the site."""
    found = {
        "README.md": "index.md",
        ".github/CONTRIBUTING.md": "contributing.md",
        ".github/SECURITY.md": "security.md",
        "templates/relations/README.md": "reference/relations.md",
        "templates/models/evidence-nli/README.md": "model.md",
    }
    for folder, target in (("pipelines", "datasets"), ("templates/samples", "samples")):
        for path in sorted((REPO / folder).glob("*/README.md")):
            found[f"{folder}/{path.parent.name}/README.md"] = f"{target}/{path.parent.name}.md"
    return found


def readme_pages() -> dict[str, str]:
    """Their texts, by their place on the site, with links that lead to pages."""
    places = sources()
    return {
        target: relinked((REPO / source).read_text(encoding="utf-8"), source, places)
        for source, target in places.items()
    }


def relinked(text: str, source: str, places: Mapping[str, str]) -> str:
    """A text of the repository as a page: a link to another page leads there, one to a file that is none is its words.

    Raises ValueError: a link leads nowhere.
    """
    home = posixpath.dirname(places[source])

    def moved(found: re.Match[str]) -> str:
        words, (path, mark, anchor) = found[1], found[2].partition("#")
        if "://" in found[2] or not path:
            return found[0]
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if target in places:
            return f"[{words}]({posixpath.relpath(places[target], home or '.')}{mark}{anchor})"
        if not (REPO / target).exists():
            raise ValueError(f"{source}: the link to {found[2]} leads nowhere")
        return words

    return _LINK.sub(moved, text)


def parameters_page() -> str:
    lines = ["# Parameters", "", "Each is changed with `--set KEY=VALUE`, or several in a file with `--params`.", ""]
    for name in names():
        lines += [f"## {name}", "", "| parameter | default | what it does |", "| --- | --- | --- |"]
        lines += [
            f"| `{item.key}` | `{_cell(json.dumps(item.default, ensure_ascii=False))}` | {_cell(item.about)} |"
            for item in parameters(dataset(name).defaults)
        ]
        lines.append("")
    return "\n".join(lines)


def commands_page() -> str:
    lines = ["# Commands", "", "Each as its `--help` says it.", ""]
    for name, command in _commands(main, click.Context(main, info_name="benchwright", **main.context_settings)):
        lines += [f"## {name}", "", *_quoted(command), ""]
    return "\n".join(lines)


def _commands(group: click.Group, context: click.Context) -> Iterator[tuple[str, str]]:
    """(name, help) of every command, those of groups after the group's own."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        own = click.Context(command, context, name, terminal_width=_WIDTH, max_content_width=_WIDTH)
        yield own.command_path.removeprefix("benchwright "), command.get_help(own)
        if isinstance(command, click.Group):
            yield from _commands(command, own)


@dataclass
class _Table:
    """about: what the code says of a table; written: dataset to (stage, table), as rounds have their own."""

    spec: TableSpec
    about: str
    written: dict[str, list[tuple[str, str]]]


def tables_page() -> str:
    """Every table of every dataset's sample build with people's answers, each form once, and who writes it."""
    about, found = documented(), dict[tuple[str, str], _Table]()
    for name in names():
        for stage, spec in _outputs(dataset(name)):
            base = _base(spec, about)
            one = found.setdefault((base, str(spec.schema)), _Table(spec, about.get((base, str(spec.schema)), ""), {}))
            one.written.setdefault(name, []).append((stage, spec.name))
    bases = Counter(base for base, _ in found)
    lines = ["# Tables", "", "Each is a folder of Parquet shards; `benchwright show DATASET TABLE` shows its rows.", ""]
    for (base, _), one in sorted(found.items(), key=lambda item: (item[0][0], sorted(item[1].written))):
        # Two datasets may call tables of their own alike.
        heading = f"{base} ({', '.join(one.written)})" if bases[base] > 1 else base
        lines += [f"## {heading}", "", *_writers(one), "", "| column | type | null |", "| --- | --- | --- |"]
        lines += [f"| `{own.name}` | `{own.type}` | {'yes' if own.nullable else ''} |" for own in one.spec.schema]
        lines += ["", *_quoted(one.about), ""]
    return "\n".join(lines)


def _writers(one: _Table) -> Iterator[str]:
    for name, pairs in one.written.items():
        told = ", ".join(f"`{table}` by `{stage}`" for stage, table in pairs)
        yield f"- {name}: {told}"
    yield f"- key: {', '.join(f'`{column}`' for column in one.spec.key)}"


def _outputs(found: Dataset) -> Iterator[tuple[str, TableSpec]]:
    answers = ["sample"] if found.sample_answers else []
    inputs = read_inputs(found, ["sample"], answers)
    for stage in found.pipeline(load(found.defaults, None, ()), inputs).stages:
        yield from ((stage.name, spec) for spec in stage.outputs)


def _base(spec: TableSpec, known: Mapping[tuple[str, str], str]) -> str:
    """The table that a round's or a hop's own copy is one of: "verdicts" of "verdicts_answers_2"."""
    alike = (name for name, schema in known if schema == str(spec.schema))
    return max((name for name in alike if f"{spec.name}_".startswith(f"{name}_")), key=len, default=spec.name)


def documented() -> dict[tuple[str, str], str]:
    """What the code says below a table's definition, by the table's name and schema; "" where it says nothing."""
    found: dict[tuple[str, str], str] = {}
    for path in sorted((REPO / "stages").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "TableSpec" not in text and "replace(" not in text:
            continue
        module = importlib.import_module(".".join(path.relative_to(REPO).with_suffix("").parts))
        for name, about in _assigned(ast.parse(text).body):
            spec = getattr(module, name, None)
            if isinstance(spec, TableSpec):
                found.setdefault((spec.name, str(spec.schema)), about)
    return found


def _assigned(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """(name, the text below) of what a module assigns."""
    for one, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name):
            below = after.value if isinstance(after, ast.Expr) else None
            yield one.targets[0].id, str(below.value) if isinstance(below, ast.Constant) else ""


def library_page() -> str:
    """All that `import benchwright` gives."""
    lines = ["# Library", "", *_quoted(benchwright.__doc__), ""]
    for name in sorted(benchwright.__all__, key=str.casefold):
        lines += [f"## {name}", "", *_described(name, getattr(benchwright, name)), ""]
    return "\n".join(lines)


def _described(name: str, thing: object) -> Iterator[str]:
    """Its signature and docstring; those of a class's own methods and properties after it."""
    yield from _quoted(f"{_signature(name, thing)}\n\n{inspect.getdoc(thing) or ''}")
    if not inspect.isclass(thing):
        return
    for own, member in vars(thing).items():
        if not own.startswith("_") and (callable(member) or isinstance(member, property | classmethod)):
            yield from ("", f"### {name}.{own}", "")
            about = inspect.getdoc(getattr(thing, own)) or ""
            yield from _quoted(f"{_signature(own, getattr(thing, own))}\n\n{about}")


def _signature(name: str, thing: object) -> str:
    """Its call on one line, or a parameter a line where that is too long; the name alone of what nobody calls."""
    if not callable(thing) or (inspect.isclass(thing) and issubclass(thing, Exception | Enum)):
        return name
    called = _plain(inspect.signature(thing))
    line = f"{name}{called}"
    if len(line) <= _WIDTH:
        return line
    inside = "".join(f"    {one},\n" for one in called.parameters.values())
    back = "" if called.return_annotation is called.empty else f" -> {called.return_annotation}"
    return f"{name}(\n{inside}){back}"


class _Words(str):
    """An annotation that is shown as it is written, without quotes."""

    def __repr__(self) -> str:
        return str(self)


def _plain(called: inspect.Signature) -> inspect.Signature:
    def plain(annotation: object) -> object:
        return _Words(annotation) if isinstance(annotation, str) else annotation

    words = [one.replace(annotation=plain(one.annotation)) for one in called.parameters.values()]
    return called.replace(parameters=words, return_annotation=plain(called.return_annotation))


def _quoted(text: str | None) -> list[str]:
    """Its lines as they stand in the code."""
    shown = (text or "").strip()
    return ["```text", *shown.splitlines(), "```"] if shown else []


def _cell(text: str) -> str:
    return text.replace("|", "&#124;").replace("<", "&lt;")


def notebook_page(notebook: Mapping[str, Any]) -> str:
    """A Jupyter notebook as a page: its words, and its code."""
    parts = []
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
    return "\n\n".join(parts) + "\n"
