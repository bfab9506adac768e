from __future__ import annotations

from pathlib import Path

import pytest

from stages.live.addresses import LiveError
from stages.live.queries import Membership, Years
from stages.live.recipe import Limits, load, names

FULL = """
version: 1
about: some films
classes: [Q11424]
where:
  - {property: P577, from: 1990, until: 1999}
  - {property: P495, value: Q35}
seeds: [Q1, Q2, Q1]
properties: [P57, P161]
hops: 1
titles: [Pulp Fiction]
limits: {entities: 5, pages: 7}
"""


def written(folder: Path, text: str) -> str:
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_all_that_a_recipe_says(tmp_path: Path) -> None:
    recipe = load(written(tmp_path, FULL))
    assert recipe.name == "mine" and len(recipe.digest) == 64
    assert recipe.members == Membership(("Q11424",), (Years("P577", 1990, 1999),), (("P495", "Q35"),))
    assert recipe.seeds == ("Q1", "Q2") and recipe.properties == ("P57", "P161") and recipe.hops == 1
    assert recipe.titles == ("Pulp Fiction",)
    assert recipe.limits == Limits(entities=5, pages=7)
    assert recipe.names_entities


@pytest.mark.parametrize("name", names())
def test_the_projects_own_recipes(name: str) -> None:
    assert load(name).names_entities


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("version: 2", "version 2"),
        ("version: 1\nclases: [Q1]", r"mine\.yaml: no such key as 'clases'; did you mean classes\?"),
        ("version: 1\nlimits: {page: 1}", "limits: no such key as 'page'; did you mean pages"),
        ("version: 1\nclasses: [Q1]\nwhere: [{propert: P1}]", "where: no such key as 'propert'; did you mean property"),
        ("version: 1\ntitles: Alpha", r"titles"),
        ("version: 1\ntitles: ['A|B']", r"mine\.yaml: titles: 'A\|B' is no title of a page: a title cannot hold '\|'"),
        ("version: 1\ntitles: ['']", "titles: '' .*empty"),
        ("version: 1\ntitles: ['A#b']", "titles: .*#"),
        ('version: 1\ntitles: ["A\\tB"]', "titles: .*control characters"),
        ('version: 1\ntitles: ["A\\x85B"]', "titles: .*control characters"),
        (f"version: 1\ntitles: [{'é' * 128}]", "titles: .*255 bytes"),
        ("version: 1\nclasses: [film]", "film"),
        ("version: 1\nseeds: ['Q1 . }']", "seeds"),
        ("version: 1\nproperties: [57]", "properties"),
        ("version: 1\nwhere: [{property: P1, value: Q1}]", "classes"),
        ("version: 1\nclasses: [Q1]\nwhere: [{property: P1}]", "either value"),
        ("version: 1\nclasses: [Q1]\nwhere: [{property: P1, value: Q1, from: 1}]", "either value"),
        ("version: 1\nclasses: [Q1]\nwhere: [{property: P1, from: 5, until: 1}]", "in order"),
        ("version: 1\nhops: 9", "hops"),
        ("version: 1\nlimits: {pages: 0}", "limits: pages: 0"),
        ("version: 1\nlimits: {searches: -1}", "limits: searches: -1"),
        ("version: 1\nversion: 1", "twice"),
        ("[", "mine.yaml"),
        ("", r"mine\.yaml: nothing stands in it; expected keys with values, such as the lines version: 1 and"),
        ("# version: 1", "nothing stands in it"),
        ("[Q1]", r"mine\.yaml: \['Q1'\]; expected keys with values"),
        ("films", "mine.yaml: 'films'; expected keys with values"),
        ("1: 2", "no such key as '1'"),
        ("about: films", "version: missing; expected 1$"),
        ("version: '1'", "version: '1'; expected 1$"),
        ("version: true", "version: true; expected 1$"),
        ("version: 1\nabout: 7", "about: 7; expected a text"),
        ("version: 1\nclasses: [Q1, 11424]", r"classes: 11424; expected a list of ids, such as \[Q11424\]$"),
        ("version: 1\nclasses: Q11424", "classes: 'Q11424'; expected a list of ids"),
        ("version: 1\nclasses:", "classes: nothing; expected a list of ids"),
        ("version: 1\nseeds: [[Q1]]", r"seeds: \['Q1'\]; expected a list of ids"),
        ("version: 1\nproperties: [57]", r"properties: 57; expected a list of ids, such as \[P57, P161\]$"),
        ("version: 1\ntitles: [1984]", "titles: 1984; expected a list of titles, .* in quotes"),
        ("version: 1\nhops: one", "hops: 'one'; expected a whole number, such as 1$"),
        ("version: 1\nhops: 1.5", "hops: 1.5; expected a whole number"),
        (
            "version: 1\nclasses: [Q1]\nwhere: [{from: 1, until: 2}]",
            "where: property: missing; expected an id, such as",
        ),
        ("version: 1\nclasses: [Q1]\nwhere: [{property: 577}]", "where: property: 577; expected an id, such as P577"),
        ("version: 1\nclasses: [Q1]\nwhere: [{property: P1, from: x}]", "where: from: 'x'; expected a year"),
        (
            "version: 1\nclasses: [Q1]\nwhere: {property: P1}",
            "where: {'property': 'P1'}; expected a list of conditions",
        ),
        ("version: 1\nclasses: [Q1]\nwhere: [P1]", r"where: 'P1'; expected a list of conditions"),
        ("version: 1\nlimits: 5", "limits: 5; expected keys with numbers"),
        ("version: 1\nlimits: {pages: many}", "limits: pages: 'many'; expected a whole number, such as 500$"),
    ],
)
def test_what_cannot_be_followed(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(LiveError, match=said):
        load(written(tmp_path, text))


def test_which_entities_a_recipe_names(tmp_path: Path) -> None:
    assert load(written(tmp_path, FULL)).entities == (
        "members of Q11424 where P577 from 1990 until 1999 and P495 Q35 and the seeds Q1, Q2"
    )
    assert load(written(tmp_path, "version: 1\ntitles: [A]\nlimits: {searches: 0}")).entities == "no entities"


def test_a_name_that_is_none() -> None:
    with pytest.raises(LiveError, match="films"):
        load("filns")
