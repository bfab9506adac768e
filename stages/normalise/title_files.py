"""Files of page titles for the normaliser: one title a line, or prepared pages and redirects as JSON lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import pyarrow as pa

from stages.core.rejects import Rejects
from stages.io.lines import Line, read_lines
from stages.io.ranges import FilePart, parts_of
from stages.wikipedia.pages import PagesParams, clean_pages
from stages.wikipedia.prepared import PreparedPages
from stages.wikipedia.raw import RAW_SCHEMA
from stages.wikipedia.title_lookup import TitleTable
from stages.wikipedia.titles import normalise_title, title_fault

_MAX_LINE_BYTES = 64 * 1024
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffd]")


class TitleFile(NamedTuple):
    """titles: what the file tells; rejects: rows of `stages.core.rejects`, keyed by the title or its content."""

    titles: TitleTable
    rejects: pa.Table


def read_titles(path: str) -> TitleFile:
    """The titles of a file, plain or compressed; a file whose first line is an object holds pages and redirects.

    Rejects of a line: bad_title, bad_encoding, and those of `stages.io.lines`; of JSON those of `wikipedia.pages`.

    Raises StorageError: there is no such file.
    """
    first = next((line for line in _lines(path) if line.data.strip() or line.error), None)
    if first is not None and first.data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        return _pages(path)
    titles, rejects = [], Rejects()
    for number, line in enumerate(_lines(path), 1):
        reason, detail = _fault(line)
        if reason:
            rejects.add(f"line {number}", reason, detail)
        elif line.data.strip():
            titles.append(line.data.decode("utf-8-sig"))
    return TitleFile(TitleTable.of(titles), rejects.table())


def _fault(line: Line) -> tuple[str, str]:
    """Why a line holds no title; nothing where it does, or is blank."""
    if line.error is not None:
        reason, _, detail = line.error.partition(": ")
        return reason, detail
    try:
        title = normalise_title(line.data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return "bad_encoding", f"expected UTF-8: {error.reason}"
    if found := _CONTROL.search(line.data.decode("utf-8-sig")):
        return "bad_title", f"a title cannot hold U+{ord(found[0]):04X}"
    fault = title_fault(title) if title else None
    return ("bad_title", fault) if fault else ("", "")


def _lines(path: str) -> Iterator[Line]:
    return read_lines(FilePart(path, 0, parts_of(path)[-1].end), _MAX_LINE_BYTES)


def _pages(path: str) -> TitleFile:
    source = PreparedPages((path,))
    tables = [table for part in source.parts() for table in source.read(part)]
    made = clean_pages(
        pa.concat_tables(tables or [RAW_SCHEMA.empty_table()]), params=PagesParams(), disambiguations=True
    )
    pages, redirects, unclear = (made.tables[name] for name in ("pages", "redirects", "disambiguations"))
    return TitleFile(TitleTable.from_tables(pages, redirects, unclear), made.rejects)
