"""Pages of a live wiki as the XML that wikis export, for the reader of dumps; revision ids are kept.

Nothing in it depends on when or in which order pages were asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from stages.live.mediawiki import Pages, Site
from stages.live.wiki_answers import WikiPage
from stages.wikipedia.titles import Namespaces, normalise_title

_SCHEMA = "http://www.mediawiki.org/xml/export-0.11/"
# What XML cannot hold; no wiki should have it either.
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def lines(site: Site, found: Pages) -> Iterator[bytes]:
    """The export: the wiki, then pages and redirects by title."""
    yield f'<mediawiki xmlns="{_SCHEMA}" version="0.11" xml:lang={quoteattr(_legal(site.language))}>\n'.encode()
    yield from _siteinfo(site)
    spaces = Namespaces.of(site.namespaces)
    redirects = {
        source: target
        for source, target in found.leads.items()
        # Other spellings that the reader takes for the same title are no redirects.
        if normalise_title(source) != normalise_title(target) and source not in found.pages
    }
    for title in sorted({*found.pages, *redirects}):
        if title in found.pages:
            yield _page(found.pages[title]).encode()
        else:
            yield _redirect(title, redirects[title], spaces).encode()
    yield b"</mediawiki>\n"


def _siteinfo(site: Site) -> Iterator[bytes]:
    said = {"sitename": site.name, "base": site.base, "generator": site.generator}
    yield b"<siteinfo>\n"
    for name, value in said.items():
        yield f"<{name}>{_text(value)}</{name}>\n".encode()
    yield b"<namespaces>\n"
    for number, name in site.namespaces:
        yield f'<namespace key="{number}">{_text(name)}</namespace>\n'.encode()
    yield b"</namespaces>\n</siteinfo>\n"


def _page(page: WikiPage) -> str:
    return (
        f"<page>\n<title>{_text(page.title)}</title>\n<ns>{page.namespace}</ns>\n<id>{page.page_id}</id>\n"
        f"<revision>\n<id>{page.revision}</id>\n<timestamp>{_text(page.timestamp)}</timestamp>\n"
        f"<model>{_text(page.model)}</model>\n"
        f'<text xml:space="preserve">{_text(page.text)}</text>\n</revision>\n</page>\n'
    )


def _redirect(source: str, target: str, spaces: Namespaces) -> str:
    number, _ = spaces.split(source)
    return (
        f"<page>\n<title>{_text(source)}</title>\n<ns>{number}</ns>\n<redirect title={quoteattr(_legal(target))} />\n"
        "<revision>\n<text />\n</revision>\n</page>\n"
    )


def _text(text: str) -> str:
    return escape(_legal(text))


def _legal(text: str) -> str:
    return _ILLEGAL.sub("\ufffd", text)
