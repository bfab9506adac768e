from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.live import Address, Live, split, wiki_of
from pipelines.samples import sample_files
from stages.live.addresses import LiveError
from stages.live.queries import Membership
from stages.live.recipe import Limits, Recipe
from stages.sources.detect import MEDIAWIKI, WIKIDATA, Inputs, kind_of
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


def live(folder: Path, *addresses: Address, recipe: Recipe = FILMS, **more: bool) -> Live:
    return Live(addresses, recipe, MANNERS, folder / "requests", properties=lambda: ["P57"], **more)


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
    asked = live(tmp_path, Address("mediawiki", wiki), recipe=Recipe())
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
