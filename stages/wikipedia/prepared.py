"""Pages whose text is already clean, as JSON lines, CSV, TSV or Parquet, as a source of raw pages.

A row is a page ({"title", "text", optionally "qid", "page_id", "url", "licence", "revision", "date"}) or a redirect
({"from", "to"}); one file may hold both. Columns of pages may go by other usual names, or by those that the user says
(`stages.io.column_names`). All but Parquet may be plain or compressed with gzip, bzip2 or Zstandard.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import msgspec
import pyarrow as pa

from stages.core.canonical import PLACE
from stages.io import licences
from stages.io.column_names import PAGE, USUAL, ColumnNames
from stages.io.delimited import delimited_records, is_delimited
from stages.io.framing import is_whole, too_many_values
from stages.io.lines import MAX_LINE_BYTES, Line, read_lines
from stages.io.parquet_rows import column_names, is_parquet, read_rows
from stages.io.ranges import PART_BYTES, FilePart, parts_of
from stages.wikipedia.raw import MAX_ORIGIN, RAW_SCHEMA, RawRow, batches, digests, error_row

UNSTATED = "not stated by the file"

_REDIRECT = ("from", "to")
_QID = re.compile(r"Q[1-9][0-9]{0,17}", re.ASCII)
_URL = re.compile(r"""https?://[^\s<>"'\x00-\x1f\x7f]{1,2000}""", re.IGNORECASE)
_DIGITS = re.compile(r"[0-9]{1,18}", re.ASCII)
_LARGEST_ID = (1 << 63) - 1


@dataclass(frozen=True)
class PreparedPages:
    """Source over files of clean pages and redirects.

    paths: local paths or URIs; a Parquet file is known by its first bytes.
    max_record_bytes: a longer JSON line or row of a table becomes an error row.
    part_bytes: bytes of the stored file per part, where its format can be split.
    columns: what the user calls the columns.
    """

    paths: Sequence[str] = field(metadata=PLACE)
    columns: ColumnNames = USUAL
    max_record_bytes: int = MAX_LINE_BYTES
    part_bytes: int = PART_BYTES
    schema: pa.Schema = field(default=RAW_SCHEMA, init=False, repr=False)

    def parts(self) -> list[FilePart]:
        return [part for path in self.paths for part in self._parts_of(str(path))]

    def _parts_of(self, uri: str) -> list[FilePart]:
        parts = parts_of(uri, self.part_bytes)
        whole = is_parquet(uri) or is_delimited(uri)
        return [FilePart(uri, 0, parts[-1].end)] if whole else parts

    def read(self, part: FilePart) -> Iterator[pa.Table]:
        """Tables of RAW_SCHEMA.

        Error reasons: broken_json, bad_row, bad_qid, bad_url, no_title, oversized_line, oversized_record,
        truncated_input, corrupt_input, and those of `stages.io.parquet_rows` and `stages.io.delimited`.

        Raises:
            StorageError: there is no such file.
        """
        reader = PageRows(self.columns)
        if is_parquet(part.uri):
            return batches(self._parquet_rows(part.uri, reader))
        if is_delimited(part.uri):
            return batches(self._cells(part.uri, reader))
        lines = read_lines(part, self.max_record_bytes)
        return batches(_line_row(line, reader) for line in lines if line.error or line.data.strip())

    def identity(self) -> Mapping[str, str]:
        return digests(str(path) for path in self.paths)

    def licences(self) -> Mapping[str, str]:
        """The licences that the rows themselves state; reads every file once."""
        stated = (licence for part in self.parts() for licence in self._licences_of(part))
        return {"prepared pages": licences.together(stated, "table licences") or UNSTATED}

    def _licences_of(self, part: FilePart) -> Iterator[str]:
        if is_parquet(part.uri):
            # What cannot be read has no licence to state; `read` gives its error row.
            name = PageRows(self.columns).find(tuple(column_names(part.uri))).get("licence", "")
            rows = read_rows(part.uri, (name,), MAX_LINE_BYTES) if name else ()
            return (found for row, _ in rows if isinstance(found := row.get(name), str))
        if is_delimited(part.uri):
            told = (row for table in self.read(part) for row in table["licence"].to_pylist())
            return filter(None, told)
        decoder = _licence_decoder(tuple(name for name, taken in self.columns.mapped.items() if taken == "licence"))
        lines = read_lines(part, self.max_record_bytes)
        return (found for line in lines for found in _line_licences(line, decoder) if found)

    def _parquet_rows(self, uri: str, reader: PageRows) -> Iterator[RawRow]:
        names = [*reader.find(tuple(column_names(uri))).values(), *_REDIRECT]
        for record, error in read_rows(uri, names, self.max_record_bytes):
            yield {"error": error} if error else reader.row(record)

    def _cells(self, uri: str, reader: PageRows) -> Iterator[RawRow]:
        """Rows of a CSV file, in which an empty cell says nothing."""
        for piece in delimited_records(uri, self.max_record_bytes):
            if piece.data is None:
                yield {"error": piece.error}
                continue
            record = {name: value for name, value in msgspec.json.decode(piece.data).items() if value.strip()}
            page_id = reader.find(tuple(record)).get("page_id", "")
            if _DIGITS.fullmatch(record.get(page_id, "")):
                record[page_id] = int(record[page_id])
            yield reader.row(record)


