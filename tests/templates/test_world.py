"""The sample world: its dumps are those of its source, and its pages and statements hold together."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import mwparserfromhell
import pytest
import yaml

from stages.wikipedia.sentences import split_sentences
from tests.tools import build_world, world_source
from tests.tools.world_source import Fact, SourceError, World

SOURCE = build_world.WORLD / "source"
EXPORT = "{http://www.mediawiki.org/xml/export-0.11/}"
SAMPLE_QIDS = 9_900_000_000


@cache
def world() -> World:
    return world_source.read(SOURCE)


@cache
def dump_entities() -> list[dict[str, Any]]:
    """The entities of the dump that are whole: valid JSON of type item with a claim table."""
    lines = (build_world.WORLD / "wikidata.json").read_text(encoding="utf-8").splitlines()
    assert (lines[0], lines[-1]) == ("[", "]")
    found = []
    for line in lines[1:-1]:
        try:
            record = json.loads(line.removesuffix(","))
        except ValueError:
            continue
        if record.get("type") == "item" and re.fullmatch(r"Q\d+", record["id"]):
            found.append(record)
    return found


def prose(wikitext: str) -> str:
    """The text of a page, without markup, categories and references; told apart from the pipeline's own cleaner."""
    code = mwparserfromhell.parse(wikitext)
    for tag in code.filter_tags(matches=lambda node: node.tag == "ref"):
        code.remove(tag)
    for link in code.filter_wikilinks(matches=lambda node: str(node.title).startswith("Category:")):
        code.remove(link)
    return code.strip_code(keep_template_params=True).strip()


def test_the_dumps_are_those_of_the_source() -> None:
    for name, data in build_world.build(SOURCE).items():
        committed = (build_world.WORLD / name).read_bytes()
        assert committed == data, f"{name} is out of date: run python -m tests.tools.build_world"


def test_the_sample_is_small() -> None:
    files = [path for path in build_world.WORLD.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 2_000_000


def test_pages_are_many_and_neither_short_nor_long() -> None:
    assert len(world().pages) >= 120
    counts = {page.title: len(prose(page.text).split()) for page in world().pages}
    assert {title: n for title, n in counts.items() if not 60 <= n <= 200} == {}


def test_no_sentence_stands_twice() -> None:
    sentences = Counter(sentence for page in world().pages for sentence in split_sentences(prose(page.text)))
    # "Sgt." is cut off from "Pepper" and counts as a sentence of its own.
    assert [sentence for sentence, count in sentences.items() if count > 1 and len(sentence.split()) > 1] == []


def test_identifiers_are_well_formed_and_unique() -> None:
    qids = list(world().qids.values())
    assert all(world_source.QID.fullmatch(qid) and int(qid[1:]) < SAMPLE_QIDS for qid in qids)
    assert len(set(qids)) == len(qids)


def test_every_object_is_an_entity_of_the_dump() -> None:
    known = {entity["id"] for entity in dump_entities()}
    for entity in dump_entities():
        for statements in entity["claims"].values():
            for statement in statements:
                value = statement.get("mainsnak", {}).get("datavalue", {})
                if value.get("type") == "wikibase-entityid":
                    assert value["value"]["id"] in known, entity["id"]


def test_every_page_belongs_to_the_entity_that_links_to_it() -> None:
    redirects = {page.title: page.redirect for page in world().odd_pages if page.redirect}
    owners = {redirects.get(e.title or "", e.title): e.qid for e in world().entities if e.title}
    assert {page.title: owners.get(page.title) for page in world().pages} == {p.title: p.qid for p in world().pages}


def test_links_name_a_page_an_entity_or_nothing_by_mistake() -> None:
    titles = {page.title for page in (*world().pages, *world().odd_pages)} | set(world().qids)
    titles |= {entity.title for entity in world().entities if entity.title}
    for page in world().pages:
        for link in mwparserfromhell.parse(page.text).filter_wikilinks():
            title = str(link.title)
            assert title.startswith("Category:") or title in titles, f"{page.title}: {title}"


def test_bold_names_open_every_page() -> None:
    for page in world().pages:
        assert re.match(r"(The )?'''", page.text), page.title


def test_the_export_is_well_formed_and_holds_every_page_once_but_for_the_odd_ones() -> None:
    tree = ElementTree.parse(build_world.WORLD / "wikipedia.xml")  # noqa: S314
    titles = [title.text for title in tree.iter(f"{EXPORT}title")]
    assert len(titles) == len(world().pages) + len(world().odd_pages)
    ordinary = {page.title for page in world().pages}
    assert all(titles.count(title) == 1 for title in ordinary)


def test_deprecated_statements_are_the_only_wrong_ones_and_are_few() -> None:
    deprecated = [fact for entity in world().entities for fact in entity.facts if fact.rank == "deprecated"]
    assert deprecated == [Fact("director", "Steven Spielberg", rank="deprecated")]


def write(folder: Path, **files: Any) -> Path:
    (folder / "pages").mkdir()
    (folder / "odd").mkdir()
    empty: dict[str, Any] = {
        "names": {},
        "classes": {},
        "properties": {},
        "odd/statements": {},
        "odd/entities": [],
        "odd/pages": [],
    }
    for name, content in {**empty, **files}.items():
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    return folder


PAGE = {"id": "Q1", "about": "a thing", "is": "thing", "facts": {"part": "Other"}, "text": "'''One''' is here."}
FILES = {
    "pages/one": {"One (thing)": PAGE},
    "names": {"Other": {"id": "Q2"}},
    "classes": {"thing": {"id": "Q3"}},
    "properties": {"instance of": {"id": "P31", "type": "item"}, "part": {"id": "P527", "type": "item"}},
}


def test_a_small_source_gives_the_entities_and_statements_that_it_lists(tmp_path: Path) -> None:
    small = world_source.read(write(tmp_path, **FILES))
    one = small.entities[0]
    assert (one.qid, one.label, one.title) == ("Q1", "One", "One (thing)")
    assert one.facts == (Fact("instance of", "thing"), Fact("part", "Other"))
    assert [entity.qid for entity in small.entities] == ["Q1", "Q2", "Q3"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"names": {}}, "Other"),
        ({"names": {"Other": {"id": "2"}}}, "not a Wikidata identifier"),
        ({"names": {"Other": {"id": "Q1"}}}, "Q1 stands for"),
        ({"properties": {"instance of": {"id": "P31", "type": "item"}}}, "properties.yaml"),
        ({"odd/statements": {"Two": []}}, "no page is called 'Two'"),
        ({"pages/two": {"One (thing)": PAGE}}, "exists twice"),
        ({"odd/entities": [{"why": "twice", "copy": "Two"}]}, "no entity has the title 'Two'"),
    ],
)
def test_mistakes_in_the_source_are_named(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    with pytest.raises(SourceError, match=re.escape(message)):
        world_source.read(write(tmp_path, **{**FILES, **change}))
