"""The build file: all that a build needs in one YAML file, beside which its other files lie.

    dataset: qampari
    sources: [facts.csv, pages.csv]
    templates: [relations]
    export: release

Paths are relative to the file. What a command says besides wins over it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipelines.params import Values
from pipelines.provenance import ABOUT, checked_about
from stages.core.contract import StageError
from stages.core.strict_yaml import parse

_LISTS = ("sources", "annotations", "templates")
_KEYS = ("dataset", *ABOUT, *_LISTS, "map", "params", "root", "export")
_ADDRESS = re.compile(r"[a-z0-9]{2,}:.*", re.IGNORECASE | re.DOTALL)
_SAMPLE = "sample"
_WIDTH = 118
_FORM = """# A build of {dataset}: `benchwright build --config {file}`. Paths are relative to this file.

dataset: {dataset}

# What the release is called, and how it is cited; each may be left out.
{about}
# Files, folders, or 'sample': dumps, or simple files: statements as CSV, TSV or JSON (subject, property, object), pages
# with title and text.
sources: {sources}

# Columns of simple files that have other names: {{contents: text, club: title}}
map: {map}

# Folders with templates and lexicons of your own, read over the built-in ones.
templates: {templates}

# Answers of people to the tasks of an earlier build.
annotations: []

# Where builds lie, and where the release goes once there is one.
root: {root}
export: {export}

# Parameters that are not to have their defaults, which stand here.
params: {{}}
{params}"""


@dataclass(frozen=True)
class BuildFile:
    """What a build file says. map: field by column; params: by section; about: of the release; "" where not said."""

    where: str
    dataset: str = ""
    about: Mapping[str, str] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    annotations: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()
    map: Mapping[str, str] = field(default_factory=dict)
    params: Values = field(default_factory=dict)
    root: str = ""
    export: str = ""

    def options(self) -> dict[str, Any]:
        """What stands in for options that a command was not given, by the name of each parameter."""
        said = {
            "dataset": self.dataset,
            "sources": self.sources,
            "answers": self.annotations,
            "templates": self.templates,
            "columns": tuple(f"{column}={name}" for column, name in self.map.items()),
            "root": self.root,
        }
        return {name: value for name, value in said.items() if value}


def read_build_file(path: str) -> BuildFile:
    """The build file at a path.

    Raises StageError: it cannot be read, or says what no build file says; the message names the key.
    """
    try:
        data = parse(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise StageError(f"--config {path}: not a readable YAML file ({error})") from error
    if not isinstance(data, dict):
        raise StageError(f"--config {path}: expected keys such as dataset and sources; `benchwright init` writes one")
    if unknown := [str(key) for key in data if key not in _KEYS]:
        raise StageError(f"--config {path}: {unknown[0]}: unknown key; expected one of {', '.join(_KEYS)}")
    folder = Path(path).parent
    return BuildFile(
        where=path,
        dataset=_text(data, "dataset", path),
        about=checked_about(data, f"--config {path}"),
        map=_mapping(data, "map", path, str),
        params={name: dict(entries) for name, entries in _mapping(data, "params", path, dict).items()},
        root=_beside(folder, _text(data, "root", path)),
        export=_beside(folder, _text(data, "export", path)),
        **{key: tuple(_beside(folder, item) for item in _texts(data, key, path)) for key in _LISTS},
    )


def written(
    described: str,
    defaults: str,
    file: str,
    sources: Sequence[str] = (),
    templates: Sequence[str] = (),
    columns: Mapping[str, str] | None = None,
    root: str = "out",
    export: str = "release",
) -> str:
    """The text of a build file.

    described: the name of the dataset; defaults: its params.yaml.
    """
    about = "".join(f"# {name}:\n" for name in ABOUT)
    comments = "".join(f"# {line}\n" if line else "\n" for line in defaults.splitlines() if not line.startswith("#"))
    return _FORM.format(
        dataset=described,
        file=file,
        about=about,
        sources=_flow(sources or (_SAMPLE,)),
        map=_flow(columns or {}),
        templates=_flow(templates),
        root=_flow(root),
        export=_flow(export),
        params=comments.lstrip("\n"),
    )


def _flow(value: Any) -> str:
    import yaml

    told = list(value) if isinstance(value, tuple) else value
    text: str = yaml.safe_dump(told, default_flow_style=True, allow_unicode=True, width=_WIDTH)
    return text.removesuffix("...\n").strip()


def _beside(folder: Path, path: str) -> str:
    """A path as it is seen from the file; addresses and the sample stay what they are."""
    if not path or path == _SAMPLE or _ADDRESS.fullmatch(path) or Path(path).is_absolute():
        return path
    return str(folder / path)


def _text(data: Mapping[str, Any], key: str, path: str) -> str:
    value = data.get(key)
    if value is not None and (not isinstance(value, str) or not value.strip()):
        raise StageError(f"--config {path}: {key}: expected a text, found {value!r}")
    return value or ""


def _texts(data: Mapping[str, Any], key: str, path: str) -> list[str]:
    value = data.get(key)
    listed = value if isinstance(value, list) else [] if value is None else [value]
    if not all(isinstance(item, str) and item.strip() for item in listed):
        raise StageError(f"--config {path}: {key}: expected a list of paths, found {value!r}")
    return listed


def _mapping(data: Mapping[str, Any], key: str, path: str, kind: type) -> dict[str, Any]:
    value = data.get(key)
    found = {} if value is None else value
    if not isinstance(found, dict) or not all(isinstance(k, str) and isinstance(v, kind) for k, v in found.items()):
        shape = "{contents: text}" if kind is str else "{queries: {min_answers: 4}}"
        raise StageError(f"--config {path}: {key}: expected entries as in {shape}, found {value!r}")
    return found
