"""One file read in parts by several readers, none of which knows the others.

A part is a range of bytes of the file as stored. Plain files split anywhere. A bzip2
file splits at its blocks: a part reads those that start inside its range (see
`stages.io.bzip2`). So does a Zstandard file at its frames, where it has a list of them
(see `stages.io.zstd_frames`). Others do not split.

A record belongs to the part in whose own bytes it starts; a reader therefore goes on
past its own bytes until its last record is whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO

from manifests.storage import open_input, size
from stages.io.compression import Decompressed, compression_of, open_decompressed
from stages.io.zstd_frames import frame_starts

PART_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, order=True)
class FilePart:
    """Bytes `start` to `end` (exclusive) of the file at `uri`."""

    uri: str
    start: int
    end: int


def parts_of(uri: str, part_bytes: int = PART_BYTES) -> list[FilePart]:
    """The parts of a file: one, or ranges of `part_bytes` where its format can be split.

    Raises:
        StorageError: there is no such file.
    """
    total = size(uri)
    with open_input(uri) as file:
        step = part_bytes if is_split(file) else max(total, 1)
    return [FilePart(uri, start, min(start + step, total)) for start in range(0, max(total, 1), step)]


def is_split(file: BinaryIO) -> bool:
    """Whether a file's form lets it be read in parts."""
    kind = compression_of(file)
    return kind in ("plain", "bzip2") or (kind == "zstd" and bool(frame_starts(file)))


def open_part(part: FilePart) -> Decompressed:
    """A reader from the first boundary of the format in the part; of no bytes where there is none.

    Raises:
        StorageError: there is no such file.
    """
    return open_decompressed(part.uri, part.start, part.end)
