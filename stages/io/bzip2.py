"""One bzip2 file decoded in parts, block by block.

A bzip2 stream is a row of blocks that are coded independently, each opened by a
48-bit magic number that may start at any bit. So a part of the file can be decoded
alone: find the magic numbers in its bytes, put each block behind a stream header of
its own, and end the stream with the block's own checksum. A block belongs to the part
in whose bytes its magic number starts.

rapidgzip's reader of bzip2 needs a file from its start, so that one process would read a
whole dump; it takes as long (11.4 against 10.3 s of CPU for 25 MB stored, 144 MB decoded), and loses up to a
MiB of sound bytes before a fault.
"""

from __future__ import annotations

import bz2
import re
from collections import deque
from typing import BinaryIO

_BLOCK, _END = 0x314159265359, 0x177245385090
_MAGIC_BITS, _CHECKSUM_BITS = 48, 32
_SCAN_BYTES = 256 * 1024
_PIECE_BYTES = 1024 * 1024
# The largest block holds 900,000 bytes before coding, which never grow by more than some percent.
_LONGEST_BLOCK = 8 * 1_200_000
# What is kept where no mark turns up: a block that began before it would be too long to be one.
_KEPT_BYTES = _LONGEST_BLOCK // 8 + 8
_HEADER = int.from_bytes(b"BZh9", "big")
_STREAM = re.compile(rb"BZh[1-9]")


# For each magic number and bit shift the five bytes that it fills whole.
_NEEDLES = [
    (magic, shift, (magic << (8 - shift)).to_bytes(7, "big")[1:6]) for magic in (_BLOCK, _END) for shift in range(8)
]


class BadBlock(Exception):
    """A file is damaged."""


