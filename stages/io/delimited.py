"""CSV and TSV files with a header, row by row as JSON records: plain or compressed, in a spreadsheet's own signs.

A quoted field may hold line breaks, so such a file cannot be cut into parts. A broken row costs that row: the line
after it is read as the next one.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from itertools import chain

from manifests.storage import is_unicode
from stages.io.compression import InputFault, open_decompressed
from stages.io.framing import Piece, ends_inside
from stages.io.lines import Line, read_lines
from stages.io.ranges import FilePart, parts_of

_SNIFF = 4096
_DELIMITERS = ",;\t"
_BLANK = b" \t\r\n\xef\xbb\xbf"


def is_delimited(path: str) -> bool:
    """Whether a file starts as a header of columns, and not as JSON."""
    with open_decompressed(path) as file:
        try:
            head = file.head(_SNIFF).lstrip(_BLANK)
        except InputFault:
            # The JSON reader says what is wrong with it.
            return False
    return bool(head) and head[:1] not in b"{[" and any(sign.encode() in head.split(b"\n")[0] for sign in _DELIMITERS)


def columns_of(header: str) -> list[str]:
    """The columns of a header's line, in which names stand between commas, semicolons or tabs; one or none is none."""
    delimiter = max(_DELIMITERS, key=header.count)
    try:
        return [_shown(name) for name in next(csv.reader([header], delimiter=delimiter), [])]
    except csv.Error:
        # What is too long or too odd for a header is none.
        return []


def delimited_records(uri: str, max_bytes: int) -> Iterator[Piece]:
    """One JSON object per row, by the header's columns; an error in place of a row that cannot be read.

    max_bytes: of one row. Errors: broken_csv, bad_encoding, truncated_input (the file ends without a line break inside
    quotes or in a row with too few fields), oversized_record, oversized_line, corrupt_input.

    Raises StorageError: there is no such file.
    """
    # The limit is the module's own; the lines keep to ours.
    csv.field_size_limit(max(csv.field_size_limit(), max_bytes))
    lines = _TextLines(read_lines(FilePart(uri, 0, parts_of(uri)[-1].end), max_bytes), max_bytes)
    try:
        # Spreadsheets save with the sign of their country; a header's own names hold none of these.
        first = next(lines, "")
        delimiter = max(_DELIMITERS, key=first.count)
        header = [*map(_shown, next(csv.reader(chain([first], lines), strict=True, delimiter=delimiter), []))]
    except (_Unreadable, csv.Error) as fault:
        yield Piece(None, str(fault) if isinstance(fault, _Unreadable) else f"broken_csv: the header: {fault}")
        return
    lines.start_record()
    if len(set(header)) != len(header):
        yield Piece(None, f"broken_csv: a column stands twice in {', '.join(header)[:100]}")
        return
    while not lines.is_over:
        yield from _rows_of(lines, header, delimiter)


def _rows_of(lines: _TextLines, header: list[str], delimiter: str) -> Iterator[Piece]:
    """The rows up to the next line that cannot be read; what stands behind that is read anew."""
    try:
        for fields in csv.reader(lines, strict=True, delimiter=delimiter):
            lines.start_record()
            if fields:
                yield _csv_row(header, fields, lines.cut)
    except _Unreadable as fault:
        yield Piece(None, str(fault))
    except csv.Error as error:
        yield _inside(lines.cut) if lines.cut else Piece(None, f"broken_csv: {error}")
    lines.start_record()


def _csv_row(header: list[str], fields: list[str], cut: str) -> Piece:
    """cut: the line that the row ends with, where the file ends without a line break after it."""
    if cut and len(fields) < len(header):
        return _inside(cut)
    whole = ",".join(fields)
    if len(fields) != len(header):
        what = f"{len(fields)} fields under {len(header)} columns"
        return Piece(None, f"broken_csv: {what} | {_shown(whole[:100])}")
    if not is_unicode(whole):
        return Piece(None, f"bad_encoding: not UTF-8 | {_shown(whole[:100])}")
    return Piece(json.dumps(dict(zip(header, fields, strict=True)), ensure_ascii=True).encode())


def _inside(cut: str) -> Piece:
    return ends_inside(cut.encode("utf-8", "surrogateescape"))


def _shown(text: str) -> str:
    """A text for a message or as a column's name, with a question mark for each byte that is no UTF-8."""
    return text.encode("utf-8", "replace").decode()


class _Unreadable(Exception):
    """A line, or what begins with it, cannot be read ("reason: detail")."""


class _TextLines(Iterator[str]):
    """Lines with their ends; bytes that are no UTF-8 stay visible as lone surrogates.

    max_bytes: of the lines of one row together. cut: the last line, once it is given, where no line break ends it.
    is_over: nothing more is to come.

    Raises _Unreadable in place of a line; the next one may be readable.
    """

    def __init__(self, lines: Iterator[Line], max_bytes: int) -> None:
        self._lines = lines
        self._max = max_bytes
        self._held = 0
        self._is_first = True
        self.cut = ""
        self.is_over = False

    def start_record(self) -> None:
        """What comes next belongs to another row."""
        self._held = 0

    def __next__(self) -> str:
        line = next(self._lines, None)
        if line is None or (not line.ended and not line.data and line.error is None):
            self.is_over = True
            raise StopIteration
        if line.error is not None:
            self.is_over = not line.error.startswith("oversized_line") or not line.ended
            raise _Unreadable(line.error)
        self._held += line.size
        if self._held > self._max + 2:
            # A quote that is never closed, most likely: nothing tells where the next row starts.
            self.is_over = True
            raise _Unreadable(
                f"oversized_record: one row goes over {self._max} bytes; the rest of the file is not read"
            )
        text = line.data.decode("utf-8-sig" if self._is_first else "utf-8", "surrogateescape")
        self._is_first = False
        if not line.ended:
            self.cut = text
            return text
        return f"{text}\r\n" if line.size - len(line.data) > 1 else f"{text}\n"
