"""Lines of bounded length from a file or a part of one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from stages.io.compression import Decompressed, InputFault
from stages.io.ranges import FilePart, open_part

READ_STEP = 1024 * 1024
MAX_LINE_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class Line:
    """A line without its line break; where `error` is set ("reason: detail"), `data` is only its head.

    ended: it had a line break. The last line of a file has none: what stands after the last line break, if only "".
    size: with its line break.
    """

    data: bytes
    error: str | None = None
    ended: bool = True
    size: int = field(default=0, compare=False, repr=False)


def read_lines(part: FilePart, max_bytes: int = MAX_LINE_BYTES) -> Iterator[Line]:
    """The lines that belong to the part, blank ones included; never raises on content.

    The part whose lines end the file tells so by a last line without a line break.
    Every part but the first leaves out what comes before its first line break, and every
    part reads the line that starts where its own bytes end, so each line is read once.
    Errors: oversized_line, truncated_input, corrupt_input (the last with the line's head).

    Raises:
        StorageError: there is no such file.
    """
    with open_part(part) as reader:
        position, skipping = 0, not reader.first
        owns_lines = reader.first
        for line in _split(reader, max_bytes):
            start, position = position, position + line.size
            # A fault ends the part: it is reported even where no whole line was seen before it.
            if skipping and (line.error is None or line.error.startswith("oversized_line")):
                skipping = False
                continue
            own = reader.own
            is_end = not (line.size or line.error)
            if own is not None and start > own and not is_end:
                return
            if owns_lines or not is_end:
                owns_lines = True
                yield line


def _split(reader: Decompressed, max_bytes: int) -> Iterator[Line]:
    pending: list[bytes] = []
    size = 0
    while True:
        try:
            data = reader.read(READ_STEP)
        except InputFault as fault:
            yield Line(b"".join(pending), f"{fault.reason}: {fault}", False, size)
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


def _finish(pieces: list[bytes], size: int, max_bytes: int, ended: bool) -> Line:
    data, length = b"".join(pieces), size - ended
    if length <= max_bytes:
        return Line(data.removesuffix(b"\r"), None, ended, size)
    return Line(data[:200], f"oversized_line: {length} bytes, the limit is {max_bytes}", ended, size)
