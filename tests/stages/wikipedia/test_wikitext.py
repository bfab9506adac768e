"""Wikitext to prose: by hand, on real pages, and on hostile markup."""

from __future__ import annotations

import re
from pathlib import Path

import mwparserfromhell
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.wikipedia.brackets import UnparsableMarkupError
from stages.wikipedia.dump import MediaWikiDump
from stages.wikipedia.wikitext import clean_wikitext

PAGE = """{{Short description|City}}
{{Infobox city
| name = [[Rome]]
}}
[[File:Rome.jpg|thumb|View of [[Rome]]]]
'''Rome''' ({{IPAc-en|r|oʊ|m}}; {{lang-it|Roma}} {{IPA-it|ˈroːma}}) is the [[Capital city|capital]] of
[[Italy]].<ref>{{cite web|title=x}}</ref> It covers {{convert|1285|km2|sqmi}}.

== History ==
{{main|History of Rome}}
Founded {{circa|753 BC}}, ''Rome'''s past is long&nbsp;– see [https://example.org the site].
* First item
* ''Second'' item

=== Notes on names ===
Kept text.

== References ==
{{reflist}}
Dropped text.
=== Subsection ===
Also dropped.

== Legacy ==
{| class="wikitable"
| cell
|}
The end. __NOTOC__
[[Category:Rome]]
"""


def test_a_page() -> None:
    assert clean_wikitext(PAGE).split("\n") == [
        "Rome (Italian: Roma) is the capital of Italy. It covers 1,285 km².",
        "Founded c. 753 BC, Rome's past is long – see the site.",
        "First item",
        "Second item",
        "Kept text.",
        "The end.",
    ]


UNCLOSED = [
    ("Born in 1950.{{cite book | title=A | last=B\n\nHe left.", "Born in 1950.\nHe left."),
    ("Born{{sfn|A|2000|p=1 in 1950 and died.\n\nHe left.", "Born \ufffc\nHe left."),
    ("Born in 1950.<ref>A, 2000. He\n\nHe left.", "Born in 1950.\nHe left."),
    ("Born<ref name=a>{{cite web|title=B}} in 1950.\n\nHe left.<ref>ok</ref> So.", "Born \ufffc\nHe left. So."),
    ("A [[B|c and more.\n\nHe [[left]].", "A \ufffc\nHe left."),
    ("{{Infobox person\n| name = A\n| born = 1950\n\n'''A''' is a man.", "A is a man."),
    ("{{Infobox person\n| born = 1950<ref>A\n}}\n'''A''' is a man.", "A is a man."),
    ("* a {{cite web|url=x\n* two\n\nb", "a \ufffc\ntwo\nb"),
    ("A formula <math>x^2 is <math>y</math>.", "A formula \ufffc"),
    ("[http://example.org A text\n\nHe left.", "A text\nHe left."),
]


@pytest.mark.parametrize(("markup", "text"), UNCLOSED)
def test_what_never_closes_ends_with_its_paragraph(markup: str, text: str) -> None:
    assert clean_wikitext(markup) == text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("'''''both''''' '''bold''' ''italic'' it's", "both bold italic it's"),
        ("l'''Amour'' is", "l'Amour is"),
        ("''''quoted''''", "'quoted'"),
        ("#REDIRECT [[x]]", "REDIRECT x"),
        ("; term\n: definition", "term\ndefinition"),
        ("----\nx", "x"),
        ("= not a heading", "= not a heading"),
        ("== A ==\nx\n==B==\ny", "x\ny"),
        ("&lt;b&gt; &amp;amp;", "<b> &amp;"),
        ("", ""),
        ("{{only a template}}", ""),
    ],
)
def test_small_markup(markup: str, text: str) -> None:
    assert clean_wikitext(markup) == text


