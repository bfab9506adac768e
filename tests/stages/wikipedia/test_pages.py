"""Stage wikipedia.pages: articles, redirects, and what is neither."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from stages.core.contract import Output
from stages.wikipedia.dump import MediaWikiDump
from stages.wikipedia.pages import PAGES, REDIRECTS, PagesParams, clean_pages, stage
from stages.wikipedia.prepared import PreparedPages
from stages.wikipedia.raw import RAW_SCHEMA

PARAMS = PagesParams()


def run(*rows: dict[str, Any]) -> Output:
    return clean_pages(pa.Table.from_pylist(list(rows), schema=RAW_SCHEMA), params=PARAMS)


def rejects(output: Output) -> list[tuple[str, str]]:
    return [(row["key"], row["reason"]) for row in output.rejects.to_pylist()]


def test_a_prepared_page_keeps_its_text_and_a_marked_up_page_is_cleaned() -> None:
    output = run(
        {"title": "a_b", "qid": "Q1", "text": " Some  [[text]].\r\n\r\nMore\u00ad. ", "markup": False},
        {
            "title": "C",
            "page_id": 7,
            "namespace": 0,
            "text": "'''C''' is [[x|y]].",
            "markup": True,
            "url": "https://my.org/C",
        },
    )
    nowhere = dict.fromkeys(("url", "licence", "revision", "date"))
    assert output.tables["pages"].to_pylist() == [
        {"title": "A b", "page_id": None, "qid": "Q1", "text": "Some [[text]].\nMore.", **nowhere},
        {"title": "C", "page_id": 7, "qid": None, "text": "C is y.", **nowhere, "url": "https://my.org/C"},
    ]
    assert output.tables["pages"].schema == PAGES.schema
    assert output.tables["redirects"].schema == REDIRECTS.schema
    assert output.rejects.num_rows == 0
    assert output.metrics == {
        "records": 2,
        "bad_records": 0,
        "source_characters": 46,
        "text_characters": 27,
        "pages_with_holes": 0,
    }


def test_redirects_from_elements_rows_and_old_texts() -> None:
    output = run(
        {"title": "A", "namespace": 0, "redirect": "b_c#Section", "text": "", "markup": True},
        {"title": "d", "redirect": "e", "markup": False},
        {"title": "F", "namespace": 0, "text": "#redirect: [[g|x]] {{R}}", "markup": True},
        {"title": "H", "namespace": 0, "redirect": "h", "markup": True},
        {"title": "I", "namespace": 0, "redirect": "Category:X", "markup": True},
        {"title": "J", "namespace": 0, "redirect": "#top", "markup": True},
    )
    assert output.tables["redirects"].to_pylist() == [
        {"source": "A", "target": "B c"},
        {"source": "D", "target": "E"},
        {"source": "F", "target": "G"},
    ]
    assert rejects(output) == [("H", "self_redirect"), ("I", "bad_redirect"), ("J", "bad_redirect")]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"title": "<script>alert(1)</script>", "text": "x"}, "bad_title"),
        ({"title": "../../etc/passwd", "text": "x"}, "bad_title"),
        ({"title": "a\x00b", "text": "x"}, "bad_title"),
        ({"title": "x" * 256, "text": "x"}, "bad_title"),
        ({"title": "Talk:A", "text": "x"}, "other_namespace"),
        ({"title": "Kategorie:A", "namespace": 14, "text": "x"}, "other_namespace"),
        ({"title": "A", "text": " \n "}, "empty_text"),
        ({"title": "A", "text": "{{x}}", "markup": True}, "empty_text"),
        ({"title": "A", "text": "{{a|" * 1000, "markup": True}, "unparsable_markup"),
        ({"title": "A (disambiguation)", "text": "Some text."}, "disambiguation"),
        ({"title": "A", "text": "* [[A1]]\n{{Disambig|geo}}", "markup": True}, "disambiguation"),
        ({"title": "A", "text": "A Day or A- Day may refer to:"}, "disambiguation"),
        ({"title": "A", "text": "A is a city.\nA may also refer to:\nA, B"}, "disambiguation"),
        ({"title": "A", "error": "malformed_xml: not well-formed"}, "malformed_xml"),
        ({"title": "A", "error": "other_model: the page's content is json"}, "other_model"),
    ],
)
def test_what_is_no_article(row: dict[str, Any], reason: str) -> None:
    output = run({"markup": False} | row)
    assert [found for _, found in rejects(output)] == [reason]
    assert output.tables["pages"].num_rows == 0
    bad = reason in ("bad_title", "unparsable_markup", "malformed_xml")
    assert (output.metrics["records"], output.metrics["bad_records"]) == (1, bad)


def test_titles_of_disambiguation_pages_come_out_where_they_are_wanted() -> None:
    rows = pa.Table.from_pylist([{"title": "Mercury", "text": "{{Disambig}}", "markup": True}], schema=RAW_SCHEMA)
    output = clean_pages(rows, params=PagesParams(), disambiguations=True)
    assert output.tables["disambiguations"].to_pylist() == [{"title": "Mercury"}]
    assert rejects(output) == [("Mercury", "disambiguation")]
    assert set(clean_pages(rows, params=PagesParams()).tables) == {"pages", "redirects", "licences"}


def test_articles_that_look_like_something_else_stay() -> None:
    output = run(
        {"title": "AC/DC", "text": "A band.", "markup": False},
        {"title": "Star Trek: Picard", "text": "A series.", "markup": False},
        {
            "title": "Emirate",
            "text": "An emirate is a territory. The term may also refer to a kingdom.",
            "markup": False,
        },
    )
    assert output.tables["pages"].num_rows == 3


def test_the_licences_of_articles_are_counted() -> None:
    stated = ["MIT", "CC0", None, "MIT"]
    rows = [{"title": f"Page {n}", "text": "A page.", "licence": told} for n, told in enumerate(stated)]
    output = run(*rows, {"title": "Empty", "text": "", "licence": "none of an article"})
    assert output.tables["licences"].to_pylist() == [
        {"licence": "MIT", "pages": 2},
        {"licence": "CC0", "pages": 1},
        {"licence": None, "pages": 1},
    ]


def test_script_and_html_in_a_text_are_taken_out() -> None:
    output = run({"title": "A", "text": "One <b>two</b> <script>alert(1)</script>three, 1 < 2.", "markup": False})
    assert output.tables["pages"]["text"].to_pylist() == ["One two three, 1 < 2."]


def test_rejects_without_a_title_are_keyed_by_content_and_counted_by_namespace() -> None:
    rows = [
        {"error": "broken_json: x", "text": "{bad"},
        {"title": "User:A", "text": ""},
        {"title": "User:B", "text": ""},
    ]
    found = run(*rows).rejects.to_pylist()
    assert found == [
        {"key": found[0]["key"], "reason": "broken_json", "detail": "x; {bad", "count": 1},
        {"key": "namespace 2", "reason": "other_namespace", "detail": "", "count": 2},
    ]
    assert found[0]["key"].startswith("sha256:")
    assert len(found[0]["key"]) == 19


def totals(source: MediaWikiDump | PreparedPages) -> tuple[int, int, Counter[str]]:
    kernel = stage(source).kernel
    assert kernel is not None
    outputs = [kernel(table) for part in source.parts() for table in source.read(part)]
    reasons: Counter[str] = Counter()
    for output in outputs:
        for row in output.rejects.to_pylist():
            reasons[row["reason"]] += row["count"]
    pages, redirects = (sum(output.tables[name].num_rows for output in outputs) for name in ("pages", "redirects"))
    return pages, redirects, reasons


def test_every_page_of_a_small_wiki_is_accounted_for(shared_data: Path) -> None:
    path = shared_data / "wikidata/raw/dumpsterdive-ltgwiki-full-pages-articles.xml.gz"
    pages, redirects, reasons = totals(MediaWikiDump([str(path)]))
    assert (pages, redirects, reasons) == (896, 147, {"other_namespace": 954, "empty_text": 7})
    assert pages + redirects + reasons.total() == 2004


def test_every_prepared_page_is_accounted_for(shared_data: Path) -> None:
    folder = shared_data / "wikidata"
    source = PreparedPages([str(folder / "pages.jsonl.gz"), str(folder / "redirects.jsonl.gz")])
    pages, redirects, reasons = totals(source)
    assert (pages, redirects) == (33_569, 101)
    assert pages + redirects + reasons.total() == 33_694 + 102
    assert reasons == {"disambiguation": 121, "other_namespace": 5}
