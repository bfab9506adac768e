"""Compressed input told apart by its first bytes, decoded in bounded steps.

gzip, bzip2 and Zstandard files may be several streams in a row; anything else is
read as it is. A read holds one step of input and the output that was asked for, so
a file that expands a million times costs time, not memory.

A file that ends early or is damaged first gives every byte that could be decoded;
the read after that raises `TruncatedInput` or `CorruptInput`.
"""

from __future__ import annotations

import bz2
import zlib
from collections.abc import Callable
from typing import BinaryIO, NoReturn, Protocol, Self, cast

import zstandard

from manifests.storage import open_input

READ_BYTES = 64 * 1024
# One Zstandard block takes 4 bytes and may stand for 128 KiB, and its decoder has no output limit:
# a small step bounds what one call can return (8 MiB).
ZSTD_STEP = 256

MAGICS = ((b"\x1f\x8b", "gzip"), (b"BZh", "bzip2"), (b"\x28\xb5\x2f\xfd", "zstd"))


class InputFault(Exception):
    """The bytes of an input are not what its format promises; `reason` is the reject word."""

    reason = "corrupt_input"


class TruncatedInput(InputFault):
    """The file ends before its compressed stream does."""

    reason = "truncated_input"


class CorruptInput(InputFault):
    """The compressed stream is damaged, or followed by something else."""


class Decoder(Protocol):
    """One compressed stream: `decode` gives at most `limit` bytes, fewer when it needs more input."""

    step: int

    @property
    def hungry(self) -> bool: ...

    @property
    def unused(self) -> bytes | None:
        """What follows the end of the stream; None before the end."""

    def decode(self, data: bytes, limit: int) -> bytes: ...


class _Gzip:
    step = READ_BYTES

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=31)

    @property
    def hungry(self) -> bool:
        return not self._inner.unconsumed_tail

    @property
    def unused(self) -> bytes | None:
        # Zero bytes after a member are legal padding and carry nothing.
        return self._inner.unused_data.lstrip(b"\0") if self._inner.eof else None

    def decode(self, data: bytes, limit: int) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, limit)


class _Bzip2:
    step = READ_BYTES

    def __init__(self) -> None:
        self._inner = bz2.BZ2Decompressor()

    @property
    def hungry(self) -> bool:
        return self._inner.needs_input

    @property
    def unused(self) -> bytes | None:
        return self._inner.unused_data if self._inner.eof else None

    def decode(self, data: bytes, limit: int) -> bytes:
        return self._inner.decompress(data, limit)


class _Zstd:
    step = ZSTD_STEP

    def __init__(self) -> None:
        self._inner = zstandard.ZstdDecompressor().decompressobj()
        # A view, so that taking a piece off a large output copies that piece only.
        self._ready = memoryview(b"")

    @property
    def hungry(self) -> bool:
        return not self._ready

    @property
    def unused(self) -> bytes | None:
        return self._inner.unused_data if self._inner.eof and not self._ready else None

    def decode(self, data: bytes, limit: int) -> bytes:
        ready = memoryview(self._inner.decompress(data)) if data else self._ready
        self._ready = ready[limit:]
        return bytes(ready[:limit])


_DECODERS: dict[str, Callable[[], Decoder]] = {"gzip": _Gzip, "bzip2": _Bzip2, "zstd": _Zstd}
_ERRORS = (zlib.error, OSError, ValueError, EOFError, zstandard.ZstdError)


class _Owner:
    """Closes its file when it is closed itself, or at the end of a `with`."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._file.close()


class Decompressed(_Owner):
    """The decoded bytes of a compressed file from `file`'s position on.

    file: open at `offset`, where a stream of that kind ("gzip", "bzip2", "zstd") starts.
    `streams` lists, for each stream met so far, its start in the file and in the decoded
    output: a reader that shares a file with others stops by it.
    """

    def __init__(self, file: BinaryIO, kind: str, offset: int = 0) -> None:
        super().__init__(file)
        self._new_decoder = _DECODERS[kind]
        self._decoder: Decoder | None = None
        self._input = b""
        self._offset = offset
        self._produced = 0
        self._fault: InputFault | None = None
        self.streams: list[tuple[int, int]] = []

    def read(self, size: int = READ_BYTES) -> bytes:
        """Between 1 and `size` bytes; empty at the end of the file.

        Raises TruncatedInput or CorruptInput once everything before the fault was given.
        """
        if self._fault is not None:
            raise self._fault
        while self._decoder is not None or self._next_stream():
            data = self._step(cast(Decoder, self._decoder), size)
            if data:
                self._produced += len(data)
                return data
        return b""

    @property
    def produced(self) -> int:
        """Decoded bytes given so far."""
        return self._produced

    def _next_stream(self) -> bool:
        self._input = self._input or self._file.read(READ_BYTES)
        if not self._input:
            return False
        self.streams.append((self._offset, self._produced))
        self._decoder = self._new_decoder()
        return True

    def _step(self, decoder: Decoder, size: int) -> bytes:
        data = b""
        if decoder.hungry:
            self._input = self._input or self._file.read(READ_BYTES)
            data, self._input = self._input[: decoder.step], self._input[decoder.step :]
            if not data:
                self._fail(TruncatedInput("the file ends inside a compressed stream"))
        try:
            decoded = decoder.decode(data, size)
        except _ERRORS as error:
            self._fail(CorruptInput(f"the compressed data is damaged: {error}"))
        self._offset += len(data)
        if (unused := decoder.unused) is not None:
            self._offset -= len(unused)
            self._input = unused + self._input
            self._decoder = None
        return decoded

    def _fail(self, fault: InputFault) -> NoReturn:
        self._fault = fault
        raise fault


class Plain(_Owner):
    """The bytes of an uncompressed file, read as `Decompressed` is."""

    def read(self, size: int = READ_BYTES) -> bytes:
        return self._file.read(size)


def compression_of(file: BinaryIO) -> str:
    """ "gzip", "bzip2", "zstd" or "plain", by the first bytes; leaves the file at its start."""
    head = file.read(4)
    file.seek(0)
    return next((kind for magic, kind in MAGICS if head.startswith(magic)), "plain")


def open_decompressed(uri: str) -> Decompressed | Plain:
    """A reader of the decoded content of a local path or URI; use it in a `with`.

    Raises:
        StorageError: there is no such file. Faults of its content come from `read`.
    """
    file = open_input(uri)
    kind = compression_of(file)
    return Plain(file) if kind == "plain" else Decompressed(file, kind)
