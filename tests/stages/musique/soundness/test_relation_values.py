from __future__ import annotations

from pathlib import Path

import pytest

from stages.core.contract import StageError
from stages.musique.soundness.relation_values import digests, refused


def test_relations_of_many_values_are_not_asked_for() -> None:
    whys = refused()
    named = {
        "contains administrative territorial entity": "several",
        "has part": "several",
        "member of": "several",
        "located in or next to body of water": "several",
        "participant": "several",
        "part of": "levels",
        "head of state": "changes",
        "followed by": "vague",
    }
    assert {label: whys[label] for label in named} == named
    assert not {"country", "capital", "date of birth", "father", "performer"} & whys.keys()
    assert set(digests()) == {"soundness/relations.yaml"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("version: 2\nrelations: {}\n", "expected version 1"),
        ("version: 1\nrelations: {father: {single: true}}\n", "father: expected property"),
        ("version: 1\nrelations: {father: {property: P22, refused: no}}\n", "father: refused: expected one of several"),
        ("[", "not a readable YAML file"),
    ],
)
def test_the_file_is_read_strictly(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "relations.yaml"
    file.write_text(text)
    with pytest.raises(StageError, match=message):
        refused(file)
