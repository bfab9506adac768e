"""Files of answers as a source: JSON in any layout, or CSV with a header, each plain or compressed."""

from __future__ import annotations

import codecs
import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

import pyarrow as pa

from stages.core.canonical import PLACE
from stages.io.compression import InputFault, open_decompressed
from stages.io.framing import Piece, ends_inside
from stages.io.json_files import RECORDS, DumpPart, record_tables
from stages.io.json_records import JsonRecords
from stages.io.lines import MAX_LINE_BYTES, READ_STEP

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

    paths: local paths or URIs, or none at all. max_record_bytes: of one JSON record or CSV field.
    Tables of {data, error}: one JSON record (of a CSV row: an object by column), or "reason: detail".
    Errors: those of JsonRecords, and broken_csv, bad_encoding. A CSV file is taken for cut (truncated_input) where it
    ends without a line break inside quotes or in a row with too few fields.
    """

    paths: tuple[str, ...] = field(default=(), metadata=PLACE)
    licence: str = _UNSTATED
    max_record_bytes: int = MAX_LINE_BYTES

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
            head = file.read(_SNIFF).lstrip(_BLANK)
        except InputFault:
            # The JSON reader says what is wrong with it.
            return False
    return bool(head) and head[:1] not in b"{[" and any(sign.encode() in head.split(b"\n")[0] for sign in _DELIMITERS)


def _csv_rows(uri: str, max_bytes: int) -> Iterator[Piece]:
    # The limit is the module's own; a field longer than the answers allowed is told later, with its task.
    csv.field_size_limit(max(csv.field_size_limit(), max_bytes))
    try:
        with open_decompressed(uri) as file:
            yield from _rows_of(_TextLines(file.read))
    except InputFault as fault:
        yield Piece(None, f"{fault.reason}: {fault}")


def _rows_of(lines: _TextLines) -> Iterator[Piece]:
    try:
        # Spreadsheets save with the sign of their country; a header's own names hold none of these.
        given = iter(lines)
        first = next(given, "")
        reader = csv.reader(chain([first], given), strict=True, delimiter=max(_DELIMITERS, key=first.count))
        header = next(reader, [])
        if len(set(header)) != len(header):
            yield Piece(None, f"broken_csv: a column stands twice in {', '.join(header)[:100]}")
            return
        for fields in reader:
            if fields:
                yield _csv_row(header, fields, lines.cut)
    except csv.Error as error:
        if lines.cut:
            yield ends_inside(lines.cut.encode("utf-8", "surrogateescape"))
            return
        # Where quotes no longer pair, nothing tells where the next row starts.
        yield Piece(None, f"broken_csv: {error}; the rest of the file is not read")


def _csv_row(header: list[str], fields: list[str], cut: str) -> Piece:
    """cut: the line that the row ends with, where the file ends without a line break after it."""
    if cut and len(fields) < len(header):
        return ends_inside(cut.encode("utf-8", "surrogateescape"))
    if len(fields) != len(header):
        return Piece(None, f"broken_csv: {len(fields)} fields under {len(header)} columns | {','.join(fields)[:100]}")
    data = json.dumps(dict(zip(header, fields, strict=True)), ensure_ascii=True).encode()
    if any("\udc80" <= character <= "\udcff" for field in fields for character in field):
        return Piece(None, f"bad_encoding: not UTF-8 | {','.join(fields).encode('ascii', 'replace').decode()[:100]}")
    return Piece(data)


class _TextLines:
    """Lines with their ends; bytes that are no UTF-8 stay visible as lone surrogates.

    cut: the last line, once it is given, where no line break ends it.
    """

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read
        self.cut = ""

    def __iter__(self) -> Iterator[str]:
        decoder = codecs.getincrementaldecoder("utf-8-sig")("surrogateescape")
        rest = ""
        while data := self._read(READ_STEP):
            *lines, rest = (rest + decoder.decode(data)).split("\n")
            yield from (f"{line}\n" for line in lines)
        self.cut = rest + decoder.decode(b"", final=True)
        if self.cut:
            yield self.cut


SIMULATED = "simulated:"
"""How the names of simulated workers begin, so that nobody takes their answers for people's."""
