"""Stage linking.claims: each rule on its smallest case."""

from __future__ import annotations

import pytest

from stages.linking.claims import LINK_CLAIMS
from tests.stages.linking.cases import World

CASES = {
    "a sitelink": (World({"Q1": "A"}, {"A": None}), {("Q1", "A"): "linked"}),
    "by a redirect": (World({"Q1": "B"}, {"A": None}, {"B": "A"}), {("Q1", "A"): "redirected"}),
    "no such page": (World({"Q1": "A"}), {("Q1", "A"): "missing_page"}),
    "no such page at the redirect's end": (World({"Q1": "B"}, {}, {"B": "A"}), {("Q1", "A"): "missing_page"}),
    "nothing claims it": (World({}, {"A": None}), {("", "A"): "no_entity"}),
    "the page alone says so": (World({"Q1": None}, {"A": "Q1"}), {("Q1", "A"): "page_qid_only"}),
    "both agree": (World({"Q1": "A"}, {"A": "Q1"}), {("Q1", "A"): "linked"}),
    "they disagree": (World({"Q1": "A"}, {"A": "Q2"}), {("Q1", "A"): "linked", ("Q2", "A"): "conflict"}),
    "straight before redirected": (
        World({"Q1": "A", "Q2": "B"}, {"A": None}, {"B": "A"}),
        {("Q1", "A"): "linked", ("Q2", "A"): "ambiguous"},
    ),
    "straight before redirected, whatever the page says": (
        World({"Q1": "A", "Q2": "B"}, {"A": "Q2"}, {"B": "A"}),
        {("Q1", "A"): "linked", ("Q2", "A"): "ambiguous"},
    ),
    "two equal ones": (
        World({"Q1": "A", "Q2": "A"}, {"A": None}),
        {("Q1", "A"): "ambiguous", ("Q2", "A"): "ambiguous"},
    ),
    "two equal ones and the page decides": (
        World({"Q1": "B", "Q2": "C"}, {"A": "Q2"}, {"B": "A", "C": "A"}),
        {("Q1", "A"): "ambiguous", ("Q2", "A"): "redirected"},
    ),
    "two equal ones and the page names a third": (
        World({"Q1": "A", "Q2": "A"}, {"A": "Q3"}),
        {("Q1", "A"): "ambiguous", ("Q2", "A"): "ambiguous", ("Q3", "A"): "conflict"},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_status(name: str) -> None:
    world, expected = CASES[name]
    output = world.claims()
    rows = output.tables["link_claims"].to_pylist()
    assert {(row["qid"], row["title"]): row["status"] for row in rows} == expected
    assert len(rows) == len(expected)
    assert output.tables["link_claims"].schema == LINK_CLAIMS.schema
    assert sum(output.metrics.values()) == len(rows)


def test_the_detail_names_the_rival_and_the_way() -> None:
    rows = World({"Q1": "A", "Q2": "B"}, {"A": "Q3"}, {"B": "A"}).claims().tables["link_claims"].to_pylist()
    assert {row["qid"]: row["detail"] for row in rows} == {
        "Q1": "",
        "Q2": "the page belongs to Q1; redirected from B",
        "Q3": "the page names it, the sitelinks say Q1",
    }
