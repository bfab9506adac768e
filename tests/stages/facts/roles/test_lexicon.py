from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
import yaml

import templates
from stages.core.contract import StageError
from stages.facts.roles.lexicon import RoleEntry, load_lexicon

GOOD = {
    "roles": {"director": {"by": ["directed"]}, "born": {"links": ["in", ""], "by": ["born"]}},
    "fields": {"film": ["director", "born"]},
    "properties": {"P57": {"agent": "object", "field": "film", "states": ["director"]}},
}


def test_the_installed_lexicon_has_no_repeats_and_no_idle_roles() -> None:
    data = yaml.safe_load((Path(templates.__file__).parent / "roles.yaml").read_text(encoding="utf-8"))
    used = {role for field in data["fields"].values() for role in field}
    used |= {role for entry in data["properties"].values() for role in entry["states"]}
    assert used == set(data["roles"])
    for role, kinds in data["roles"].items():
        for kind, phrases in kinds.items():
            assert len(phrases) == len(set(phrases)), f"{role}.{kind}"


def test_a_role_does_not_speak_against_itself(tmp_path: Path) -> None:
    path = tmp_path / "roles.yaml"
    path.write_text(yaml.safe_dump(GOOD))
    found = load_lexicon(str(path))
    assert (found.properties["P57"].states, found.properties["P57"].against) == ({"director"}, {"born"})
    assert found.links == {"director": {"by"}, "born": {"in", ""}}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"roles": []}, "roles: expected a mapping, found list"),
        ({"roles": {"director": {"with": ["x"]}}}, r"roles\.director\.with: expected one of"),
        ({"fields": {}}, "fields"),
        ({"properties": {"P57": {"agent": "film", "field": "film", "states": []}}}, r"properties\.P57: expected agent"),
        ({"properties": {"P57": {"agent": "object", "field": "x", "states": []}}}, r"properties\.P57\.field: 'x'"),
        ({"properties": {"P57": {"agent": "object", "field": "film", "states": ["x"]}}}, r"roles \['x'\] are not"),
    ],
)
def test_broken_files_are_named(tmp_path: Path, change: dict[str, object], message: str) -> None:
    path = tmp_path / "roles.yaml"
    path.write_text(yaml.safe_dump(GOOD | change))
    with pytest.raises(StageError, match=message):
        load_lexicon(str(path))


def test_a_role_that_stands_twice_is_named(tmp_path: Path) -> None:
    path = tmp_path / "roles.yaml"
    path.write_text("roles:\n  director: {}\n  director: {}\n")
    with pytest.raises(StageError, match=r"roles\.yaml: line 3: 'director' stands twice \(first on line 2\)"):
        load_lexicon(str(path))
    path.write_bytes(b"\xff")
    with pytest.raises(StageError, match=r"roles\.yaml: .*utf-8"):
        load_lexicon(str(path))


OWN = b"""
version: 1
roles: {coach: {by: [coached], noun: [coach]}}
fields: {club: [coach]}
properties: {P286: {agent: object, field: club, states: [coach]}}
"""


def test_a_lexicon_of_ones_own_stands_over_the_installed_one() -> None:
    plain, found = load_lexicon(), load_lexicon(own={"own/roles.yaml": OWN})
    assert found.properties["P286"] == RoleEntry("object", frozenset({"coach"}), frozenset())
    assert ("coached",) in {words for words, _ in found.phrases["coached"]}
    assert {pid: entry for pid, entry in found.properties.items() if pid != "P286"} == {
        pid: entry for pid, entry in plain.properties.items() if pid != "P286"
    }
    assert found.digests["own/roles.yaml"] == hashlib.sha256(OWN).hexdigest()
    assert found.digests["roles.yaml"] == plain.digests["roles.yaml"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[1]", "own/roles.yaml: found list; expected version, roles, fields, properties"),
        (b"role: {}", "own/roles.yaml: role: unknown key; expected version, roles"),
        (b"roles: [coach]", "own/roles.yaml: roles: expected a mapping, found list"),
        (b"properties: {P286: {agent: object}}", "own/roles.yaml: properties.P286: expected agent"),
        (b"\xff", "own/roles.yaml: "),
    ],
)
def test_a_mistake_in_a_lexicon_of_ones_own_is_named(content: bytes, message: str) -> None:
    with pytest.raises(StageError, match=re.escape(message)):
        load_lexicon(own={"own/roles.yaml": content})
