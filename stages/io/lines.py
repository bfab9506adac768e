"""Lines of bounded length from a file or a part of one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from stages.io.compression import InputFault
from stages.io.ranges import PartReader

READ_STEP = 1024 * 1024
MAX_LINE_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class Line:
    """A line without its line break; where `error` is set ("reason: detail"), `data` is only its head.

    ended: it had a line break. The last line of a file has none: what stands after the last line break, if only "".
    """

    data: bytes
    error: str | None = None
    ended: bool = True


def read_lines(reader: PartReader, max_bytes: int = MAX_LINE_BYTES) -> Iterator[Line]:
    """The lines that belong to the part, blank ones included; never raises on content.

    The part whose lines end the file tells so by a last line without a line break.
    Every part but the first leaves out what comes before its first line break, and every
    part reads the line that starts where its own bytes end, so each line is read once.
    Errors: oversized_line, truncated_input, corrupt_input (the last with the line's head).
    """
    position = 0
    skipping_first = not reader.first
    owns_lines = reader.first
    for raw, error in _split(reader, max_bytes):
        start, position = position, position + raw.size
        if skipping_first:
            skipping_first = False
            # A fault ends the part: it is reported even where no whole line was seen before it.
            if error is None or error.startswith("oversized_line"):
                continue
        own = reader.own
        is_end = not (raw.size or error)
        if own is not None and start > own and not is_end:
            return
        if owns_lines or not is_end:
            owns_lines = True
            yield Line(raw.head, error, raw.ended)


@dataclass(frozen=True)
class _Raw:
    head: bytes
    size: int
    ended: bool


def _split(reader: PartReader, max_bytes: int) -> Iterator[tuple[_Raw, str | None]]:
    pending: list[bytes] = []
    size = 0
    while True:
        try:
            data = reader.read(READ_STEP)
        except InputFault as fault:
            head = b"".join(pending)
            yield _Raw(head, size, False), f"{fault.reason}: {fault}"
            return
        if not data:
            yield _finish(pending, size, max_bytes, ended=False)
            return
        *whole, rest = data.split(b"\n")
        for piece in whole:
            yield _finish([*pending, piece], size + len(piece) + 1, max_bytes, ended=True)
            pending, size = [], 0
        size += len(rest)
        if size <= max_bytes:
            pending.append(rest)


def _finish(pieces: list[bytes], size: int, max_bytes: int, ended: bool) -> tuple[_Raw, str | None]:
    line = b"".join(pieces)
    length = size - ended
    if length <= max_bytes:
        return _Raw(line.removesuffix(b"\r"), size, ended), None
    return _Raw(line[:200], size, ended), f"oversized_line: {length} bytes, the limit is {max_bytes}"
