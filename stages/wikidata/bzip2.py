"""One bzip2 file decoded in parts, block by block.

A bzip2 stream is a row of blocks that are coded independently, each opened by a
48-bit magic number that may start at any bit. So a part of the file can be decoded
alone: find the magic numbers in its bytes, put each block behind a stream header of
its own, and end the stream with the block's own checksum. A block belongs to the part
in whose bytes its magic number starts.
"""

from __future__ import annotations

import bz2
from collections import deque
from typing import BinaryIO

from stages.io.compression import READ_BYTES, CorruptInput, TruncatedInput
from stages.io.ranges import FilePart

_BLOCK, _END = 0x314159265359, 0x177245385090
_MAGIC_BITS, _CHECKSUM_BITS = 48, 32
_SCAN_BYTES = 256 * 1024
# The largest block holds 900,000 bytes before coding, which never grow by more than some percent.
_LONGEST_BLOCK = 8 * 1_200_000
# What is kept where no mark turns up: a block that began before it would be too long to be one.
_KEPT_BYTES = _LONGEST_BLOCK // 8 + 8
_HEADER = int.from_bytes(b"BZh9", "big")


def _needles() -> list[tuple[int, int, bytes]]:
    """For each magic number and bit shift the five bytes that it fills whole."""
    return [
        (magic, shift, (magic << (8 - shift)).to_bytes(7, "big")[1:6]) for magic in (_BLOCK, _END) for shift in range(8)
    ]


_NEEDLES = _needles()


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

    def forget_before(self, bit: int) -> None:
        self._forget(bit // 8 - self._base)

    def _forget(self, count: int) -> None:
        if count > 0:
            del self._bytes[:count]
            self._base += count


class BlockReader:
    """Decoded bytes from a part's first block to the end of the file; `own` of them belong to the part.

    Reads as `stages.io.ranges.PartReader` does, for bzip2 files of one or several streams.
    """

    def __init__(self, file: BinaryIO, part: FilePart) -> None:
        self._file = file
        self._part = part
        self._marks = _Marks(file, part.start)
        self._mark = self._marks.next()
        self._ready = memoryview(b"")
        self._produced = 0
        self.own: int | None = None
        self.first = part.start == 0

    def __enter__(self) -> BlockReader:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    @property
    def has_blocks(self) -> bool:
        """Whether there is anything to read; to be asked before the first read.

        The first part has, however short it is: the first record belongs to it.
        """
        while self._mark is not None and self._mark[1] == _END and self._mark[0] // 8 < self._part.end:
            self._mark = self._marks.next()
        return self.first or (self._mark is not None and self._mark[0] // 8 < self._part.end)

    def read(self, size: int = READ_BYTES) -> bytes:
        """Between 1 and `size` bytes; empty at the end of the file.

        Raises:
            TruncatedInput: the file ends without the mark that ends a stream.
            CorruptInput: a block fails its checksum.
        """
        while not self._ready:
            block = self._next_block()
            if block is None:
                self.own = self._produced if self.own is None else self.own
                return b""
            # A view, so that taking a piece off copies that piece only.
            self._ready = memoryview(block)
        data = bytes(self._ready[:size])
        self._ready = self._ready[size:]
        self._produced += len(data)
        return data

    def _next_block(self) -> bytes | None:
        while self._mark is not None and self._mark[1] == _END:
            self._mark = self._marks.next()
        if self._mark is None:
            return None
        start = self._mark[0]
        if self.own is None and start // 8 >= self._part.end:
            self.own = self._produced
        self._marks.forget_before(start)
        try:
            return self._decode_to_next_mark(start)
        except OSError:
            # The magic number may turn up inside a block by chance: then the block goes on to the mark after.
            try:
                return self._decode_to_next_mark(start)
            except OSError as error:
                raise CorruptInput(f"the compressed data is damaged: {error}") from error

    def _decode_to_next_mark(self, start: int) -> bytes:
        self._mark = self._marks.next()
        if self._mark is None:
            raise TruncatedInput("the file ends inside a compressed stream")
        length = self._mark[0] - start
        if not _MAGIC_BITS + _CHECKSUM_BITS < length <= _LONGEST_BLOCK:
            raise OSError(f"a block of {length} bits")
        return _decode(self._marks.bits(start, self._mark[0]), length)


def _decode(block: int, length: int) -> bytes:
    """The content of a block given as a number of so many bits; at most 47 MB, by the format's own limits.

    Raises OSError for what is no sound block.
    """
    checksum = block >> (length - _MAGIC_BITS - _CHECKSUM_BITS) & (1 << _CHECKSUM_BITS) - 1
    stream = ((_HEADER << length | block) << _MAGIC_BITS | _END) << _CHECKSUM_BITS | checksum
    bits = 32 + length + _MAGIC_BITS + _CHECKSUM_BITS
    decoder = bz2.BZ2Decompressor()
    data = decoder.decompress((stream << (-bits % 8)).to_bytes(-(-bits // 8), "big"))
    if not decoder.eof:
        raise OSError("the block has no end")
    return data
