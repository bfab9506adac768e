"""The two roads agree: the same entities by dump or by endpoint give the same tables, row for row."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from stages.live.addresses import LiveError
from stages.live.entities import FoundEntity, Terms, Walk
from stages.live.queries import Membership
from stages.live.recipe import Limits, Recipe
from stages.live.service import NotAsked
from stages.wikidata.parse import ParseParams, parse
from stages.wikidata.source import WikidataDump
from tests.stages.live.made import endpoint
from tests.tools.rdf import records, triples
from tests.tools.servers import oxigraph

pytestmark = pytest.mark.network
TERMS = Terms(("en", "mul"), "enwiki", "https://en.wikipedia.org/")
TABLES = ("entities", "statements", "subclasses")
Tables = dict[str, Counter[str]]
ADDRESS = "http://127.0.0.1:1/sparql"
STATED: dict[str, Any] = {"P57": {"Q1$a": {"mainsnak": {}}}}
RECIPE = Recipe("mine", "f" * 64, Membership(("Q5",)))


def tables(path: Path) -> Tables:
    """The rows that the reader of dumps makes of a file."""
    source = WikidataDump((str(path),))
    found: Tables = {name: Counter() for name in TABLES}
    for part in source.parts():
        for batch in source.read(part):
            for name, table in parse(batch, params=ParseParams()).tables.items():
                found[name].update(json.dumps(_same(row), sort_keys=True) for row in table.to_pylist())
    return found


def _same(row: dict[str, Any]) -> dict[str, Any]:
    """RDF servers keep numbers, not their spelling: 0.420 comes back as 0.42."""
    if row.get("value_kind") == "quantity" and "." in row["value"]:
        return row | {"value": row["value"].rstrip("0").rstrip(".")}
    return row


def dumped(path: Path, entities: Iterable[dict[str, Any]]) -> Path:
    path.write_text("[\n" + ",\n".join(json.dumps(entity) for entity in entities) + "\n]\n", encoding="utf-8")
    return path


def walked(address: str, folder: Path, recipe: Recipe, properties: Iterable[str], offline: bool = False) -> Walk:
    asked = endpoint(address, folder / "cache", offline=offline)
    walk = Walk(asked, recipe, tuple(sorted(properties)), TERMS)
    walk.run()
    return walk


def everything(entities: list[dict[str, Any]]) -> tuple[Recipe, set[str]]:
    """A recipe for all that a dump holds, and its properties."""
    recipe = Recipe(seeds=tuple(entity["id"] for entity in entities), limits=Limits(entities=10**6))
    return recipe, {name for entity in entities for name in dict(entity["claims"])}


def compare(entities: list[dict[str, Any]], address: str, folder: Path) -> Walk:
    walk = walked(address, folder, *everything(entities))
    live = folder / "live.json"
    live.write_bytes(b"".join(walk.lines()))
    ours, theirs = tables(live), tables(dumped(folder / "dump.json", entities))
    for name in TABLES:
        assert sum(theirs[name].values()) > 0
        assert (theirs[name] - ours[name], ours[name] - theirs[name]) == (Counter(), Counter()), name
    return walk


def test_the_sample(world: str, sample_dump: str, tmp_path: Path) -> None:
    walk = compare(list(records(sample_dump)), world, tmp_path)
    assert walk.notes == []
    assert walk.endpoint.service.tally.sent < 40


def test_full_entities_with_ranks_qualifiers_and_references(shared_data: Path, tmp_path: Path) -> None:
    """Q42 and Q22 as Wikidata had them in 2018."""
    raw = shared_data / "wikidata/raw"
    entities = []
    for name in ("qwikidata-wd_Q42.json.gz", "wikibase-dump-filter-Q22.json.gz"):
        import gzip

        entities.append(json.loads(gzip.decompress((raw / name).read_bytes())))
    # A class of its own, so that no table is empty.
    entities.append(entities[0] | {"id": "Q5", "claims": {"P279": _claim("Q5", "P279", 215627)}, "sitelinks": {}})
    with oxigraph(triples(entities), tmp_path) as address:
        compare(entities, address, tmp_path)


def _claim(item: str, name: str, number: int) -> list[dict[str, Any]]:
    value = {"entity-type": "item", "numeric-id": number, "id": f"Q{number}"}
    snak = {"snaktype": "value", "property": name, "datatype": "wikibase-item"}
    snak["datavalue"] = {"type": "wikibase-entityid", "value": value}  # type: ignore[assignment]
    return [{"mainsnak": snak, "type": "statement", "rank": "normal", "id": f"{item}$x"}]


@pytest.mark.slow
def test_every_tenth_entity_of_the_real_data(shared_data: Path, tmp_path: Path) -> None:
    entities = list(islice(records(shared_data / "wikidata/entities.json.gz"), 0, None, 10))
    with oxigraph(triples(entities), tmp_path) as address:
        compare(entities, address, tmp_path)


def test_hops_and_classes(world: str, tmp_path: Path) -> None:
    """A film's director is named; with a hop his own statements are read; classes come with those above them."""
    recipe = Recipe(members=Membership(("Q11424",)), limits=Limits(entities=20))
    near = walked(world, tmp_path, recipe, ["P57", "P569"])
    assert len(near.main) == 20
    directors = {item for film in near.main for item in near.found[film].objects(["P57"])}
    assert directors and directors <= set(near.found)
    assert not any("P569" in near.found[item].claims for item in directors)
    assert all(near.found[item].labels for item in directors)
    classes = {item for found in near.found.values() for item in found.objects(["P31", "P279"])}
    assert classes <= set(near.found)
    assert near.notes == [f"The endpoint has {_total(near):,} members; limits.entities took the first 20 by id."]
    far = walked(world, tmp_path, Recipe(members=recipe.members, hops=1, limits=recipe.limits), ["P57", "P569"])
    assert any("P569" in far.found[item].claims for item in directors)
    assert set(near.found) <= set(far.found)
    assert near.titles()[0] == near.found[near.main[0]].title