class PageRows:
    """Raw rows of the records of a file, whatever its columns are called."""

    def __init__(self, columns: ColumnNames = USUAL) -> None:
        # Most files give all their records the same keys.
        self.find = lru_cache(maxsize=64)(lambda names: columns.find(names, PAGE))

    def row(self, record: Any) -> RawRow:
        """The raw row of one record of a prepared file."""
        if not isinstance(record, dict):
            return error_row(
                "bad_row", "expected an object with title and text, or with from and to", excerpt=str(record)[:200]
            )
        if any(record.get(name) is not None for name in _REDIRECT):
            return _redirect_row(record)
        found = {column: record[name] for column, name in self.find(tuple(record)).items()}
        title, text, qid, page_id = (found.get(name) for name in ("title", "text", "qid", "page_id"))
        if not isinstance(title, str):
            return error_row("no_title", "the row has no title", excerpt=str(text or "")[:200])
        if not isinstance(text, str | None) or not _is_page_id(page_id):
            return error_row("bad_row", "text is a string and page_id an integer of 64 bits", title=title)
        if qid is not None and not (isinstance(qid, str) and _QID.fullmatch(qid)):
            return error_row("bad_qid", f"{qid!r} is not an entity id such as Q42", title=title)
        url = found.get("url")
        if url is not None and not (isinstance(url, str) and _URL.fullmatch(url)):
            return error_row("bad_url", f"{str(url)[:100]!r} is no address such as https://my.org/page", title=title)
        return {
            "title": title,
            "page_id": page_id,
            "qid": qid,
            "text": text or "",
            "markup": False,
            "url": url,
            "licence": _told(found.get("licence"), licences.LONGEST),
            **{name: _told(found.get(name), MAX_ORIGIN) for name in ("revision", "date")},
        }


def _told(value: Any, longest: int) -> str | None:
    """A text or a number as a short text; None where it is neither."""
    text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    return " ".join(text.split())[:longest] or None


def _is_page_id(value: Any) -> bool:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value is None or (whole and abs(value) <= _LARGEST_ID)


def _redirect_row(record: dict[str, Any]) -> RawRow:
    source, target = record.get("from"), record.get("to")
    if not isinstance(source, str) or not isinstance(target, str):
        return error_row("bad_row", "from and to of a redirect are titles", excerpt=f"{source!r} {target!r}")
    return {"title": source, "redirect": target, "markup": False}


def _line_row(line: Line, reader: PageRows) -> RawRow:
    excerpt = line.data[:200].decode("utf-8", "replace")
    if error := line.error or too_many_values(line.data):
        return {"text": excerpt, "error": error}
    try:
        return reader.row(msgspec.json.decode(line.data))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        # Without a line break behind it, it is the last line of a file that was cut.
        return error_row(
            "broken_json" if line.ended or is_whole(line.data) else "truncated_input", str(error), excerpt=excerpt
        )


@lru_cache(maxsize=16)
def _licence_decoder(mapped: tuple[str, ...]) -> msgspec.json.Decoder:
    """Of what a record says of its licence, and of nothing else."""
    names = dict.fromkeys((*mapped, "licence", *PAGE["licence"]))
    fields = [(f"f{number}", str | None, None) for number in range(len(names))]
    rename = {field[0]: name for field, name in zip(fields, names, strict=True)}
    return msgspec.json.Decoder(msgspec.defstruct("Licences", fields, rename=rename))


def _line_licences(line: Line, decoder: msgspec.json.Decoder) -> tuple[str | None, ...]:
    try:
        return () if line.error or too_many_values(line.data) else msgspec.structs.astuple(decoder.decode(line.data))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        # A broken line has no licence to state; `read` gives its error row.
        return ()
