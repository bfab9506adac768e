from __future__ import annotations

from pathlib import Path

import pytest

from stages.live.export import lines
from stages.live.mediawiki import Pages, Site, WikiPage
from stages.wikipedia.dump import MediaWikiDump
from stages.wikipedia.pages import PagesParams, clean_pages
from tests.stages.live.conftest import PAGES
from tests.stages.live.made import wiki

SITE = Site("Wikipedia", "https://en.wikipedia.org/wiki/Main_Page", "MediaWiki 1.45", "en", ((0, ""), (6, "Bild")), "")


def rows(path: Path) -> list[dict[str, object]]:
    source = MediaWikiDump([str(path)])
    return [row for part in source.parts() for table in source.read(part) for row in table.to_pylist()]


def test_the_reader_of_dumps_reads_what_is_written(tmp_path: Path) -> None:
    page = WikiPage('A & "B"', 7, 0, 99, "2024-01-01T00:00:00Z", "wikitext", "x < y && ]]>\n\x01 '''é'''")
    leads = {"b": 'A & "B"', 'a & "B"': 'A & "B"', "File:C": "B"}
    path = tmp_path / "wikipedia.xml"
    path.write_bytes(b"".join(lines(SITE, Pages({page.title: page}, leads))))
    assert b"<revision>\n<id>99</id>" in path.read_bytes()
    found = {row["title"]: row for row in rows(path)}
    assert set(found) == {page.title, "b", "File:C"}
    assert found[page.title]["text"] == "x < y && ]]>\n\ufffd '''é'''" and found[page.title]["page_id"] == 7
    assert found["b"]["redirect"] == page.title and found["b"]["namespace"] == 0
    assert found["File:C"]["namespace"] == 6
    assert "bild" in found["b"]["hidden"] or "Bild" in found["b"]["hidden"]  # type: ignore[operator]
    assert MediaWikiDump([str(path)]).licences() == {"Wikipedia": "CC BY-SA 4.0"}


@pytest.mark.network
def test_from_a_wiki_to_clean_text(small_wiki: str, tmp_path: Path) -> None:
    asked = wiki(small_wiki, tmp_path / "cache")
    path = tmp_path / "wikipedia.xml"
    path.write_bytes(b"".join(lines(asked.site(), asked.pages(["Second", *PAGES]))))
    source = MediaWikiDump([str(path)])
    [raw] = [table for part in source.parts() for table in source.read(part)]
    output = clean_pages(raw, params=PagesParams())
    texts = {row["title"]: row["text"] for row in output.tables["pages"].to_pylist()}
    assert texts["Alpha"] == "Alpha is the first of them."
    assert texts["Beta"] == "Beta comes second & last."
    assert output.tables["redirects"].to_pylist() == [
        {"source": "First", "target": "Alpha"},
        {"source": "Second", "target": "First"},
    ]
    assert output.rejects.to_pylist()[0]["reason"] == "disambiguation"
