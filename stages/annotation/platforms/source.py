"""Files of answers as a source: JSON in any layout, or CSV with a header, each plain or compressed."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

import pyarrow as pa

from manifests.storage import is_unicode
from stages.core.canonical import PLACE
from stages.io.compression import InputFault, open_decompressed
from stages.io.framing import Piece, ends_inside
from stages.io.json_files import RECORDS, DumpPart, record_tables
from stages.io.json_records import JsonRecords
from stages.io.lines import Line, read_lines
from stages.io.ranges import FilePart, parts_of

# A task with its answers; a CSV row may have a line break in every second byte, each a line to read.
MAX_RECORD_BYTES = 16 * 1024 * 1024
_SNIFF = 4096
_DELIMITERS = ",;\t"
_BLANK = b" \t\r\n\xef\xbb\xbf"
_UNSTATED = "not stated by the file"


@dataclass(frozen=True, order=True)
class CsvPart:
    """A whole CSV file; a quoted field may hold line breaks, so it cannot be cut."""

    uri: str


@dataclass(frozen=True)
class Annotations:
    """Source over files of answers; what a record is, is seen from its fields when it is read.

    paths: local paths or URIs, or none at all. max_record_bytes: of one JSON record or CSV row.
    Tables of {data, error}: one JSON record (of a CSV row: an object by column), or "reason: detail".
    Errors: those of JsonRecords, and broken_csv, bad_encoding. A CSV file is taken for cut (truncated_input) where it
    ends without a line break inside quotes or in a row with too few fields. A broken row costs that row: the line after
    it is read as the next one.
    """

    paths: tuple[str, ...] = field(default=(), metadata=PLACE)
    licence: str = _UNSTATED
    max_record_bytes: int = MAX_RECORD_BYTES

    @property
    def schema(self) -> pa.Schema:
        return RECORDS

    def parts(self) -> list[DumpPart | CsvPart]:
        """Parts of all files.

        Raises StorageError: a file does not exist.
        """
        return [part for path in sorted(self.paths) for part in self._parts_of(path)]

    def _parts_of(self, path: str) -> list[DumpPart | CsvPart]:
        return [CsvPart(path)] if _is_csv(path) else [*self._json(path).parts()]

    def read(self, part: DumpPart | CsvPart) -> Iterator[pa.Table]:
        if isinstance(part, CsvPart):
            return record_tables(_csv_rows(part.uri, self.max_record_bytes))
        return self._json(part.file.uri).read(part)

    def _json(self, path: str) -> JsonRecords:
        return JsonRecords((path,), max_record_bytes=self.max_record_bytes, kind="annotations")

    def identity(self) -> Mapping[str, str]:
        """sha256 of each file, numbered in the order of the digests."""
        digests = sorted(digest for path in self.paths for digest in self._json(path).identity().values())
        return {f"annotations:{number}": digest for number, digest in enumerate(digests)}

    def licences(self) -> Mapping[str, str]:
        return {"annotations": self.licence} if self.paths else {}


def simulated_answers(paths: Iterable[str]) -> int:
    """How many records in some files of answers are by workers of a simulated crowd."""
    source = Annotations(tuple(paths))
    tables = (table for part in source.parts() for table in source.read(part))
    return sum(_is_simulated(data) for table in tables for data in table["data"].to_pylist() if data)


def _is_simulated(data: bytes) -> bool:
    if SIMULATED.encode() not in data:
        return False
    try:
        record = json.loads(data)
    except (ValueError, RecursionError):
        # Whoever reads the record rejects it with its reason.
        return False
    worker = record.get("worker") if isinstance(record, dict) else None
    return isinstance(worker, str) and worker.startswith(SIMULATED)


def _is_csv(path: str) -> bool:
    """Whether a file starts as something else than JSON."""
    with open_decompressed(path) as file:
        try:
            head = file.head(_SNIFF).lstrip(_BLANK)
        except InputFault:
            # The JSON reader says what is wrong with it.
            return False
    return bool(head) and head[:1] not in b"{[" and any(sign.encode() in head.split(b"\n")[0] for sign in _DELIMITERS)


def _csv_rows(uri: str, max_bytes: int) -> Iterator[Piece]:
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


SIMULATED = "simulated:"
"""How the names of simulated workers begin, so that nobody takes their answers for people's."""
