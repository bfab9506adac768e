"""A file that somebody hands to a command, read whole: of bounded size, without a record that takes all memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from stages.core.contract import StageError
from stages.io.framing import MAX_VALUES
from stages.io.lines import MAX_LINE_BYTES, READ_STEP

FILE_BYTES = 256 * 1024 * 1024
# As Python objects, lists without anything in them take about twenty times what they take as JSON.
_BYTES_OF_VALUE = 32


@dataclass(frozen=True)
class FileLimits:
    """record_bytes: of a line, be it a record or all of them; file_bytes: of the whole, unpacked or not."""

    record_bytes: int = MAX_LINE_BYTES
    file_bytes: int = FILE_BYTES

    @property
    def values(self) -> int:
        """The commas that a file may have, which tell how many values it becomes."""
        return max(MAX_VALUES, self.file_bytes // _BYTES_OF_VALUE)


_USUAL = FileLimits()
_LIMITS: ContextVar[FileLimits] = ContextVar("limits of files read whole", default=_USUAL)


@contextmanager
def limited(limits: FileLimits) -> Iterator[None]:
    """Other limits for all files that are read in the `with`, by whatever metric."""
    before = _LIMITS.set(limits)
    try:
        yield
    finally:
        _LIMITS.reset(before)


def whole_text(path: str | Path) -> str:
    """The text of a file in UTF-8, with "\\n" at the end of a line.

    Raises:
        StageError: it is longer than the limits that hold, or one of its lines is.
        UnicodeDecodeError: not UTF-8.
        OSError: it cannot be read.
    """
    held, limits = bytearray(), _LIMITS.get()
    counts = _Counts(str(path), limits)
    with Path(path).open("rb") as file:
        while data := file.read(READ_STEP):
            counts.add(data)
            held += data
    text = held.decode("utf-8-sig")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


class _Counts:
    """What has been read of a file: bytes and commas, of the whole and of the line at hand."""

    def __init__(self, path: str, limits: FileLimits) -> None:
        self._path, self._limits = path, limits
        self._bytes = self._commas = self._line_bytes = self._line_commas = 0
        self._line = 1

    def add(self, data: bytes) -> None:
        self._bytes += len(data)
        self._commas += data.count(b",")
        limits = self._limits
        if self._bytes > limits.file_bytes:
            raise self._error(self._path, f"more than {limits.file_bytes:,} bytes", "--file-bytes")
        if self._commas > limits.values:
            raise self._error(self._path, f"more than {limits.values:,} commas", "--file-bytes")
        for number, piece in enumerate(data.split(b"\n")):
            if number:
                self._line += 1
                self._line_bytes = self._line_commas = 0
            self._line_bytes += len(piece)
            self._line_commas += piece.count(b",")
            self._check_line()

    def _check_line(self) -> None:
        place = f"{self._path}, line {self._line}"
        if self._line_bytes > self._limits.record_bytes:
            raise self._error(place, f"more than {self._limits.record_bytes:,} bytes", "--record-bytes")
        if self._line_commas > MAX_VALUES:
            raise self._error(place, f"more than {MAX_VALUES:,} commas", "")

    def _error(self, place: str, what: str, option: str) -> StageError:
        other = f", or set another limit with {option} N" if option else ""
        return StageError(f"{place}: {what}; give a record a line, and a file for each part{other}")
