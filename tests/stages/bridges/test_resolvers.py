from __future__ import annotations

import pytest

from stages.bridges.known import names
from stages.bridges.resolvers import Search, Surroundings, Vocabulary, Wikifier, cosine
from tests.stages.bridges.world import ENTITIES, GOLD, PAGES, REDIRECTS


def place(text: str, entity: str = "victoria", kind: str = "GPE", title: str = "") -> Surroundings:
    return Surroundings(entity, kind, title, text)


def test_a_search_prefers_the_qualifier_that_is_met() -> None:
    search = Search(names(GOLD, PAGES, REDIRECTS, ENTITIES).tables["known_names"].to_pylist())
    assert search.first(place("He came from Texas .")) == "Victoria, Texas"
    assert search.first(place("He came from Australia .")) == "Victoria (Australia)"
    assert search.first(place("nothing", entity="rome")) is None
    assert not search.same(place("In Texas"), place("In Australia"))
    assert search.same(place("x", entity="rome"), place("y", entity="rome"))


def test_a_wikifier_goes_by_the_surroundings() -> None:
    known = names(GOLD, PAGES, REDIRECTS, ENTITIES).tables["known_names"].to_pylist()
    vocabulary = Vocabulary([*(row["about"] for row in known), "other words"])
    wikifier = Wikifier(known, vocabulary, 0.02)
    melbourne, texas = place("from melbourne in the state"), place("a city of texas")
    assert wikifier.link(melbourne) == "Victoria (Australia)"
    assert wikifier.link(texas) == "Victoria, Texas"
    assert not wikifier.same(melbourne, texas)
    # Nothing tells which is meant: a place passes.
    assert wikifier.link(place("nothing known")) is None
    assert wikifier.same(texas, place("nothing known"))


def test_shared_names_need_common_ground() -> None:
    vocabulary = Vocabulary(["the labour party of Norway", "a labour party", "Rock and Radiohead", "Oslo"])
    wikifier = Wikifier([], vocabulary, 0.02)
    norway, britain = "Bolle sat in Oslo for Norway .", "Corbyn sat in London ."
    party = {"entity": "labour party", "kind": "ORG"}
    assert not wikifier.same(place(norway, **party), place(britain, **party))
    assert wikifier.same(place(norway, **party), place("The king is in Oslo", **party))
    assert wikifier.same(place(norway, **party, title="A"), place(britain, **party, title="A"))
    assert wikifier.same(place(norway, "radiohead", "ORG"), place(britain, "radiohead", "ORG"))
    assert wikifier.same(place(norway, "labour", "GPE"), place(britain, "labour", "GPE"))
    assert not wikifier.same(place(norway, "paul", "PERSON"), place(britain, "paul", "PERSON"))
    assert wikifier.same(place(norway, "paul simon", "PERSON"), place(britain, "paul simon", "PERSON"))


def test_vectors_have_length_one() -> None:
    vocabulary = Vocabulary(["a b", "b c", "c d"])
    vector = vocabulary.vector({"a": 1, "b": 2})
    assert cosine(vector, vector) == pytest.approx(1.0)
    assert cosine(vector, vocabulary.vector({"d": 1})) == 0.0
    assert vocabulary.vector({}) == {}
