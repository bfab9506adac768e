"""Compressed input told apart by its first bytes, decoded in bounded steps.

gzip, bzip2 and Zstandard files may be several streams in a row; anything else is
read as it is. A read holds one step of input and the output that was asked for (of
bzip2 one block), so a file that expands a million times costs time, not memory.

A file that ends early or is damaged first gives every byte that could be decoded;
the read after that raises `TruncatedInput` or `CorruptInput`.
"""

from __future__ import annotations

import gzip
import zlib
from typing import BinaryIO, Protocol, Self

from backports import zstd

from manifests.storage import open_input
from stages.core.alive import took_in
from stages.io.bzip2 import BadBlock, BlockFile
from stages.io.zstd_frames import MAGIC, FrameFile, frame_starts

READ_BYTES = 64 * 1024

MAGICS = ((b"\x1f\x8b", "gzip"), (b"BZh", "bzip2"), (MAGIC, "zstd"))
_DAMAGE = (BadBlock, gzip.BadGzipFile, zlib.error, zstd.ZstdError)


class InputFault(Exception):
    """The bytes of an input are not what its format promises; `reason` is the reject word."""

    reason = "corrupt_input"


class TruncatedInput(InputFault):
    """The file ends before its compressed stream does."""

    reason = "truncated_input"


class CorruptInput(InputFault):
    """The compressed stream is damaged, or followed by something else."""


class _Decoder(Protocol):
    """Raises EOFError where its file ends too early, one of `_DAMAGE` where it is damaged."""

    def read1(self, size: int) -> bytes:
        """Between 1 and `size` bytes; empty at the end."""


class Decompressed:
    """The decoded bytes of a file from a place on; use it in a `with`.

    kind: see `compression_of`. start, end: of the part of the file that is read (see `stages.io.ranges`);
        a reader goes on past its end, to the end of the file. gzip has one part only, and so has Zstandard
        without a list of frames.
    """

    def __init__(self, file: BinaryIO, kind: str, start: int, end: int) -> None:
        self._file = file
        self._fault: InputFault | None = None
        self._own = end - start if kind == "plain" else None
        self._told, self._end = start, end
        self._decoder: _Decoder
        file.seek(start)
        match kind:
            case "gzip":
                self._decoder = gzip.GzipFile(fileobj=file)
            case "zstd":
                starts = frame_starts(file)
                file.seek(start)
                self._decoder = FrameFile(file, start, end, starts) if starts else zstd.ZstdFile(file)
            case "bzip2":
                self._decoder = BlockFile(file, start, end)
            case _:
                # Every file has what readers use, though not every type says so.
                self._decoder = file  # type: ignore[assignment]
        self.first = start == 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    @property
    def own(self) -> int | None:
        """How many of the decoded bytes belong to the part; None as long as its end has not been reached."""
        return self._decoder.own if isinstance(self._decoder, BlockFile | FrameFile) else self._own

    def read(self, size: int = READ_BYTES) -> bytes:
        """Between 1 and `size` bytes; empty at the end of the file.

        Raises TruncatedInput or CorruptInput once everything before the fault was given, and again ever after.
        """
        if self._fault is None:
            try:
                piece = self._decoder.read1(size)
                self._tell()
                return piece
            except EOFError:
                self._fault = TruncatedInput("the file ends inside a compressed stream")
            except _DAMAGE as error:
                self._fault = CorruptInput(f"the compressed data is damaged: {error}")
        raise self._fault

    def _tell(self) -> None:
        """Says how far the part is read; a decoder reads ahead, and beyond its part."""
        if (here := min(self._file.tell(), self._end)) > self._told:
            took_in(here - self._told)
            self._told = here

    def head(self, size: int) -> bytes:
        """The next `size` bytes, fewer only at the end of the file and before a fault: a file of many short streams
        gives little at a time.

        Raises as `read`, where there is nothing before the fault.
        """
        pieces: list[bytes] = []
        missing = size
        while missing > 0:
            try:
                piece = self.read(missing)
            except InputFault:
                if not pieces:
                    raise
                break
            if not piece:
                break
            pieces.append(piece)
            missing -= len(piece)
        return b"".join(pieces)


def compression_of(file: BinaryIO) -> str:
    """ "gzip", "bzip2", "zstd" or "plain", by the first bytes; leaves the file at its start."""
    head = file.read(4)
    file.seek(0)
    return next((kind for magic, kind in MAGICS if head.startswith(magic)), "plain")


def open_decompressed(uri: str, start: int = 0, end: int = 0) -> Decompressed:
    """A reader of the decoded content of a local path or URI, or of a part of it.

    Raises:
        StorageError: there is no such file. Faults of its content come from `read`.
    """
    file = open_input(uri)
    return Decompressed(file, compression_of(file), start, end)
