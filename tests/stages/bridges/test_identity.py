from __future__ import annotations

import pytest

from stages.bridges.identity import IdentityParams
from stages.contract import StageError
from tests.stages.bridges.world import build
from tests.stages.hops.pool import single_hops, stated


def test_a_single_name_of_a_person_needs_common_ground() -> None:
    head = stated("which apostle spoke", "Paul", "There spoke Paul of Tarsus .", "Council")
    tail = stated("Paul >> born in", "Sudbury", "The magnate Paul was born in Sudbury .", "Magnate")
    hops = single_hops(head, tail)
    types = {"Paul": "PERSON"}
    assert build(hops, types, same=IdentityParams(min_similarity=0.9)).reasons == {"other_entity": 1}
    assert len(build(hops, types, same=IdentityParams(wikify=False)).rows("bridges")) == 1


def test_qualified_titles_tell_namesakes_apart() -> None:
    hops = single_hops(
        stated("Ex >> city", "Lima", "Ex lives in Lima of the Andes in Peru .", "Ex"),
        stated("Lima >> county", "Allen County", "The seat of Allen County is Lima of Ohio .", "Allen County"),
        stated("Which shire?", "town", "The town lies in Ohio .", "Lima, Ohio"),
        stated("Which land?", "capital", "The capital lies by the sea .", "Lima"),
    )
    assert build(hops, {"Lima": "GPE"}).reasons == {"other_search_result": 1}
    assert build(hops, {"Lima": "GPE"}, same=IdentityParams(search=False, wikify=False)).reasons == {}


def test_a_similarity_is_a_share() -> None:
    with pytest.raises(StageError, match="min_similarity: expected a number from 0 to 1, got 2"):
        IdentityParams(min_similarity=2)
