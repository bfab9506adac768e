"""Every regular expression of the project, and texts that would make one of them slow."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

ROOMS = ("manifests", "stages", "pipelines", "templates", "benchwright")
_METHODS = frozenset({"match", "fullmatch", "search", "split", "findall", "finditer", "sub", "subn"})
# What holds a set's character, whatever the set, is among these.
_SAMPLES = " a0.A\n,-'\"|!:;/*=#_(\u00e9\u2019\u2013\u00a0é–\t[]{}<>&%$+?@~\\^`9zZx"
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
_MANY = 8
_ENDS = ("", "\x00", "\n", "a")


@dataclass(frozen=True)
class Found:
    """A pattern and how it is used. place: module and name, or file and line; way: a method of patterns."""

    place: str
    pattern: re.Pattern[str]
    way: str

    def run(self, text: str) -> None:
        """Uses it as the project does."""
        method = getattr(self.pattern, self.way)
        if self.way in ("sub", "subn"):
            method(lambda found: found[0], text)
        elif self.way == "finditer":
            for _ in method(text):
                pass
        else:
            method(text)


def modules() -> Iterator[Any]:
    """All modules of the project."""
    for room in ROOMS:
        package = importlib.import_module(room)
        yield package
        for module in pkgutil.walk_packages(package.__path__, f"{room}."):
            if not module.name.endswith("__main__"):
                yield importlib.import_module(module.name)


def patterns() -> list[Found]:
    """Those of modules, classes and tables of patterns, with each method that is called on their names, and those
    that stand as plain literals in calls."""
    loaded = {module.__file__: module for module in modules() if module.__file__}
    trees = {path: ast.parse(Path(path).read_text("utf-8")) for path in loaded}
    called = {path: _calls(tree) for path, tree in trees.items()}
    abroad = {path: _imported(tree) for path, tree in trees.items()}
    found: dict[tuple[str, int, str], Found] = {}
    for path, module in loaded.items():
        for name, pattern in _held(module):
            users = [path, *(other for other, names in abroad.items() if name in names)]
            for way in {way for user in users for way in called[user].get(name, ())} or {"search"}:
                one = Found(f"{module.__name__}.{name}", pattern, way)
                found.setdefault((pattern.pattern, pattern.flags, way), one)
        for line, pattern, way in _literals(trees[path]):
            found.setdefault((pattern.pattern, pattern.flags, way), Found(f"{module.__name__}:{line}", pattern, way))
    return sorted(found.values(), key=lambda one: (one.place, one.way))


def _held(module: Any) -> Iterator[tuple[str, re.Pattern[str]]]:
    for name, value in vars(module).items():
        yield from ((name, pattern) for pattern in _inside(value, module.__name__))


def _inside(value: Any, module: str) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value
    elif isinstance(value, tuple | list | frozenset | set):
        for one in value:
            yield from _inside(one, module)
    elif isinstance(value, dict):
        for one in (*value.keys(), *value.values()):
            yield from _inside(one, module)
    elif isinstance(value, type) and value.__module__ == module:
        yield from (one for own in vars(value).values() if not isinstance(own, type) for one in _inside(own, module))


def _calls(tree: ast.AST) -> dict[str, set[str]]:
    """The methods of NAME.method and OBJECT.NAME.method, called or handed over, by name."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in _METHODS:
            holder = node.value.value if isinstance(node.value, ast.Subscript) else node.value
            if isinstance(holder, ast.Name | ast.Attribute):
                found.setdefault(holder.id if isinstance(holder, ast.Name) else holder.attr, set()).add(node.attr)
    return found


