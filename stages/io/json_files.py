"""JSON files as a source of records: plain, gzip, bzip2 or Zstandard, in any layout.

A file with one record a line is read in parts where its compression allows: plain
files anywhere, bzip2 at any block, Zstandard at any frame of a file that lists them.
Other files are one part each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from manifests.storage import file_sha256
from stages.core.canonical import PLACE
from stages.core.contract import StageError
from stages.io.compression import open_decompressed
from stages.io.framing import (
    Piece,
    closes_list,
    ends_in_list,
    ends_inside,
    is_whole,
    layout,
    read_document,
    too_many_values,
    unframe,
)
from stages.io.lines import MAX_LINE_BYTES, read_lines
from stages.io.ranges import PART_BYTES, FilePart, parts_of

BATCH_BYTES = 4 * 1024 * 1024

# data: one JSON record; error: "reason: detail" of what could not be read, with data null.
RECORDS = pa.schema([pa.field("data", pa.large_binary()), pa.field("error", pa.string())])


@dataclass(frozen=True, order=True)
class DumpPart:
    """A range of a file, or the whole of it where it is one document. listed: the file begins as an array."""

    file: FilePart
    document: bool = False
    listed: bool = False


@dataclass(frozen=True)
class JsonFiles:
    """Records from one or more files, framed as Wikidata's dumps are.

    kind: what the records are, for the manifest and for errors.

    paths: local paths or URIs. max_record_bytes: longer records become rejects.
    part_bytes: stored bytes per part of a file that can be split.

    Error rows: truncated_input, corrupt_input, oversized_line, oversized_record,
    bad_framing. What was readable before them is read.
    """

    paths: tuple[str, ...] = field(metadata=PLACE)
    max_record_bytes: int = MAX_LINE_BYTES
    part_bytes: int = PART_BYTES
    batch_bytes: int = BATCH_BYTES
    kind: str = "records"

    def __post_init__(self) -> None:
        if not self.paths:
            raise StageError(f"{self.kind}: no file given; name at least one with --source")
        if min(self.max_record_bytes, self.part_bytes, self.batch_bytes) < 1:
            raise StageError(f"{self.kind}: max_record_bytes, part_bytes and batch_bytes must be at least 1")

    @property
    def schema(self) -> pa.Schema:
        return RECORDS

    def parts(self) -> list[DumpPart]:
        """Parts of all files.

        Raises:
            StorageError: a file does not exist.
        """
        return [part for path in sorted(self.paths) for part in self._parts_of(path)]

    def read(self, part: DumpPart) -> Iterator[pa.Table]:
        """Tables of about `batch_bytes` of records."""
        return record_tables(self._pieces(part), self.batch_bytes)

    def identity(self) -> Mapping[str, str]:
        """sha256 of each file, numbered in the order of the digests."""
        return {f"{self.kind}:{number}": digest for number, digest in enumerate(sorted(map(file_sha256, self.paths)))}

    def _parts_of(self, path: str) -> list[DumpPart]:
        parts = parts_of(path, self.part_bytes)
        with open_decompressed(path) as stream:
            lines, listed = layout(stream.read, self.max_record_bytes)
        if lines:
            return [DumpPart(part, listed=listed) for part in parts]
        return [DumpPart(FilePart(path, 0, parts[-1].end), document=True)]

    def _pieces(self, part: DumpPart) -> Iterator[Piece]:
        if part.document:
            with open_decompressed(part.file.uri) as stream:
                yield from read_document(stream.read, self.max_record_bytes)
        else:
            yield from self._line_by_line(part)

    def _line_by_line(self, part: DumpPart) -> Iterator[Piece]:
        is_open = is_end = False
        for line in read_lines(part.file, self.max_record_bytes):
            piece: Piece | None = None
            if line.error is not None:
                piece = Piece(None, line.error)
            elif data := unframe(line.data):
                piece = self._piece(data, line.ended)
            if piece is not None:
                yield piece
            if line.data.strip() or line.error:
                # What a fault hides is told already.
                is_open = not closes_list(line.data) and (piece is None or piece.error is None)
            is_end = not line.ended
        if part.listed and is_open and is_end:
            yield ends_in_list()

    @staticmethod
    def _piece(data: bytes, ended: bool) -> Piece:
        if fault := too_many_values(data):
            return Piece(None, fault)
        return Piece(data) if ended or is_whole(data) else ends_inside(data)


def record_tables(pieces: Iterable[Piece], batch_bytes: int = BATCH_BYTES) -> Iterator[pa.Table]:
    """Tables of RECORDS of about `batch_bytes` each, out of what was read piece by piece."""
    batch: list[Piece] = []
    size = 0
    for piece in pieces:
        batch.append(piece)
        size += len(piece.data or b"") + len(piece.error or "")
        if size >= batch_bytes:
            yield _table(batch)
            batch, size = [], 0
    if batch:
        yield _table(batch)


def _table(batch: list[Piece]) -> pa.Table:
    columns = [
        pa.array([piece.data for piece in batch], RECORDS.field("data").type),
        pa.array([piece.error for piece in batch], RECORDS.field("error").type),
    ]
    return pa.Table.from_arrays(columns, schema=RECORDS)
