"""MediaWiki exports: real ones counted exactly, hostile ones refused, parts of multistream files."""

from __future__ import annotations

import bz2
import gzip
from pathlib import Path
from typing import Any

import pytest
from backports import zstd

from pipelines.samples import sample_files
from stages.wikipedia.dump import MediaWikiDump, read_siteinfo

HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="de">
<siteinfo><sitename>Wikipedia</sitename><base>https://de.wikipedia.org/wiki/Start</base><namespaces>
<namespace key="0" case="first-letter" /><namespace key="6" case="first-letter">Datei</namespace>
<namespace key="14" case="first-letter">Kategorie</namespace></namespaces></siteinfo>
"""


def page(title: str, text: str = "text") -> str:
    return f"<page><title>{title}</title><id>1</id><revision><text>{text}</text></revision></page>\n"


def rows_of(path: Path, **options: Any) -> list[dict[str, Any]]:
    dump = MediaWikiDump([str(path)], **options)
    return [row for part in dump.parts() for table in dump.read(part) for row in table.to_pylist()]


def test_a_whole_small_wiki(shared_data: Path) -> None:
    path = shared_data / "wikidata/raw/dumpsterdive-ltgwiki-full-pages-articles.xml.gz"
    rows = rows_of(path)
    assert len(rows) == 2004
    assert sum(row["redirect"] is not None for row in rows) == 195
    assert sum(row["error"] is not None for row in rows) == 0
    assert (rows[0]["title"], rows[0]["page_id"], rows[0]["namespace"]) == ("Suoku puslopa", 1, 0)
    assert {"fails", "kategoreja", "medeja"} <= set(rows[0]["hidden"])


@pytest.mark.parametrize(
    ("name", "pages", "redirects"),
    [
        ("gensim-enwiki-20160501-pages-articles-shortened.xml.bz2", 206, 100),
        ("dbpedia-minidump-enwiki.xml.bz2", 27, 2),
        ("gensim-enwiki-table-markup.xml.bz2", 5, 0),
    ],
)
def test_cut_english_dumps(shared_data: Path, name: str, pages: int, redirects: int) -> None:
    path = shared_data / "wikidata/raw" / name
    rows = rows_of(path)
    assert len(rows) == pages
    assert sum(row["redirect"] is not None for row in rows) == redirects
    assert [row["error"] for row in rows if row["error"]] == []
    # One bzip2 stream, whose blocks are read by several parts.
    assert rows_of(path, part_bytes=10_000) == rows


def test_parts_of_a_multistream_file_give_the_same_rows(tmp_path: Path) -> None:
    streams = [HEAD, page("A") + page("B"), page("C"), page("D")[:30], page("D")[30:] + page("E"), "</mediawiki>"]
    path = tmp_path / "multi.xml.bz2"
    path.write_bytes(b"".join(bz2.compress(stream.encode()) for stream in streams))
    whole = rows_of(path)
    assert [row["title"] for row in whole] == ["A", "B", "C", "D", "E"]
    for part_bytes in (1, 40, 77, 150, 300):
        assert rows_of(path, part_bytes=part_bytes) == whole


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, zstd.compress])
def test_every_compression_and_localised_namespaces(tmp_path: Path, pack: Any) -> None:
    path = tmp_path / "dump"
    path.write_bytes(pack((HEAD + page("A") + page("Kategorie:B") + "</mediawiki>").encode()))
    rows = rows_of(path)
    assert [(row["title"], row["namespace"]) for row in rows] == [("A", 0), ("Kategorie:B", 14)]
    assert "datei" in rows[0]["hidden"]
    assert MediaWikiDump([str(path)]).licences() == {"Wikipedia": "CC BY-SA 4.0"}


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'


@pytest.mark.parametrize("key", ["--6", "1" * 5000, "six"])
def test_a_namespace_whose_number_is_none_is_passed_over(tmp_path: Path, key: str) -> None:
    path = tmp_path / "dump"
    path.write_text(HEAD.replace('key="6"', f'key="{key}"') + page("Datei:A") + "</mediawiki>", encoding="utf-8")
    assert [row["namespace"] for row in rows_of(path)] == [0]
    assert "datei" not in read_siteinfo(str(path)).hidden


@pytest.mark.parametrize("prefix", ["", '<?xml version="1.0"?>\n'])
def test_a_doctype_is_refused_once_whatever_the_parts(tmp_path: Path, prefix: str) -> None:
    path = tmp_path / "dump.xml"
    path.write_text(prefix + BOMB + HEAD + page("A", "&b;") + "</mediawiki>")
    [row] = rows_of(path, part_bytes=100)
    assert row["error"] == "doctype: the file declares a DOCTYPE, which no export has"


def test_files_that_are_no_exports(tmp_path: Path) -> None:
    for name, content in (("a", "<html><page></page></html>"), ("b", "\x00\x01"), ("c", "")):
        (tmp_path / name).write_text(content)
        [row] = rows_of(tmp_path / name)
        assert row["error"].startswith("not_a_dump: ")


def test_a_bomb_inside_a_page_costs_no_memory_and_the_rest_is_named_unread(tmp_path: Path) -> None:
    path = tmp_path / "dump.xml.bz2"
    start = (HEAD + page("A") + "<page><title>Bomb</title><revision><text>").encode()
    path.write_bytes(bz2.compress(start + b"\x20" * 60_000_000))
    assert path.stat().st_size < 2000
    rows = rows_of(path, max_record_bytes=200_000)
    assert [(row["title"], (row["error"] or "").partition(":")[0]) for row in rows] == [
        ("A", ""),
        ("Bomb", "oversized_page"),
        (None, "rest_unread"),
    ]


def test_a_page_of_20_megabytes_is_over_the_limit_unless_it_is_raised(tmp_path: Path) -> None:
    path = tmp_path / "dump.xml.gz"
    path.write_bytes(gzip.compress((HEAD + page("Big", "words " * 3_500_000) + page("B") + "</mediawiki>").encode(), 1))
    big, after = rows_of(path)
    assert (big["title"], after["title"], after["error"]) == ("Big", "B", None)
    assert big["error"].startswith("oversized_page: ")
    assert [row["error"] for row in rows_of(path, max_record_bytes=30_000_000)] == [None, None]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_a_cut_file_gives_its_whole_pages_and_an_error(tmp_path: Path, pack: Any) -> None:
    path = tmp_path / "dump"
    path.write_bytes(pack((HEAD + page("A")).encode()) + pack(page("B").encode())[:-8])
    rows = rows_of(path)
    assert rows[0]["title"] == "A"
    assert rows[-1]["error"].startswith("truncated_input: ")


def test_the_sample_names_its_own_texts(tmp_path: Path) -> None:
    assert MediaWikiDump(sample_files("world")[1:]).licences() == {"sample text of this project": "CC0-1.0"}
    path = tmp_path / "dump.xml"
    path.write_text(HEAD.replace("<base>", "<generator>MediaWiki 1.44</generator><base>") + "</mediawiki>")
    assert MediaWikiDump([str(path)]).licences() == {"Wikipedia": "CC BY-SA 4.0"}


def test_siteinfo_of_another_wiki_names_its_own_licence(tmp_path: Path) -> None:
    path = tmp_path / "dump.xml"
    path.write_text(HEAD.replace("de.wikipedia.org", "wiki.example.org") + "</mediawiki>")
    assert read_siteinfo(str(path)).base == "https://wiki.example.org/wiki/Start"
    assert MediaWikiDump([str(path)]).licences() == {
        "wiki.example.org": "as stated at https://wiki.example.org/wiki/Start"
    }


@pytest.mark.parametrize(
    ("base", "url", "licence"),
    [
        ("https://de.wikipedia.org/wiki/Start", "https://de.wikipedia.org/wiki/A_%C3%A4", "CC BY-SA 4.0"),
        ("https://my.org/w/Home", "https://my.org/w/A_%C3%A4", "as stated at https://my.org/w/Home"),
        ("", None, None),
        ("javascript:alert(1)/x", None, None),
        ("http://[", None, None),
    ],
)
def test_a_page_has_an_address_where_its_wiki_tells_one(
    tmp_path: Path, base: str, url: str | None, licence: str | None
) -> None:
    path = tmp_path / "dump"
    head = HEAD.replace("https://de.wikipedia.org/wiki/Start", base)
    path.write_text(f"{head}{page('A ä')}</mediawiki>", encoding="utf-8")
    [row] = rows_of(path)
    assert (row["url"], row["licence"]) == (url, licence)
    if licence is None:
        assert MediaWikiDump([str(path)]).licences() == {"pages of a wiki without a name": "not stated by the file"}
