from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from manifests.storage import Storage
from pipelines.housekeeping import remove_sources
from pipelines.live import Address, Live, split, wiki_of
from pipelines.samples import sample_files
from stages.io.detect import MEDIAWIKI, WIKIDATA, Inputs, kind_of
from stages.live.addresses import LiveError
from stages.live.queries import Membership, Years
from stages.live.recipe import Limits, Recipe
from tests.stages.live.made import MANNERS
from tests.tools.rdf import records, triples
from tests.tools.servers import oxigraph, serving
from tests.tools.small_wiki import handler

pytestmark = pytest.mark.network
VALUES = {"wikidata": {"languages": ["en", "mul"]}}
FILMS = Recipe("films", "f" * 64, Membership(("Q11424",)), titles=("First",), limits=Limits(entities=10, pages=5))


@pytest.fixture(scope="module")
def dump() -> str:
    [path] = [path for path in sample_files("world") if path.endswith(".json")]
    return path


@pytest.fixture(scope="module")
def world(dump: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with oxigraph(triples(records(dump)), tmp_path_factory.mktemp("oxigraph")) as address:
        yield address


@pytest.fixture(scope="module")
def wiki() -> Iterator[str]:
    with serving(handler({"Alpha": "'''Alpha''' is the first."}, {"First": "Alpha"})) as address:
        yield f"{address}/w/api.php"


def live(folder: Path, *addresses: Address, recipe: Recipe = FILMS, **more: Any) -> Live:
    return Live(addresses, recipe, MANNERS, folder / "requests", **{"properties": lambda: ["P57"], **more})


def test_sources_are_told_apart() -> None:
    local, addresses = split(["a.json", "sparql:https://h/sparql", "mediawiki:http://h/api.php", "sparql.json"])
    assert local == ["a.json", "sparql.json"]
    assert addresses == (Address("sparql", "https://h/sparql"), Address("mediawiki", "http://h/api.php"))
    for source in ("sparql:", "sparql:file:///etc/passwd", "mediawiki:ftp://h/x", "sparql:http://h/x y"):
        with pytest.raises(LiveError):
            split([source])


def test_wikis_by_their_names_in_dumps() -> None:
    assert wiki_of("enwiki") == "https://en.wikipedia.org/"
    assert wiki_of("zh_yuewiki") == "https://zh-yue.wikipedia.org/"
    with pytest.raises(LiveError, match=r"wikidata\.site"):
        wiki_of("commons")


def test_what_is_fetched_becomes_files_that_are_read_like_any_other(world: str, wiki: str, tmp_path: Path) -> None:
    both = (Address("sparql", world), Address("mediawiki", wiki))
    inputs, notes = live(tmp_path, *both).fetch(Inputs(), VALUES, str(tmp_path / "root"))
    [entities], [pages] = inputs.of(WIKIDATA), inputs.of(MEDIAWIKI)
    assert kind_of(entities) == WIKIDATA and kind_of(pages) == MEDIAWIKI
    assert '<redirect title="Alpha" />' in Path(pages).read_text(encoding="utf-8")
    assert f"Entities were fetched from {world} by the recipe films (sha256 {'f' * 16})." in notes
    assert any(note.startswith("The wiki states as its licence: CC BY-SA 4.0") for note in notes)
    assert any("limits.pages took the first 5 of" in note for note in notes)
    again, same = live(tmp_path, *both, offline=True).fetch(Inputs(), VALUES, str(tmp_path / "other"))
    assert same == notes
    assert [Path(path).read_bytes() for path in again.of(WIKIDATA, MEDIAWIKI)] == [
        Path(entities).read_bytes(),
        Path(pages).read_bytes(),
    ]


def test_pages_of_a_local_dump(dump: str, wiki: str, tmp_path: Path) -> None:
    asked = live(tmp_path, Address("mediawiki", wiki), recipe=Recipe(titles=("First",)))
    inputs, notes = asked.fetch(Inputs({WIKIDATA: (dump,)}), VALUES, str(tmp_path / "root"))
    assert inputs.of(WIKIDATA) == (dump,) and len(inputs.of(MEDIAWIKI)) == 1
    assert any("titles lead to no page" in note for note in notes)


def test_what_a_source_needs(world: str, wiki: str, tmp_path: Path) -> None:
    with pytest.raises(LiveError, match="classes or seeds"):
        live(tmp_path, Address("sparql", world), recipe=Recipe()).fetch(Inputs(), VALUES, str(tmp_path))
    with pytest.raises(LiveError, match="no titles"):
        live(tmp_path, Address("mediawiki", wiki), recipe=Recipe()).fetch(Inputs(), VALUES, str(tmp_path))
    nothing = Live((Address("sparql", world),), FILMS, MANNERS, tmp_path / "requests")
    with pytest.raises(LiveError, match="properties"):
        nothing.fetch(Inputs(), VALUES, str(tmp_path))


def seeds(*names: str) -> Recipe:
    return Recipe("mine", "f" * 64, seeds=names, titles=("Alpha",))


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        (Recipe("m", "f", Membership(("Q99999999",))), "there are no members of Q99999999; change classes"),
        (Recipe("m", "f", Membership(("Q11424",), (Years("P577", 1700, 1701),))), "P577 from 1700 until 1701"),
        (seeds("Q99999998", "Q99999999"), "says nothing of Q99999998, Q99999999; change classes"),
        (seeds("Q35"), r"none of 1 entities \(Q35\) has a statement of the properties P57"),
    ],
)
def test_an_endpoint_that_has_nothing(world: str, tmp_path: Path, recipe: Recipe, said: str) -> None:
    with pytest.raises(LiveError, match=said):
        live(tmp_path, Address("sparql", world), recipe=recipe).fetch(Inputs(), VALUES, str(tmp_path))


