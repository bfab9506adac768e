"""Pages of a MediaWiki XML export: found by their tags, parsed one at a time with expat.

An export escapes every "<" of its content, so the bytes "<page>" and "</page>" occur
only as tags. Cutting by them lets a reader start anywhere, leaves a damaged page
without effect on the next one, and caps what a page may cost before any of it is
parsed. Each page is its own XML document to expat: it has no DOCTYPE, so no entity
can be declared, and an undeclared one is an error.
"""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol
from xml.parsers import expat

from stages.io.compression import InputFault, TruncatedInput
from stages.wikipedia.raw import MAX_ORIGIN, RawRow, error_row
from stages.wikipedia.titles import MAIN

READ_STEP = 256 * 1024
MAX_PAGE_BYTES = 16 * 1024 * 1024
# A page that goes on for this many times the limit is a bomb: the rest of its file is not read.
SKIP_FACTOR = 64

_OPEN, _CLOSE, _ROOT_END = b"<page>", b"</page>", b"</mediawiki>"
_TAIL_BYTES = 64
_NO_ATTRIBUTES: Mapping[str, str] = MappingProxyType({})
_REVISION = "page/revision"
_TITLE = re.compile(rb"<title>([^<]{1,1000})</title>")


class _Reader(Protocol):
    @property
    def own(self) -> int | None: ...

    def read(self, size: int) -> bytes: ...


@dataclass(frozen=True)
class PageSlice:
    """The bytes of one page; where `error` is set (reason, detail), only its first bytes."""

    data: bytes
    error: tuple[str, str] | None = None


class PageCutter:
    """Cuts what a reader gives into pages; those that start in the reader's own bytes."""

    def __init__(self, reader: _Reader, max_bytes: int = MAX_PAGE_BYTES) -> None:
        self._reader = reader
        self._max = max_bytes
        self._buffer = b""
        self._base = 0  # offset of the buffer's first byte

    def __iter__(self) -> Iterator[PageSlice]:
        """Never raises on content.

        Errors: oversized_page, unclosed_page, truncated_input, corrupt_input, rest_unread.
        """
        try:
            while self._find_start():
                yield from self._page()
        except InputFault as fault:
            yield PageSlice(self._head(), (fault.reason, str(fault)))
        except _RestUnreadError as rest:
            yield PageSlice(self._head(), ("rest_unread", str(rest)))

    def _more(self) -> bool:
        data = self._reader.read(READ_STEP)
        self._buffer += data
        return bool(data)

    def _drop(self, count: int) -> None:
        self._buffer = self._buffer[count:]
        self._base += count

    def _head(self) -> bytes:
        return self._buffer[:2000]

    def _foreign(self, at: int) -> bool:
        own = self._reader.own
        return own is not None and self._base + at >= own

    def _find_start(self) -> bool:
        """Moves the buffer to the next page of the part; False where there is none."""
        tail = b""
        while (at := self._buffer.find(_OPEN)) < 0:
            drop = max(0, len(self._buffer) - len(_OPEN) + 1)
            tail = (tail + self._buffer[:drop])[-_TAIL_BYTES:]
            self._drop(drop)
            if self._foreign(0):
                # A file that was cut right behind a page ends where its last part does.
                if not self._buffer and not self._more():
                    self._check_end(tail)
                return False
            if not self._more():
                self._check_end(tail + self._buffer)
                return False
        if self._foreign(at):
            return False
        self._drop(at)
        return True

    def _check_end(self, tail: bytes) -> None:
        # A part may start inside the closing tag: too few bytes to tell.
        if _ROOT_END not in tail and self._base > _TAIL_BYTES:
            raise TruncatedInput("the file ends without </mediawiki>")

    def _page(self) -> Iterator[PageSlice]:
        searched = 0
        while (end := self._buffer.find(_CLOSE, searched)) < 0:
            searched = max(0, len(self._buffer) - len(_CLOSE) + 1)
            if len(self._buffer) > self._max:
                yield self._oversized()
                self._skip()
                return
            if not self._more():
                raise TruncatedInput("the file ends inside a page")
        end += len(_CLOSE)
        # A page that was never closed would swallow the next one.
        start = self._buffer.rfind(_OPEN, 0, end)
        if start > 0:
            yield PageSlice(self._head(), ("unclosed_page", "the next page starts before this one ends"))
        page = self._buffer[start:end]
        if len(page) > self._max:
            yield self._oversized()
        elif not self._foreign(start):
            yield PageSlice(page)
        self._drop(end)

    def _oversized(self) -> PageSlice:
        return PageSlice(self._head(), ("oversized_page", f"more than {self._max} bytes; see build.record_bytes"))

    def _skip(self) -> None:
        """Moves past the end of a page without keeping any of it."""
        skipped = 0
        while (end := self._buffer.find(_CLOSE)) < 0:
            if skipped > self._max * SKIP_FACTOR:
                raise _RestUnreadError(f"one page has more than {skipped} bytes: reading of the file stops there")
            drop = max(0, len(self._buffer) - len(_CLOSE) + 1)
            skipped += drop
            self._drop(drop)
            if not self._more():
                raise TruncatedInput("the file ends inside a page")
        self._drop(end + len(_CLOSE))


