"""Addresses of pages and items, as the sites themselves write them."""

from __future__ import annotations

from urllib.parse import quote

WIKIPEDIA = "https://en.wikipedia.org/wiki/"
WIKIDATA = "https://www.wikidata.org/wiki/"

# What MediaWiki leaves as it is in a page's address, beside letters, digits and "-_.~".
_PLAIN = ";@$!*(),/:"


def page_url(title: str) -> str:
    """The address of an English Wikipedia page; other characters are percent-encoded as UTF-8."""
    return WIKIPEDIA + quote(title.replace(" ", "_"), safe=_PLAIN)


def item_url(title: str | None, qid: str) -> str:
    """The address of an item's page, or of the item itself where it has none."""
    return page_url(title) if title else WIKIDATA + quote(qid, safe="")
