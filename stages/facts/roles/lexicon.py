"""Loads templates/roles.yaml: the words that give roles, and which properties they speak for; and files over it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import templates
from stages.core import strict_yaml
from stages.core.contract import StageError
from stages.facts.roles.clauses import tokenise

TEMPLATES = ("roles.yaml",)

KINDS = ("by", "does", "noun", "before", "after", "trade")
_SECTIONS = ("roles", "fields", "properties")
_ENDS = ("subject", "object")
NO_FILES: Mapping[str, bytes] = MappingProxyType({})


@dataclass(frozen=True)
class Use:
    """One way a phrase gives a role."""

    role: str
    kind: str


@dataclass(frozen=True)
class RoleEntry:
    """One property: who has the role, which roles say it, which others speak against it."""

    agent: str
    states: frozenset[str]
    against: frozenset[str]


@dataclass(frozen=True)
class RoleLexicon:
    """phrases: first word -> (words, uses), the longest first. links: per role the words that stand for "by"."""

    phrases: Mapping[str, tuple[tuple[tuple[str, ...], tuple[Use, ...]], ...]]
    links: Mapping[str, frozenset[str]]
    properties: Mapping[str, RoleEntry]
    digests: Mapping[str, str]


def load_lexicon(path: str | None = None, own: Mapping[str, bytes] = NO_FILES) -> RoleLexicon:
    """The lexicon of a file (default: the installed one), under files of one's own.

    own: contents by name, each over those before it: a role, a field or a property of a later one stands in place of
        that of an earlier one.

    Raises StageError naming the file, the entry and what was expected.
    """
    file = Path(path) if path is not None else Path(templates.__file__).resolve().parent / "roles.yaml"
    merged: dict[str, Any] = {}
    digests: dict[str, str] = {}
    for name, content in {file.name: file.read_bytes(), **own}.items():
        try:
            data = strict_yaml.parse(content.decode("utf-8"))
            merged = _over(merged, data) if digests else data
            digests[name] = hashlib.sha256(content).hexdigest()
            found = _lexicon(merged, digests)
        except (ValueError, StageError) as error:
            raise StageError(f"{name if name in own else file}: {error}") from error
    return found


def _over(below: Mapping[str, Any], data: Any) -> dict[str, Any]:
    """Some sections over those of another file."""
    if not isinstance(data, dict) or (unknown := [key for key in data if key not in ("version", *_SECTIONS)]):
        told = f"{unknown[0]}: unknown key" if isinstance(data, dict) else f"found {type(data).__name__}"
        raise StageError(f"{told}; expected version, {', '.join(_SECTIONS)}")
    return {**below, **{key: {**below[key], **_mapping(data, key)} for key in _SECTIONS if key in data}}


def _lexicon(data: Any, digests: dict[str, str]) -> RoleLexicon:
    roles, fields, properties = (_mapping(data, name) for name in ("roles", "fields", "properties"))
    uses: dict[tuple[str, ...], set[tuple[str, str]]] = {}
    for role in roles:
        for kind, phrases in _mapping(roles, role).items():
            if kind != "links" and kind not in KINDS:
                raise StageError(f"roles.{role}.{kind}: expected one of {', '.join(KINDS)} or links")
            for phrase in phrases if kind != "links" else ():
                uses.setdefault(_words(phrase), set()).add((role, kind))
    return RoleLexicon(
        phrases=_by_first_word(uses),
        links={role: frozenset(_mapping(roles, role).get("links", ["by"])) for role in roles},
        properties={pid: _entry(pid, entry, roles, fields) for pid, entry in properties.items()},
        digests=digests,
    )


def _mapping(data: Any, key: str) -> Mapping[str, Any]:
    value = data.get(key) if isinstance(data, dict) else None
    if not isinstance(value, dict):
        raise StageError(f"{key}: expected a mapping, found {type(value).__name__}")
    return value


def _words(phrase: str) -> tuple[str, ...]:
    return tuple(token.casefold() for token in tokenise(str(phrase)))


def _by_first_word(
    uses: Mapping[tuple[str, ...], set[tuple[str, str]]],
) -> dict[str, tuple[tuple[tuple[str, ...], tuple[Use, ...]], ...]]:
    index: dict[str, list[tuple[tuple[str, ...], tuple[Use, ...]]]] = {}
    for words in sorted(uses, key=lambda words: (-len(words), words)):
        index.setdefault(words[0], []).append((words, tuple(Use(*use) for use in sorted(uses[words]))))
    return {first: tuple(entries) for first, entries in index.items()}


def _entry(pid: str, entry: Any, roles: Mapping[str, Any], fields: Mapping[str, Any]) -> RoleEntry:
    if not isinstance(entry, dict) or set(entry) != {"agent", "field", "states"} or entry["agent"] not in _ENDS:
        raise StageError(f"properties.{pid}: expected agent (subject or object), field and states")
    if entry["field"] not in fields:
        raise StageError(f"properties.{pid}.field: {entry['field']!r} is none of the fields {sorted(fields)}")
    states, field = frozenset(entry["states"]), frozenset(fields[entry["field"]])
    unknown = (states | field) - set(roles)
    if unknown:
        raise StageError(f"properties.{pid}: roles {sorted(unknown)} are not declared")
    return RoleEntry(entry["agent"], states, field - states)
