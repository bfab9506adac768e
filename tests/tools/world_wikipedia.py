"""Writes the sample's pages as a MediaWiki XML export."""

from __future__ import annotations

import hashlib
from xml.sax.saxutils import escape, quoteattr

from stages.io.sample import GENERATOR
from tests.tools.world_source import Page, World

SCHEMA = "http://www.mediawiki.org/xml/export-0.11/"
NAMESPACES = {
    -2: "Media",
    -1: "Special",
    0: "",
    1: "Talk",
    2: "User",
    3: "User talk",
    4: "Wikipedia",
    5: "Wikipedia talk",
    6: "File",
    7: "File talk",
    8: "MediaWiki",
    9: "MediaWiki talk",
    10: "Template",
    11: "Template talk",
    12: "Help",
    13: "Help talk",
    14: "Category",
    15: "Category talk",
    100: "Portal",
    828: "Module",
}
ODD_PAGE_IDS = 900_000_000


def dump(world: World) -> str:
    """The whole export as text; odd pages come last."""
    pages = [_page(page, int(page.qid[1:])) for page in world.pages]
    pages += [_page(page, ODD_PAGE_IDS + number) for number, page in enumerate(world.odd_pages)]
    return _head() + "".join(pages) + "</mediawiki>\n"


def _head() -> str:
    names = "".join(_namespace(key, name) for key, name in NAMESPACES.items())
    return (
        f'<mediawiki xmlns="{SCHEMA}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        f'xsi:schemaLocation="{SCHEMA} {SCHEMA.rstrip("/")}.xsd" version="0.11" xml:lang="en">\n'
        "  <siteinfo>\n    <sitename>Benchwright sample world</sitename>\n"
        f"    <generator>{GENERATOR}</generator>\n"
        f"    <case>first-letter</case>\n    <namespaces>\n{names}    </namespaces>\n  </siteinfo>\n"
    )


def _namespace(key: int, name: str) -> str:
    case = "case-sensitive" if key == 828 else "first-letter"
    tail = f">{name}</namespace>" if name else " />"
    return f'      <namespace key="{key}" case="{case}"{tail}\n'


def _page(page: Page, number: int) -> str:
    redirect = f"    <redirect title={quoteattr(page.redirect)} />\n" if page.redirect else ""
    text = page.text or (f"#REDIRECT [[{page.redirect}]]" if page.redirect else "")
    size = len(text.encode())
    body = f'<text bytes="{size}" xml:space="preserve">{escape(text)}</text>' if text else '<text bytes="0" />'
    return (
        f"  <page>\n    <title>{escape(page.title)}</title>\n    <ns>{page.namespace}</ns>\n    <id>{number}</id>\n"
        f"{redirect}    <revision>\n      <id>{number + 1_000_000_000}</id>\n"
        "      <timestamp>2026-01-01T00:00:00Z</timestamp>\n"
        "      <contributor>\n        <username>Benchwright</username>\n        <id>1</id>\n      </contributor>\n"
        "      <model>wikitext</model>\n      <format>text/x-wiki</format>\n"
        f"      {body}\n      <sha1>{_base36(text)}</sha1>\n    </revision>\n  </page>\n"
    )


def _base36(text: str) -> str:
    number = int.from_bytes(hashlib.sha1(text.encode(), usedforsecurity=False).digest(), "big")
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits.rjust(31, "0")