MARKS = """{{ }} [[ ]] {| |} | ''' '' == <ref> </ref> <!-- --> . ( ) &amp; [http://x [ ] * # File: <nowiki> </nowiki> =
{{lang|de|"""
PIECES = [*re.split(r"\s", MARKS), "\n", "a b", " ", "\x00", "\u200b"]


@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_any_markup_ends_in_tidy_lines(pieces: list[str]) -> None:
    try:
        text = clean_wikitext("".join(pieces))
    except UnparsableMarkupError:
        return
    assert all(line and line == line.strip() and "\x00" not in line for line in text.split("\n")) or not text


@pytest.mark.parametrize(
    "pattern",
    [
        "{{",
        "[[",
        "{{a|",
        "{|\n",
        "<b>",
        "<ref>",
        "<ref ",
        "<!--",
        "''a ",
        "'''",
        "[http://a ",
        "=",
        "= ",
        "&#",
        "<a b='",
    ],
)
def test_hostile_repetition_ends(pattern: str) -> None:
    """A parser that backtracks would not come back from these within the life of a test run."""
    try:
        clean_wikitext(pattern * 100_000)
    except UnparsableMarkupError:
        assert pattern.strip() in ("{{", "[[", "{{a|", "{|")


@pytest.mark.parametrize(
    "markup",
    [
        "a (" + "," * 100_000,
        "a " + "," * 100_000 + "x",
        "[//" + "a" * 100_000,
        "[[a" + " " * 100_000 + "b|]]",
        "{{nowrap|" + " " * 100_000 + "}}",
        "{{convert|" + "1" * 100_000 + "x|km}}",
    ],
    ids=["signs in brackets", "signs", "address", "link", "argument", "number"],
)
def test_one_endless_run_is_read_once(markup: str) -> None:
    """Trying such a run again from each of its characters would take hours."""
    assert len(clean_wikitext(markup)) <= len(markup)


@pytest.fixture(scope="module")
def real_pages(shared_data: Path) -> list[tuple[str, str, str]]:
    """(title, wikitext, prose) of the articles in a cut English dump."""
    path = shared_data / "wikidata/raw/gensim-enwiki-20160501-pages-articles-shortened.xml.bz2"
    dump = MediaWikiDump([str(path)])
    rows = [row for part in dump.parts() for table in dump.read(part) for row in table.to_pylist()]
    articles = [row for row in rows if row["namespace"] == 0 and row["redirect"] is None]
    return [(row["title"], row["text"], clean_wikitext(row["text"], row["hidden"])) for row in articles]


def test_real_pages_keep_no_markup(real_pages: list[tuple[str, str, str]]) -> None:
    leftovers = re.compile(r"\[\[|\]\]|\{\{|\}\}|\{\||''|</?ref|\(\s*[;,)]|[;,]\s*\)|&nbsp;|style=|\bthumb\|")
    # The page on ASCII shows such characters as its subject.
    found = {title: leftovers.findall(prose) for title, _, prose in real_pages if title != "ASCII"}
    assert len(real_pages) == 106
    assert {title: marks for title, marks in found.items() if marks} == {}


def test_real_leads_have_the_words_that_a_full_parser_finds(real_pages: list[tuple[str, str, str]]) -> None:
    """Every word of a lead's first sentence, as mwparserfromhell sees it, is in ours."""
    for title, markup, prose in real_pages[1:40]:
        body = mwparserfromhell.parse(markup[:40_000])
        for node in [
            *body.filter_templates(recursive=False),
            *body.filter_tags(matches=lambda n: n.tag in ("ref", "table")),
        ]:
            if body.contains(node):
                body.remove(node)
        paragraphs = [p for p in str(body.strip_code()).split("\n") if len(p.split()) > 30 and "|" not in p]
        words = set(re.findall(r"[A-Za-z]{3,}", paragraphs[0])) if paragraphs else set()
        missing = words - set(re.findall(r"[A-Za-z]{3,}", prose))
        assert len(missing) <= len(words) * 0.1, (title, missing)
