"""Files of single hops as a source: JSON in any layout, or tab-separated lines, each plain or compressed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import msgspec
import pyarrow as pa

from stages.core.canonical import PLACE
from stages.core.contract import StageError
from stages.io.compression import InputFault, open_decompressed
from stages.io.framing import Piece, ends_inside
from stages.io.json_files import RECORDS, DumpPart, record_tables
from stages.io.json_records import UNSTATED, JsonRecords
from stages.io.lines import MAX_LINE_BYTES, Line, read_lines
from stages.io.ranges import PART_BYTES, FilePart, parts_of
from stages.musique.hop_sources.zero_shot_re import COLUMNS, FIELD

_SNIFF = 4096
_CUT_LETTER = "unexpected end of data"
_BLANK = b" \t\r\n\xef\xbb\xbf"


@dataclass(frozen=True, order=True)
class LinesPart:
    """A range of a file of tab-separated lines."""

    file: FilePart


@dataclass(frozen=True)
class HopFiles:
    """Source over files of single hops; what a record is, is seen from its fields when it is read.

    paths: local paths or URIs. max_record_bytes: longer records become rejects; a whole SQuAD file, of 42 MB, is one.
    Tables of {data, error}: one JSON record (of a tab-separated line: {"tab_separated": [cells]}), or
    "reason: detail". Errors: those of JsonRecords, and bad_encoding. A last line of cells without its line break and
    without an answer is truncated_input, as one that was cut looks so; cut in its answer, it cannot be told.
    """

    paths: tuple[str, ...] = field(metadata=PLACE)
    licence: str = UNSTATED
    max_record_bytes: int = MAX_LINE_BYTES
    part_bytes: int = PART_BYTES

    def __post_init__(self) -> None:
        if not self.paths:
            raise StageError("single hops: no file given; name at least one with --source")

    @property
    def schema(self) -> pa.Schema:
        return RECORDS

    def parts(self) -> list[DumpPart | LinesPart]:
        """Parts of all files.

        Raises StorageError: a file does not exist.
        """
        return [part for path in sorted(self.paths) for part in self._parts_of(path)]

    def _parts_of(self, path: str) -> list[DumpPart | LinesPart]:
        if is_tab_separated(path):
            return [LinesPart(part) for part in parts_of(path, self.part_bytes)]
        return [*self._json(path).parts()]

    def read(self, part: DumpPart | LinesPart) -> Iterator[pa.Table]:
        if isinstance(part, LinesPart):
            return record_tables(_lines(part.file, self.max_record_bytes))
        return self._json(part.file.uri).read(part)

    def _json(self, *paths: str) -> JsonRecords:
        return JsonRecords(
            paths, max_record_bytes=self.max_record_bytes, part_bytes=self.part_bytes, kind="single hops"
        )

    def identity(self) -> Mapping[str, str]:
        """sha256 of each file, numbered in the order of the digests."""
        return self._json(*self.paths).identity()

    def licences(self) -> Mapping[str, str]:
        return {"single hops": self.licence}


def is_tab_separated(path: str) -> bool:
    """Whether a file starts as lines of cells: no JSON, and the first line has tabs enough."""
    with open_decompressed(path) as file:
        try:
            head = file.head(_SNIFF).lstrip(_BLANK)
        except InputFault:
            return False
    return head[:1] not in (b"", b"{", b"[") and head.partition(b"\n")[0].count(b"\t") >= COLUMNS - 1


def _lines(part: FilePart, max_bytes: int) -> Iterator[Piece]:
    for line in read_lines(part, max_bytes):
        if line.error is not None:
            yield Piece(None, line.error)
        elif line.data.strip():
            yield _record(line)


def _record(line: Line) -> Piece:
    try:
        # A byte order mark at the start of the file is none of the first cell.
        cells = line.data.decode("utf-8-sig").split("\t")
    except UnicodeDecodeError as fault:
        if not line.ended and fault.reason == _CUT_LETTER:
            return ends_inside(line.data)
        return Piece(None, f"bad_encoding: {fault.reason} | {line.data[:80].decode('utf-8', 'replace')}")
    if not line.ended and not any(map(str.strip, cells[COLUMNS:])):
        return ends_inside(line.data)
    return Piece(msgspec.json.encode({FIELD: cells}))
