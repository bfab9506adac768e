"""Other names of a thing: the file, and what a name gives away."""

from __future__ import annotations

from pathlib import Path

import pytest

from stages.core import strict_yaml
from stages.core.contract import StageError
from stages.core.template_files import folder
from stages.facts.adjectives import places
from stages.musique.spellings.other_names import FILE, beginning, cased_names, digests, load_names, other_names
from stages.normalise.lexicon import lexicon


def test_each_group_names_one_thing_from_all_of_its_names() -> None:
    names = load_names()
    assert {"United States", "American", "US"} <= names.same["usa"]
    assert "Russia" not in names.same["sovietunion"]
    assert {FILE, "adjectives.yaml"} < set(digests())
    assert all(digests()[name] == digest for name, digest in lexicon().digest.items())


def test_things_are_told_apart_though_they_share_a_name() -> None:
    things = load_names().things
    assert things["firstworldwar"] == things["worldwari"] == {"World War I"}
    assert things["english"] == {"United Kingdom", "England"}
    assert things["danish"] == {"Denmark"}


def test_no_adjective_alone_makes_a_group_of_its_own_in_both_files() -> None:
    groups = strict_yaml.parse((folder() / FILE).read_text(encoding="utf-8"))["same"]
    pairs = {(place.removeprefix("the "), adjective) for adjective, place in places().items()}
    assert [group for group in groups if tuple(group) in pairs] == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Albert Einstein", {"AE", "Einstein"}),
        ("Martin Luther King Jr.", {"MLKJ", "King"}),
        ("Vincent van Gogh", {"Gogh"}),
        ("President Barack Obama", {"PBO", "Obama"}),
        ("Henry VIII", set()),
        ("Missouri River", {"MR"}),
        ("New York", {"NY"}),
        ("Paris, Texas", {"PT"}),
        ("a big farm", set()),
        ("", set()),
    ],
)
def test_initials_and_surnames(name: str, expected: set[str]) -> None:
    assert set(cased_names(name)) == expected


def test_numerals_and_qualifiers() -> None:
    assert {"Second World War", "World War 2", "WWII"} <= {*other_names("World War II"), "Second World War"}
    assert {"Super Bowl 52", "SBLII"} <= set(other_names("Super Bowl LII"))
    assert "Houston" in set(other_names("Houston, Texas"))
    assert "Mercury" in set(other_names("Mercury (planet)"))
    assert "Spain" not in set(other_names("Spain, Portugal, Italy"))


def test_names_that_others_begin_with() -> None:
    assert [beginning(name) for name in ("Pitt", "the Pitt", "Ann", "New York", "pitt", "")] == ["Pitt", "Pitt"] + [
        None
    ] * 4


@pytest.mark.parametrize(
    "text", ["[]", "version: 1\nsame: []\n", "version: 2\nsame: []\nno_surnames: []\nno_first_names: []"]
)
def test_a_file_of_another_shape_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "other_names.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(StageError, match=r"other_names\.yaml: expected version 1"):
        load_names(tmp_path / "other_names.yaml")
