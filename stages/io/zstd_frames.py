"""One Zstandard file of many frames decoded in parts, frame by frame.

Frames are coded independently, but only a list tells surely where they begin. Files in Zstandard's seekable format end
with one: a frame that decoders skip, which holds the sizes of all others. A frame belongs to the part of the file in
which it starts. Without a list, or with one that does not add up to the file, a file is one part.
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from typing import BinaryIO

from backports import zstd

MAGIC = b"\x28\xb5\x2f\xfd"
_SKIPPED, _SEEKABLE = 0x184D2A5E, 0x8F92EAB1
_HEAD, _FOOT = struct.Struct("<II"), struct.Struct("<IBI")
_HAS_CHECKSUMS, _RESERVED = 0x80, 0x7C
# A list is held in memory: this many frames of 16 MiB are 17 TB.
_MOST_FRAMES = 1 << 20
_READ_BYTES = 64 * 1024


def frame_list(sizes: Sequence[tuple[int, int]]) -> bytes:
    """The list of frames of (stored, decoded) bytes, which ends the file."""
    entries = b"".join(_HEAD.pack(*size) for size in sizes)
    foot = _FOOT.pack(len(sizes), 0, _SEEKABLE)
    return _HEAD.pack(_SKIPPED, len(entries) + len(foot)) + entries + foot


def frame_starts(file: BinaryIO) -> list[int]:
    """Where each frame begins, and where the last one ends; empty where no list says it. Moves in the file."""
    total = file.seek(0, 2)
    if total < _HEAD.size + _FOOT.size:
        return []
    file.seek(total - _FOOT.size)
    count, flags, magic = _FOOT.unpack(file.read(_FOOT.size))
    entry = _HEAD.size + (4 if flags & _HAS_CHECKSUMS else 0)
    length = count * entry + _FOOT.size
    at = total - length - _HEAD.size
    if magic != _SEEKABLE or flags & _RESERVED or not 0 < count <= _MOST_FRAMES or at < 0:
        return []
    file.seek(at)
    if _HEAD.unpack(file.read(_HEAD.size)) != (_SKIPPED, length):
        return []
    entries = file.read(count * entry)
    starts = [0, *accumulate(_HEAD.unpack_from(entries, number * entry)[0] for number in range(count))]
    return starts if starts[-1] == at else []


class FrameFile:
    """Decoded bytes from the first frame at or after byte `start` to the last frame of the file.

    starts: see `frame_starts`.
    own: how many of them are of frames that start before byte `end`; None until that is known.
    """

    def __init__(self, file: BinaryIO, start: int, end: int, starts: Sequence[int]) -> None:
        self._file = file
        self._starts = starts
        self._end = end
        self._number = bisect_left(starts, start)
        self._left = 0
        self._decoder: zstd.ZstdDecompressor | None = None
        self._produced = 0
        self.own: int | None = None
        # The first part reads on, however short it is: the first record belongs to it.
        if start and (self._number >= len(starts) - 1 or starts[self._number] >= end):
            self._number, self.own = len(starts) - 1, 0

    def read1(self, size: int) -> bytes:
        """Between 1 and `size` bytes; empty at the end of the file, and where no frame starts in the part.

        Raises:
            ZstdError: a frame is damaged, or does not end where the list says.
        """
        while self._decoder is not None or self._number < len(self._starts) - 1:
            data = self._decode(self._decoder or self._next_frame(), size)
            if data:
                self._produced += len(data)
                return data
        self.own = self._produced if self.own is None else self.own
        return b""

    def _next_frame(self) -> zstd.ZstdDecompressor:
        start, end = self._starts[self._number : self._number + 2]
        if self.own is None and start >= self._end:
            self.own = self._produced
        self._file.seek(start)
        self._left = end - start
        self._decoder = zstd.ZstdDecompressor()
        return self._decoder

    def _decode(self, decoder: zstd.ZstdDecompressor, size: int) -> bytes:
        stored = self._file.read(min(_READ_BYTES, self._left)) if decoder.needs_input else b""
        self._left -= len(stored)
        if decoder.needs_input and not stored:
            raise zstd.ZstdError("a frame goes on where the list of frames says that it ends")
        data = decoder.decompress(stored, size)
        if decoder.eof:
            if self._left or decoder.unused_data:
                raise zstd.ZstdError("a frame ends before the list of frames says so")
            self._decoder = None
            self._number += 1
        return data
