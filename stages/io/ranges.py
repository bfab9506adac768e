"""One file read in parts by several readers, none of which knows the others.

A part is a range of bytes of the file as stored. Plain files split anywhere. A bzip2
file splits where one of its streams starts, as in the multistream dumps: a part reads
the streams that start inside its range, so that all but the first part of a
single-stream file find nothing and the first reads all of it. Other compressions do
not split.

A record belongs to the part in whose own bytes it starts; a reader therefore goes on
past its own bytes until its last record is whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import BinaryIO

from manifests.storage import open_input, size
from stages.io.compression import READ_BYTES, Decompressed, Plain, compression_of

PART_BYTES = 64 * 1024 * 1024
# A stream opens with its level and then the magic number of its first block, or of its end if it is empty.
_BZIP2_STREAM = re.compile(rb"BZh[1-9](?:1AY&SY|\x17\x72\x45\x38\x50\x90)")
_BZIP2_HEAD = 10


@dataclass(frozen=True, order=True)
class FilePart:
    """Bytes `start` to `end` (exclusive) of the file at `uri`."""

    uri: str
    start: int
    end: int


class PartReader:
    """Decoded bytes from the start of a part to the end of its file; `own` of them belong to the part.

    `own` is None as long as the end of the part has not been reached.
    """

    def __init__(self, inner: Decompressed | Plain, part: FilePart) -> None:
        self._inner = inner
        self._part = part
        self._plain_own = part.end - part.start if isinstance(inner, Plain) else None
        self._ended = False
        self.first = part.start == 0

    def __enter__(self) -> PartReader:
        return self

    def __exit__(self, *_: object) -> None:
        self._inner.close()

    def read(self, size: int = READ_BYTES) -> bytes:
        """As `Decompressed.read`; raises InputFault."""
        data = self._inner.read(size)
        self._ended = not data
        return data

    @property
    def own(self) -> int | None:
        if isinstance(self._inner, Plain):
            return self._plain_own
        beyond = (produced for offset, produced in self._inner.streams if offset >= self._part.end)
        return next(beyond, self._inner.produced if self._ended else None)


def parts_of(uri: str, part_bytes: int = PART_BYTES) -> list[FilePart]:
    """The parts of a file: one, or ranges of `part_bytes` where its format can be split.

    Raises:
        StorageError: there is no such file.
    """
    total = size(uri)
    with open_input(uri) as file:
        splits = compression_of(file) in ("plain", "bzip2")
    step = part_bytes if splits else max(total, 1)
    return [FilePart(uri, start, min(start + step, total)) for start in range(0, max(total, 1), step)]


def open_part(part: FilePart) -> PartReader | None:
    """A reader at the first record boundary that the format shows; None where the part holds no stream.

    Raises:
        StorageError: there is no such file.
    """
    file = open_input(part.uri)
    kind = compression_of(file)
    start: int | None = part.start
    if kind == "bzip2" and part.start:
        start = _next_stream(file, part)
    if start is None:
        file.close()
        return None
    file.seek(start)
    return PartReader(Plain(file) if kind == "plain" else Decompressed(file, kind, start), part)


def _next_stream(file: BinaryIO, part: FilePart) -> int | None:
    """Offset of the first bzip2 stream that starts inside the part."""
    file.seek(part.start)
    offset, window = part.start, b""
    while offset < part.end:
        data = file.read(READ_BYTES)
        window += data
        if found := _BZIP2_STREAM.search(window):
            at = offset + found.start()
            return at if at < part.end else None
        if not data:
            return None
        keep = min(len(window), _BZIP2_HEAD - 1)
        offset += len(window) - keep
        window = window[-keep:]
    return None
