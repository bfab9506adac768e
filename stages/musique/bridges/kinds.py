"""What relations tell of their two sides: of which kinds a subject and a value can be (templates/bridges/kinds.yaml).

A tagger that meets a name in one sentence mistakes labels for oceans and bands for towns;
a relation does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stages.core import template_files
from stages.core.contract import StageError
from stages.core.template_files import read_template

TEMPLATES = ("bridges/kinds.yaml",)

FILE = "bridges/kinds.yaml"
VERSION = 1
PERSON, GROUP, PLACE, WORK, EVENT, OTHER = "person", "group", "place", "work", "event", "other"
KINDS = (PERSON, GROUP, PLACE, WORK, EVENT, OTHER)
SIDES = ("subject", "object")
# What is a territory in one sentence is a building or a landscape in another.
KIND_OF_TYPE = {
    "PERSON": PERSON,
    "ORG": GROUP,
    "GPE": PLACE,
    "LOC": PLACE,
    "FAC": PLACE,
    "WORK_OF_ART": WORK,
    "EVENT": EVENT,
    "LAW": OTHER,
    "PRODUCT": OTHER,
}


@dataclass(frozen=True)
class Kinds:
    """subjects, objects: the kinds of a relation's two sides, by its label; a side without an entry has any kind."""

    subjects: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    objects: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)


def load_kinds(path: str | None = None) -> Kinds:
    """Raises StageError naming the file, the relation and what was expected."""
    read = read_template(FILE, Path(path) if path is not None else None)
    data, where = read.data, read.where
    if data.get("version") != VERSION or not isinstance(data.get("relations"), dict):
        raise StageError(f"{where}: expected version: {VERSION} and relations (label: its sides)")
    found: dict[str, dict[str, tuple[str, ...]]] = {side: {} for side in SIDES}
    for label, sides in data["relations"].items():
        for side, kinds in _sides(where, label, sides):
            found[side][str(label)] = kinds
    return Kinds(found["subject"], found["object"], template_files.digests(FILE))


def _sides(where: str, label: Any, sides: Any) -> list[tuple[str, tuple[str, ...]]]:
    if not isinstance(sides, dict) or not sides or not sides.keys() <= set(SIDES):
        raise StageError(f"{where}: {label}: expected a mapping with subject or object or both, found {sides!r}")
    for side, kinds in sides.items():
        if not isinstance(kinds, list) or not kinds or not set(map(str, kinds)) <= set(KINDS):
            raise StageError(f"{where}: {label}.{side}: expected a list of some of {', '.join(KINDS)}, found {kinds!r}")
    return [(side, tuple(kinds)) for side, kinds in sides.items()]
