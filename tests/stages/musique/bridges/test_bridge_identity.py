from __future__ import annotations

import pyarrow as pa
import pytest

from stages.core.contract import StageError
from stages.musique.bridges.bridge_identity import IdentityParams, identity
from stages.musique.bridges.tables import KNOWN_NAMES
from tests.stages.musique.bridges.world import build
from tests.stages.musique.single_hops.pool import by_question, single_hops, stated


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


LIMA = single_hops(
    stated("Ex >> city", "Lima", "Ex lives in Lima of the Andes in Peru .", "Ex"),
    stated("Lima >> river", "Rimac", "Through Lima in Peru flows the Rimac .", "Rimac"),
    stated("Lima >> county", "Allen County", "The seat of Allen County is Lima of Ohio .", "Allen County"),
    stated("Which shire?", "town", "The town lies in Ohio .", "Lima, Ohio"),
    stated("Which land?", "capital", "The capital lies by the sea .", "Lima"),
)


def test_what_is_kept_is_counted_and_is_as_it_was() -> None:
    built = build(LIMA, {"Lima": "GPE"})
    assert built.outputs["identity"].metrics == {
        "bridges": 1.0,
        "bridge_entities": 1.0,
        "head_hops": 1.0,
        "tail_hops": 1.0,
    }
    assert built.outputs["identity"].rejects.to_pylist() == [
        {"key": "lima", "reason": "other_search_result", "detail": "", "count": 1}
    ]
    (kept,) = built.rows("bridges")
    assert kept["tail"] == by_question(LIMA)["Lima >> river"]
    assert kept in built.rows("bridge_pairs")


def test_each_check_can_be_left_out() -> None:
    both, searched, neither = (
        build(LIMA, {"Lima": "GPE"}, same=same)
        for same in (
            IdentityParams(),
            IdentityParams(wikify=False),
            IdentityParams(search=False, wikify=False),
        )
    )
    assert both.reasons == searched.reasons == {"other_search_result": 1}
    assert neither.rows("bridges") == neither.rows("bridge_pairs") and len(neither.rows("bridges")) == 2


def test_names_of_other_things_change_nothing() -> None:
    built = build(LIMA, {"Lima": "GPE"})
    table = built.outputs["names"].tables["known_names"]
    more = pa.concat_tables(
        [table, KNOWN_NAMES.table([{"name": "oslo", "target": "O", "kind": "title", "about": "Peru"}])]
    )
    again = identity(built.outputs["pairs"].tables["bridge_pairs"], LIMA, more, params=IdentityParams())
    assert again.tables["bridges"].equals(built.outputs["identity"].tables["bridges"])
