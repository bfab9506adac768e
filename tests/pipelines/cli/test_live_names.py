"""Names that datasets tell apart: a wiki's API and a dump of the same wiki have to lead to the same tables."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pipelines.datasets import dataset
from pipelines.live import Address, Live
from pipelines.params import load
from pipelines.samples import sample_files
from stages.ifqa.parse import parse
from stages.ifqa.source import QuestionFiles
from stages.ifqa.tables import READ_QUESTIONS
from stages.ifqa.texts import TextLimits
from stages.ifqa.titles import ASKED_TITLES, FOUND_TITLES, KNOWN_TITLES, asked_titles, found_titles, known_titles
from stages.io.detect import MEDIAWIKI, detect
from stages.live.export import lines
from stages.live.mediawiki import Wiki
from stages.live.recipe import Recipe
from stages.musique.bridges.known_names import names
from stages.musique.single_hops.tables import GOLD_PARAGRAPHS
from stages.wikipedia.dump import MediaWikiDump
from stages.wikipedia.pages import DISAMBIGUATIONS, REDIRECTS, PagesParams, clean_pages
from stages.wikipedia.pages import PAGES as PAGES_TABLE
from stages.wikipedia.redirects import REDIRECT_TARGETS, RedirectsParams, resolve_redirects
from tests.pipelines.commands import run
from tests.pipelines.musique.test_names import HOPS_OF_A_TEST, hop
from tests.stages.live.made import MANNERS, wiki
from tests.tools.rdf import records, triples
from tests.tools.servers import oxigraph, serving
from tests.tools.small_wiki import handler

pytestmark = pytest.mark.network
PAGES = {
    "Orin": "'''Orin''' may be: [[Orin (Norway)]], [[Orin, Sweden]], [[Orin (band)|a band]].\n\n{{disambiguation}}",
    "Orin (Norway)": "'''Orin''' is a town on the Sill in Norway, where Cay Lund is the mayor.",
    "Orin, Sweden": "'''Orin''' is a village in Sweden.",
    "Orin (band)": "'''Orin''' is a band of four people who play the flute.",
    "River Sill": "The '''River Sill''' ends in Dorn Bay.",
    "Dorn Bay": "'''Dorn Bay''' is a bay of the sea.",
    "Elsewhere": "'''Elsewhere''' is a place that nobody asks for.",
}
LEADS = {"Sill": "River Sill", "The Sill": "River Sill", "Bay of Dorn": "Dorn Bay", "Orin (Sweden)": "Orin, Sweden"}
NAMES = {"orin", "sill", "dorn bay"}
QUESTION = {
    "question": "If the river had not been there, which bay would Cay Lund have sailed on, as he did?",
    "answers": ["Bay of Dorn"],
    "passage": "Cay Lund sailed on the Bay of Dorn, because of the river, all his life.",
}


@pytest.fixture(scope="module")
def api() -> Iterator[str]:
    with serving(handler(PAGES, LEADS)) as address:
        yield f"{address}/w/api.php"


@pytest.fixture
def dump(api: str, tmp_path: Path) -> str:
    """All of the wiki as a dump has it."""
    asked: Wiki = wiki(api, tmp_path / "all")
    path = tmp_path / "all.xml"
    path.write_bytes(b"".join(lines(asked.site(), asked.pages([*PAGES, *LEADS]))))
    return str(path)


def written(folder: Path, *records: Mapping[str, Any]) -> str:
    path = folder / "records.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in records), encoding="utf-8")
    return str(path)


def built(dataset: str, root: Path, until: str, *sources: str, more: tuple[str, ...] = ()) -> str:
    named = [part for source in sources for part in ("--source", source)]
    options = ("--root", str(root), "--until", until, "--workers", "1", "--set", "build.buckets=2", *more)
    return run("build", dataset, *named, *options)


def rows(dataset: str, root: Path, table: str) -> list[dict[str, Any]]:
    said = run("show", dataset, table, "--root", str(root), "--rows", "1000", "--json")
    return [json.loads(line) for line in said.splitlines()] if said[:1] != "[" else json.loads(said)


def tables_of(path: str) -> dict[str, pa.Table]:
    """What a build reads of an export."""
    source = MediaWikiDump([path])
    raw = pa.concat_tables(table for part in source.parts() for table in source.read(part))
    found = dict(clean_pages(raw, params=PagesParams(), disambiguations=True).tables)
    return found | dict(resolve_redirects(found[REDIRECTS.name], params=RedirectsParams()).tables)


def fetched(api: str, folder: Path, dataset_name: str, path: str) -> str:
    """The export that the names of a file lead to."""
    described = dataset(dataset_name)
    asked = Live((Address("mediawiki", api),), Recipe(), MANNERS, folder / "requests", names=described.names)
    inputs, _ = asked.fetch(detect([path]), load(described.defaults, None, ()), str(folder / "root"))
    [found] = inputs.of(MEDIAWIKI)
    return found


def known_names(found: Mapping[str, pa.Table]) -> list[dict[str, Any]]:
    made = names(GOLD_PARAGRAPHS.empty(), found[PAGES_TABLE.name], found[REDIRECT_TARGETS.name])
    return [row for row in made.tables["known_names"].to_pylist() if row["name"] in NAMES]


def test_a_wiki_tells_names_apart_as_its_dump_does(api: str, dump: str, tmp_path: Path) -> None:
    by_api = tables_of(fetched(api, tmp_path, "musique", written(tmp_path, *HOPS_OF_A_TEST)))
    found = known_names(by_api)
    assert found == known_names(tables_of(dump))
    assert {row["target"] for row in found} == set(PAGES) - {"Orin", "Elsewhere"}
    assert "Elsewhere" not in by_api[PAGES_TABLE.name]["title"].to_pylist()


def test_a_wiki_has_the_titles_that_its_dump_has(api: str, dump: str, tmp_path: Path) -> None:
    path = written(tmp_path, QUESTION)
    source = QuestionFiles((path,))
    raw = pa.concat_tables(table for part in source.parts() for table in source.read(part))
    questions = parse(raw, params=TextLimits()).tables[READ_QUESTIONS.name]
    asked = asked_titles(questions).tables[ASKED_TITLES.name]
    found = []
    for export in (fetched(api, tmp_path, "ifqa", path), dump):
        tables = tables_of(export)
        named = (tables[name] for name in (REDIRECT_TARGETS.name, PAGES_TABLE.name, DISAMBIGUATIONS.name))
        known = known_titles(*named).tables[KNOWN_TITLES.name]
        found.append(found_titles(asked, known).tables[FOUND_TITLES.name].to_pylist())
    assert found[0] == found[1]
    assert [(row["title"], row["target"], row["leads_to"]) for row in found[0]] == [("Bay of Dorn", "Dorn Bay", "page")]


@pytest.mark.slow
def test_musique_knows_the_same_names(api: str, dump: str, tmp_path: Path) -> None:
    hops = written(tmp_path, *HOPS_OF_A_TEST, hop("Where is Cay Lund?", "here", "Cay Lund is here."))
    built("musique", tmp_path / "dump", "musique.known_names", hops, dump)
    asked = (hops, f"mediawiki:{api}")
    online = built("musique", tmp_path / "live", "musique.known_names", *asked, more=("--per-minute", "9999"))
    assert f"4 of 5 are titles of {api}" in online
    found = [
        [row for row in rows("musique", tmp_path / road, "known_names") if row["name"] in NAMES]
        for road in ("dump", "live")
    ]
    assert found[0] == found[1] and {row["target"] for row in found[0]} == set(PAGES) - {"Orin", "Elsewhere"}
    cache = ("--cache", str(tmp_path / "live/requests"), "--offline")
    offline = built("musique", tmp_path / "again", "musique.known_names", *asked, more=cache)
    assert offline.split()[1] == online.split()[1]


@pytest.mark.slow
def test_ifqa_finds_the_same_titles(api: str, dump: str, tmp_path: Path) -> None:
    asked = written(tmp_path, QUESTION)
    until = "ifqa.answer_processing"
    built("ifqa", tmp_path / "dump", until, asked, dump)
    built("ifqa", tmp_path / "live", until, asked, f"mediawiki:{api}", more=("--per-minute", "9999"))
    found = [rows("ifqa", tmp_path / road, "normalised_answers") for road in ("dump", "live")]
    assert found[0] == found[1] and "Dorn Bay" in json.dumps(found[0])


@pytest.mark.slow
def test_musique_is_made_of_the_films_recipe(films: str, sample_api: str, tmp_path: Path) -> None:
    """Thirteen films of the sample, which are Danish here, and the people who made them: statements become hops."""
    sources = (f"sparql:{films}", f"mediawiki:{sample_api}")
    more = ("--recipe", "films", "--per-minute", "9999")
    built("musique", tmp_path / "live", "musique.graph_selection", *sources, more=more)
    hops = rows("musique", tmp_path / "live", "one_answer_hops")
    assert len(hops) > 50 and {hop["source"] for hop in hops} == {"statements"}
    assert rows("musique", tmp_path / "live", "composed_hops")


@pytest.fixture
def films(tmp_path: Path) -> Iterator[str]:
    """An endpoint with the sample, whose films of the 1990s are from Denmark."""
    [path] = [path for path in sample_files("world") if path.endswith(".json")]
    entities = list(records(path))
    for entity in entities:
        claims = entity["claims"]
        if '"numeric-id": 11424' in json.dumps(claims.get("P31", [])) and '"+199' in json.dumps(claims.get("P577", [])):
            claims["P495"] = [danish(claims["P31"][0])]
    (tmp_path / "oxigraph").mkdir()
    with oxigraph(triples(entities), tmp_path / "oxigraph") as address:
        yield address


def danish(statement: dict[str, Any]) -> dict[str, Any]:
    made = copy.deepcopy(statement)
    made["id"] = f"{statement['id'][:-2]}zz"
    made["mainsnak"]["property"] = "P495"
    made["mainsnak"]["datavalue"]["value"] = {"entity-type": "item", "numeric-id": 35, "id": "Q35"}
    return made


@pytest.fixture
def sample_api() -> Iterator[str]:
    """A wiki with the sample's pages."""
    [path] = [path for path in sample_files("world") if path.endswith(".xml")]
    source = MediaWikiDump([path])
    raw = [row for part in source.parts() for table in source.read(part) for row in table.to_pylist()]
    sound = [row for row in raw if row["error"] is None and row["namespace"] == 0 and row["redirect"] is None]
    pages = {row["title"]: row["text"] for row in sound}
    with serving(handler(pages, {})) as address:
        yield f"{address}/w/api.php"