def _imported(tree: ast.AST) -> set[str]:
    names = [node.names for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {alias.name for some in names for alias in some}


def _literals(tree: ast.AST) -> Iterator[tuple[int, re.Pattern[str], str]]:
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        first, way = node.args[0], node.func.attr
        is_re = isinstance(node.func.value, ast.Name) and node.func.value.id == "re"
        if is_re and way in _METHODS and isinstance(first, ast.Constant) and isinstance(first.value, str):
            flags = [one for one in ("IGNORECASE", "MULTILINE", "DOTALL") if one in ast.unparse(node)]
            value = sum(getattr(re, flag) for flag in flags)
            yield node.lineno, re.compile(first.value, value), way


def hostile(pattern: re.Pattern[str]) -> list[Callable[[int], str]]:
    """Makers of long texts, from their length: each repetition of the pattern often, behind what leads to it and
    before what fails; and beginnings of what it takes, often."""
    texts: dict[tuple[str, str, str], None] = {}
    tree = parser.parse(pattern.pattern, pattern.flags)
    whole = _sample(tree)
    for lead, body in _repeats(tree, ""):
        for unit in dict.fromkeys(_bodies(body)):
            if not unit:
                continue
            for end in _ENDS:
                texts[(lead, unit, end)] = None
                texts[("", unit, end)] = None
            texts[("", lead + unit, "")] = None
            texts[("", lead + unit * _MANY, "")] = None
    for cut in sorted({len(whole) // 4, len(whole) // 2, 3 * len(whole) // 4, len(whole) - 1, len(whole)}):
        if cut > 0:
            texts[("", whole[:cut], "")] = None
            texts[("", whole[:cut] + " ", "")] = None
    return [partial(_long, *text) for text in texts if text[1]]


def _long(lead: str, unit: str, end: str, length: int) -> str:
    return lead + unit * (length // len(unit)) + end


def _repeats(tree: Any, lead: str) -> Iterator[tuple[str, Any]]:
    """(what stands before, what is repeated) of each repetition, inside out."""
    for code, value in tree:
        if code in _REPEATS:
            _, most, body = value
            if most > _MANY:
                yield lead, body
            yield from _repeats(body, lead)
        elif code is codes.BRANCH:
            for branch in value[1]:
                yield from _repeats(branch, lead)
        elif code is codes.SUBPATTERN:
            yield from _repeats(value[-1], lead)
        elif code is codes.ATOMIC_GROUP:
            yield from _repeats(value, lead)
        elif code in (codes.ASSERT, codes.ASSERT_NOT):
            yield from _repeats(value[1], lead)
        lead += _sample([(code, value)])


def _bodies(body: Any) -> Iterator[str]:
    """Texts that a repeated part takes."""
    yield _sample(body)
    [(code, value), *rest] = body or [(None, None)]
    if not rest and code is codes.BRANCH:
        yield from map(_sample, value[1])
    if not rest and code is codes.IN:
        yield from list(_members(value))[:3]
    if not rest and code is codes.SUBPATTERN:
        yield from _bodies(value[-1])
    if not rest and code in (codes.ANY, codes.NOT_LITERAL):
        yield " "


def _sample(tree: Any) -> str:
    """A short text that a tree takes, but for what its assertions ask."""
    return "".join(_one(code, value) for code, value in tree)


def _one(code: Any, value: Any) -> str:
    if code is codes.LITERAL:
        return chr(value)
    if code is codes.NOT_LITERAL:
        return next(sample for sample in "a0" if sample != chr(value))
    if code is codes.ANY:
        return "a"
    if code is codes.IN:
        return next(_members(value), "")
    if code in _REPEATS:
        least, _, body = value
        return _sample(body) * max(least, 1 if least else 0)
    if code is codes.BRANCH:
        return _sample(value[1][0])
    if code is codes.SUBPATTERN:
        return _sample(value[-1])
    if code is codes.ATOMIC_GROUP:
        return _sample(value)
    return ""


def _members(members: Any) -> Iterator[str]:
    """Characters of a set."""
    negated = members[0][0] is codes.NEGATE
    asked = re.compile("[" + ("^" if negated else "") + "".join(map(_member, members[negated:])) + "]")
    literals = [chr(value) for code, value in members if code is codes.LITERAL]
    yield from (one for one in (*_SAMPLES, *literals) if asked.fullmatch(one))
    if not negated:
        yield from (chr(value[0]) for code, value in members if code is codes.RANGE)


def _member(member: tuple[Any, Any]) -> str:
    code, value = member
    if code is codes.RANGE:
        return f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
    if code is codes.CATEGORY:
        name = str(value).removeprefix("CATEGORY_")
        letter = {"DIGIT": "d", "SPACE": "s", "WORD": "w"}[name.removeprefix("NOT_")]
        return "\\" + (letter.upper() if name.startswith("NOT_") else letter)
    return re.escape(chr(value))
