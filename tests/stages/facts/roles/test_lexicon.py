from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import templates
from stages.core.contract import StageError
from stages.facts.roles.lexicon import load_lexicon

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
