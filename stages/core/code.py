"""Which code a result depends on: a module and all that it imports of this project, and the libraries beyond.

A module's digest is taken of its compiled code without docstrings, comments and places in the file, so that
words may change and lines may move. Imports are read from the source, also those inside functions, and those
for type checkers left out. Nothing is imported to find out.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from importlib.abc import InspectLoader
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import CodeType
from typing import Any

import templates
from manifests.digest import sha256
from stages.core.overlay import Overlay

DECLARATION = "TEMPLATES"
_READERS = {"templates", "stages.core.template_files.read_template"}
NOTHING_OWN = Overlay()
# This module digests what others read.
TEMPLATES = ()
PROJECT = frozenset({"stages", "manifests", "templates", "pipelines"})
# Moves tables and never looks into them: results are the same bytes whichever version or engine runs.
_MOVERS = frozenset({"apache_beam", "tqdm"})


@dataclass(frozen=True)
class Module:
    """digest: of its code; imports: full names of all that it imports, whether module or name in one;
    templates: the patterns of files below templates/ that it reads, as its constant TEMPLATES says."""

    digest: str
    imports: frozenset[str]
    templates: tuple[str, ...] = ()


def code_of(roots: Iterable[str]) -> Mapping[str, str]:
    """Digest per module of the project that the roots are or reach by imports, sorted by name."""
    return {name: _module(name).digest for name in sorted(_reached(frozenset(roots)))}


def templates_of(roots: Iterable[str], own: Overlay = NOTHING_OWN) -> Mapping[str, str]:
    """sha256 per file below templates/ that those modules read, sorted by name, and of one's own files over these."""
    names = _template_files(_reached(frozenset(roots)))
    return {name: _file_digest(name) for name in sorted(names)} | own.digests(names)


def libraries_of(roots: Iterable[str]) -> Mapping[str, str]:
    """Version per installed distribution that those modules import, and of Python itself, sorted by name."""
    named = {*roots, *(full for name in _reached(frozenset(roots)) for full in _module(name).imports)}
    tops = {full.partition(".")[0] for full in named} - _MOVERS - sys.stdlib_module_names
    beyond = sorted(top for top in tops if not _is_ours(top))
    found = {dist: metadata.version(dist) for top in beyond for dist in _distributions().get(top, ())}
    return {"python": f"{sys.version_info.major}.{sys.version_info.minor}", **dict(sorted(found.items()))}


@cache
def _reached(roots: frozenset[str]) -> frozenset[str]:
    found: set[str] = set()
    open_ = [name for root in roots for name in _modules(root)]
    while open_:
        name = open_.pop()
        if name not in found:
            found.add(name)
            open_.extend(part for full in _module(name).imports for part in _modules(full))
    return frozenset(found)


@cache
def _modules(full: str) -> tuple[str, ...]:
    """The modules of the project that importing a full name runs: its packages, and itself where it is a module."""
    parts = full.split(".")
    names = [".".join(parts[: size + 1]) for size in range(len(parts))]
    return tuple(name for name in names if _is_ours(parts[0]) and _spec(name) is not None)


@cache
def _is_ours(top: str) -> bool:
    """Whether a package is the project's, one that builds on it, or no installed one, as tests are."""
    if top in PROJECT or top in sys.stdlib_module_names:
        return top in PROJECT
    needs = [need for dist in _distributions().get(top, ()) for need in metadata.requires(dist) or ()]
    return top not in _distributions() or any(need.startswith("benchwright") for need in needs)


@cache
def _spec(name: str) -> ModuleSpec | None:
    """Where a module is found, without running it or its packages; None where there is no such module."""
    parent, _, _ = name.rpartition(".")
    if name == "__main__":
        return _spec_of_main()
    if not parent:
        return PathFinder.find_spec(name) or importlib.util.find_spec(name)
    above = _spec(parent)
    places = above.submodule_search_locations if above is not None else None
    return PathFinder.find_spec(name, list(places)) if places is not None else None


def _spec_of_main() -> ModuleSpec | None:
    """The program that runs: a module that was started by its name, or a script; none at a prompt."""
    main = sys.modules["__main__"]
    spec: ModuleSpec | None = getattr(main, "__spec__", None)
    file = getattr(main, "__file__", None)
    return spec or (importlib.util.spec_from_file_location("__main__", file) if file else None)


@cache
def _module(name: str) -> Module:
    spec = _spec(name)
    source = spec.loader.get_source(spec.name) if spec is not None and isinstance(spec.loader, InspectLoader) else None
    tree = ast.parse(source or "")
    tree.body = list(_run(tree.body))
    is_package = spec is not None and spec.submodule_search_locations is not None
    package = name if is_package else name.rpartition(".")[0]
    imports = frozenset(full for node in _imports(tree) for full in _named(node, package))
    # The optimiser leaves docstrings out.
    code = compile(tree, name, "exec", dont_inherit=True, optimize=2)
    return Module(code_digest(code), imports, tuple(_declared(tree, name, imports)))


def _declared(tree: ast.Module, name: str, imports: frozenset[str]) -> Iterator[str]:
    """The patterns in TEMPLATES. Raises ValueError: a module reads templates and does not say which."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == [DECLARATION]:
            yield from ast.literal_eval(node.value)
            return
    if imports & _READERS:
        raise ValueError(f"{name} reads templates: name the files that it reads in {DECLARATION}, as patterns")


@cache
def _template_files(names: frozenset[str]) -> frozenset[str]:
    folder = Path(templates.__file__).resolve().parent
    patterns = {pattern for name in names for pattern in _module(name).templates}
    found = (path for pattern in patterns for path in folder.glob(pattern) if path.is_file())
    return frozenset(path.relative_to(folder).as_posix() for path in found)


@cache
def _file_digest(name: str) -> str:
    return sha256((Path(templates.__file__).resolve().parent / name).read_bytes())


def _run(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run, without those for type checkers only."""
    for node in body:
        if not (isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")):
            yield node


def _imports(tree: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """All imports: statements hold statements, and no expression holds one."""
    open_: list[ast.AST] = [tree]
    while open_:
        node = open_.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            part = getattr(node, name, ())
            open_.extend(part if isinstance(part, list) else ())


def _named(node: ast.Import | ast.ImportFrom, package: str) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    base = node.module or ""
    if node.level:
        base = importlib.util.resolve_name("." * node.level + base, package)
    yield from (f"{base}.{alias.name}" for alias in node.names)


def code_digest(code: CodeType) -> str:
    """Digest of compiled code: of what it does, not of where it stands."""
    return sha256(repr(_content(code)).encode())


def _content(code: CodeType) -> list[Any]:
    """What a code object does: no name of a file, no line."""
    return [
        code.co_name,
        code.co_flags,
        [code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount],
        [code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars],
        code.co_code,
        code.co_exceptiontable,
        [_constant(value) for value in code.co_consts],
    ]


def _constant(value: Any) -> Any:
    if isinstance(value, CodeType):
        return _content(value)
    if isinstance(value, tuple):
        return ["tuple", [_constant(part) for part in value]]
    if isinstance(value, frozenset):
        return ["frozenset", sorted((_constant(part) for part in value), key=repr)]
    # repr tells 1, 1.0 and True apart, which are equal.
    return [type(value).__name__, repr(value)]


@cache
def _distributions() -> Mapping[str, list[str]]:
    return metadata.packages_distributions()
