"""A worked example of a source: notes, `%notes` on the first line of a plain file and then "Title: text" a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from stages.core.canonical import PLACE
from stages.io.formats import Format
from stages.io.lines import read_lines
from stages.io.ranges import FilePart, parts_of
from stages.wikipedia.raw import RAW_SCHEMA, RawRow, batches, digests, error_row

HEAD = b"%notes\n"


@dataclass(frozen=True)
class Notes:
    """Source over files of notes."""

    paths: tuple[str, ...] = field(metadata=PLACE)

    @property
    def schema(self) -> pa.Schema:
        return RAW_SCHEMA

    def parts(self) -> list[FilePart]:
        return [FilePart(path, 0, parts_of(path)[-1].end) for path in self.paths]

    def read(self, part: FilePart) -> Iterator[pa.Table]:
        """Tables of RAW_SCHEMA. Error reasons: bad_note, and those of `read_lines`."""
        lines = (line for line in read_lines(part) if line.error or line.data not in (b"", HEAD.strip()))
        return batches({"error": line.error} if line.error else _row(line.data) for line in lines)

    def identity(self) -> Mapping[str, str]:
        return digests(self.paths)

    def licences(self) -> Mapping[str, str]:
        return {"notes": "not stated by the file"}


def _row(line: bytes) -> RawRow:
    title, colon, text = line.decode("utf-8", "replace").partition(": ")
    if not colon:
        return error_row("bad_note", "expected a title, a colon and a text", excerpt=title[:200])
    return {"title": title, "text": text, "markup": False}


FORMAT = Format("pages", lambda head: head.startswith(HEAD), Notes)