def test_an_endpoint_that_has_a_part(world: str, tmp_path: Path) -> None:
    asked = live(tmp_path, Address("sparql", world), recipe=seeds("Q25188", "Q35", "Q99999999"))
    _, notes = asked.fetch(Inputs(), VALUES, str(tmp_path))
    assert "The endpoint says nothing of 1 of 3 entities: Q99999999." in notes
    assert "1 of 2 entities have no statement of the properties: Q35." in notes


def test_a_wiki_that_has_nothing(wiki: str, tmp_path: Path) -> None:
    recipe = Recipe(titles=("Nobody", "De:Alpha"))
    with pytest.raises(LiveError, match=r"none of 2 titles leads to a page \(Nobody, De:Alpha\)"):
        live(tmp_path, Address("mediawiki", wiki), recipe=recipe).fetch(Inputs(), VALUES, str(tmp_path))


def test_a_wiki_that_has_a_part(wiki: str, tmp_path: Path) -> None:
    recipe = Recipe(titles=("Nobody", "De:Alpha", "Alpha"))
    _, notes = live(tmp_path, Address("mediawiki", wiki), recipe=recipe).fetch(Inputs(), VALUES, str(tmp_path))
    assert "2 titles lead to no page: De:Alpha, Nobody." in notes
    assert "1 titles name pages of other wikis: de:Alpha." in notes


def test_names_need_no_recipe_and_may_be_none_of_the_wiki(wiki: str, tmp_path: Path) -> None:
    asked = live(tmp_path, Address("mediawiki", wiki), recipe=Recipe(), names=lambda inputs, values: ["First", "Who"])
    inputs, notes = asked.fetch(Inputs(), VALUES, str(tmp_path / "root"))
    assert "Of the names that the dataset has to tell apart, 1 of 2 are titles of" in notes[-1]
    text = Path(inputs.of(MEDIAWIKI)[0]).read_text(encoding="utf-8")
    assert "<title>Alpha</title>" in text and '<redirect title="Alpha" />' in text


def test_a_file_that_is_used_again_is_young_again(wiki: str, tmp_path: Path) -> None:
    asked = live(tmp_path, Address("mediawiki", wiki), recipe=Recipe(titles=("Alpha",)))
    root = Storage.at(str(tmp_path / "root"))
    inputs, _ = asked.fetch(Inputs(), VALUES, str(tmp_path / "root"))
    [path] = inputs.of(MEDIAWIKI)
    os.utime(path, (0, 0))
    assert len(remove_sources(root, hours=24, dry_run=True)) == 1
    asked.fetch(Inputs(), VALUES, str(tmp_path / "root"))
    assert remove_sources(root, hours=24) == [] and Path(path).exists()


def test_a_broken_off_refresh_is_noted(wiki: str, tmp_path: Path) -> None:
    address = Address("mediawiki", wiki)
    recipe = Recipe(titles=("Alpha",))
    with pytest.raises(LiveError):
        live(tmp_path, Address("sparql", wiki), recipe=FILMS, refresh=True).fetch(Inputs(), VALUES, str(tmp_path))
    _, notes = live(tmp_path, address, recipe=recipe).fetch(Inputs(), VALUES, str(tmp_path / "a"))
    assert "broken off" in notes[0]
    live(tmp_path, address, recipe=recipe, refresh=True).fetch(Inputs(), VALUES, str(tmp_path / "a"))
    _, notes = live(tmp_path, address, recipe=recipe).fetch(Inputs(), VALUES, str(tmp_path / "a"))
    assert "broken off" not in notes[0]


def test_live_sources_have_a_prefix_in_any_case() -> None:
    local, live = split(["a.json", "SPARQL:http://h/x", "MediaWiki:http://h/y"])
    assert local == ["a.json"]
    assert live == (Address("sparql", "http://h/x"), Address("mediawiki", "http://h/y"))


@pytest.mark.parametrize("source", ["http://me:s3cret@h/query", "HTTPS://h/w/api.php?token=s3cret"])
def test_an_address_without_a_prefix_is_no_file(source: str) -> None:
    with pytest.raises(LiveError, match="put sparql: before .* and mediawiki: before") as caught:
        split([source])
    assert "s3cret" not in str(caught.value)
