"""Pages whose text is already clean, as JSON lines or Parquet, as a source of raw pages.

A row is a page ({"title", "text", optionally "qid", "page_id", "license"}) or a redirect
({"from", "to"}); one file may hold both. JSON lines may be plain or compressed with
gzip, bzip2 or Zstandard.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pyarrow as pa

from stages.core.canonical import PLACE
from stages.io import licences
from stages.io.framing import is_whole, too_many_values
from stages.io.lines import MAX_LINE_BYTES, Line, read_lines
from stages.io.parquet_rows import is_parquet, read_rows
from stages.io.ranges import PART_BYTES, FilePart, parts_of
from stages.wikipedia.raw import RAW_SCHEMA, RawRow, batches, digests, error_row

UNSTATED = "not stated by the file"

_COLUMNS = ("title", "qid", "page_id", "text", "from", "to", "license")
_QID = re.compile(r"Q[1-9][0-9]{0,17}", re.ASCII)
_LARGEST_ID = (1 << 63) - 1


@dataclass(frozen=True)
class PreparedPages:
    """Source over files of clean pages and redirects.

    paths: local paths or URIs; a Parquet file is known by its first bytes.
    max_record_bytes: a longer JSON line or row of a table becomes an error row.
    part_bytes: bytes of the stored file per part, where its format can be split.
    """

    paths: Sequence[str] = field(metadata=PLACE)
    max_record_bytes: int = MAX_LINE_BYTES
    part_bytes: int = PART_BYTES
    schema: pa.Schema = field(default=RAW_SCHEMA, init=False, repr=False)

    def parts(self) -> list[FilePart]:
        return [part for path in self.paths for part in self._parts_of(str(path))]

    def _parts_of(self, uri: str) -> list[FilePart]:
        parts = parts_of(uri, self.part_bytes)
        return [FilePart(uri, 0, parts[-1].end)] if is_parquet(uri) else parts

    def read(self, part: FilePart) -> Iterator[pa.Table]:
        """Tables of RAW_SCHEMA.

        Error reasons: broken_json, bad_row, bad_qid, no_title, oversized_line, oversized_record,
        truncated_input, corrupt_input, and those of `stages.io.parquet_rows`.

        Raises:
            StorageError: there is no such file.
        """
        if is_parquet(part.uri):
            return batches(_parquet_rows(part.uri, self.max_record_bytes))
        lines = read_lines(part, self.max_record_bytes)
        return batches(_line_row(line) for line in lines if line.error or line.data.strip())

    def identity(self) -> Mapping[str, str]:
        return digests(str(path) for path in self.paths)

    def licences(self) -> Mapping[str, str]:
        """The licences that the rows themselves state; reads every file once."""
        stated = (licence for part in self.parts() for licence in self._licences_of(part))
        return {"Wikipedia pages": licences.together(stated) or UNSTATED}

    def _licences_of(self, part: FilePart) -> set[str]:
        if is_parquet(part.uri):
            return _parquet_licences(part.uri)
        return {found for line in read_lines(part, self.max_record_bytes) if (found := _line_licence(line))}


def raw_row(record: Any) -> RawRow:
    """The raw row of one record of a prepared file."""
    if not isinstance(record, dict):
        return error_row(
            "bad_row", "expected an object with title and text, or with from and to", excerpt=str(record)[:200]
        )
    if record.get("from") is not None or record.get("to") is not None:
        return _redirect_row(record)
    title, text, qid, page_id = (record.get(name) for name in ("title", "text", "qid", "page_id"))
    if not isinstance(title, str):
        return error_row("no_title", "the row has no title", excerpt=str(text or "")[:200])
    if not isinstance(text, str | None) or not _is_page_id(page_id):
        return error_row("bad_row", "text is a string and page_id an integer of 64 bits", title=title)
    if qid is not None and not (isinstance(qid, str) and _QID.fullmatch(qid)):
        return error_row("bad_qid", f"{qid!r} is not an entity id such as Q42", title=title)
    return {"title": title, "page_id": page_id, "qid": qid, "text": text or "", "markup": False}


def _is_page_id(value: Any) -> bool:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value is None or (whole and abs(value) <= _LARGEST_ID)


def _redirect_row(record: dict[str, Any]) -> RawRow:
    source, target = record.get("from"), record.get("to")
    if not isinstance(source, str) or not isinstance(target, str):
        return error_row("bad_row", "from and to of a redirect are titles", excerpt=f"{source!r} {target!r}")
    return {"title": source, "redirect": target, "markup": False}


def _line_row(line: Line) -> RawRow:
    excerpt = line.data[:200].decode("utf-8", "replace")
    if error := line.error or too_many_values(line.data):
        return {"text": excerpt, "error": error}
    try:
        return raw_row(msgspec.json.decode(line.data))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        # Without a line break behind it, it is the last line of a file that was cut.
        return error_row(
            "broken_json" if line.ended or is_whole(line.data) else "truncated_input", str(error), excerpt=excerpt
        )


def _parquet_rows(uri: str, max_bytes: int) -> Iterator[RawRow]:
    for record, error in read_rows(uri, _COLUMNS, max_bytes):
        yield {"error": error} if error else raw_row(record)


class _LicenceOnly(msgspec.Struct):
    license: str | None = None


_LICENCE = msgspec.json.Decoder(_LicenceOnly)


def _line_licence(line: Line) -> str | None:
    try:
        return None if line.error or too_many_values(line.data) else _LICENCE.decode(line.data).license
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        # A broken line has no licence to state; `read` gives its error row.
        return None


def _parquet_licences(uri: str) -> set[str]:
    # What cannot be read has no licence to state; `read` gives its error row.
    rows = read_rows(uri, ("license",), MAX_LINE_BYTES)
    return {found for row, _ in rows if isinstance(found := row.get("license"), str) and found}
