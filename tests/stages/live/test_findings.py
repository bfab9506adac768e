"""What `lacking` says of walks that are made by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from stages.live.addresses import LiveError
from stages.live.entities import Found, Terms, Walk
from stages.live.findings import few, lacking
from stages.live.queries import Membership
from stages.live.recipe import Recipe
from tests.stages.live.made import endpoint

ADDRESS = "http://127.0.0.1:1/sparql"
STATED: dict[str, Any] = {"P57": {"Q1$a": {"mainsnak": {}}}}
RECIPE = Recipe("mine", "f" * 64, Membership(("Q5",)))


def walked(folder: Path, **found: Found) -> Walk:
    terms = Terms(("en",), "enwiki", "https://en.wikipedia.org/")
    return Walk(endpoint(ADDRESS, folder), RECIPE, ("P57",), terms, dict(found), tuple(found))


def test_all_is_there(tmp_path: Path) -> None:
    assert lacking(walked(tmp_path, Q1=Found(claims=STATED))) == []


def test_a_part_is_missing(tmp_path: Path) -> None:
    named = Found(labels={"en": "one"})
    assert lacking(walked(tmp_path, Q1=Found(claims=STATED), Q2=named, Q3=Found(), Q4=named)) == [
        "The endpoint says nothing of 1 of 4 entities: Q3.",
        "2 of 3 entities have no statement of the properties: Q2, Q4.",
    ]


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({}, "there are no members of Q5; change classes, where or seeds of the --recipe"),
        ({"Q1": Found()}, "says nothing of Q1; change classes"),
        ({"Q1": Found(labels={"en": "one"})}, r"none of 1 entities \(Q1\) has a statement of the properties P57"),
        ({"Q1": Found(claims={"P31": STATED["P57"]})}, "name others under properties of the --recipe"),
    ],
)
def test_nothing_is_there(tmp_path: Path, found: dict[str, Found], said: str) -> None:
    with pytest.raises(LiveError, match=said) as caught:
        lacking(walked(tmp_path, **found))
    assert str(caught.value).startswith(f"{ADDRESS}: ")


def test_few_names_stand_for_many() -> None:
    assert few(["a", "b"]) == "a, b" and few(list("abcdefg")) == "a, b, c, d, e, ..."