class _RestUnreadError(Exception):
    pass


def parse_page(page: PageSlice) -> RawRow:
    """The raw row of a page; see `raw.RAW_SCHEMA`. Errors: those of the slice, malformed_xml, no_title, other_model.

    Of several revisions the newest counts, and the last in the file of those that tell no time or the same.
    """
    if page.error is not None:
        return error_row(*page.error, title=title_of(page.data), excerpt=_excerpt(page.data))
    try:
        found = {one.path: one for one in _newest(elements(page.data))}
    except expat.ExpatError as error:
        return error_row("malformed_xml", str(error), title=title_of(page.data), excerpt=_excerpt(page.data))
    said = {path: one.text for path, one in found.items()}
    title, text = said.get("page/title", "").strip(), said.get("page/revision/text", "")
    if not title:
        return error_row("no_title", "the page has no title", excerpt=text[:200])
    namespace = _integer(said.get("page/ns"), 9)
    model = said.get("page/revision/model", "wikitext")
    if model != "wikitext" and namespace == MAIN:
        return error_row("other_model", f"the page's content is {model}", title=title)
    return {
        "title": title,
        "page_id": _integer(said.get("page/id"), 17),
        "namespace": namespace,
        "redirect": found["page/redirect"].attributes.get("title", "") if "page/redirect" in found else None,
        # Only the main namespace is read on; the text of the others would be carried for nothing.
        "text": text if namespace in (None, MAIN) else "",
        "revision": _short(said.get("page/revision/id", "")),
        "date": _short(said.get("page/revision/timestamp", "")),
        "markup": True,
    }


def _newest(page: list[Element]) -> Iterator[Element]:
    """The elements of a page, and of its revisions those of the newest; exports give histories in either order."""
    revisions: list[list[Element]] = []
    for one in page:
        if one.path == _REVISION:
            revisions.append([one])
        elif one.path.startswith(f"{_REVISION}/") and revisions:
            revisions[-1].append(one)
        else:
            yield one
    # The time is written so that later ones sort behind.
    times = [next((one.text for one in parts if one.path.endswith("/timestamp")), "") for parts in revisions]
    if revisions:
        yield from revisions[max(range(len(revisions)), key=lambda place: (times[place], place))]


# A page can be millions of elements.
@dataclass(slots=True)
class Element:
    """An element of XML. path: the names from the root to it, between slashes; text: what stands last inside it."""

    path: str
    attributes: Mapping[str, str]
    text: str = ""


class DoctypeError(Exception):
    """XML that declares a DOCTYPE: entities declared there could expand without end."""


def elements(data: bytes, whole: bool = True, deepest: int = 3) -> list[Element]:
    """The elements of XML down to a depth, in their order; whole: whether the data has to be a whole document.

    Raises:
        expat.ExpatError: it is no XML.
        DoctypeError: it declares a DOCTYPE.
    """
    found: list[Element] = []
    path: list[str] = []
    parts: list[str] = []
    unclosed: list[Element] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        path.append(name)
        parts.clear()
        # Elements may be nested as deep as a page is long, so that naming each by its path would be quadratic.
        if len(path) <= deepest:
            unclosed.append(Element(sys.intern("/".join(path)), attributes or _NO_ATTRIBUTES))
            found.append(unclosed[-1])

    def end(_name: str) -> None:
        if len(path) <= deepest:
            unclosed.pop().text = "".join(parts)
        parts.clear()
        path.pop()

    def refuse(*_: object) -> None:
        raise DoctypeError

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = parts.append, refuse
    parser.Parse(data, whole)
    return found


def title_of(data: bytes) -> str | None:
    """The title in the first bytes of a page that cannot be parsed."""
    found = _TITLE.search(data[:5000])
    return html.unescape(found.group(1).decode("utf-8", "replace")).strip() if found else None


def _excerpt(data: bytes) -> str:
    return data[:200].decode("utf-8", "replace")


def _short(text: str) -> str | None:
    """A word that tells something; None where there is none, or more than one can be."""
    stripped = text.strip()
    return stripped if 0 < len(stripped) <= MAX_ORIGIN else None


def _integer(text: str | None, most_digits: int) -> int | None:
    """The number of an element; None where it is missing, no number, or too long for its column."""
    stripped = (text or "").strip()
    return int(stripped) if re.fullmatch(rf"-?\d{{1,{most_digits}}}", stripped) else None