class _Marks:
    """The magic numbers of a file from some byte on, in order, and the bits between them."""

    def __init__(self, file: BinaryIO, start: int) -> None:
        file.seek(start)
        self._file = file
        self._base = start
        self._bytes = bytearray()
        self._found: deque[tuple[int, int]] = deque()

    def next(self) -> tuple[int, int] | None:
        """(bit offset in the file, magic number) of the next mark; None at the end of the file."""
        while not self._found:
            data = self._file.read(_SCAN_BYTES)
            if not data:
                return None
            # A mark may straddle the bytes that were there before.
            self._search(max(0, len(self._bytes) - 6), data)
            if not self._found:
                self._forget(len(self._bytes) - _KEPT_BYTES)
        return self._found.popleft()

    def _search(self, start: int, data: bytes) -> None:
        self._bytes += data
        # A seventh byte lets a mark that ends with the file be read like any other.
        window = bytes(self._bytes[start:]) + b"\0"
        known = {bit for bit, _ in self._found}
        hits = []
        for magic, shift, needle in _NEEDLES:
            at = window.find(needle, 1)
            while at != -1:
                value = int.from_bytes(window[at - 1 : at + 6], "big")
                complete = at + 5 + (shift > 0) <= len(window) - 1
                if complete and value >> (8 - shift) & (1 << _MAGIC_BITS) - 1 == magic:
                    hits.append(((self._base + start + at - 1) * 8 + shift, magic))
                at = window.find(needle, at + 1)
        self._found.extend(sorted(hit for hit in hits if hit[0] not in known))

    def bits(self, start: int, end: int) -> int:
        """The bits from one offset to another as a number."""
        first, last = start // 8 - self._base, -(-end // 8) - self._base
        value = int.from_bytes(self._bytes[first:last], "big") >> (-end % 8)
        return value & ((1 << (end - start)) - 1)

    def since(self, start: int, most: int) -> bytes:
        """What was read of the file from a byte on."""
        first = max(start - self._base, 0)
        return bytes(self._bytes[first : first + most])

    @property
    def end(self) -> int:
        """How far the file was read."""
        return self._base + len(self._bytes)

    def forget_before(self, bit: int) -> None:
        self._forget(bit // 8 - self._base)

    def _forget(self, count: int) -> None:
        if count > 0:
            del self._bytes[:count]
            self._base += count


class BlockFile:
    """Decoded bytes from the first block at or after byte `start` to the end of the file, of one or several streams.

    own: how many of them are of blocks that start before byte `end`; None until that is known.
    """

    def __init__(self, file: BinaryIO, start: int, end: int) -> None:
        self._end = end
        self._marks = _Marks(file, start)
        self._mark = self._marks.next()
        # Where a stream has to begin, if the file goes on.
        self._stream = 0 if start == 0 else None
        self._ready: deque[memoryview] = deque()
        self._produced = 0
        self.own: int | None = None
        while start and self._mark is not None and self._mark[1] == _END and self._mark[0] // 8 < end:
            self._pass_end(self._mark[0])
        # The first part reads on, however short it is: the first record belongs to it.
        self._is_empty = bool(start) and (self._mark is None or self._mark[0] // 8 >= end)
        if self._is_empty:
            self.own = 0

    def read1(self, size: int) -> bytes:
        """Between 1 and `size` bytes; empty at the end of the file, and where no block starts in the part.

        Raises:
            EOFError: the file ends inside a stream.
            BadBlock: a block fails its checksum, or something else than a stream follows the end of one.
        """
        while not self._ready and not self._is_empty:
            block = self._next_block()
            if block is None:
                self.own = self._produced if self.own is None else self.own
                return b""
            self._ready = block
        piece = self._ready.popleft() if self._ready else memoryview(b"")
        if len(piece) > size:
            self._ready.appendleft(piece[size:])
        self._produced += min(len(piece), size)
        return bytes(piece[:size])

    def _next_block(self) -> deque[memoryview] | None:
        while self._mark is not None and self._mark[1] == _END:
            self._check_stream()
            self._pass_end(self._mark[0])
        self._check_stream()
        if self._mark is None:
            return None
        self._stream = None
        start = self._mark[0]
        if self.own is None and start // 8 >= self._end:
            self.own = self._produced
        self._marks.forget_before(start)
        try:
            return self._decode_to_next_mark(start)
        except OSError:
            # The magic number may turn up inside a block by chance: then the block goes on to the mark after.
            try:
                return self._decode_to_next_mark(start)
            except OSError as error:
                raise BadBlock(error) from error

    def _pass_end(self, bit: int) -> None:
        """Over the mark that ends a stream: its checksum follows, and bits that fill up the last byte."""
        self._stream = -(-(bit + _MAGIC_BITS + _CHECKSUM_BITS) // 8)
        self._mark = self._marks.next()

    def _check_stream(self) -> None:
        """A stream's head stands between the end of a stream and the next mark, nothing before the end of the file."""
        if self._stream is None:
            return
        rest = self._marks.since(self._stream, len(b"BZh9"))
        if self._mark is not None:
            if self._mark[0] != (self._stream + 4) * 8 or not _STREAM.match(rest):
                raise BadBlock("something else follows the end of a stream")
            return
        if self._marks.end < self._stream or _STREAM.match(rest) or (rest and b"BZh".startswith(rest)):
            raise EOFError
        if rest:
            raise BadBlock("something else follows the end of a stream")

    def _decode_to_next_mark(self, start: int) -> deque[memoryview]:
        self._mark = self._marks.next()
        if self._mark is None:
            raise EOFError
        length = self._mark[0] - start
        if not _MAGIC_BITS + _CHECKSUM_BITS < length <= _LONGEST_BLOCK:
            raise OSError(f"a block of {length} bits")
        return _decode(self._marks.bits(start, self._mark[0]), length)


def _decode(block: int, length: int) -> deque[memoryview]:
    """The content, in pieces, of a block given as a number of so many bits; at most 47 MB, by the format's own limits.

    Raises OSError for what is no sound block.
    """
    checksum = block >> (length - _MAGIC_BITS - _CHECKSUM_BITS) & (1 << _CHECKSUM_BITS) - 1
    stream = ((_HEADER << length | block) << _MAGIC_BITS | _END) << _CHECKSUM_BITS | checksum
    bits = 32 + length + _MAGIC_BITS + _CHECKSUM_BITS
    decoder = bz2.BZ2Decompressor()
    data = decoder.decompress((stream << (-bits % 8)).to_bytes(-(-bits // 8), "big"), _PIECE_BYTES)
    pieces = deque([memoryview(data)] if data else [])
    while data and not decoder.eof:
        data = decoder.decompress(b"", _PIECE_BYTES)
        pieces.append(memoryview(data))
    if not decoder.eof:
        raise OSError("the block has no end")
    return pieces