def _total(walk: Walk) -> int:
    assert walk.recipe.members is not None
    return walk.endpoint.members(walk.recipe.members, 1).total


def test_limits(world: str, tmp_path: Path) -> None:
    recipe = Recipe(members=Membership(("Q11424",)), limits=Limits(entities=5, objects=2, classes=1))
    walk = walked(world, tmp_path, recipe, ["P57", "P161"])
    assert any("limits.objects left out" in note for note in walk.notes)
    assert any("limits.classes left out" in note for note in walk.notes)
    assert len(walk.found) == 5 + 2 + 1


def test_offline_the_file_is_the_same(world: str, tmp_path: Path) -> None:
    recipe = Recipe(members=Membership(("Q11424",)), seeds=("Q17",), limits=Limits(entities=30))
    online = walked(world, tmp_path, recipe, ["P57"])
    offline = walked(world, tmp_path, recipe, ["P57"], offline=True)
    assert list(offline.lines()) == list(online.lines()) and offline.notes == online.notes
    assert offline.endpoint.service.tally.sent == 0
    with pytest.raises(NotAsked):
        walked(world, tmp_path, recipe, ["P58"], offline=True)


def test_what_an_endpoint_does_not_know_leaves_no_line(world: str, tmp_path: Path) -> None:
    walk = walked(world, tmp_path, Recipe(seeds=("Q999999999", "Q17")), ["P57", "P999999"])
    lines = [json.loads(line.rstrip(b",\n")) for line in list(walk.lines())[1:-1]]
    assert "Q17" in [line["id"] for line in lines] and "Q999999999" not in [line["id"] for line in lines]
    assert [note for note in walk.notes if "P999999" in note]


def test_a_merged_seed_leads_to_what_it_became(tmp_path: Path) -> None:
    entity = {"id": "Q2", "labels": {"en": {"language": "en", "value": "two"}}, "claims": {}}
    merged = "<http://www.wikidata.org/entity/Q1> <http://www.w3.org/2002/07/owl#sameAs> "
    with oxigraph([*triples([entity]), f"{merged}<http://www.wikidata.org/entity/Q2> ."], tmp_path) as address:
        assert walked(address, tmp_path, Recipe(seeds=("Q1",)), ["P57"]).main == ("Q2",)


def by_hand(folder: Path, **found: FoundEntity) -> Walk:
    terms = Terms(("en",), "enwiki", "https://en.wikipedia.org/")
    return Walk(endpoint(ADDRESS, folder), RECIPE, ("P57",), terms, dict(found), tuple(found))


def test_a_part_is_missing(tmp_path: Path) -> None:
    named = FoundEntity(labels={"en": "one"})
    assert by_hand(tmp_path, Q1=FoundEntity(claims=STATED)).lacking() == []
    assert by_hand(tmp_path, Q1=FoundEntity(claims=STATED), Q2=named, Q3=FoundEntity(), Q4=named).lacking() == [
        "The endpoint says nothing of 1 of 4 entities: Q3.",
        "2 of 3 entities have no statement of the properties: Q2, Q4.",
    ]


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({}, "there are no members of Q5; change classes, where or seeds of the --recipe"),
        ({"Q1": FoundEntity()}, "says nothing of Q1; change classes"),
        ({"Q1": FoundEntity(labels={"en": "one"})}, r"none of 1 entities \(Q1\) has a statement of the properties P57"),
        ({"Q1": FoundEntity(claims={"P31": STATED["P57"]})}, "name others under properties of the --recipe"),
    ],
)
def test_nothing_is_there(tmp_path: Path, found: dict[str, FoundEntity], said: str) -> None:
    with pytest.raises(LiveError, match=said) as caught:
        by_hand(tmp_path, **found).lacking()
    assert str(caught.value).startswith(f"{ADDRESS}: ")
