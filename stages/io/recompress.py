"""A compressed file made into one that many workers read at once: Zstandard frames with a list of them.

What comes out decodes to the same bytes. It grows as a file of whole frames beside its final name, and what a
broken-off run has left is gone through together with the input: frames that hold the same bytes stay, the rest is
made anew.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from backports import zstd

from manifests.storage import open_input, size
from stages.core.contract import StageError
from stages.io.compression import READ_BYTES, Decompressed, InputFault, open_decompressed
from stages.io.ranges import is_split
from stages.io.zstd_frames import frame_list

FRAME_BYTES = 16 << 20
"""Decoded bytes of a frame: a part of a file holds dozens of frames, and a reader one."""
LARGE_BYTES = 10**9
UNFINISHED = ".unfinished"
_OPTIONS: dict[int, int] = {zstd.CompressionParameter.compression_level: 6, zstd.CompressionParameter.checksum_flag: 1}
Sizes = list[tuple[int, int]]
Tell = Callable[[int], None]


def one_workers(uris: Iterable[str], large: int = LARGE_BYTES) -> list[str]:
    """The files of more than `large` bytes that one worker has to read alone."""
    return [uri for uri in uris if size(uri) > large and not _splits(uri)]


def recompress(uri: str, out: Path, tell: Tell = lambda _: None, frame_bytes: int = FRAME_BYTES) -> int:
    """Writes the content of a file in frames to `out`; returns how many there are.

    tell: called with the number of decoded bytes of each frame that is there.

    Raises:
        StorageError: there is no such file.
        StageError: it is damaged, or something has the name of `out`; what was made of it is kept for the next run.
    """
    if out.exists():
        raise StageError(f"{out}: is there already; remove it, or name another file")
    half_done = out.with_name(out.name + UNFINISHED)
    with open_decompressed(uri) as content:
        half_done.touch()
        with half_done.open("r+b") as file:
            try:
                sizes, differing = _kept(file, content, frame_bytes, tell)
                _add(file, sizes, chain(differing, _pieces(content, frame_bytes)), tell)
            except InputFault as fault:
                raise StageError(
                    f"{uri}: {fault}; fetch it anew and run the same again, which goes on from where this one stopped"
                ) from fault
            file.write(frame_list(sizes))
            file.flush()
            os.fsync(file.fileno())
    half_done.replace(out)
    return len(sizes)


def _splits(uri: str) -> bool:
    with open_input(uri) as file:
        return is_split(file)


def _kept(file: BinaryIO, content: Decompressed, frame_bytes: int, tell: Tell) -> tuple[Sizes, list[bytes]]:
    """The sizes of the frames that hold what the content begins with, after which the file is cut; and what was read of
    the content beyond them.
    """
    sizes: Sizes = []
    differing = []
    end = 0
    while frame := _frame(file, frame_bytes):
        data, stored = frame
        piece = content.head(len(data))
        if piece != data:
            differing = [piece] if piece else []
            break
        sizes.append((stored, len(data)))
        end += stored
        file.seek(end)
        tell(len(data))
    file.seek(end)
    file.truncate()
    return sizes, differing


def _frame(file: BinaryIO, most: int) -> tuple[bytes, int] | None:
    """The content and the stored bytes of the frame that the file stands at; None where no whole one is there."""
    decoder = zstd.ZstdDecompressor()
    pieces: list[bytes] = []
    held = taken = 0
    while not decoder.eof and held <= most:
        stored = file.read(READ_BYTES) if decoder.needs_input else b""
        if decoder.needs_input and not stored:
            return None
        taken += len(stored)
        try:
            pieces.append(decoder.decompress(stored, READ_BYTES))
        except zstd.ZstdError:
            return None
        held += len(pieces[-1])
    return (b"".join(pieces), taken - len(decoder.unused_data)) if 0 < held <= most else None


def _pieces(content: Decompressed, length: int) -> Iterator[bytes]:
    while piece := content.head(length):
        yield piece


def _add(file: BinaryIO, sizes: Sizes, pieces: Iterable[bytes], tell: Tell) -> None:
    """Writes a frame for each piece, one of nothing where there is none at all; as many are made at once as cores."""
    cores = os.cpu_count() or 1
    waiting: deque[tuple[int, Future[bytes]]] = deque()

    def write() -> None:
        length, frame = waiting.popleft()
        sizes.append((file.write(frame.result()), length))
        tell(length)

    with ThreadPoolExecutor(cores) as pool:
        for piece in pieces:
            waiting.append((len(piece), pool.submit(_compressed, piece)))
            if len(waiting) > cores:
                write()
        while waiting:
            write()
    if not sizes:
        sizes.append((file.write(_compressed(b"")), 0))


def _compressed(piece: bytes) -> bytes:
    return zstd.compress(piece, options=_OPTIONS)
