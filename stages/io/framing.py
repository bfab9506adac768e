"""Records out of a JSON stream, however it is laid out.

Dumps hold one entity a line, with or without the brackets and commas of an array;
that layout is read line by line and in parts. Everything else (arrays on one line,
pretty-printed files, answers of the web API) is one document, read from its start by
a scanner that only follows strings and brackets, with bounded memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import msgspec
from msgspec import Struct

from stages.io.compression import InputFault
from stages.io.lines import READ_STEP

Read = Callable[[int], bytes]

MAX_VALUES = 5_000_000
"""Of one record: an empty list takes three bytes in a file and sixty in memory."""

_SNIFF_BYTES = 1024 * 1024
_BLANK = b" \t\r\n"
_MARK = b"\xef\xbb\xbf"
# A quote that opens no whole string is the last token: the rest of its string has not been read yet.
_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|["\[\]{}]', re.DOTALL)
_LINE = re.compile(rb"[^\n]+")
_ENTITIES = b'"entities"'
_CUT_JSON = "Input data was truncated"
_NOWHERE = 1 << 30
_ABSENT = msgspec.Raw()


@dataclass(frozen=True)
class Piece:
    """One record, or where `error` is set ("reason: detail") what stands in its place."""

    data: bytes | None
    error: str | None = None


class _Probe(Struct):
    """A line that is a record by itself has one of these fields."""

    labels: msgspec.Raw = _ABSENT
    claims: msgspec.Raw = _ABSENT
    sitelinks: msgspec.Raw = _ABSENT
    entities: msgspec.Raw = _ABSENT
    redirect: msgspec.Raw = _ABSENT


def unframe(line: bytes) -> bytes:
    """The record on a line of an array: without the brackets and commas around it; empty where there is none."""
    line = line.removeprefix(_MARK).strip(b" \t\r\n,")
    if line.startswith(b"[") and not line.endswith(b"]"):
        line = line[1:]
    elif line.endswith(b"]") and not line.startswith(b"["):
        line = line[:-1]
    line = line.strip(b" \t\r\n,")
    return b"" if line in (b"[", b"]", b"[]") else line


def layout(read: Read, max_bytes: int) -> tuple[bool, bool]:
    """Of the beginning of a stream: whether it has one record a line, and whether it is an array, to be closed."""
    head = _head(read, max_bytes)
    listed = head.removeprefix(_MARK).lstrip(_BLANK).startswith(b"[")
    end = head.rfind(b"\n") + 1
    if any(_is_record(line) for line in _lines(head[:end])):
        return True, listed
    first = next(_lines(head[:end]), None) or head[end:].removeprefix(_MARK).strip(_BLANK)
    return not first.startswith(b"[") and (first.endswith(b"}") or not first.startswith(b"{")), listed


def _lines(text: bytes) -> Iterator[bytes]:
    """What stands on each line of an array, blank ones left out: there may be millions of these."""
    return (line for match in _LINE.finditer(text) if (line := unframe(match.group())))


def closes_list(line: bytes) -> bool:
    return line.rstrip(_BLANK).endswith(b"]")


def _head(read: Read, max_bytes: int) -> bytes:
    """Up to a line break after the first record, at least a megabyte, never much more than the limit."""
    pieces, size, settled = [], 0, False
    while size < (_SNIFF_BYTES if settled else max_bytes):
        try:
            data = read(READ_STEP)
        except InputFault:
            # Whoever reads the records tells the fault.
            break
        if not data:
            break
        settled = settled or b"\n" in data.strip(b"[\r\n \xef\xbb\xbf")
        pieces.append(data)
        size += len(data)
    return b"".join(pieces)


def _is_record(line: bytes) -> bool:
    if not (line.startswith(b"{") and line.endswith(b"}")):
        return False
    try:
        probe = msgspec.json.decode(line, type=_Probe)
    except (msgspec.DecodeError, RecursionError):
        return False
    return any(getattr(probe, name) is not _ABSENT for name in _Probe.__struct_fields__)


def read_document(read: Read, max_bytes: int) -> Iterator[Piece]:
    """The records of a stream of JSON values: objects, arrays of objects, or answers {"entities": {...}}.

    An entity of an answer is given as an answer of its own, so that its key stays with it.
    """
    scanner = _Scanner(max_bytes)
    while True:
        data, fault = _filled(read, max(READ_STEP, scanner.held // 2))
        yield from scanner.feed(data)
        if fault is not None:
            yield Piece(None, f"{fault.reason}: {fault}")
            return
        if not data:
            yield from scanner.finish()
            return


def _filled(read: Read, size: int) -> tuple[bytes, InputFault | None]:
    """At least so many bytes, fewer only at the end of the file or before a fault: what is held is looked through
    again with each piece, so that pieces of one size would take quadratic time in a long record."""
    pieces: list[bytes] = []
    while size > 0:
        try:
            data = read(READ_STEP)
        except InputFault as fault:
            return b"".join(pieces), fault
        if not data:
            break
        pieces.append(data)
        size -= len(data)
    return b"".join(pieces), None


# ijson takes 1.2 s of CPU for an array of 40 MB where this takes 6.4, but gives no more after the first fault, has no
# limit for a record, and does not tell a cut file from a damaged one; what is large is read by lines.
class _Scanner:
    """Follows depth through the stream and cuts the records out.

    base: the depth at which records stand: 0, 1 inside an array, 2 inside the entities
    of an answer, and `_NOWHERE` in the rest of an answer.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max = max_bytes
        self._buffer = b""
        self._scanned = 0
        self._depth = 0
        self._base = 0
        self._start: int | None = None
        self._dropped = 0
        self._string = self._key = b""
        self._gap = 0
        self._complained = False

    @property
    def held(self) -> int:
        """Bytes of the record that is not whole yet."""
        return len(self._buffer)

    def feed(self, data: bytes) -> Iterator[Piece]:
        self._buffer += data
        for match in _TOKEN.finditer(self._buffer, self._scanned):
            token = match.group()
            if token == b'"':
                self._scanned = match.start()
                break
            self._scanned = match.end()
            if token[:1] == b'"':
                self._string = token
            elif token in b"{[":
                yield from self._open(token, match.start())
            else:
                yield from self._close(match.start(), match.end())
        else:
            self._scanned = len(self._buffer)
        yield from self._trim()

    def finish(self) -> Iterator[Piece]:
        if self._depth > 0:
            yield ends_inside(self._buffer[self._start or 0 :])
        else:
            yield from self._between(len(self._buffer))

    @property
    def _among_records(self) -> bool:
        return self._start is None and self._depth == self._base

    def _between(self, end: int) -> Iterator[Piece]:
        """Between two records there should be commas and white space alone; said once a file."""
        gap = self._buffer[self._gap : end].removeprefix(_MARK).strip(_BLANK + b",")
        self._gap = end
        if gap and self._base < 2 and not self._complained:
            self._complained = True
            yield _misframed("not a record", gap)

    def _open(self, token: bytes, at: int) -> Iterator[Piece]:
        if self._among_records:
            yield from self._between(at)
            if token == b"[" and self._depth == 0:
                self._base, self._gap = 1, at + 1
            else:
                self._start, self._dropped, self._key = at, 0, self._string
        elif self._base == 0 and self._depth == 1 and token == b"{" and self._string == _ENTITIES:
            self._start, self._dropped, self._base = None, 0, 2
        self._depth += 1

    def _close(self, start: int, end: int) -> Iterator[Piece]:
        if self._among_records:
            yield from self._between(start if self._depth else end)
        self._depth = max(0, self._depth - 1)
        if self._start is not None and self._depth == self._base:
            yield self._piece(self._start, end)
            self._start, self._dropped = None, 0
        elif self._depth < self._base or self._base == _NOWHERE:
            self._base = 0 if self._depth == 0 else _NOWHERE
        self._gap = end

    def _piece(self, start: int, end: int) -> Piece:
        size = end - start + self._dropped
        if size > self._max:
            return Piece(None, f"oversized_record: {size} bytes, the limit is {self._max}")
        data = self._buffer[start:end]
        if fault := too_many_values(data):
            return Piece(None, fault)
        return Piece(b'{"entities":{%b:%b}}' % (self._key, data)) if self._base == 2 else Piece(data)

    def _trim(self) -> Iterator[Piece]:
        """Lets go of all that is no longer needed."""
        if self._among_records and self._scanned - self._gap > READ_STEP:
            yield from self._between(self._scanned)
        needed = self._scanned
        if self._start is not None and len(self._buffer) - self._start <= self._max:
            needed = self._start
        elif self._among_records:
            needed = self._gap
        self._drop_before(needed)
        if len(self._buffer) - self._scanned > self._max:
            self._shorten_string()

    def _drop_before(self, needed: int) -> None:
        if self._start is not None:
            self._dropped += needed - self._start
            self._start = 0
        self._buffer = self._buffer[needed:]
        self._scanned -= needed
        self._gap = max(0, self._gap - needed)

    def _shorten_string(self) -> None:
        """Of an endless string only its quote matters, and whether its last character escapes the next."""
        backslashes = len(self._buffer) - len(self._buffer.rstrip(b"\\"))
        rest = b'"' + b"\\" * (backslashes % 2)
        self._dropped += len(self._buffer) - self._scanned - len(rest)
        self._buffer = self._buffer[: self._scanned] + rest


def too_many_values(record: bytes) -> str:
    """ "reason: detail" where a record would take too much memory once it is decoded; else ""."""
    count = record.count(b",")
    return f"oversized_record: {count} commas, the limit is {MAX_VALUES}" if count > MAX_VALUES else ""


def is_whole(record: bytes) -> bool:
    """Whether the last record of a file is not one that its end has cut: right as far as it goes, without an end."""
    try:
        msgspec.json.decode(record, type=msgspec.Raw)
    except msgspec.DecodeError as error:
        return _CUT_JSON not in str(error)
    except RecursionError:
        return True
    return True


def ends_inside(data: bytes) -> Piece:
    """What stands in place of a value whose end is not in the file: whoever cut it may have cut off more."""
    return Piece(None, f"truncated_input: the file ends inside a value | {_excerpt(data)}")


def ends_in_list() -> Piece:
    """What is told where the end of a file has cut an array between two records."""
    return Piece(None, "truncated_input: the list that the file begins with has no end")


def _misframed(what: str, data: bytes) -> Piece:
    return Piece(None, f"bad_framing: {what} | {_excerpt(data)}")


def _excerpt(data: bytes) -> str:
    return data[:80].decode("utf-8", errors="replace")
